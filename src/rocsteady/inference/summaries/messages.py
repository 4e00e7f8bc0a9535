"""What to say about AUCs that an interval over groups cannot be made of, or not well."""

from __future__ import annotations

from rocsteady.averaging.given import Asker, Members
from rocsteady.caller import caller_level
from rocsteady.errors import DataError, Option, Remedy, UsageError, counted, warn
from rocsteady.inference.summaries.folds import SharedCases
from rocsteady.uncertainty.mean_rates import is_skewed
from rocsteady.words import grouped, percent, plural

ASKER = Asker(
    takes="a summary is made of a ScoreSet, a CurveSet, or a list of RocCurve or Scores.",
    lacks="there are no AUCs to summarize.",
    of_one="a summary is of one",
    call="summarize_auc({})",
    usual="score_set",
)


def refuse_single(members: Members) -> DataError:
    """RS066: one group does not differ from itself."""
    return DataError(
        "RS066",
        f"a summary that takes the {plural(members.unit)} as random needs at least two.",
        f"found: {counted(len(members), members.unit)}"
        + (f", and {counted(len(members.undefined), 'one')} without a curve" if members.undefined else ""),
        "the interval of one curve, its cases being random:  curve.auc_interval()",
    )


def refuse_estimators(method: object, known: dict[str, str]) -> None:
    """RS001 for a way to estimate tau in place of a method: it goes with random effects."""
    meant = known.get(method.casefold()) if isinstance(method, str) else None
    if meant is not None:
        raise UsageError(
            "RS001",
            f"method cannot be {method!r}.",
            "that is a way to estimate how much groups differ, for random effects",
            ["here that is  ", Option("method", "random-effects"), ", ", Option("heterogeneity", meant)],
        )


def refuse_options(method: str, options: dict[str, object]) -> None:
    """RS002 for an option that the method would not look at."""
    used_by = {"test_train_ratio": ("t", "nadeau-bengio"), "repeats": ("nadeau-bengio", "cv-influence")}
    for name, value in options.items():
        if value is not None and method not in used_by[name]:
            raise UsageError(
                "RS002",
                f"method {method!r} does not use {name}.",
                f"found: {name}={value!r:.60}",
                ["folds that share training data:  ", Option("method", "nadeau-bengio")],
            )


def warn_shared(members: Members, shared: SharedCases | None, *, also_if_all: bool) -> None:
    """RS286 if groups share cases; those that all groups have are no surprise where readers are random."""
    if shared is None or shared.most == 1 or members.design.shares_training:
        return
    if shared.fewest == len(members) and not also_if_all:
        return
    units = plural(members.unit)
    warn(
        "RS286",
        f"the {units} share cases, so they are not independent: the interval is too narrow.",
        f"found: cases in {shared.fewest} to {shared.most} of {counted(len(members), members.unit)}",
        ["repeated cross-validation:  ", Option("design", "cross-validation"), "  where the set is made"],
        ["the same cases for all, and only those meant:  ", Option("method", "t")],
        stacklevel=caller_level(),
    )


def warn_no_spread(members: Members, auc: float) -> None:
    """RS287: no spread to judge by."""
    warn(
        "RS287",
        f"all {counted(len(members), members.unit)} have the same AUC, so their spread says nothing.",
        f"found: {auc:.4g} every time",
        "do not read it as certainty; with the cases as random:  method='cv-influence'",
        stacklevel=caller_level(),
    )


def warn_replaced(members: Members, n_separated: int, n_replaced: int) -> None:
    """RS285: some groups have no logit, or no variance, of their own."""
    found = f"AUC 0 or 1: {grouped(n_separated)}; no variance otherwise: {grouped(n_replaced - n_separated)}"
    warn(
        "RS285",
        f"{grouped(n_replaced)} of {counted(len(members), members.unit)} "
        f"{'has' if n_replaced == 1 else 'have'} no standard error on the logit scale.",
        f"{found}\nhalf a pair is taken off an AUC of 0 or 1, and Hanley and McNeil's variance is used",
        *_instead(members, "t", "if they are many, the mean AUC is safer:  "),
        stacklevel=caller_level(),
    )


def warn_alike(members: Members, q: float, share: float, *, is_known: bool = False) -> None:
    """RS286: Q is so small that groups must share cases; ``is_known`` says that they do not."""
    if is_known:
        problem = (
            f"the AUCs of the {plural(members.unit)} differ less than by chance, and so the interval is "
        )
        problem += "narrower than their cases explain."
        remedies: list[Remedy] = [["with the cases as random:  ", Option("method", "cv-influence")]]
    else:
        problem = f"the AUCs of the {plural(members.unit)} differ less than by chance: do they share cases?"
        remedies = [
            "if they do, the interval is too narrow; name the cases:  ScoreSet.from_frame(..., case='...')",
            ["repeated cross-validation:  ", Option("method", "nadeau-bengio")],
            ["if not, it is luck; with the cases as random:  ", Option("method", "cv-influence")],
        ]
    warn(
        "RS286",
        problem,
        f"found: Q = {q:.3g} with {len(members) - 1} degrees of freedom; chance gives less only "
        f"{100 * share:.2g} % of the time",
        *remedies,
        stacklevel=caller_level(),
    )


def warn_unknown_spread(members: Members, i_squared: float) -> None:
    """RS288: tau is too uncertain for a prediction."""
    warn(
        "RS288",
        f"{plural(members.unit)} are hardly seen to differ, so the prediction interval may be too narrow.",
        f"found: I squared {percent(round(i_squared, 3))}, {counted(len(members), members.unit)}",
        ["one that allows for what is not known of the spread:  ", Option("interval", "guarded")],
        stacklevel=caller_level(),
    )


def warn_likely_to_miss(members: Members, problem: str, found: str, remedy: str) -> None:
    """RS289: data on which the interval of this method covers too seldom.

    ``remedy`` is a method that keeps its level there, or nothing.
    """
    warn(
        "RS289",
        f"{problem.format(units=plural(members.unit))}",
        f"found: {found}",
        *_instead(members, remedy),
        stacklevel=caller_level(),
    )


def _instead(members: Members, method: str, why: str = "") -> list[Remedy]:
    """The method to take; where that one would only send back, that none holds, and which errs least."""
    if method and not (method == "t" and is_skewed(members.auc)):
        return [[why, Option("method", method)]]
    closing: list[Remedy] = [f"no method keeps its level here; more cases in each {members.unit} would help"]
    if not is_skewed(members.auc, is_widened=True):
        closing.append(["nearest to it for folds, being wider:  ", Option("method", "nadeau-bengio")])
    return closing
