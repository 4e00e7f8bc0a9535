"""The three examples of Hogan & Adams (2023): who uses the scores, how, and which average that needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """A table, the story behind it, and what to type.

    Attributes
    ----------
    file_name : str
        Of the table; the report has the same name with another ending.
    table : callable
        Makes the columns.
    story : tuple of str
        Who asks what, how the scores will be used, and which average that means.
    columns : str
        The options that say which column is what.
    deployment : str
        The options that say how scores will be used.
    output : str
        Other options of the report.
    others : tuple of str
        Commands to go on with; ``{table}`` is the file with its columns.
    """

    file_name: str
    table: Callable[[], Mapping[str, Sequence[object]]]
    story: tuple[str, ...]
    columns: str
    deployment: str
    output: str
    others: tuple[str, ...]


def _hosts() -> Mapping[str, Sequence[object]]:
    from rocsteady.simulate import hosts

    return hosts()


def _reader_study() -> Mapping[str, Sequence[object]]:
    from rocsteady.cli.demo.example_files import whole_numbers
    from rocsteady.simulate import reader_study

    table = reader_study(standalone=False)
    return {**table, "rating": whole_numbers(table["rating"])}


def _subscribers() -> Mapping[str, Sequence[object]]:
    from rocsteady.simulate import subscribers

    return subscribers()


DEVICES = Example(
    file_name="hosts.csv",
    table=_hosts,
    story=(
        "A security team watches 24 hosts and tries two intrusion detectors on the same events. Each host "
        "has its own traffic, some much more than others.",
        "One alert level will serve all hosts. So all hosts share one threshold and every host counts once: "
        "the threshold average. Few false alarms can be looked into: it is read at an FPR of 5 %.",
    ),
    columns="-g host -y label -s score -m model --case event -p attack",
    deployment="--deploy shared --at fpr=0.05",
    output="",
    others=(
        "check {table}",
        "advise {table} --deploy own --hold fpr --at fpr=0.05",
        "average {table} --deploy shared --output {folder}curves.csv",
        "compare {table} --method vertical --at fpr=0.05",
        "cutoff {table} --at fpr=0.05",
        "plot {table} --deploy shared --at fpr=0.05 --output {folder}hosts.pdf",
        "plan {table} --models candidate --at fpr=0.05 --half-width 0.02",
        "explain RS201",
    ),
)
READERS = Example(
    file_name="readers.csv",
    table=_reader_study,
    story=(
        "A hospital compares digital images with film. Six radiologists rate the same 120 patients with "
        "both, from 1 (surely normal) to 100 (surely cancer).",
        "A rating of 70 of one radiologist is not a 70 of another, so each has a threshold of their own. A "
        "missed tumour is far worse than a needless second look, so all aim at a high sensitivity. That is "
        "held, and false positives are averaged: the horizontal average, read at a sensitivity of 90 %.",
    ),
    columns="-g reader -y truth -s rating -m modality --case case -p cancer",
    deployment="--deploy own --hold tpr --at tpr=0.9",
    output="--words medical",
    others=(
        "check {table}",
        "compare {table} --models digital,film",
        "compare {table} --models digital,film --margin 0.05",
        "plot {table} --models digital,film --figure readers --output {folder}readers.pdf",
        "plan {table} --models digital,film --difference 0.05",
    ),
)
CHURN = Example(
    file_name="subscribers.csv",
    table=_subscribers,
    story=(
        "A subscription business wants to know who will leave, to offer them a discount in time. It tunes a "
        "model by ten-fold cross-validation: trees of depth 2, 5 and 12.",
        "A model is trained anew for each fold, so a score need not mean the same in another: a threshold "
        "for all folds would judge that, and not the depth. A discount for someone who would have stayed is "
        "money lost, so false positives are held in every fold: the vertical average, read at an FPR of "
        "10 %.",
    ),
    columns="-g fold -y outcome -s score -m model --case subscriber -p left",
    deployment="--deploy own --hold fpr --at fpr=0.1",
    output="",
    others=(
        "check {table}",
        "advise {table} --deploy own --hold fpr --at fpr=0.1",
        "compare {table} --method vertical --at fpr=0.1 --nadeau-bengio",
        "plot {table} --deploy own --hold fpr --at fpr=0.1 --output {folder}folds.pdf",
    ),
)
