"""What the page of a reader study asks of the library."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocsteady.cli.compare.readers.options import measure_of, require_modalities
from rocsteady.errors import fail

if TYPE_CHECKING:
    from rocsteady.cli.compare.making import Settings
    from rocsteady.cli.compare.readers.options import Study
    from rocsteady.readers.compare import ReaderComparison
    from rocsteady.scores import ScoreSet


@dataclass(frozen=True)
class Assumption:
    """The global test under one assumption of what is random."""

    readers: str
    cases: str
    statistic: float
    df: Any
    pvalue: float


@dataclass(frozen=True, eq=False)
class StudyFound:
    """All that was found: modalities against each other, or against a standalone system; margins."""

    comparison: ReaderComparison | None = None
    standalone: Any = None
    margins: list[Any] = field(default_factory=list)
    assumptions: list[Assumption] = field(default_factory=list)

    @property
    def main(self) -> Any:
        """What the page is about."""
        return self.comparison if self.standalone is None else self.standalone


def make_study(score_set: ScoreSet, study: Study, settings: Settings) -> StudyFound:
    """The comparison of modalities, or of a standalone system with the readers of each."""
    chosen = _chosen(score_set, study, settings)
    options = options_of(study, settings)
    from rocsteady.readers.compare import compare_readers

    if study.standalone is not None:
        found = compare_readers(
            score_set,
            standalone=study.standalone,
            modalities=chosen,
            standalone_threshold=study.standalone_threshold,
            adjust=settings.adjust,
            **options,
        )
        return StudyFound(standalone=found, margins=_margins(found, study, settings))
    if study.method is not None:
        options["method"] = study.method
    compared = compare_readers(score_set, modalities=chosen, adjust=settings.adjust, **options)
    return StudyFound(
        comparison=compared,
        margins=_margins(compared, study, settings),
        assumptions=assumptions_of(compared),
    )


def options_of(study: Study, settings: Settings) -> dict[str, Any]:
    """What all analyses of readers take, by the names of the library."""
    return {
        "readers": study.readers or "random",
        "cases": study.cases or "random",
        "covariance": study.covariance,
        "measure": measure_of(study.measure),
        "confidence_level": settings.confidence_level,
        "missing": settings.unmatched,
        "n_resamples": settings.n_resamples,
        "seed": settings.seed,
    }


def _chosen(score_set: ScoreSet, study: Study, settings: Settings) -> tuple[str, ...] | None:
    """The modalities that were named, without a system; one by itself is compared with all others."""
    if settings.a is None:
        return None
    require_modalities([name for name in (settings.a, settings.b) if name is not None], score_set.models)
    if study.standalone is not None:
        named = [name for name in (settings.a, settings.b) if name is not None and name != study.standalone]
        return tuple(dict.fromkeys(named)) or None
    if settings.b is not None:
        if settings.a == settings.b:
            raise fail(
                "RS060.same-modality",
                modality=settings.a,
                modalities=score_set.models,
                two=list(score_set.models[:2]),
            )
        return settings.a, settings.b
    others = [name for name in score_set.models if name != settings.a]
    return (settings.a, *others)


def _margins(found: Any, study: Study, settings: Settings) -> list[Any]:
    """Non-inferiority of the first modality that was named, then equivalence."""
    if study.margin is None:
        return []
    alpha = (1 - settings.confidence_level) / 2
    if study.standalone is not None:
        return [
            test(study.margin, modality=name, alpha=alpha)
            for name in found.modalities
            for test in (found.non_inferior, found.equivalent)
        ]
    new, reference = settings.a, settings.b
    if new is None or reference is None:
        names = found.modalities
        raise fail(
            "RS097.direction-typed",
            modalities=names,
            one_way=[names[0], names[1]],
            other_way=[names[1], names[0]],
        )
    return [
        found.non_inferior(study.margin, new=new, reference=reference, alpha=alpha),
        found.equivalent(study.margin, modalities=(new, reference), alpha=alpha),
    ]


def assumptions_of(found: ReaderComparison) -> list[Assumption]:
    """The same test with readers and cases random, with either fixed; none where that was not estimated."""
    from rocsteady.statistics.obuchowski_rockette import global_test

    if found.method != "obuchowski-rockette" or found.components is None:
        return []
    told = []
    for readers, cases in (("random", "random"), ("fixed", "random"), ("random", "fixed")):
        if readers == "random" and min(found.components.n_readers) < 2:
            continue
        test = global_test(found.components, readers=readers, cases=cases)
        told.append(Assumption(readers, cases, float(test.statistic), test.df, float(test.pvalue)))
    return told
