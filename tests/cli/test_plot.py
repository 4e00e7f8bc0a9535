"""`rocsteady plot`: what the library draws, as a file of the kind and the size that was asked for."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from rocsteady.cli.plot.options import _IN_PYTHON, FigureName, models_of, output_of, size_of, zoom_of
from rocsteady.errors import UsageError
from rocsteady.words import percent

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
    from rocsteady.plots.parts import style

    found: list[Any] = []
    monkeypatch.setattr(style, "rendered", lambda figure, kind, **options: found.append(figure) or b"drawn")
    return found


def read(name: str = "hosts.csv", model: str | None = None) -> rs.ScoreSet:
    names = {"label": "label", "score": "score", "group": "host", "positive": "attack"}
    scores = rs.read_scores(name, **names, model=None if model is None else "model")
    return scores if model is None else scores.model(model)


def lines_of(axes: Any) -> list[list[list[float]]]:
    """Everything drawn as lines or areas, as numbers."""
    found = [line.get_xydata() for line in axes.lines]
    found += [path.vertices for area in axes.collections for path in area.get_paths()]
    return [np.asarray(points, dtype=float).round(12).tolist() for points in found]


def texts_of(axes: Any) -> list[str]:
    texts = [axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel()]
    legend = axes.get_legend()
    return texts + ([] if legend is None else [text.get_text() for text in legend.get_texts()])


def assert_same(drawn: Any, expected: Any) -> None:
    """Two axes that show the same."""
    assert texts_of(drawn) == texts_of(expected)
    np.testing.assert_equal(lines_of(drawn), lines_of(expected))
    assert (drawn.get_xlim(), drawn.get_ylim()) == (expected.get_xlim(), expected.get_ylim())


# What is drawn


@pytest.mark.parametrize(
    ("options", "method", "band"),
    [
        (["--deploy", "shared"], "threshold", None),
        (["--deploy", "own", "--hold", "fpr"], "vertical", "both"),
        (["--method", "horizontal", "--at-jumps", "mid"], rs.Horizontal(at_jumps="mid"), None),
        (["--angle", "30deg"], rs.AtAngle(np.pi / 6), "pointwise"),
    ],
)
def test_an_average_is_drawn_as_the_library_draws_it(call, hosts, figures, options, method, band) -> None:
    said = [] if band == "both" else ["--band", band or "none"]
    shown = call("plot", hosts, *COLUMNS, *options, *said, "-o", "f.png", "-q")
    assert (shown.code, shown.out, shown.err) == (0, "", "")
    (axes,) = figures[0].axes
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
    assert_same(figures[1].axes[0], rs.plot.average(average, band=None, xscale="log"))


def test_points_that_only_some_averages_have(call, hosts, figures) -> None:
    costs = ["--deploy", "own", "--hold", "cost", "--costs", "1:20", "--prevalence", "0.1"]
    shown = call("plot", hosts, *COLUMNS, *costs, "--band", "none", "-o", "f.png", "--json")
    (point,) = json.loads(shown.out)["operating_points"]
    best = rs.average(read(), "tangent").at_costs(false_positive=1, false_negative=20, prevalence=0.1)
    assert (point["at"], point["fpr"], point["tpr"]) == ("cost=1:20", best.fpr, best.tpr)
    drawn = [line.get_xydata().tolist() for line in figures[0].axes[0].lines]
    assert [[best.fpr, best.tpr]] in drawn
    given = ["plot", hosts, *COLUMNS, "--band", "none", "--at", "eer"]
    for method in ("radial", "vertical"):
        assert call(*given, "--method", method, "-o", f"{method}.png").code == 0


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # most hosts are alike there
def test_models_are_drawn_together_in_the_order_asked(call, both, figures) -> None:
    given = ["plot", *both, "--deploy", "own", "--hold", "tpr", "--at", "0.8", "--band", "pointwise", "-o"]
    assert call(*given, "a.png").code == call(*given, "b.png", "--models", "new,old").code == 0
    made = {name: rs.average(read("both.csv", name), "horizontal") for name in ("old", "new")}
    points = {name: own.at(tpr=0.8) for name, own in made.items()}
    assert_same(figures[0].axes[0], rs.plot.averages(made, at=points, band="pointwise"))
    turned = {name: made[name] for name in ("new", "old")}
    assert_same(figures[1].axes[0], rs.plot.averages(turned, at=points, band="pointwise"))
    call(*given, "c.png", "--models", "new")
    assert_same(figures[2].axes[0], rs.plot.average(made["new"], at=points["new"], band="pointwise"))


FIGURES: dict[str, tuple[list[str], Callable[[rs.ScoreSet], Any]]] = {
    "curves": ([], lambda own: rs.plot.roc(rs.roc_curves(own))),
    "forest": ([], lambda own: rs.plot.forest(rs.summarize_auc(own, "random-effects"))),
    "densities": (["--at", "t=1"], lambda own: rs.plot.densities(rs.score_densities(own), thresholds=[1])),
    "det": (["--method", "vertical"], lambda own: rs.plot.det(rs.average(own, "vertical"))),
    "cost": (
        ["--costs", "1:4", "--prevalence", "0.2"],
        lambda own: rs.plot.cost_curve(rs.roc_curves(own), at=[0.5]),
    ),
    "precision-recall": ([], lambda own: rs.plot.precision_recall(rs.roc_curves(own))),
    "cross-auc": (
        [],
        lambda own: rs.plot.cross_auc(
            rs.cross_auc(own), names=own.groups, unit="host", comparability=rs.comparability(own)
        ),
    ),
    "points": (
        [],
        lambda own: rs.plot.operating_points(
            rs.average_operating_points(own, thresholds=30), bars="interval"
        ),
    ),
}


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # hosts that hardly differ
@pytest.mark.parametrize("figure", FIGURES)
def test_every_other_figure_of_one_model(call, hosts, figures, figure) -> None:
    options, expected = FIGURES[figure]
    shown = call("plot", hosts, *COLUMNS, "-f", figure, *options, "-o", "f.pdf")
    assert shown.code == 0, shown.err
    assert "Drawn: " in shown.out
    axes = np.ravel(np.asarray(expected(read()), dtype=object))
    assert len(figures[0].axes) >= len(axes)  # a key of colours may have axes of its own
    for drawn, own in zip(figures[0].axes, axes, strict=False):
        assert_same(drawn, own)


@pytest.mark.parametrize("figure", ["curves", "densities", "cross-auc"])
def test_every_model_has_its_panel(call, both, figures, figure) -> None:
    shown = call("plot", *both, "-f", figure, "-o", "f.pdf", "--title", "Both", "-q")
    assert shown.code == 0, shown.err
    titles = [axes.get_title(loc="left") for axes in figures[0].axes]
    assert [title for title in titles if title] == ["old", "new"]
    assert figures[0].get_suptitle() == "Both"


def test_points_of_single_curves_are_said(call, both, figures) -> None:
    given = ["plot", *both, "-f", "curves", "--models", "new", "--at", "fpr=10%"]
    shown = call(*given, "-o", "f.png")
    curves = rs.roc_curves(read("both.csv", "new"))
    low, high = curves["h0"].tpr_interval(0.1).low, curves["h0"].tpr_interval(0.1).high
    found = f"new, h0: at fpr=10%, FPR 10.0 % and TPR {percent(curves['h0'].tpr_at(0.1))}"
    assert f"{found} (95 % CI {percent(low)} to {percent(high)})." in shown.out
    shown = call(*given, "--at", "t=1", "-o", "g.png", "--json")
    points = json.loads(shown.out)["operating_points"]
    assert [point["tpr"] for point in points[::2]] == [curve.tpr_at(0.1) for curve in curves]
    assert [point["fpr"] for point in points[1::2]] == [curve.rates_at(1).fpr for curve in curves]
    assert len(points) == 18
    assert "All 18 of these points:  --json" in json.loads(shown.out)["drawn"]


def test_names_of_the_library_are_translated(call, hosts) -> None:
    shown = call("plot", hosts, *COLUMNS, "-f", "roc")
    assert shown.err.startswith("error RS001 ")
    assert "here that is  --figure curves" in shown.err
    assert set(_IN_PYTHON.values()) <= set(FigureName)
    assert set(_IN_PYTHON) <= set(rs.plot.__all__)


def test_cutoffs(call, hosts, figures) -> None:
    shown = call("plot", hosts, *COLUMNS, "-f", "cutoffs", "--at", "youden", "-o", "f.png")
    curve = rs.average(read(), "threshold")
    chosen = rs.choose_cutoff(curve, "youden")
    assert_same(figures[0].axes[0], rs.plot.cutoffs(curve, [chosen], intervals=[chosen.intervals()]))
    assert f"call positive when the score is >= {chosen.threshold:.6g}" in shown.out


def test_points_that_cannot_be_told_apart(call, hosts, figures) -> None:
    shown = call("plot", hosts, *COLUMNS, "-f", "points", "--at", "t=1", "-o", "f.png")
    told = [text for text in texts_of(figures[0].axes[0]) if "not told apart" in text]
    assert len(told) == 1
    assert shown.code == 0


def test_models_against_each_other(call, both, figures) -> None:
    scores = rs.read_scores(
        "both.csv", label="label", score="score", group="host", model="model", positive="attack"
    )
    shown = call("plot", *both, "-f", "difference", "--models", "new,old", "-o", "f.png")
    assert_same(figures[0].axes[0], rs.plot.difference(rs.compare(scores, "new", "old", method="vertical")))
    assert "for one that all share: --deploy shared" in " ".join(shown.out.split())
    assert "The other way round" not in shown.out
    shown = call("plot", *both, "-f", "difference", "-o", "old.png")
    assert "The other way round: --models new,old" in shown.out
    shown = call("plot", *both, "-f", "winners", "--method", "vertical", "-o", "g.png")
    assert_same(figures[2].axes[0], rs.plot.winner_map(rs.winner_map(scores, method="vertical")))
    assert "--deploy" not in shown.out


def test_readers(call, figures) -> None:
    table = rs.simulate.reader_study(n_positives=15, n_negatives=15)
    names = list(table)
    rows = zip(*(np.asarray(table[name]).tolist() for name in names), strict=True)
    Path("study.csv").write_text("\n".join(",".join(map(str, row)) for row in [names, *rows]) + "\n")
    given = ["plot", "study.csv", "-g", "reader", "-m", "modality", "-y", "truth", "-s", "rating"]
    given += ["-p", "cancer", "--case", "case", "-f", "readers", "-o", "f.png", "--overwrite"]
    assert call(*given, "--models", "film,digital").code == 0
    left, right = figures[0].axes
    assert (left.get_ylabel(), right.get_ylabel()) == ("AUC", "sensitivity (true positive rate)")
    assert call(*given, "--models", "film,digital", "--standalone", "AI").code == 0
    assert len(figures[1].axes) == 1
    told = call(*given).err
    assert told.startswith("error RS028 ")
    assert "--standalone AI" in told


# One dataset


def test_one_curve_needs_no_deployment(call, patients, figures) -> None:
    shown = call("plot", patients, "-p", "attack", "--at", "fpr=0.1", "-o", "f.png")
    assert shown.code == 0
    assert "Drawn: the ROC curve.\n" in shown.out
    curve = rs.roc_curves(rs.read_scores(patients, label="label", score="score", positive="attack"))[0]
    assert_same(figures[0].axes[0], rs.plot.roc(curve, band="both", at=[{"fpr": 0.1}]))
    assert call("plot", patients, "-p", "attack", "-f", "det", "-o", "g.png").code == 0


@pytest.mark.parametrize("figure", ["forest", "cross-auc", "points", "winners"])
def test_figures_of_groups_need_groups(call, patients, figure) -> None:
    shown = call("plot", patients, "-p", "attack", "-f", figure)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error RS064 ")
    assert "--group COLUMN" in shown.err
    assert not list(Path().glob("*.png"))


# Files


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_files_are_written_as_their_ending_says(call, hosts, ending, start) -> None:
    shown = call("plot", hosts, *COLUMNS, *VERTICAL, "--no-curves", "-o", f"f.{ending}")
    assert shown.code == 0
    assert f"f.{ending}  written." in shown.err
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
    shown = call("plot", hosts, *COLUMNS, "-f", "precision-recall")
    assert "hosts_precision_recall.png  written." in shown.err
    assert Path("hosts_precision_recall.png").is_file()
    assert output_of(None, "-", FigureName.AVERAGE) == Path("scores_average.png")
    assert output_of(None, "data/my.scores.csv.gz", FigureName.DET) == Path("my_det.png")


def width_of(path: str) -> int:
    return int.from_bytes(Path(path).read_bytes()[16:20], "big")


def test_sizes(call, hosts, figures) -> None:
    given = ["plot", hosts, *COLUMNS, *VERTICAL, "-q", "-o"]
    for name, size in (("a.png", "column"), ("b.png", "slide"), ("c.png", "12cm"), ("d.png", "68 mm")):
        assert call(*given, name, "--size", size).code == 0
    column, slide, wide, narrow = (figure.get_size_inches() * 2.54 for figure in figures)
    assert column[0] == pytest.approx(8.5)
    assert slide[0] == pytest.approx(17)
    assert wide == pytest.approx(column + 3.5)  # square axes grow by as much in both directions
    texts = [figure.axes[0].xaxis.label.get_fontsize() for figure in figures]
    assert texts == pytest.approx([8, 16, 8, 6.4])
    assert narrow == pytest.approx(0.8 * column)


def test_panels_grow_with_their_text(call, both, figures) -> None:
    for size in ("column", "slide"):
        assert call("plot", *both, "-f", "precision-recall", "--size", size, "--overwrite").code == 0
    column, slide = (figure.get_size_inches() for figure in figures)
    assert column[0] == pytest.approx(2 * 8.5 / 2.54)
    assert slide == pytest.approx(2 * column)
    shown = call("plot", *both, "-f", "precision-recall", "--size", "5cm", "-o", "narrow.png")
    assert shown.err.startswith("error RS042 so narrow, this figure would have text of 2.4 points.")
    assert call("plot", *both, "-f", "precision-recall", "-o", "n.png", "--size", "9cm").code == 0
    assert "--size 9cm" in shown.err


def test_dots(call, hosts) -> None:
    call("plot", hosts, *COLUMNS, "-f", "curves", "-o", "f.png", "--dpi", "100", "-q")
    assert width_of("f.png") == pytest.approx(8.5 / 2.54 * 100, abs=1)


@pytest.mark.parametrize("text", ["row", "3cm", "2m", "101cm", "cm", "nan", "1e9cm", "-5cm"])
def test_no_size(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        size_of(text)
    assert caught.value.code == "RS042"


def test_what_is_typed_behind_options() -> None:
    assert zoom_of("20%") == zoom_of("0.2") == 0.2
    assert zoom_of("0.2,50%") == (0.2, 0.5)
    assert models_of(["b, a,b"]) == ("b", "a")
    assert models_of(None) == ()


# What is said


def test_what_was_drawn_is_said(call, both, figures, snapshot) -> None:
    shown = call("plot", *both, "--deploy", "own", "--hold", "fpr", "--at", "fpr=0.1", "-o", "f.pdf")
    assert shown.code == 0
    snapshot("plot_average", shown.out + shown.err)


def test_nothing_is_averaged_unasked(call, hosts, snapshot) -> None:
    shown = call("plot", hosts, *COLUMNS)
    assert (shown.code, shown.out) == (2, "")
    snapshot("plot_undeclared", shown.err)
    assert call("plot", hosts, *COLUMNS, "-f", "det").err.startswith("error RS093 ")
    assert not list(Path().glob("*.png"))


def test_on_a_terminal_the_two_questions_are_asked(call, hosts, figures, monkeypatch) -> None:
    from rocsteady.cli import deployment

    monkeypatch.setattr(deployment, "can_ask", lambda: True)
    answers = iter(["no", "tpr"])
    monkeypatch.setattr("typer.prompt", lambda *words, **options: next(answers))
    shown = call("plot", hosts, *COLUMNS, "--band", "none", "-o", "f.png")
    assert shown.code == 0
    assert " -g host -p attack --band none -o f.png --deploy own --hold tpr\n" in shown.out
    assert_same(figures[0].axes[0], rs.plot.average(rs.average(read(), "horizontal"), band=None))
    assert call("plot", hosts, *COLUMNS, "--json").err.startswith("error RS093 ")  # nobody reads it there


def test_json(call, hosts, figures) -> None:
    given = ["--deploy", "shared", "--at", "t=1", "--band", "none", "-o", "f.png", "--json"]
    shown = call("plot", hosts, *COLUMNS, *given)
    assert shown.err == ""
    data = json.loads(shown.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (data["schema_version"], data["figure"], data["output"]) == (1, "average", "f.png")
    assert (data["method"], data["recommended"]) == ("threshold", "threshold")
    assert data["operating_points"][0]["threshold"] == 1
    assert data["drawn"][0] == "Drawn: the threshold average over 9 hosts."


def test_groups_of_one_class_are_left_out_with_a_warning(call, hosts, figures) -> None:
    with Path(hosts).open("a") as file:
        file.writelines(f"quiet,normal,{i / 7}\n" for i in range(9))
    shown = call("plot", hosts, *COLUMNS, *VERTICAL, "-o", "f.png")
    assert shown.code == 0
    assert "warning RS201 host quiet has no attack cases; left out of every average." in shown.err
    for figure in ("curves", "points"):
        assert "warning RS201" in call("plot", hosts, *COLUMNS, "-f", figure, "-o", f"{figure}.png").err
    shown = call("plot", hosts, *COLUMNS, *VERTICAL, "-o", "g.png", "--strict", "-q")
    assert (shown.code, shown.err) == (4, "")


def test_a_band_that_there_is_not_is_not_said(call, figures) -> None:
    write_hosts("few.csv", n_hosts=5)
    shown = call("plot", "few.csv", *COLUMNS, "--method", "vertical", "-o", "f.png")
    assert "with pointwise 95 % bands" in shown.out
    assert "RS212" not in shown.err


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
        (["-f", "densities", "--at", "fpr=0.1"], "RS092"),
        (["-f", "cutoffs", "--at", "t=1"], "RS092"),
        (["-f", "points", "--at", "t=1", "--at", "t=2"], "RS042"),
        (["-f", "cost", "--costs", "1:20"], "RS091"),
        (["-f", "cost", "--prevalence", "0.1"], "RS091"),
        (["-f", "violin"], "RS001"),
        (["-f", "difference"], "RS060"),
        (["-f", "readers"], "RS027"),
        (["--hold", "fpr"], "RS002"),
        (["--method", "vertical", "-o", "f.csv"], "RS054"),
        (["--method", "vertical", "-o", "missing/f.png"], "RS055"),
    ],
)
def test_misuse_is_told(call, hosts, options, code) -> None:
    shown = call("plot", hosts, *COLUMNS, *options)
    assert (shown.code, shown.out) == (3 if code in ("RS027", "RS055") else 2, "")
    assert shown.err.startswith(f"error {code} ")
    told = re.sub(r"\n {4}(?! )", " ", shown.err).splitlines()
    arrows = [line for line in told if "→" in line]
    assert arrows
    assert not [line for line in arrows if PYTHON.search(line)]
    assert not list(Path().glob("*.png"))


def test_error_rates_are_marked_and_said(call, hosts, patients, figures) -> None:
    given = ["plot", hosts, *COLUMNS, "-f", "det", "--method", "vertical", "-o", "f.png"]
    shown = call(*given, "--at", "fpr=10%", "--at", "eer", "--zoom", "40%,0.5", "--words", "biometric")
    assert shown.code == 0, shown.err
    average = rs.average(read(), "vertical")
    expected = rs.plot.det(average, at={"fmr": 0.1}, zoom=(0.4, 0.5), words="biometric")
    assert_same(figures[0].axes[0], expected)
    curve = rs.roc_curves(rs.read_scores(patients, label="label", score="score", positive="attack"))[0]
    single = ["plot", patients, "-p", "attack", "-f", "det", "-o", "g.png"]
    shown = call(*single, "--at", "tpr=0.9", "--json")
    assert_same(figures[1].axes[0], rs.plot.det(curve, at={"tpr": 0.9}))
    assert json.loads(shown.out)["operating_points"][0]["fpr"] == pytest.approx(curve.fpr_at(0.9))
    for wrong in ("cost=1:5", "rate=0.1"):
        told = call(*single, "--overwrite", "--at", wrong).err
        assert told.startswith("error RS092 ")
        assert "--at fpr=0.1%" in told
    assert "--zoom 5%" in call(*given, "--log").err


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")  # hosts that hardly differ
def test_panels_of_two_models_have_one_scale(call, both, figures) -> None:
    assert call("plot", *both, "-f", "forest", "-o", "f.pdf", "-q").code == 0
    bounds = {axes.spines["bottom"].get_bounds() for axes in figures[0].axes}
    assert len(bounds) == 1
    assert call("plot", *both, "-f", "cross-auc", "-o", "g.pdf", "-q").code == 0
    assert len({axes.images[0].get_clim() for axes in figures[1].axes if axes.images}) == 1


def test_what_is_not_said_is_left_to_the_figure(call, figures) -> None:
    write_hosts("three.csv", models=("old", "new", "third"))
    given = ["plot", "three.csv", *BOTH[1:], "--method", "vertical", "-o", "f.pdf"]
    shown = call(*given)
    assert shown.code == 0, shown.err
    drawn = {own.get_label() for own in figures[0].axes[0].collections}
    assert ("_members" in drawn, "_simultaneous" in drawn) == (False, False)
    assert "with pointwise 95 % bands" in " ".join(shown.out.split())


@pytest.mark.filterwarnings("ignore::rocsteady.RocsteadyWarning")
@pytest.mark.parametrize("figure", ["points", "cutoffs"])
def test_cutoffs_are_drawn_in_the_words_of_the_field(call, hosts, figures, figure) -> None:
    shown = call("plot", hosts, *COLUMNS, "-f", figure, "--words", "medical", "-o", "f.pdf")
    assert shown.code == 0, shown.err
    assert figures[0].axes[0].get_ylabel() == "sensitivity (true positive rate)"


def test_an_option_that_does_nothing_is_refused(call, hosts, snapshot) -> None:
    snapshot("plot_useless", call("plot", hosts, *COLUMNS, "-f", "forest", "--at", "fpr=0.1").err)
    told = call("plot", hosts, *COLUMNS, "-f", "readers", "--at", "fpr=0.1").err
    assert "rocsteady compare --measure tpr@fpr=0.1" in told


@pytest.mark.parametrize("figure", ["average", "det", "curves"])
def test_points_are_understood_before_the_file_is_read(call, figure) -> None:
    assert call("plot", "no-such-file.csv", "-f", figure, "--at", "height=3").err.startswith("error RS092 ")


def test_weights(call, hosts, figures) -> None:
    rows = Path(hosts).read_text().splitlines()
    Path("w.csv").write_text(
        "\n".join([rows[0] + ",w", *(f"{row},{1 + i % 3}" for i, row in enumerate(rows[1:]))])
    )
    given = ["plot", "w.csv", *COLUMNS, "-w", "w", "-o", "f.png", "--overwrite", "-f"]
    for figure in ("curves", "cross-auc", "points", "densities"):
        assert call(*given, figure).code == 0, figure
    told = call(*given, "forest")
    assert (told.code, told.err[:12]) == (2, "error RS038 ")
    assert "leave out  --weight" in told.err


def test_more_models_than_panels(call, figures) -> None:
    write_hosts("many.csv", models=tuple(f"m{i}" for i in range(13)), n_hosts=2)
    given = ["plot", "many.csv", *COLUMNS, "-m", "model", "-f", "curves"]
    shown = call(*given)
    assert shown.err.startswith("error RS042 a figure has room for up to 12 panels.")
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


def test_a_forest_of_folds_says_once_that_they_share_training_cases(call, tmp_path) -> None:
    rng = np.random.default_rng(3)
    lines = ["fold,label,a,b"]
    for row in range(200):
        label = int(row % 10 < 4)
        a, b = label + rng.normal(size=2)
        lines.append(f"{row // 40},{label},{a},{b}")
    (tmp_path / "folds.csv").write_text("\n".join(lines))
    given = ["--group", "fold", "--label", "label", "-s", "a", "-s", "b", "--design", "cross-validation"]
    shown = call("plot", tmp_path / "folds.csv", *given, "-f", "forest", "-o", tmp_path / "f.pdf")
    assert shown.code == 0, shown.err
    told = " ".join((shown.out + shown.err).split())
    assert told.count("RS286") == 1
    assert told.count("RS286 the folds share training cases") == 1
