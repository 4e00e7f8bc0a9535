"""Make the gallery from the scripts beside this file: their pictures, and the page README.md.

    python examples/make_gallery.py             # run every script, write its picture and the page
    python examples/make_gallery.py --check     # exit 1 if the page or a picture is not of these scripts

The first line of a script's docstring is its question, what follows is the answer, and what is indented is
what the script prints.
"""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
NAMES = (
    "step_by_step",
    "one_curve",
    "where_to_cut",
    "two_datasets",
    "cross_validation",
    "which_average",
    "how_sure",
    "better_where",
    "which_budget",
    "few_false_alarms",
    "shared_threshold",
    "hospitals",
    "tied_cutoffs",
    "readers",
    "matchers",
    "costs",
    "several_classes",
    "three_errors",
    "confident_scores",
)
_DPI = 200
"""With which the scripts draw; a column is 8.5 cm."""
_COLOURS = 128
"""Of a picture: lines and text need no more, and the file is a third of the size."""


@dataclass(frozen=True)
class Example:
    """A script: the question it asks, the answer, what it prints."""

    name: str
    question: str
    answer: str
    printed: str
    source: str

    @property
    def picture(self) -> Path:
        """The picture beside the script."""
        return FOLDER / f"{self.name}.png"

    @property
    def mark(self) -> str:
        """What a picture carries to say of which script it is."""
        return hashlib.sha256(self.source.encode()).hexdigest()[:16]


def read(name: str) -> Example:
    """The example of this name, from its docstring."""
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    question, *rest = (ast.get_docstring(ast.parse(source)) or "").splitlines()
    printed = [line.strip() for line in rest if line.startswith("    ")]
    answer = " ".join(line for line in rest if line and not line.startswith("    "))
    return Example(name, question, answer, "\n".join(printed), source)


def page(examples: list[Example]) -> str:
    """The gallery as Markdown."""
    lines = [
        "# Gallery",
        "",
        "<!-- Made by make_gallery.py from the scripts; change those. -->",
        "",
        "Each script asks one question, prints the answer and draws it. All data are simulated, so every "
        "script runs as it is: `python examples/NAME.py [folder]`. What else a figure can show is in its "
        "docstring, `help(rs.plot.average)`.",
        "",
    ]
    lines += [f"- [{own.question}](#{_anchor(own.question)})" for own in examples]
    for own in examples:
        lines += ["", f"## {own.question}", "", own.answer, "", "```text", own.printed, "```", ""]
        lines.append(
            f'<img src="{own.picture.name}" alt="{own.question}" width="{_shown_width(own.picture)}">'
        )
        lines += ["", f"Script: [{own.name}.py]({own.name}.py)"]
    return "\n".join(lines) + "\n"


def _shown_width(picture: Path) -> int:
    """How wide a picture is shown: the column of a journal as 420 pixels, two of them as 840."""
    with picture.open("rb") as file:
        width = int.from_bytes(file.read(20)[16:], "big")  # where every PNG has it
    return 10 * round(42 * width / (3.35 * _DPI))


def _anchor(heading: str) -> str:
    """The name that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def draw(example: Example) -> None:
    """Run the script, and pack its picture."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    script = FOLDER / f"{example.name}.py"
    subprocess.run([sys.executable, script, FOLDER], check=True, stdout=subprocess.DEVNULL)
    about = PngInfo()
    about.add_text("Source", example.mark)
    with Image.open(example.picture) as drawn:
        packed = drawn.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    packed.save(example.picture, optimize=True, pnginfo=about)


def is_picture_of(example: Example) -> bool:
    """Whether the picture beside a script was made by the script as it is now."""
    return example.picture.exists() and example.mark.encode() in example.picture.read_bytes()


def main(arguments: list[str]) -> int:
    """Make everything, or check that it was made."""
    examples = [read(name) for name in NAMES]
    path = FOLDER / "README.md"
    if arguments == ["--check"]:
        old = [own.picture.name for own in examples if not is_picture_of(own)]
        if old or not path.exists() or path.read_text(encoding="utf-8") != page(examples):
            old.append(path.name)
        if old:
            print(f"not up to date: {', '.join(old)}; run  python examples/make_gallery.py", file=sys.stderr)
        return 1 if old else 0
    for own in examples:
        print(own.name)
        draw(own)
    path.write_text(page(examples), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
