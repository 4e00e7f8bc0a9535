"""What to say about AUCs that an interval over groups cannot be made of, or not well."""

from __future__ import annotations

from rocsteady.averaging.given import Asker, Members
from rocsteady.counting.caller import caller_level
from rocsteady.errors import DataError, Option, UsageError, counted, warn
from rocsteady.inference.summaries.folds import SharedCases
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


def refuse_options(method: str, options: dict[str, object]) -> None:
    """RS002 for an option that the method would not look at."""
    used_by = {"test_train_ratio": ("nadeau-bengio",), "repeats": ("nadeau-bengio", "cv-influence")}
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
    if shared is None or shared.most == 1:
        return
    if shared.fewest == len(members) and not also_if_all:
        return
    units = plural(members.unit)
    warn(
        "RS286",
        f"the {units} share cases, so they are not independent: the interval is too narrow.",
        f"found: cases in {shared.fewest} to {shared.most} of {counted(len(members), members.unit)}",
        ["repeated cross-validation:  ", Option("method", "nadeau-bengio")],
        ["the same cases for all, and only those meant:  ", Option("method", "t")],
        stacklevel=caller_level(),
    )


def warn_no_spread(members: Members, auc: float) -> None:
    """RS287: a width of zero."""
    warn(
        "RS287",
        f"all {counted(len(members), members.unit)} have the same AUC, so the interval has no width.",
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
        ["if they are many, the mean AUC is safer:  ", Option("method", "t")],
        stacklevel=caller_level(),
    )


def warn_alike(members: Members, q: float, share: float) -> None:
    """RS286: Cochran's Q is so small that groups must share cases."""
    warn(
        "RS286",
        f"the AUCs of the {plural(members.unit)} differ less than by chance: do they share cases?",
        f"found: Q = {q:.3g} with {len(members) - 1} degrees of freedom; chance gives less only "
        f"{100 * share:.2g} % of the time",
        "if they do, the interval is too narrow; name the cases:  ScoreSet.from_frame(..., case='...')",
        ["and for repeated cross-validation:  ", Option("method", "nadeau-bengio")],
        stacklevel=caller_level(),
    )


def warn_unknown_spread(members: Members, i_squared: float) -> None:
    """RS288: tau is too uncertain for a prediction."""
    warn(
        "RS288",
        f"{plural(members.unit)} are hardly seen to differ, so the prediction interval may be too narrow.",
        f"found: I squared {percent(round(i_squared, 3))}, {counted(len(members), members.unit)}",
        "do not promise a new group that much; the interval of the centre is not affected",
        stacklevel=caller_level(),
    )


def warn_likely_to_miss(members: Members, problem: str, found: str, remedy: str) -> None:
    """RS289: data on which the interval of this method covers too seldom."""
    warn(
        "RS289",
        f"{problem.format(units=plural(members.unit))}",
        f"found: {found}",
        Option("method", remedy),
        stacklevel=caller_level(),
    )
