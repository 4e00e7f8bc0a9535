"""One question, one answer: the same bits from Python, a study, the report and every command.

Twelve questions are asked on five sets of data. Each answer is that of the function a Python user calls; a
study, and what the commands print as JSON, must hold exactly that.
"""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rocsteady as rs
from conftest import skip_unless_required
from rocsteady.cli import run
from rocsteady.points.tables import neighbourhood_of
from rocsteady.results import plain

PLACE = {"fpr": 0.1}


@dataclass(frozen=True)
class Asked:
    """Data, how they will be used, and what to type for both."""

    columns: dict[str, list[Any]]
    roles: dict[str, Any]
    deployment: rs.Deployment | None
    typed: tuple[str, ...]
    path: Path

    @cached_property
    def scores(self) -> Any:
        return quietly(rs.read_scores, self.path, **self.roles)

    @cached_property
    def study(self) -> rs.Study:
        return rs.Study(self.scores, self.deployment, at=[PLACE])

    @property
    def first(self) -> Any:
        return self.scores.model(self.study.models[0]) if len(self.scores.models) > 1 else self.scores


def folds(repeats: int = 5, n_folds: int = 10, n: int = 400) -> dict[str, list[Any]]:
    """Two models on the folds of a repeated cross-validation."""
    rng = np.random.default_rng(5)
    labels = np.arange(n) % 3 == 0
    found: dict[str, list[Any]] = {name: [] for name in ("fold", "repeat", "case", "truth", "old", "new")}
    for repeat in range(repeats):
        base = 1.2 * labels + rng.normal(size=n)
        found["fold"] += (rng.permutation(n) % n_folds).tolist()
        found["repeat"] += [f"r{repeat}"] * n
        found["case"] += [f"c{i}" for i in range(n)]
        found["truth"] += labels.astype(int).tolist()
        found["old"] += np.round(base + rng.normal(size=n), 3).tolist()
        found["new"] += np.round(base + 0.5 * rng.normal(size=n), 3).tolist()
    return found


def shared_data(name: str) -> dict[str, list[Any]]:
    folder = os.environ.get("ROCSTEADY_DATA")
    if folder is None:
        skip_unless_required("set ROCSTEADY_DATA to the folder with the real data")
    import csv

    with open(Path(str(folder)) / "scores" / name, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {own: [row[own] for row in rows] for own in rows[0]}


SHARED, OWN = rs.Deployment("shared", at=PLACE), rs.Deployment("own", hold="fpr", at=0.1)
TYPED = {"shared": ("--deploy", "shared", "--at", "fpr=0.1"), "own": ("--deploy", "own", "--at", "fpr=0.1")}


def hosts() -> tuple[Any, ...]:
    roles = {
        "group": "host",
        "label": "label",
        "score": "score",
        "model": "model",
        "case": "event",
        "positive": "attack",
    }
    typed = "-g host -y label -s score -m model --case event -p attack"
    return rs.simulate.hosts(), roles, SHARED, (*typed.split(), *TYPED["shared"])


def repeated_folds() -> tuple[Any, ...]:
    roles = {"group": "fold", "repeat": "repeat", "label": "truth", "score": ["old", "new"], "case": "case"}
    typed = "-g fold --repeat repeat -y truth -s old -s new --case case"
    return folds(), roles, OWN, (*typed.split(), *TYPED["own"])


def hiv() -> tuple[Any, ...]:
    roles = {
        "group": "fold",
        "label": "label",
        "score": "score",
        "model": "model",
        "design": "cross-validation",
    }
    typed = "-g fold -y label -s score -m model --design cross-validation"
    return shared_data("rocr_hiv.csv"), roles, SHARED, (*typed.split(), *TYPED["shared"])


def vandyke() -> tuple[Any, ...]:
    roles = {"group": "reader", "label": "truth", "score": "rating", "model": "treatment", "case": "case"}
    typed = "-g reader -y truth -s rating -m treatment --case case --design readers"
    columns = shared_data("mrmc_vandyke.csv")
    return columns, roles | {"design": "readers"}, OWN, (*typed.split(), *TYPED["own"])


def one_dataset() -> tuple[Any, ...]:
    rng = np.random.default_rng(2)
    labels = rng.random(250) < 0.4
    base = rng.normal(size=250) + labels
    columns = {"label": labels.astype(int).tolist()}
    columns |= {name: np.round(base + rng.normal(size=250), 2).tolist() for name in ("old", "new")}
    typed = ("-y", "label", "-s", "old", "-s", "new", "--deploy", "shared", "--at", "fpr=0.1")
    return columns, {"label": "label", "score": ["old", "new"]}, SHARED, typed


def shares() -> tuple[Any, ...]:
    """Folds of one cross-validation, scores that are probabilities."""
    columns = folds(repeats=1, n_folds=5, n=300)
    for name in ("old", "new"):
        columns[name] = np.round(1 / (1 + np.exp(1.5 - np.array(columns[name]))), 3).tolist()
    roles = {"group": "fold", "label": "truth", "score": ["old", "new"], "design": "cross-validation"}
    typed = "-g fold -y truth -s old -s new --design cross-validation"
    used = {name: columns[name] for name in ("fold", "truth", "old", "new")}
    return used, roles, OWN, (*typed.split(), *TYPED["own"])


SETS = {
    "shares": shares,
    "hosts": hosts,
    "folds": repeated_folds,
    "hiv": hiv,
    "readers": vandyke,
    "one": one_dataset,
}


@pytest.fixture(scope="module", params=sorted(SETS))
def asked(request, tmp_path_factory):
    columns, roles, deployment, typed = SETS[request.param]()
    path = tmp_path_factory.mktemp(request.param) / "rows.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return Asked(columns, roles, deployment, (str(path), *typed), path)


@pytest.fixture(scope="module")
def said(asked):
    """What a command prints as JSON, each typed once."""

    @cache
    def say(command: str) -> Any:
        import contextlib
        import io

        n_used = len(TYPED["own"]) if asked.deployment else 0  # readers and rows are looked at before any use
        typed = asked.typed[:-n_used] if command in ("check", "smroc") else asked.typed
        if command == "plan":
            typed = (*typed, "--models", ",".join(asked.study.models[:2]))
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as err:
            code = run([command, *typed, "--json"])
        assert code == 0, err.getvalue()
        return json.loads(out.getvalue())

    return say


def quietly(call, *given, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*given, **options)


def at(facts: Any, path: str) -> Any:
    """What stands at a path of names and places."""
    for name in path.split("/"):
        if facts is None:
            return None
        facts = facts[int(name)] if isinstance(facts, list) else facts.get(name)
    return facts


def is_alone(asked: Asked) -> bool:
    return asked.study.is_alone


def the_point(asked: Asked) -> Any:
    if is_alone(asked):
        return rs.choose_cutoff(rs.roc_curves(asked.first)[0], PLACE)
    return quietly(rs.average, asked.first, asked.deployment, undefined="drop").at(PLACE)


def the_area(asked: Asked) -> Any:
    if is_alone(asked):
        curve = rs.roc_curves(asked.first)[0]
        return curve.auc, curve.auc_interval()
    found = quietly(rs.summarize_auc, asked.first, undefined="drop")
    return found.estimate, found.interval


def the_comparison(asked: Asked) -> Any:
    names = asked.scores.models
    options = {"method": asked.deployment, "at": PLACE, "undefined": "drop", "unmatched": "drop"}
    return quietly(rs.compare, asked.scores, *names[:2], **options)


def the_neighbours(asked: Asked) -> Any:
    return quietly(neighbourhood_of, asked.first, the_point(asked).threshold, n_points=30, alpha=1 - 0.95)


def the_groups(asked: Asked) -> Any:
    curves = quietly(rs.roc_curves, asked.first, undefined="drop")
    return curves.auc, curves.auc_interval()


def the_winner_map(asked: Asked) -> Any:
    options = {"method": asked.deployment, "undefined": "drop", "unmatched": "drop"}
    return quietly(rs.winner_map, asked.scores, *asked.scores.models[:2], **options)


def the_readers(asked: Asked) -> Any:
    """Where each reader sets the declared rate, that is where readers are compared."""
    return quietly(rs.compare_readers, asked.scores, measure=PLACE, missing="drop")


def the_plan(asked: Asked) -> Any:
    options: dict[str, Any] = {"undefined": "drop", "unmatched": "drop", "measure": PLACE}
    if asked.study.is_reader_study:
        return quietly(rs.plan, the_readers(asked))
    if asked.deployment == SHARED and not is_alone(asked):
        options["method"] = "threshold"
    if len(asked.scores.models) > 1:
        options["models"] = tuple(asked.scores.models[:2])
    return quietly(rs.plan, asked.scores, **options)


def has_shares(asked: Asked) -> bool:
    scores = asked.scores.columns.scores
    return scores.min() >= 0 and scores.max() <= 1


def the_smauc(asked: Asked) -> Any:
    return quietly(rs.summarize_smauc, asked.first, undefined="drop") if has_shares(asked) else None


def the_smauc_comparison(asked: Asked) -> Any:
    if not (has_shares(asked) and is_pair(asked)):
        return None
    options = {"undefined": "drop", "unmatched": "drop"}
    return quietly(rs.compare_smauc, asked.scores, *asked.scores.models[:2], **options)


MODEL = "models/{model}"
QUESTIONS = {
    "average at a place": (f"{MODEL}/points/0/point/tpr", lambda a: the_point(a).tpr, ("average", "cutoff")),
    "its interval": (
        f"{MODEL}/points/0/point/tpr_interval",
        lambda a: None if is_alone(a) else the_point(a).tpr_interval,
        ("average",),
    ),
    "AUC": (f"{MODEL}/auc", lambda a: the_area(a)[0], ("average",)),
    "its AUC's interval": (f"{MODEL}/auc_interval", lambda a: the_area(a)[1], ("average",)),
    "difference and p": (
        "comparison/at/0",
        lambda a: the_comparison(a).at[0] if is_pair(a) else None,
        ("compare",),
    ),
    "shared threshold": (
        f"{MODEL}/points/0/point/threshold",
        lambda a: the_point(a).threshold if is_shared(a) else None,
        ("average", "cutoff"),
    ),
    "cut-offs not told apart": (
        f"{MODEL}/neighbours",
        lambda a: the_neighbours(a) if is_shared(a) and not is_alone(a) else None,
        ("cutoff",),
    ),
    "AUC of every group": (
        f"{MODEL}/groups/auc",
        lambda a: None if is_alone(a) else the_groups(a)[0],
        ("average",),
    ),
    "its limits": (
        f"{MODEL}/groups/auc_interval",
        lambda a: None if is_alone(a) else the_groups(a)[1],
        ("average",),
    ),
    "price of a shared threshold": (
        f"{MODEL}/comparability/price",
        lambda a: None if is_alone(a) else quietly(rs.comparability, a.first).price,
        (),
    ),
    "winner map": (
        "winner_map",
        lambda a: the_winner_map(a) if is_pair(a) and not is_alone(a) else None,
        ("compare",),
    ),
    "plan": ("plan", the_plan, ("plan",)),
    "reader comparison": (
        "readers/comparison",
        lambda a: the_readers(a) if a.study.is_reader_study else None,
        ("compare",),
    ),
    "smAUC": ("smroc/models/{model}", the_smauc, ("smroc",)),
    "difference of smAUCs": ("smroc/comparison", the_smauc_comparison, ("smroc",)),
    "a new group": (
        f"{MODEL}/summary/prediction_interval",
        lambda a: (
            None if is_alone(a) else quietly(rs.summarize_auc, a.first, undefined="drop").prediction_interval
        ),
        ("average",),
    ),
}


def is_pair(asked: Asked) -> bool:
    return len(asked.scores.models) == 2 and not asked.study.is_reader_study


def is_shared(asked: Asked) -> bool:
    return asked.deployment == SHARED


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_door_gives_the_same_answer(asked, said, question):
    path, answer, commands = QUESTIONS[question]
    expected = plain(answer(asked))
    where = path.format(model=asked.study.models[0])
    facts = json.loads(json.dumps(asked.study.to_dict()))
    expected = json.loads(json.dumps(expected))
    assert at(facts, where) == expected
    if expected is None:  # no such question
        return
    for command in ("report", *commands):
        is_of_readers = asked.study.is_reader_study
        if command == "plan" and is_of_readers:  # it plans areas unless --measure says otherwise
            continue
        assert at(said(command), where) == expected, command


def test_a_threshold_for_a_rate_is_the_cut_off_for_it(asked, said):
    if not is_shared(asked):
        return
    expected = the_point(asked).threshold
    assert asked.study.cutoff(asked.study.models[0]).threshold == expected
    assert said("cutoff")["cutoffs"][0]["cutoff"]["threshold"] == expected


@pytest.mark.parametrize("place", ["precision=0.5", "mcc"])
def test_a_cut_off_for_a_measure_is_the_same_through_every_door(asked, place, capsys):
    """For a predictive value, and for the largest of a measure; one threshold for all groups."""
    if is_alone(asked):
        curve = rs.roc_curves(asked.first)[0]
    else:
        curve = quietly(rs.average, asked.first, "threshold", undefined="drop")
    found = quietly(rs.choose_cutoff, curve, place if "=" not in place else {"ppv": 0.5})
    corrected = plain(quietly(found.corrected))
    model, use = asked.study.models[0], rs.Deployment("shared")
    study = rs.Study(asked.scores, use, at=[place])
    assert study.cutoff(model).threshold == found.threshold
    assert plain(study.corrected(model)) == corrected
    typed = [*asked.typed[: -len(TYPED["own"])], "--deploy", "shared", "--at", place, "--json"]
    kept = {}
    for command in ("cutoff", "report", "average"):
        capsys.readouterr()
        assert run([command, *typed]) == 0
        kept[command] = json.loads(capsys.readouterr().out)
    (first, *_) = kept["cutoff"]["cutoffs"]
    assert first["cutoff"]["threshold"] == found.threshold
    assert first["corrected"] == json.loads(json.dumps(corrected))
    where = f"models/{model}/points/0"
    for command in ("report", "average"):
        assert at(kept[command], f"{where}/point/threshold") == found.threshold, command
        assert at(kept[command], f"{where}/point/tpr") == found.tpr, command
    assert at(json.loads(json.dumps(study.to_dict())), f"{where}/point/value") == found.value


def test_advice_and_comparisons_read_the_points_of_averages(asked):
    """Functions of the core that read one rate of one average have one interval for it."""
    if is_alone(asked):
        return
    point = the_point(asked).tpr_interval
    own = [point.low, point.high]
    (answer,) = quietly(rs.advise, asked.deployment, asked.first).answers
    assert [answer.value_interval.low, answer.value_interval.high] == pytest.approx(own, abs=1e-12)
    compared = the_comparison(asked).at[0].a_interval
    assert [compared.low, compared.high] == pytest.approx(own, abs=1e-12)


def test_the_mean_auc_is_the_area_under_the_vertical_average(asked):
    if is_alone(asked):
        return
    summary = quietly(rs.summarize_auc, asked.first, undefined="drop")
    average = quietly(rs.average, asked.first, "vertical", undefined="drop")
    area = average.auc_interval()
    assert summary.estimate == pytest.approx(average.auc, abs=1e-12)
    limits = [summary.interval.low, summary.interval.high]
    assert limits == pytest.approx([area.low, area.high], abs=1e-12)


def test_advice_is_the_same_in_python_and_from_the_command(asked, said):
    if is_alone(asked) or len(asked.scores.models) < 2:
        return
    expected = plain(quietly(rs.advise, asked.deployment, asked.scores).to_dict())
    found = said("advise")["advice"]
    assert found["answers"] == json.loads(json.dumps(expected["answers"]))


# Several classes
# ---------------


@dataclass(frozen=True)
class OfClasses:
    """A wide table of outputs, how it is decided, and what to type for both."""

    path: Path
    roles: dict[str, Any]
    settings: dict[str, Any]
    typed: tuple[str, ...]

    @cached_property
    def scores(self) -> Any:
        return quietly(rs.read_scores, self.path, **self.roles)

    @cached_property
    def study(self) -> Any:
        return rs.Study(self.scores, **self.settings)

    @cached_property
    def search(self) -> Any:
        options = {"at_most": self.settings.get("at_most"), "nested": True, "undefined": "keep"}
        return quietly(rs.search_class_weights, self.scores, **options)

    @cached_property
    def exact(self) -> Any:
        if not self.study.has_exact:
            return None
        return rs.search_class_weights(self.scores, exact=True, at_most=self.settings.get("at_most"))

    @cached_property
    def weights(self) -> Any:
        given = self.settings.get("class_weights")
        if given is not None:
            return np.array(given) / np.sum(given)
        return (self.exact if self.settings.get("exact") else self.search).best.class_weights

    @cached_property
    def two(self) -> Any:
        """The points in use and with equal weights."""
        n = self.scores.n_classes
        both = np.vstack([self.weights, np.full(n, 1 / n)])
        return rs.average_multiclass_points(self.scores, both, undefined="drop")


def hpc() -> tuple[dict[str, list[Any]], dict[str, Any], tuple[str, ...]]:
    roles = {"label": "obs", "outputs": ["VF", "F", "M", "L"], "group": "Resample"}
    return (
        shared_data("yardstick_hpc_cv.csv"),
        roles,
        ("-y", "obs", "--outputs", "VF,F,M,L", "-g", "Resample"),
    )


def three() -> tuple[dict[str, list[Any]], dict[str, Any], tuple[str, ...]]:
    from class_sets import class_scores

    scores = class_scores()
    columns: dict[str, list[Any]] = {"species": [scores.classes[i] for i in scores.label_index]}
    columns["fold"] = [scores.folds[i] for i in scores.fold_index]
    columns |= {f"p_{own}": scores.outputs[:, c].tolist() for c, own in enumerate(scores.classes)}
    roles = {"label": "species", "outputs": "p_*", "group": "fold"}
    return columns, roles, ("-y", "species", "--outputs", "p_*", "-g", "fold")


OF_CLASSES = {
    "hpc": (hpc, {}, ()),
    "three": (three, {}, ()),
    "exact": (three, {"exact": True}, ("--exact",)),
    "given": (three, {"class_weights": [1, 2, 5]}, ("--class-weights", "cat=1,dog=2,eel=5")),
    "limited": (three, {"at_most": {"eel": 0.25}}, ("--at-most", "eel=25%")),
}
CLASS_QUESTIONS = {
    "weights in use": ("weights/class_weights", lambda a: a.weights),
    "search": ("search", lambda a: a.search),
    "nested errors": ("search/nested/errors", lambda a: a.search.nested.errors),
    "exact search": ("exact", lambda a: a.exact),
    "errors in use": ("errors/measure/mean/0", lambda a: a.two.measure("class_error").mean[0]),
    "their standard errors": (
        "errors/measure/standard_error/0",
        lambda a: a.two.measure("class_error").standard_error[0],
    ),
    "their intervals": (
        "errors/interval/low/0",
        lambda a: a.two.measure("class_error").interval(0.95).low[0],
    ),
    "errors of equal weights": (
        "errors/measure/stacked/1",
        lambda a: a.two.measure("class_error").stacked[1],
    ),
    "confusion": ("confusion/in_use", lambda a: a.two.confusion_matrix(0)),
    "confusion of equal weights": ("confusion/equal_weights", lambda a: a.two.confusion_matrix(1)),
    "equal weights told apart": (
        "comparison/pvalue/1",
        lambda a: a.two.compare_to(0, "class_error", alpha=1 - 0.95).pvalue[1],
    ),
    "AUC of Hand and Till": ("aucs/hand-till/auc", lambda a: a.scores.auc(undefined="drop")),
    "its interval as well": (
        "aucs/hand-till/interval",
        lambda a: quietly(a.scores.auc(undefined="drop").interval),
    ),
    "limits of one versus rest": (
        "aucs/one-versus-rest/part_intervals",
        lambda a: dict(
            zip(
                ("low", "high"),
                a.scores.auc("one-versus-rest", undefined="drop").part_intervals(),
                strict=True,
            )
        ),
    ),
    "cases of each class": ("check/cases", lambda a: a.scores.class_counts),
}


@pytest.fixture(scope="module", params=sorted(OF_CLASSES))
def classes(request, tmp_path_factory):
    made, settings, typed = OF_CLASSES[request.param]
    columns, roles, named = made()
    path = tmp_path_factory.mktemp(request.param) / "outputs.csv"
    rows = zip(*columns.values(), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    return OfClasses(path, roles, settings, (str(path), *named, *typed))


@pytest.fixture(scope="module")
def printed(classes):
    """What the commands print of several classes as JSON."""

    @cache
    def say(command: str) -> Any:
        import contextlib
        import io

        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()) as err:
            code = run([command, *classes.typed, "--json"])
        assert code == 0, err.getvalue()
        return json.loads(out.getvalue())

    return say


@pytest.mark.parametrize("question", CLASS_QUESTIONS)
def test_every_door_gives_the_same_answer_of_several_classes(classes, printed, question):
    where, answer = CLASS_QUESTIONS[question]
    expected = json.loads(json.dumps(plain(answer(classes))))
    facts = json.loads(json.dumps(classes.study.to_dict()))
    assert at(facts, where) == expected
    for command in ("classes", "report"):
        assert at(printed(command), where) == expected, command


def test_the_page_of_several_classes_is_the_same_from_both_commands(classes, tmp_path):
    from rocsteady.show.report import page_of

    written = []
    for command in ("classes", "report"):
        path = tmp_path / f"{command}.html"
        assert run([command, *classes.typed, "-o", str(path), "--quiet"]) == 0
        written.append(path.read_text().replace(f"rocsteady {command}", "rocsteady"))
    assert written[0].replace("classes.html", "report.html") == written[1]
    sections = ["answer", "errors", "confusion", "search", "areas"]
    of_study = page_of(rs.Study(classes.scores, **classes.settings), sections=sections)
    start = of_study.index("<main>")
    for own in sections:  # a study of Python's has no command to repeat, and nothing else is missing
        part = of_study[of_study.index(f'<section id="{own}"', start) :].partition("</section>")[0]
        assert f'id="{own}"' in written[0]
        assert part.count("<td") == written[0].split(f'<section id="{own}"')[1].partition("</section>")[
            0
        ].count("<td")
