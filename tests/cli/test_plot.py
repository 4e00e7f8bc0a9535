"""`rocsteady plot`: the figures of a study, as files of the kind and the size that was asked for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.cli.plot import _USES, Look, _usual_name
from rocsteady.errors import UsageError
from rocsteady.figures import studies

COLUMNS = ["-g", "host", "-p", "attack"]
BOTH = ["both.csv", *COLUMNS, "-m", "model"]
VERTICAL = ["--method", "vertical", "--band", "none"]  # quickly made
PYTHON = re.compile(r"\w\(|\w+='|\w+=\(|\.to_frame|\brs\.")
"""Nothing that a shell would take."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages hold no path of this machine."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_hosts(name: str, *, models: tuple[str, ...] = (), n_hosts: int = 9, seed: int = 3) -> str:
    rng = np.random.default_rng(seed)
    lines = ["host,label,score" + (",model" if models else "")]
    for k, model in enumerate(models or ("",)):
        for i in range(n_hosts):
            for label in ["attack"] * 12 + ["normal"] * 20:
                value = f"{rng.normal() + (2 + k / 2) * (label == 'attack'):.3f}"
                lines.append(f"h{i},{label},{value}" + (f",{model}" if models else ""))
    Path(name).write_text("\n".join(lines) + "\n")
    return name


@pytest.fixture
def hosts() -> str:
    return write_hosts("hosts.csv")


@pytest.fixture
def both() -> list[str]:
    write_hosts("both.csv", models=("old", "new"))
    return BOTH


@pytest.fixture
def patients() -> str:
    """One dataset, without groups."""
    text = Path(write_hosts("patients.csv", n_hosts=3)).read_text()
    rows = [line.split(",", 1)[1] for line in text.splitlines()]
    Path("patients.csv").write_text("\n".join(rows) + "\n")
    return "patients.csv"


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that are written, which need not be turned into dots and strokes for that."""
    from rocsteady.figures import matplotlib

    found: list[Any] = []
    monkeypatch.setattr(
        matplotlib, "rendered", lambda figure, kind, **options: found.append(figure) or b"drawn"
    )
    return found


def read(name: str = "hosts.csv", model: str | None = None) -> rs.ScoreSet:
    names = {"label": "label", "score": "score", "group": "host", "positive": "attack"}
    scores = rs.read_scores(name, **names, model=None if model is None else "model")
    return scores if model is None else scores.model(model)


def seen_in(axes: Any) -> tuple[Any, ...]:
    """What axes show: words, limits, lines and areas as numbers."""
    legend = axes.get_legend()
    words = [axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()]
    words += [] if legend is None else [text.get_text() for text in legend.get_texts()]
    lines = [line.get_xydata() for line in axes.lines]
    lines += [path.vertices for area in axes.collections for path in area.get_paths()]
    marks = [np.asarray(own, dtype=float).round(12).tolist() for own in lines]
    return words, axes.get_xlim(), axes.get_ylim(), marks


def assert_same(drawn: Any, expected: Any) -> None:
    np.testing.assert_equal(seen_in(drawn), seen_in(expected))


# What is drawn


@pytest.mark.parametrize(
    ("options", "method"),
    [
        (["--deploy", "shared", "--band", "none"], "threshold"),
        (["--deploy", "own", "--hold", "fpr"], "vertical"),
        (["--method", "horizontal", "--at-jumps", "mid", "--band", "none"], rs.Horizontal(at_jumps="mid")),
        (["--angle", "30deg", "--band", "pointwise"], rs.AtAngle(np.pi / 6)),
    ],
)
def test_an_average_is_drawn_as_the_library_draws_it(call, hosts, figures, options, method) -> None:
    shown = call("plot", hosts, *COLUMNS, *options, "-o", "f.png", "-q")
    assert (shown.code, shown.out, shown.err) == (0, "", "")
    (axes,) = figures[0].axes
    band = options[options.index("--band") + 1] if "--band" in options else "both"
    assert_same(axes, rs.plot.average(rs.average(read(), method), band=band))


def test_how_it_is_drawn_can_be_said(call, hosts, figures) -> None:
    said = ["--band", "pointwise", "--no-curves", "--zoom", "20%,0.5", "--words", "medical", "--title", "T"]
    said += ["--confidence-level", "0.8", "--seed", "3", "--at", "fpr=0.1", "--at", "tpr=0.9"]
    call("plot", hosts, *COLUMNS, "--method", "vertical", *said, "-o", "f.png", "-q")
    average = rs.average(read(), "vertical")
    options: dict[str, Any] = {"confidence_level": 0.8, "seed": 3}
    points = [average.at(fpr=0.1, confidence_level=0.8), average.at(tpr=0.9, confidence_level=0.8)]
    look: dict[str, Any] = {"zoom": (0.2, 0.5), "words": "medical", "title": "T"}
    expected = rs.plot.average(average, band="pointwise", curves=False, at=points, **options, **look)
    assert_same(figures[0].axes[0], expected)
    call("plot", hosts, *COLUMNS, *VERTICAL, "--log", "-o", "g.png", "-q")
    assert figures[1].axes[0].get_xscale() == "log"


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # most hosts are alike there
def test_models_are_drawn_together_in_the_order_asked(call, both, figures) -> None:
    given = ["plot", *both, "--deploy", "own", "--at", "tpr=0.8", "--band", "pointwise", "-o"]
    assert call(*given, "a.png").code == call(*given, "b.png", "--models", "new,old").code == 0
    made = {name: rs.average(read("both.csv", name), "horizontal") for name in ("old", "new")}
    points = {name: own.at(tpr=0.8) for name, own in made.items()}
    assert_same(figures[0].axes[0], rs.plot.averages(made, at=points, band="pointwise"))
    turned = {name: made[name] for name in ("new", "old")}
    assert_same(figures[1].axes[0], rs.plot.averages(turned, at=points, band="pointwise"))


OPTIONS = {
    "average": VERTICAL,
    "det": ["--method", "vertical", "--at", "fpr=10%"],
    "densities": ["--at", "t=1"],
    "cost": ["--costs", "1:4", "--prevalence", "0.2"],
    "cutoffs": ["--at", "youden"],
    "points": ["--at", "t=1"],
}
OF_MODELS = ("difference", "winners")


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # hosts that hardly differ
@pytest.mark.parametrize("figure", sorted(set(_USES) - {"readers", "smroc"}))
def test_every_figure_of_two_models(call, both, figures, figure) -> None:
    shown = call("plot", *both, "-f", figure, *OPTIONS.get(figure, []), "-o", "f.pdf", "--title", "Both")
    assert shown.code == 0, shown.err
    assert "Drawn: " in shown.out
    figures[0].draw_without_rendering()
    titles = [axes.get_title(loc="left") for axes in figures[0].axes]
    if figure in (*OF_MODELS, "average", "det"):
        assert titles[0] == "Both"
    else:
        assert [own for own in titles if own] == ["old", "new"]
        assert figures[0].get_suptitle() == "Both"


@pytest.mark.parametrize(("at", "tested"), [("tpr=0.9", "fpr"), ("fpr=0.1", "tpr"), ("t=1", "tpr")])
def test_points_are_compared_by_the_rate_that_is_free(call, hosts, figures, at, tested) -> None:
    """As in Paclik et al., Figure 2: points beside one that is chosen for its TPR differ in FPR."""
    shown = call("plot", hosts, *COLUMNS, "-f", "points", "--at", at, "-o", "f.pdf")
    assert shown.code == 0, shown.err
    study = rs.Study(read("hosts.csv"), rs.Deployment("shared"), at=at)
    near = study.neighbours(at=study.places[0])
    tests = getattr(near, f"by_{tested}")
    n = int(tests.indistinguishable.sum()) - 1
    key = " ".join(text.get_text() for text in figures[0].axes[0].get_legend().get_texts())
    assert f"{tested.upper()} not significantly different at 5 %: {n} of 30" in " ".join(key.split())


def test_densities_over_each_other_have_the_four_areas_of_the_cutoff(call, hosts, figures) -> None:
    for kind in ("overlaid", "smooth"):
        given = ["plot", hosts, *COLUMNS, "-f", "densities", "--kind", kind, "-o", "f.pdf", "--overwrite"]
        shown = call(*given, "--at", "fpr=0.1")
        assert shown.code == 0, shown.err
    score_set = read("hosts.csv")
    cutoff = rs.Study(score_set, rs.Deployment("shared")).cutoff(at={"fpr": 0.1})
    for figure in figures:
        words = [text.get_text() for text in figure.axes[0].texts]
        spread = rs.score_densities(score_set, per_group=True)
        rates = spread.rates_at(cutoff.threshold)
        wanted = [1 - rates.tpr, 1 - rates.fpr, rates.tpr, rates.fpr]
        assert words == [
            f"{name} {100 * own:.1f} %" for name, own in zip(("FN", "TN", "TP", "FP"), wanted, strict=True)
        ]


def test_few_groups_stand_under_each_other_and_small_data_has_steps(call, figures) -> None:
    rows = [f"{name},{k % 2},{k % 2 * 3 + (7 * k % 31) / 8}" for name in "ab" for k in range(100)]
    Path("two.csv").write_text("\n".join(["g,label,score", *rows]))
    shown = call(
        "plot", "two.csv", "-g", "g", "-p", "1", "-f", "densities", "--kind", "overlaid", "-o", "f.pdf"
    )
    assert shown.code == 0, shown.err
    assert [axes.get_title(loc="left") for axes in figures[0].axes] == ["a", "b", "all gs"]
    few = ["label,score", *(f"{k % 2},{k}" for k in range(12))]
    Path("few.csv").write_text("\n".join(few))
    shown = call("plot", "few.csv", "-p", "1", "-f", "curves", "--steps", "-o", "g.pdf")
    assert shown.code == 0, shown.err
    arrows = [own.get_label() for own in figures[1].axes[0].patches]
    assert (arrows.count("_up"), arrows.count("_right")) == (6, 6)


def test_every_name_is_a_figure_of_a_study() -> None:
    assert set(_USES) == set(studies.FIGURES)
    assert set(studies.IN_PYTHON.values()) <= set(_USES)
    assert set(studies.IN_PYTHON) <= set(rs.plot.__all__)


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
def test_models_against_each_other(call, both, figures) -> None:
    names = {"label": "label", "score": "score", "group": "host", "model": "model", "positive": "attack"}
    scores = rs.read_scores("both.csv", **names)
    call("plot", *both, "-f", "difference", "--models", "new,old", "-o", "f.png")
    assert_same(figures[0].axes[0], rs.plot.difference(rs.compare(scores, "new", "old", method="vertical")))
    call("plot", *both, "-f", "winners", "--method", "vertical", "-o", "g.png")
    assert_same(figures[1].axes[0], rs.plot.winner_map(rs.winner_map(scores, method="vertical")))


def test_readers(call, figures) -> None:
    table = rs.simulate.reader_study(n_positives=15, n_negatives=15)
    names = list(table)
    rows = zip(*(np.asarray(table[name]).tolist() for name in names), strict=True)
    Path("study.csv").write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")
    given = ["plot", "study.csv", "-g", "reader", "-m", "modality", "-y", "truth", "-s", "rating"]
    given += ["-p", "cancer", "--case", "case", "-f", "readers", "-o", "f.png", "--overwrite"]
    assert call(*given, "--models", "film,digital").code == 0
    left, right = figures[0].axes
    assert (left.get_ylabel(), right.get_ylabel()) == ("AUC", "Sensitivity")
    assert call(*given, "--models", "film,digital", "--standalone", "AI").code == 0
    assert len(figures[1].axes) == 1


# One dataset


def test_one_curve_needs_no_deployment(call, patients, figures) -> None:
    shown = call("plot", patients, "-p", "attack", "--at", "fpr=0.1", "-o", "f.png")
    assert shown.code == 0
    curve = rs.roc_curves(rs.read_scores(patients, label="label", score="score", positive="attack"))[0]
    expected = rs.plot.roc({"": curve}, band="both", at=[{"fpr": 0.1}])
    np.testing.assert_equal(seen_in(figures[0].axes[0])[1:], seen_in(expected)[1:])
    assert call("plot", patients, "-p", "attack", "-f", "det", "-o", "g.png").code == 0


@pytest.mark.parametrize("figure", ["forest", "cross-auc", "points"])
def test_figures_of_groups_need_groups(call, patients, figure) -> None:
    shown = call("plot", patients, "-p", "attack", "-f", figure)
    assert shown.code == 2
    assert shown.err.startswith("error RS064 ")
    assert not list(Path().glob("*.png"))


# Files


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_files_are_written_as_their_ending_says(call, hosts, ending, start) -> None:
    shown = call("plot", hosts, *COLUMNS, *VERTICAL, "--no-curves", "-o", f"f.{ending}")
    assert shown.code == 0
    assert f"f.{ending}" in shown.err
    content = Path(f"f.{ending}").read_bytes()
    assert content.startswith(start)
    assert ending != "svg" or b"vertical average, 9 hosts" in content  # text stays text


def test_another_file_is_never_lost(call, hosts, figures) -> None:
    given = ["plot", hosts, *COLUMNS, *VERTICAL, "--no-curves", "-o", "f.svg"]
    Path("f.svg").write_text("mine")
    assert call(*given).err.startswith("error RS003 ")
    assert (Path("f.svg").read_text(), figures) == ("mine", [])  # and nothing was drawn in vain
    assert call(*given, "--overwrite").code == 0
    assert Path("f.svg").read_bytes() == b"drawn"
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


def test_without_a_place_it_is_named_after_the_file(call, hosts, figures) -> None:
    call("plot", hosts, *COLUMNS, "-f", "precision-recall", "-q")
    assert Path("hosts_precision_recall.png").is_file()
    assert _usual_name("-", "average") == Path("scores_average.png")
    assert _usual_name("data/my.scores.csv.gz", "det") == Path("my_det.png")


def test_sizes(call, hosts, figures) -> None:
    given = ["plot", hosts, *COLUMNS, *VERTICAL, "-q", "-o"]
    for name, size in (("a.png", "column"), ("b.png", "slide"), ("c.png", "12cm"), ("d.png", "68 mm")):
        assert call(*given, name, "--size", size).code == 0
    widths = [2.54 * figure.get_figwidth() for figure in figures]
    assert widths == pytest.approx([8.5, 17, 12, 6.8])
    texts = [figure.axes[0].xaxis.label.get_fontsize() for figure in figures]
    assert texts == pytest.approx([8, 16, 8, 6.4])


def test_a_width_at_which_nobody_could_read(call, both) -> None:
    shown = call("plot", *both, "-f", "precision-recall", "--size", "5cm", "-o", "narrow.png")
    assert "error RS042 so narrow, this figure would have text of 2.4 points." in shown.err
    assert "--size 9cm" in shown.err


def test_dots(call, hosts) -> None:
    call("plot", hosts, *COLUMNS, "-f", "curves", "-o", "f.png", "--dpi", "100", "-q")
    width = int.from_bytes(Path("f.png").read_bytes()[16:20], "big")
    assert width == pytest.approx(8.5 / 2.54 * 100, abs=1)


@pytest.mark.parametrize("text", ["row", "3cm", "2m", "101cm", "cm", "nan", "1e9cm", "-5cm"])
def test_no_size(text: str) -> None:
    with pytest.raises(UsageError, match="RS042"):
        Look(size=text).text_and_width()


# What is said


def test_nothing_is_averaged_unasked(call, hosts) -> None:
    for figure in ("average", "det"):
        shown = call("plot", hosts, *COLUMNS, "-f", figure)
        assert shown.code == 2
        assert "error RS093 " in shown.err
        assert "--deploy shared" in shown.err
    assert not list(Path().glob("*.png"))


def test_json(call, hosts, figures) -> None:
    given = ["--deploy", "shared", "--at", "t=1", "--band", "none", "-o", "f.png", "--json"]
    shown = call("plot", hosts, *COLUMNS, *given)
    data = json.loads(shown.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (data["schema_version"], data["figure"], data["output"]) == (2, "average", "f.png")
    assert (data["recommended"], data["places"]) == ("threshold", [{"threshold": 1.0}])


def test_groups_of_one_class_are_left_out_with_a_warning(call, hosts, figures) -> None:
    with Path(hosts).open("a") as file:
        file.writelines(f"quiet,normal,{i / 7}\n" for i in range(9))
    for figure in ("average", "curves", "points"):
        options = VERTICAL if figure == "average" else []
        shown = call("plot", hosts, *COLUMNS, "-f", figure, *options, "-o", f"{figure}.png")
        assert shown.code == 0
        assert shown.err.count("warning RS201 ") == 1
    assert call("plot", hosts, *COLUMNS, *VERTICAL, "-o", "g.png", "--strict", "-q").code == 4


def test_a_missing_matplotlib_is_said_before_the_file_is_read(call, monkeypatch) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    shown = call("plot", "no-such-file.csv", "-f", "curves")
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS061 drawing needs Matplotlib.")
    assert "pip install 'rocsteady[plot]'" in shown.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["-f", "forest", "--band", "both"], "RS002"),
        (["-f", "forest", "--at", "fpr=0.1"], "RS002"),
        (["-f", "curves", "--deploy", "shared"], "RS002"),
        (["--method", "vertical", "--standalone", "AI"], "RS002"),
        (["--method", "vertical", "--models", "old"], "RS001"),
        (["--method", "vertical", "--models", "a,,b"], "RS042"),
        (["--method", "vertical", "--zoom", "2"], "RS042"),
        (["--method", "vertical", "--size", "huge"], "RS042"),
        (["--method", "vertical", "--dpi", "9000"], "RS042"),
        (["--method", "vertical", "--confidence-level", "95"], "RS042"),
        (["--method", "vertical", "--seed", "-1"], "RS042"),
        (["--method", "vertical", "--at", "t=1"], "RS084"),
        (["--method", "vertical", "--at", "height=3"], "RS092"),
        (["--method", "threshold", "--band", "prediction"], "RS086"),
        (["-f", "curves", "--at", "eer"], "RS092"),
        (["-f", "curves", "--band", "prediction"], "RS001"),
        (["-f", "densities", "--kind", "violin"], "RS002"),
        (["-f", "average", "--method", "vertical", "--kind", "smooth"], "RS002"),
        (["-f", "curves", "--steps"], "RS042"),
        (["-f", "forest", "--steps"], "RS002"),
        (["-f", "cutoffs", "--at", "t=1"], "RS092"),
        (["-f", "points", "--at", "t=1", "--at", "t=2"], "RS042"),
        (["-f", "cost", "--costs", "1:20"], "RS091"),
        (["-f", "cost", "--prevalence", "0.1"], "RS091"),
        (["-f", "violin"], "RS001"),
        (["-f", "roc"], "RS001"),
        (["-f", "difference"], "RS060"),
        (["-f", "readers"], "RS027"),
        (["--hold", "fpr"], "RS002"),
        (["--method", "vertical", "-o", "f.csv"], "RS054"),
        (["--method", "vertical", "-o", "missing/f.png"], "RS055"),
    ],
)
def test_misuse_is_told(call, hosts, options, code) -> None:
    shown = call("plot", hosts, *COLUMNS, *options)
    assert shown.code == (3 if code in ("RS027", "RS055") else 2)
    assert f"error {code} " in shown.err
    told = re.sub(r"\n {4}(?! )", " ", shown.err).splitlines()
    arrows = [line for line in told if "→" in line]
    assert arrows
    assert not [line for line in arrows if PYTHON.search(line)]
    assert not list(Path().glob("*.png"))


@pytest.mark.parametrize("figure", ["average", "det", "curves"])
def test_points_are_understood_before_the_file_is_read(call, figure) -> None:
    options = ["--method", "vertical"] if figure != "curves" else []
    shown = call("plot", "no-such-file.csv", "-f", figure, "--at", "height=3", *options)
    assert shown.err.startswith("error RS092 ")


def test_weights(call, hosts, figures) -> None:
    rows = Path(hosts).read_text().splitlines()
    weighted = [rows[0] + ",w", *(f"{row},{1 + i % 3}" for i, row in enumerate(rows[1:]))]
    Path("w.csv").write_text("\n".join(weighted))
    given = ["plot", "w.csv", *COLUMNS, "-w", "w", "-o", "f.png", "--overwrite", "-f"]
    for figure in ("curves", "cross-auc", "points", "densities"):
        assert call(*given, figure).code == 0, figure


def test_more_models_than_panels(call, figures) -> None:
    write_hosts("many.csv", models=tuple(f"m{i}" for i in range(13)), n_hosts=2)
    given = ["plot", "many.csv", *COLUMNS, "-m", "model", "-f", "curves"]
    shown = call(*given)
    assert "error RS042 a figure has room for up to 12 panels." in shown.err
    assert "--models m0,m1" in shown.err
    assert call(*given, "--models", "m0,m1").code == 0


def test_names_from_a_file_are_only_drawn(call, figures) -> None:
    write_hosts("odd.csv", models=(r"$\nosuch$ </svg>", "b\x1b[31m"))
    shown = call("plot", "odd.csv", *COLUMNS, "-m", "model", *VERTICAL, "-o", "f.svg")
    assert shown.code == 0
    assert "\x1b" not in shown.out + shown.err
    title = ["--title", r"$\nosuch$"]
    assert call("plot", "odd.csv", *COLUMNS, "-m", "model", "-f", "curves", *title, "-o", "g.svg").code == 0
    for figure in figures:
        figure.draw_without_rendering()  # a formula that is none would fail


def test_letters_that_the_font_lacks(call) -> None:
    write_hosts("far.csv", models=("\u795e\u7d4c", "b"))
    given = ["plot", "far.csv", *COLUMNS, "-m", "model", *VERTICAL, "--no-curves", "-o"]
    shown = call(*given, "f.png")
    assert shown.code == 0
    lacks = "The font of the figure lacks \u795e and \u7d4c, which are drawn as boxes; a figure.svg keeps"
    assert lacks in " ".join(shown.err.split())
    assert "lacks" not in call(*given, "f.svg").err
    assert "\u795e\u7d4c" in Path("f.svg").read_text(encoding="utf-8")


def test_help_loads_neither_numpy_nor_matplotlib() -> None:
    script = (
        "import sys\nfrom rocsteady.cli import run\ncode = run(['plot', '--help'])\n"
        "loaded = sorted({'numpy', 'scipy', 'duckdb', 'matplotlib', 'pandas'} & set(sys.modules))\n"
        "sys.exit(f'loaded {loaded}' if loaded else code)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    for word in ("--figure", "cross-auc", "--deploy", "--band", "--size", "--output"):
        assert word in done.stdout
