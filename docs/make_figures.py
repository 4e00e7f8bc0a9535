"""Draw the figures of the documentation, from simulated data only.

    python docs/make_figures.py [folder]      # default: docs/images

The same seed gives the same picture; run it again whenever curves change.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import rocsteady as rs
from rocsteady.simulate import highleyman, hosts, reader_study


def first_figure(path: Path) -> None:
    """Two detectors averaged for two deployments: one threshold for all hosts, or one for each."""
    score_set = rs.ScoreSet.from_frame(
        hosts(), label="label", score="score", group="host", model="model", case="event", positive="attack"
    )
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    titles = {"threshold": "One threshold for all hosts", "vertical": "Each host has its own threshold"}
    for ax, (method, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        averages = {
            name: rs.average(score_set.model(name), method, undefined="drop") for name in score_set.models
        }
        rs.plot.averages(averages, at={"fpr": 0.05}, title=title, text_size=9, ax=ax)
    write(figure, path)


def write(figure: Figure, path: Path) -> None:
    """The picture, the same bytes for the same figure."""
    figure.savefig(path, dpi=110, metadata={"Software": None})


def operating_points(path: Path) -> None:
    """The folds of docs/operating_points.md: points like a chosen one; precision, recall."""
    features, is_first = highleyman(50, seed=1)
    folds = rs.cross_validated_scores(LinearDiscriminantAnalysis(), features, is_first, folds=10, seed=0)
    points = rs.average_operating_points(folds, thresholds=30)
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    rates, precision = figure.subplots(1, 2)
    chosen = points.compare_to(points.nearest(tpr=0.9), "fpr")
    rs.plot.operating_points(points, comparison=chosen, ax=rates, text_size=9)
    rs.plot.operating_points(points, x="recall", y="precision", ax=precision, text_size=9)
    write(figure, path)


def smroc(path: Path) -> None:
    """The scores of docs/smroc.md: their curve beside its chance level, and smAUC as Mid moves."""
    rng = np.random.default_rng(3)
    sick = np.arange(400) < 120
    score = np.round(1 / (1 + np.exp(-rng.normal(np.where(sick, 1.0, -1.0), 1.5))), 3)
    curve = rs.smroc_curve(sick, score, mid=0.5)
    figure = Figure(figsize=(8, 5), layout="constrained")
    path_axes, profile_axes = figure.subplots(1, 2)
    rs.plot.smroc(curve, ax=path_axes, text_size=9)
    rs.plot.mid_profile(curve.mid_profile(), ax=profile_axes, text_size=9)
    write(figure, path)


def smroc_models(path: Path) -> None:
    """The two models of docs/smroc.md: mean curves over sites, and every site beside its chance level."""
    rng = np.random.default_rng(3)
    sick = np.arange(400) < 120
    seen = rng.normal(np.where(sick, 1.0, -1.0), 1.5)
    models = {"sure": 1 / (1 + np.exp(-4 * seen)), "timid": 1 / (1 + np.exp(-0.5 * seen))}
    sites = rs.ScoreSet.from_arrays(sick, models, np.arange(400) % 10, unit="site", design="independent")
    figure = Figure(figsize=(9, 5), layout="constrained")
    curves, areas = figure.subplots(1, 2)
    rs.plot.smroc(rs.smroc_curve(sites, mid=0.5), ax=curves, text_size=9)
    rs.summarize_smauc(sites.model("timid"), mid=0.5).plot(title="timid", ax=areas, text_size=9)
    write(figure, path)


def winner_map(path: Path) -> None:
    """The clinics of docs/comparing.md: who is ahead at which false positive rate, and for which budget."""
    rng = np.random.default_rng(7)
    sick, clinic = np.tile(np.arange(300) < 100, 16), np.repeat(np.arange(16), 300)
    noise, easy = rng.normal(size=sick.size), rng.random(sick.size) < 0.7
    sharp = noise + np.where(sick, np.where(easy, 3.5, 0.5), 0)
    broad = 0.7 * noise + 0.7 * rng.normal(size=sick.size) + 2 * sick
    clinics = rs.ScoreSet.from_frame(
        {"sick": sick, "clinic": clinic, "sharp": sharp, "broad": broad},
        label="sick",
        score=["sharp", "broad"],
        group="clinic",
    )
    figure = Figure(figsize=(8, 5), layout="constrained")
    rates, alerts = figure.subplots(1, 2)
    rs.plot.winner_map(rs.winner_map(clinics), ax=rates, text_size=9)
    budgets = rs.winner_map(clinics, over="alerts", alerts=(0.02, 0.2), prevalence=0.1)
    rs.plot.winner_map(budgets, ax=alerts, text_size=9)
    write(figure, path)


def readers(path: Path) -> None:
    """The study of docs/readers.md: the AUC of every reader with both modalities, and the average curves."""
    columns = {"label": "truth", "score": "rating", "group": "reader", "model": "modality", "case": "case"}
    study = rs.ScoreSet.from_frame(reader_study(standalone=False), **columns, positive="cancer")
    found = rs.compare_readers(study)
    figure = Figure(figsize=(8, 5), layout="constrained")
    values, curves = figure.subplots(1, 2)
    rs.plot.reader_values(found, ax=values, text_size=9)
    rs.plot.reader_curves(found, ax=curves, text_size=9)
    write(figure, path)


def lecture(folder: Path) -> None:
    """The pictures of docs/teaching.md, from its numbers: both classes, the best cut-off, two models."""
    rng = np.random.default_rng(305)
    state = np.repeat(["Healthy", "Diseased"], 300)
    substance = np.concatenate([rng.normal(1.32, 0.16, 300), rng.normal(1.72, 0.18, 300)])
    figure = Figure(figsize=(8, 4.6), layout="constrained")
    spread = rs.score_densities(state, substance, positive="Diseased")
    options = {"kind": "overlaid", "words": "medical", "text_size": 9}
    rs.plot.densities(spread, thresholds=1.5, **options, ax=tuple(figure.subplots(1, 2)))
    figure.axes[0].set_xlabel("substance")
    write(figure, folder / "teaching_scores.png")
    figure = Figure(figsize=(4.6, 4.6), layout="constrained")
    best = rs.choose_cutoff(rs.roc_curve(state, substance, positive="Diseased"), "youden")
    rs.plot.cutoffs(best, words="medical", text_size=9, ax=figure.subplots())
    write(figure, folder / "teaching_cutoff.png")
    sick = np.repeat([True, False], 200)
    models = [
        rs.roc_curve(sick, np.r_[rng.normal(mean, sd, 200), rng.normal(0, 1, 200)], name=name)
        for name, mean, sd in (("M1", 1.6, 1.6), ("M2", 1.1, 0.7))
    ]
    figure = Figure(figsize=(4.6, 4.6), layout="constrained")
    rs.plot.roc(models, text_size=9, ax=figure.subplots())
    write(figure, folder / "teaching_models.png")


def main(folder: Path) -> None:
    """Draw all figures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    first_figure(folder / "first_figure.png")
    operating_points(folder / "operating_points.png")
    smroc(folder / "smroc.png")
    smroc_models(folder / "smroc_models.png")
    winner_map(folder / "winner_map.png")
    readers(folder / "readers.png")
    lecture(folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent / "images")
    main(parser.parse_args().folder)
