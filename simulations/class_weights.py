"""How often the greedy search for class weights finds the best ones, and how optimistic its errors are.

    python simulations/class_weights.py [--problems 500] [--replicates 300] [--seed 1]

First part: random problems of three classes and 60 to 300 rows. The smallest largest class error that any
weights attain is found exactly, and the search is held against it; once more where one class may have an
error of at most 5, 10 or 20 %, or two of them one that can just be kept.

Second part: three normal classes in the plane, whose densities are the outputs. Weights are chosen on a
sample; what they do on new rows is known from 60,000 of them. Beside it stand what the search said of the
rows it chose by, and what the nested estimate said, for the largest class error from below (the largest of
the class errors) and from above (the mean over folds of the largest in each). Monte-Carlo standard errors
are in brackets.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from rocsteady.points.multiclass import ClassRows, search_class_weights
from rocsteady.scores.multiclass import MulticlassScores

Floats = NDArray[np.float64]
MEANS = np.array([[0.0, 0.0], [1.5, 0.0], [0.75, 1.3]])


def random_problem(rng: np.random.Generator) -> MulticlassScores:
    """Three classes with other frequencies, overlap and noise each time."""
    n = int(rng.integers(60, 301))
    priors = rng.dirichlet([3, 3, 3])
    labels = np.concatenate([[0, 1, 2], rng.choice(3, n - 3, p=priors)])
    logs = rng.normal(size=(n, 3)) * rng.uniform(0.5, 2) + np.log(priors)
    logs[np.arange(n), labels] += rng.uniform(0.3, 2)
    return MulticlassScores(labels, np.exp(logs - logs.max(axis=1, keepdims=True)))


def gaps(problems: int, seed: int) -> tuple[Floats, Floats]:
    """How far the largest and the mean class error of the search are above those of the exact minimum."""
    rng = np.random.default_rng(seed)
    found = np.empty((problems, 2))
    for i in range(problems):
        scores = random_problem(rng)
        exact = search_class_weights(scores, exact=True).best
        best = search_class_weights(scores, seed=i).best
        found[i] = best.max_error - exact.max_error, best.mean_error - exact.mean_error
    return found[:, 0], found[:, 1]


def gaps_under_limits(problems: int, seed: int) -> dict[str, Floats]:
    """How far the largest error of the other classes is above the exact one; NaN where nothing was found."""
    rng = np.random.default_rng(seed)
    found = {name: np.full(problems, np.nan) for name in ("one limit", "two limits")}
    for i in range(problems):
        scores = random_problem(rng)
        one = {int(rng.integers(3)): float(rng.choice([0.05, 0.1, 0.2]))}
        errors = search_class_weights(scores, at_most=one, exact=True).best.errors
        two = {c: min(float(errors[c]) + 0.02, 1.0) for c in rng.permutation(3)[:2].tolist()}
        for name, limits in (("one limit", one), ("two limits", two)):
            others = [c for c in range(3) if c not in limits]
            exact = search_class_weights(scores, at_most=limits, exact=True).best
            best = search_class_weights(scores, at_most=limits, seed=i).best
            found[name][i] = best.errors[others].max() - exact.errors[others].max()
    return found


def three_normals(rng: np.random.Generator, n_per_class: int, folds: int = 10) -> MulticlassScores:
    """Rows of three normal classes in the plane, with the densities of the classes as outputs."""
    labels = np.tile(np.arange(3), n_per_class)
    x = MEANS[labels] + rng.normal(size=(labels.size, 2))
    densities = np.exp(-((x[:, None, :] - MEANS) ** 2).sum(axis=2) / 2)
    return MulticlassScores(labels, densities, folds=np.arange(labels.size) // 3 % folds)


def on_new_rows(population: ClassRows, weights: Floats) -> Floats:
    """The class errors of weights in the population."""
    return np.asarray(population.error_counts(weights) / population.sizes)


def optimism(n_per_class: int, replicates: int, seed: int) -> dict[str, Floats]:
    """Largest and mean class error of each sample: as searched, nested, and on new rows."""
    rng = np.random.default_rng(seed)
    population = ClassRows(three_normals(rng, 20_000))
    found = {name: np.empty((replicates, 2)) for name in ("searched", "nested", "from above", "new rows")}
    for i in range(replicates):
        drawn = three_normals(rng, n_per_class)
        search = search_class_weights(drawn, n_start=200, n_steps=3, keep=30, seed=i, nested=True)
        nested, best = search.nested, search.best
        assert nested is not None
        true = on_new_rows(population, best.class_weights[None, :])[0]
        found["searched"][i] = best.max_error, best.mean_error
        found["nested"][i] = nested.max_error, nested.stacked.mean()
        found["from above"][i] = nested.mean_max_error, np.nan
        found["new rows"][i] = true.max(), true.mean()
    return found


def main() -> None:
    """Print both parts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problems", type=int, default=500)
    parser.add_argument("--replicates", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    largest, mean = gaps(asked.problems, asked.seed)
    reached = largest < 1e-12
    both = reached & (np.abs(mean) < 1e-12)
    error = np.sqrt(reached.mean() * (1 - reached.mean()) / asked.problems)
    print(f"the search reaches the smallest largest class error in {reached.mean():.1%} ({error:.1%})")
    print(f"  and the smallest mean class error with it in {both.mean():.1%}")
    print(f"  where it does not, it is above by {largest[~reached].mean() if (~reached).any() else 0:.4f}")
    for name, gap in gaps_under_limits(asked.problems, asked.seed).items():
        reached = gap < 1e-12
        print(f"with {name}: the smallest largest error of the others in {reached.mean():.1%}")
        print(f"  where it does not, it is above by {gap[~reached].mean() if (~reached).any() else 0:.4f}")
    print("\nlargest and mean class error, three normal classes, 10 folds")
    print(f"{'per class':>10}{'':>12}{'largest':>18}{'mean':>18}")
    for n in (20, 50, 100):
        for name, values in optimism(n, asked.replicates, asked.seed).items():
            errors = values.std(axis=0, ddof=1) / np.sqrt(asked.replicates)
            figures = zip(values.mean(axis=0), errors, strict=True)
            cells = ["" if np.isnan(m) else f"{m:.4f} ({e:.4f})" for m, e in figures]
            print(f"{n:>10}{name:>12}{cells[0]:>18}{cells[1]:>18}")


if __name__ == "__main__":
    main()
