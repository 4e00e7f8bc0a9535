"""What was read, what was left out of it, and coded messages in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocsteady.advice.check import DataSummary, ModelData
from rocsteady.errors import RocsteadyWarning
from rocsteady.text import Cases, Count, Group, Item, Model, Quote, Text, Words, joined, listed, phrase, say

_ARROW = "  -> "
_MOST_NAMED = 3


def steps(found: DataSummary, least: int, *, noun: str, verb: str, is_pooled: bool) -> Iterator[Text]:
    """From the rows that were read to those that are used; losses in between add up."""
    yield phrase(f"{{n}} {verb}", n=Count(found.n_read, noun))
    if found.n_dropped:
        causes = [phrase("{cause}: {n}", cause=Quote(own), n=n) for own, n in found.dropped.items()]
        yield phrase("{n} dropped ({causes})", n=Count(found.n_dropped, noun), causes=listed(causes))
    if found.n_left_out:
        yield phrase(
            "{n} left out, in {groups} with fewer than {least} cases of a class ({names})",
            n=Count(found.n_left_out, noun),
            groups=Count(len(found.left_out), found.unit),
            least=least,
            names=listed(map(Group, found.left_out), most=_MOST_NAMED),
        )
    n_one_class = sum(own.n_one_class for own in found.models)
    if n_one_class:
        how = "in the pooled curve only" if is_pooled else "left out"
        where = ", in {groups} with one class ({names})" if found.is_grouped else ": of one class only"
        yield phrase(
            f"{{n}} {how}{where}",
            n=Count(n_one_class, noun),
            groups=Count(len(found.one_class), found.unit),
            names=listed(map(Group, found.one_class), most=_MOST_NAMED),
        )
    n_used = found.n_rows - (0 if is_pooled else n_one_class)
    yield phrase("{n} used{what}", n=Count(n_used, noun), what=_used(found, found.models))


def _used(found: DataSummary, models: tuple[ModelData, ...]) -> Text | None:
    """In which groups and of which class; nothing where models differ, which have a table."""
    first, *others = models
    sizes = {(own.n_positives, own.n_negatives, own.n_groups) for own in models}
    if len(sizes) > 1:
        return phrase(" of {models}", models=Count(len(models), "model"))
    parts: list[Item] = [Count(first.n_groups, found.unit)] if found.is_grouped else []
    parts += [Count(len(models), "model")] if others else []
    classes = phrase(
        "{positives} and {negatives}{each}",
        positives=Cases(first.n_positives, True),
        negatives=Cases(first.n_negatives, False),
        each=phrase(" each") if others else None,
    )
    between = phrase("{parts}, {classes}", parts=joined(parts, " × "), classes=classes) if parts else classes
    return phrase(": {what}", what=between)


def message(warning: RocsteadyWarning, words: Words, names: Sequence[str], *, shell: bool) -> Text:
    """What is the matter, what was found, and what to type; `names` keep their first letter."""
    own = warning.told(words.rate)
    problem = own.problem
    if not problem.startswith(tuple(f"{name} " for name in names if name)):
        problem = problem[:1].upper() + problem[1:]
    ways = [line.removeprefix(_ARROW) for line in own.lines(shell=shell) if line.startswith(_ARROW)]
    parts: list[Text | None] = [phrase("{problem}", problem=Quote(problem))]
    if own.found:
        found = "; ".join(own.found.removeprefix("found: ").splitlines()).replace(":; ", ": ").rstrip(".")
        parts.append(phrase("Found: {found}.", found=Quote(found)))
    if ways:
        parts.append(phrase("What to do: {ways}.", ways=Quote("; ".join(ways).rstrip("."))))
    return joined(parts, " ")


def groups_of(names: tuple[str, ...], unit: str) -> tuple[Text, Text]:
    """A title and the list of groups that a message is about."""
    return say("These {n}", n=Count(len(names), unit)), say(
        "{names}.", names=listed(map(Group, names), most=200)
    )


def used(model: ModelData, unit: str) -> tuple[Item, ...]:
    """What a model used, in cells."""
    return (
        Model(model.name),
        Count(model.n_rows - model.n_one_class),
        Count(model.n_positives),
        Count(model.n_negatives),
        Count(model.n_groups),
        Count(model.n_one_class),
    )
