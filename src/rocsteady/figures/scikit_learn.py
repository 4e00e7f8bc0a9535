"""``RocAverageDisplay``: the average of many ROC curves with the habits of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocsteady.averaging.average import average as make_average
from rocsteady.averaging.base import Average
from rocsteady.averaging.methods import PLAIN
from rocsteady.curves.from_scores import described
from rocsteady.errors import Option, Remedy, RocsteadyError, counted, fail
from rocsteady.figures.average import picture_of
from rocsteady.figures.matplotlib import draw
from rocsteady.figures.roc_space import kind_text
from rocsteady.figures.spec import GUIDE, LOOKS, Entry, Line, Picture, short_names, spelled
from rocsteady.figures.style import TEXT_SIZE, Look
from rocsteady.options import one_of, yes_or_no
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.sklearn import classes_of, rows_of_cv_results, rows_of_estimator
from rocsteady.showing import said
from rocsteady.text import AREA, ML, Quote, Rate, Words, phrase, words_of
from rocsteady.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMES = 12
"""Of averaged curves, in the key."""
_BANDS = ("_pointwise", "_simultaneous", "_prediction")
_RESPONSES = ("predict_proba", "decision_function")
_OWN_WORDS = {"positive": "pos_label", "group": "groups"}


class RocAverageDisplay:
    """The average of the ROC curves of folds, groups or estimators, as scikit-learn shows single curves.

    Use it where ``sklearn.metrics.RocCurveDisplay`` stood: change the name of the class and say which
    average, ``method="vertical"``. Keywords are those of scikit-learn 1.4 to 1.9, under their old and new
    names. There is no default average, because each answers another question (RS093).

    Parameters
    ----------
    average : Average
        What :func:`rocsteady.average` gave. Mostly a display is made from scores instead, by
        :meth:`from_cv_results`, :meth:`from_predictions` or :meth:`from_estimator`.
    name : str, optional
        What the average is called in the key.
    pos_label : label, optional
        The positive class; if it is a word, the key says it.

    Attributes
    ----------
    average : Average
        With its points, intervals and bands: ``display.average.at(fpr=0.05)``.
    fpr, tpr : float64 arrays
        The vertices of the average.
    roc_auc : float
        The area under the average.
    score_set : ScoreSet or None
        The scores of all folds or groups, if they are known.
    name, pos_label
        As given.
    ax_, figure_ : Axes, Figure
        Where it was drawn, once it was.
    line_ : Line2D
        The average.
    members_ : LineCollection, list of Line2D, or None
        The curves that were averaged.
    band_ : list of PolyCollection
        The bands, widest first.
    chance_level_ : Line2D or None
        The chance line.

    Notes
    -----
    A figure that is made here is the current one of pyplot, as that of scikit-learn's displays is:
    ``plt.show()`` and ``plt.savefig("curve.pdf")`` show and write it, a notebook shows it under its cell, and
    ``plt.close()`` forgets it. ``rs.plot.save(display, "curve.pdf")`` writes it too.

    Folds of a cross-validation share training rows, and repeated folds share test rows too, so they scatter
    less than new data would. Bands and intervals allow for that: ``display.score_set.design`` tells how.

    Several models in one figure: :func:`rocsteady.plot.averages`.

    Examples
    --------
    >>> import rocsteady as rs
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_validate
    >>> X, y = make_classification(random_state=0)
    >>> asked = {"return_estimator": True, "return_indices": True}
    >>> results = cross_validate(LogisticRegression(), X, y, cv=3, **asked)
    >>> rs.RocAverageDisplay.from_cv_results(results, X, y, method="vertical")
    RocAverageDisplay(vertical, 3 folds, AUC 0.9178)
    """

    ax_: Axes
    figure_: Any
    line_: Any
    members_: Any
    band_: list[Any]
    chance_level_: Any

    def __init__(self, average: Average, *, name: Any = None, pos_label: Any = None) -> None:
        if not isinstance(average, Average):
            ways = [
                "RocAverageDisplay(rs.average(score_set, 'vertical'))",
                "from scores:  RocAverageDisplay.from_predictions(y_true, y_score, groups=..., method=...)",
            ]
            raise fail("RS002.kind", name="average", kind="an average", found=described(average), ways=ways)
        self.average, self.name, self.pos_label = average, name, pos_label
        self.fpr, self.tpr, self.roc_auc = average.fpr, average.tpr, average.auc
        self.score_set = average._groups.score_set

    def __repr__(self) -> str:
        words = repr(self.average).partition("(")[2]
        if self.average.n_groups == 1:
            words = words.partition(", ")[2]
        return f"RocAverageDisplay({words}"

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: Any = None,
        curves: bool = True,
        band: Any = "both",
        at: Any = (),
        curve_kwargs: Any = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = True,
        **options: Any,
    ) -> RocAverageDisplay:
        """Draw the average, the curves it is made of, and how sure it is.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw; a figure of its own by default. On the axes of another display the next colour
            is taken, and the keys become one.
        name : str or list of str, optional
            What the average is called in the key; the display's own name by default. A list names the
            averaged curves; it needs a list of ``curve_kwargs``.
        curves : bool
            Whether the averaged curves are drawn faintly behind it, at most 300 of them.
        band : {"both", "pointwise", "simultaneous", "prediction"} or None
            As for :func:`rocsteady.plot.average`.
        at : dict, AveragePoint, or sequence of them
            Points to mark, for example ``{"fpr": 0.05}``.
        curve_kwargs : dict or list of dict, optional
            Settings of Matplotlib's line: one dict for the average (its colour is also that of bands and
            curves), or one for each of the averaged curves, which are then drawn one by one.
        plot_chance_level, despine : bool
            Whether there is a chance line; whether the axes lack their upper and right sides.
        chance_level_kw : dict, optional
            Settings of the chance line.
        **options
            ``title``, ``text_size``, ``words``, ``zoom``, ``xscale``, ``ellipse``, ``confidence_level`` and
            ``seed`` of :func:`rocsteady.plot.average`. Anything else is a setting of the average's line, as
            in scikit-learn before 1.9.

        Returns
        -------
        RocAverageDisplay
            Itself, with ``ax_``, ``figure_``, ``line_``, ``members_``, ``band_`` and ``chance_level_``.
        """
        yes_or_no("despine", despine)
        with_chance = yes_or_no("plot_chance_level", plot_chance_level)
        chance = _line_settings("chance_level_kw", {} if chance_level_kw is None else chance_level_kw)
        looks = _Looks.given(self.average, self.name if name is None else name, curve_kwargs, options)
        about: dict[str, Any] = {own: options[own] for own in OF_THE_FIGURE if own in options}
        about |= {"curves": yes_or_no("curves", curves) and looks.members is None, "band": band, "at": at}
        lines = getattr(ax, "lines", ())
        before = {*lines, *getattr(ax, "collections", ())}
        there = next((own for own in lines if own.get_label() == "_chance"), None)
        number = sum(own.get_label() == "_average" for own in lines)
        found, added = self._described(looks, about, LOOKS[number % len(LOOKS)])
        if with_chance and "label" in chance:
            added.append((Entry(Quote(str(chance["label"])), Line((), (), look=GUIDE)), chance))
        (panel,) = found.panels
        is_drawn = with_chance and there is None
        marks = tuple(own for own in panel.marks if own.name != "chance" or is_drawn)
        assert panel.key is not None
        key = replace(panel.key, notes=(*panel.key.notes, *(own for own, _ in added[1:])))
        found = replace(found, panels=(replace(panel, marks=marks, key=key),))
        earlier = () if ax is None or not before else tuple(getattr(ax.get_legend(), "_rows", ()))
        words, size = words_of(self.average, about.get("words", "ml")), about.get("text_size", TEXT_SIZE)
        axes = draw(found, words, text_size=size, ax=ax)
        _restyle(axes, earlier, added, words)
        new = [own for own in (*axes.lines, *axes.collections) if own not in before]
        by_label = {str(own.get_label()): own for own in new}
        self.ax_, self.figure_, self.line_ = axes, axes.figure, by_label["_average"]
        self.line_.set(**looks.line)
        self.members_ = by_label.get("_members")
        if looks.members is not None:
            self.members_ = [own for own in new if own.get_label() == "_member"]
            labels = looks.names or [""] * len(looks.members)
            for line, settings, label in zip(self.members_, looks.members, labels, strict=True):
                line.set(**{**settings, "label": label or "_member"})
        self.band_ = [by_label[kind] for kind in reversed(_BANDS) if kind in by_label]
        self.chance_level_ = (there or by_label.get("_chance")) if with_chance else None
        if self.chance_level_ is not None:
            self.chance_level_.set(**{**chance, "label": "_chance"})
        axes.spines[["top", "right"]].set_visible(not despine)
        self._stand_in(axes, looks.label)
        return self

    def _described(
        self, looks: _Looks, about: Mapping[str, Any], usual: Look
    ) -> tuple[Picture, list[tuple[Entry, dict[str, Any]]]]:
        """The picture of the average, and lines of the key with their settings."""
        look, colour = usual, looks.line.get("color")
        if colour is not None:
            look = replace(usual, name="own", colour=colour, text=colour, dark=colour)
        of_files = ("title", "text_size", "words")
        own = {name: value for name, value in about.items() if name not in of_files}
        label = "" if looks.label is None else str(looks.label)
        found = picture_of(self.average, label=label, look=look, **own).titled(str(about.get("title", "")))
        (panel,) = found.panels
        assert panel.key is not None
        added = [(panel.key.entries[0], looks.line)]
        if isinstance(self.pos_label, str):  # that 1 is positive, and 0 is not, goes without saying
            added.append((Entry(phrase("positive: {label}", label=Quote(self.pos_label))), {}))
        if looks.members is not None:
            faint: Any = {"look": look, "width": 0.8, "alpha": 0.5, "dash": (), "name": "member"}
            lines = [Line(curve.fpr, curve.tpr, **faint) for curve in self.average.curves]
            first, *others = panel.marks  # the chance line stays at the bottom
            panel = replace(panel, marks=(first, *lines, *others))
            sample = replace(lines[0], x=(), y=())
            pairs = zip(looks.names, looks.members, strict=False)
            named = [(Entry(Quote(name), sample), settings) for name, settings in pairs if name]
            added += named[:_MOST_NAMES]
            if len(named) > _MOST_NAMES:
                added.append((Entry(Quote(f"and {counted(len(named) - _MOST_NAMES, 'other')}")), {}))
        return replace(found, panels=(panel,)), added

    def _stand_in(self, axes: Axes, label: object) -> None:
        """Name the average for whoever calls ``ax.legend()`` afterwards, as examples of scikit-learn do.

        What is drawn has labels that keep it out of a key, so a line without points stands in for it.
        """
        words = short_names([str(label)] if label else [])
        words += [kind_text(self.average).plain()] if self.average.n_groups > 1 else []
        (line,) = axes.plot([], [], color=self.line_.get_color())
        line.update_from(self.line_)
        line.set_label(
            ", ".join([*words, f"area {Rate(AREA, self.average.auc).spell(ML)}"]).replace("$", r"\$")
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[Any, Any],
        X: Any,
        y: Any,
        *,
        method: Any = None,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        group_weights: Any = None,
        undefined: str = "raise",
        ax: Axes | None = None,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        chance_level_kwargs: Mapping[str, Any] | None = None,
        despine: bool = True,
        **options: Any,
    ) -> RocAverageDisplay:
        """Average the ROC curves of the test folds of a cross-validation, and draw the average.

        Parameters
        ----------
        cv_results : dict
            From ``cross_validate(..., return_estimator=True, return_indices=True)``.
        X, y : array-like
            What was passed to ``cross_validate``.
        method : str, Method or Deployment
            Which average, see :func:`rocsteady.average`; there is no default.
        sample_weight : array-like, optional
            One weight for each row of X.
        drop_intermediate : bool
            Known from scikit-learn, and without effect: averages are exact, and of any line only what the
            eye can see is drawn.
        response_method : {"auto", "predict_proba", "decision_function"}
            What the estimators are asked for; "auto" tries them in this order, as scikit-learn does. Where a
            threshold is shared (``"threshold"``, ``"pooled"``) it makes a difference.
        pos_label : label, optional
            The positive class; ``classes_[1]`` of the estimators if not given.
        group_weights : optional
            What each fold counts, see :func:`rocsteady.average`.
        undefined : {"raise", "drop"}
            What to do about folds with one class, which have no curve.
        ax, name, curve_kwargs, plot_chance_level, chance_level_kw, despine, **options
            Those of :meth:`plot`.
        chance_level_kwargs : dict, optional
            Another name of ``chance_level_kw``: scikit-learn's at this place.
        """
        _require_method(method, "fold")
        _require_one_run(cv_results, method)
        with _in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "responses": _response_order(response_method)}
            rows = rows_of_cv_results(cv_results, X, y, positive=pos_label, **asked)
            score_set = ScoreSet.from_arrays(**rows)
            found = make_average(score_set, method, group_weights=group_weights, undefined=undefined)
        positive = _second_class(cv_results) if pos_label is None else pos_label
        of_chance = _given_once(
            "chance_level_kw", chance_level_kw, "chance_level_kwargs", chance_level_kwargs
        )
        return cls(found, name=name, pos_label=positive).plot(
            ax, curve_kwargs=curve_kwargs, plot_chance_level=plot_chance_level, despine=despine,
            chance_level_kw=of_chance, **options,
        )  # fmt: skip

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        groups: Any = None,
        method: Any = None,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        pos_label: Any = None,
        higher_is_positive: bool = True,
        unit: str | None = None,
        group_weights: Any = None,
        undefined: str = "raise",
        ax: Axes | None = None,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = True,
        y_pred: Any = None,
        **options: Any,
    ) -> RocAverageDisplay:
        """Average the ROC curves of scores that are there already, and draw the average.

        Parameters
        ----------
        y_true, y_score : array-like, or lists of array-likes
            Labels and scores: one entry for each row, or one array for each fold.
        groups : array-like, optional
            The group of each row (the fold, hospital, customer); of lists, the name of each array. Without
            it rows are one group, whose curve is drawn: then nothing is averaged, and no method is needed.
        method, sample_weight, drop_intermediate, group_weights, undefined
            As for :meth:`from_cv_results`. Weights have the shape of the scores.
        pos_label : label, optional
            The positive class. Needed unless labels are bool, {0, 1} or {-1, 1}.
        higher_is_positive : bool
            Whether high scores speak for the positive class.
        unit : str, optional
            The word for a group: "hospital". By default the name that the groups have as a column.
        ax, name, curve_kwargs, plot_chance_level, chance_level_kw, despine, **options
            Those of :meth:`plot`.
        y_pred : optional
            Another name of ``y_score``: scikit-learn's before 1.7.

        Examples
        --------
        >>> import rocsteady as rs
        >>> labels, scores = [0, 1, 1, 0, 0, 1, 1, 0], [0.2, 0.7, 0.4, 0.3, 0.5, 0.6, 0.4, 0.1]
        >>> site = ["north"] * 4 + ["south"] * 4
        >>> display = rs.RocAverageDisplay.from_predictions(
        ...     labels, scores, groups=site, unit="site", method="vertical"
        ... )
        >>> display
        RocAverageDisplay(vertical, 2 sites, AUC 0.8750)
        >>> display.ax_.get_xlabel()
        'False positive rate'
        """
        given = _given_once("y_score", y_score, "y_pred", y_pred)
        with _in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "higher_is_positive": higher_is_positive}
            score_set = _predictions_of(y_true, given, groups, positive=pos_label, unit=unit, **asked)
            method = _method_for(score_set, method, unit or "group")
            found = make_average(score_set, method, group_weights=group_weights, undefined=undefined)
        positive = 1 if pos_label is None else pos_label  # of labels that need not say it, True included
        return cls(found, name=name, pos_label=positive).plot(
            ax, curve_kwargs=curve_kwargs, plot_chance_level=plot_chance_level, despine=despine,
            chance_level_kw=chance_level_kw, **options,
        )  # fmt: skip

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        method: Any = None,
        sample_weight: Any = None,
        drop_intermediate: bool = True,
        response_method: str = "auto",
        pos_label: Any = None,
        unit: str | None = None,
        group_weights: Any = None,
        undefined: str = "raise",
        ax: Axes | None = None,
        name: Any = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = True,
        chance_level_kw: Mapping[str, Any] | None = None,
        despine: bool = True,
        **options: Any,
    ) -> RocAverageDisplay:
        """Average the ROC curves of a fitted classifier on groups of rows, or of several on the same rows.

        Parameters
        ----------
        estimator : fitted classifier, or a list or dict of them
            A pipeline is fine. Several are groups themselves, for example one for each random seed.
        X, y : array-like
            Rows that the estimator has not seen, and their classes.
        groups : array-like, optional
            The group of each row (hospital, customer). Without it rows are one group, whose curve is drawn:
            then nothing is averaged, and no method is needed.
        method, sample_weight, drop_intermediate, response_method, pos_label, group_weights, undefined
            As for :meth:`from_cv_results`.
        unit : str, optional
            As for :meth:`from_predictions`.
        ax, name, curve_kwargs, plot_chance_level, chance_level_kw, despine, **options
            Those of :meth:`plot`. The name of one estimator is that of its class by default.

        Examples
        --------
        >>> import rocsteady as rs
        >>> from sklearn.datasets import make_classification
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = make_classification(random_state=0)
        >>> fitted = GaussianNB().fit(X[:60], y[:60])
        >>> site = ["north", "south"] * 20
        >>> display = rs.RocAverageDisplay.from_estimator(
        ...     fitted, X[60:], y[60:], groups=site, unit="site", method="threshold"
        ... )
        >>> display.name, display.average.members
        ('GaussianNB', ('north', 'south'))
        """
        several = isinstance(estimator, Mapping | list | tuple)
        with _in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "responses": _response_order(response_method)}
            asked |= {"groups": groups, "positive": pos_label, "unit": unit}
            score_set = ScoreSet.from_arrays(**rows_of_estimator(estimator, X, y, **asked))
            method = _method_for(score_set, method, unit or ("estimator" if several else "group"))
            found = make_average(score_set, method, group_weights=group_weights, undefined=undefined)
        positive = _second_class(estimator) if pos_label is None else pos_label
        named = type(estimator).__name__ if name is None and not several else name
        return cls(found, name=named, pos_label=positive).plot(
            ax, curve_kwargs=curve_kwargs, plot_chance_level=plot_chance_level, despine=despine,
            chance_level_kw=chance_level_kw, **options,
        )  # fmt: skip


# How it is drawn ----------------------------------------------------------------------------------------


OF_THE_FIGURE = ("title", "text_size", "words", "zoom", "xscale", "ellipse", "confidence_level", "seed")
"""Keywords of a display that are no settings of lines, but those of its figure."""
_OPTIONS = ("method", "name", "band", "at", "curves", "curve_kwargs", "chance_level_kw", *OF_THE_FIGURE)
_NOT_FOR_DRAWN_LINES = ("data", "xdata", "ydata", "figure", "transform", "3d_properties")
"""A line that has its place would lose it."""


@dataclass(frozen=True)
class _Looks:
    """The average's label and settings of its line; names and settings of the averaged curves."""

    label: Any
    names: Sequence[str]
    line: dict[str, Any]
    members: list[dict[str, Any]] | None

    @classmethod
    def given(cls, average: Average, name: Any, curve_kwargs: Any, options: Mapping[str, Any]) -> _Looks:
        """Keywords sorted; RS001 for one that is none, RS002 for one that does not fit."""
        line = {word: value for word, value in options.items() if word not in OF_THE_FIGURE}
        if line and curve_kwargs is not None:
            raise fail("RS002.line-settings-twice", names=", ".join(line), settings=line)
        members = None
        if isinstance(curve_kwargs, list | tuple):
            members = [_line_settings("curve_kwargs", own) for own in curve_kwargs]
            if len(members) != average.n_groups:
                about = {"unit": average.unit, "n_dicts": len(members), "n_groups": average.n_groups}
                raise fail("RS002.line-settings-each", **about)
        elif curve_kwargs is not None:
            line = _line_settings("curve_kwargs", curve_kwargs)
        else:
            line = _line_settings("", line)
        label, names = _named(average, name, members)
        if members and not names and any("label" in own for own in members):
            names = [own.get("label", "") for own in members]
        return cls(line.pop("label", label), names, line, members)


def _restyle(
    axes: Axes, earlier: Sequence[Any], added: Sequence[tuple[Entry, dict[str, Any]]], words: Words
) -> None:
    """Give samples in the key the settings of their lines, also for the next figure on these axes."""
    legend: Any = axes.get_legend()
    said = {"".join(spelled(entry.text, words).split()): settings for entry, settings in added}
    for row, drawn in zip(legend._rows, legend.legend_handles, strict=True):
        settings = said.get("".join(row.text.split()), {})
        if not any(row.handle is own.handle for own in earlier):
            for handle in (row.handle, drawn):
                handle.set(**{name: value for name, value in settings.items() if name != "label"})


def _named(average: Average, name: Any, members: Any) -> tuple[str | None, Sequence[str]]:
    """The name of the average, and those of the averaged curves; RS002 if they do not fit."""
    if name is None or isinstance(name, str):
        return name, ()
    if not isinstance(name, Sequence) or not all(isinstance(own, str) for own in name):
        kind, ways = "a text, or a list of texts with one for each curve", [Option("name", "forest")]
        raise fail("RS002.kind", name="name", kind=kind, found=described(name), ways=ways)
    if len(name) == 1:
        return name[0], ()
    if members is None or len(name) != average.n_groups:
        about = {"n_names": len(name), "n_groups": average.n_groups, "unit": average.unit}
        raise fail("RS002.names-drawn", are_alike=members is None, **about)
    return None, list(name)


def _line_settings(argument: str, given: Any) -> dict[str, Any]:
    """Settings of a line under their full names, those that are None left out, as they stay what they are.

    RS001 for a name that lines do not know, RS002 for a value that they do not take; `argument` is the
    keyword that holds them, empty if they are keywords themselves.
    """
    if not isinstance(given, Mapping):
        way, found = f"{argument}={{'linewidth': 2}}", described(given)
        raise fail("RS002.kind", name=argument, kind="a dict of settings of lines", found=found, ways=[way])
    if not given:
        return {}
    try:
        from matplotlib import cbook
        from matplotlib.lines import Line2D
    except ImportError as error:
        raise fail("RS061.matplotlib") from error
    try:
        settings: dict[str, Any] = cbook.normalize_kwargs(dict(given), Line2D)
    except TypeError as error:
        raise fail("RS002.setting-twice", error=error) from error
    known = {word.removeprefix("set_") for word in dir(Line2D) if word.startswith("set_")}
    known -= set(_NOT_FOR_DRAWN_LINES)
    for word, value in settings.items():
        if word not in known:
            raise _unknown(argument, str(word), value, known)
    settings = {word: value for word, value in settings.items() if value is not None}
    for word, value in settings.items():
        _require_drawable(word, value)
    return settings


def _unknown(argument: str, word: str, value: object, known: set[str]) -> RocsteadyError:
    import difflib

    if not argument:
        known = {*known, *_OPTIONS}
    # A slip is close: among so many settings there is always one somewhat like the word.
    close = difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.7)
    meant = [f"did you mean  {own}" for own in close]
    if argument:
        return fail("RS001.line-setting", argument=argument, setting=word, value=value, ways=meant)
    return fail("RS001.display-option", option=word, value=value, known=", ".join(_OPTIONS), ways=meant)


def _require_drawable(word: str, value: object) -> None:
    """RS002 unless a line with this setting can be drawn: some settings are looked at only then."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    figure = Figure(figsize=(0.1, 0.1), dpi=72)
    lines = [Line2D([0, 1], [0, 1], marker="o") for _ in range(2)]  # of one alone no zorder is compared
    try:
        for line in lines:
            figure.add_artist(line)
        lines[0].set(**{word: value})
        canvas: Any = FigureCanvasAgg(figure)
        canvas.draw()
    except Exception as error:  # Matplotlib raises whatever the value meets on its way
        reason = str(error).partition("\n")[0] or type(error).__name__
    else:
        reason = "a label is a text" if word == "label" and not isinstance(value, str) else ""
    if reason:
        raise fail("RS002.line-setting", setting=word, value=value, reason=reason)


# What was handed over -----------------------------------------------------------------------------------


def _method_for(score_set: ScoreSet, method: Any, unit: str) -> Any:
    """The average that was asked for; of one group, where nothing is averaged, any."""
    if method is None and len(score_set) == 1:
        return "vertical"
    _require_method(method, unit)
    return method


def _require_method(method: object, unit: str) -> None:
    """RS093 if no average was named: the two questions, and which average answers what."""
    if method is not None:
        return
    answers: list[Remedy] = [
        [f"{said('advice.question', value, unit)}:  ", Option("method", name)]
        for name, value in PLAIN.items()
        if name != "binormal"  # no other question, but another estimate
    ]
    raise fail("RS093.undeclared", units=plural(unit), ways=answers)


def _require_one_run(cv_results: object, method: object) -> None:
    """RS044 if there are the results of several models: each has its own average."""
    if not isinstance(cv_results, Mapping) or len(cv_results) < 2:
        return
    if all(isinstance(value, Mapping) for value in cv_results.values()):
        names = list(cv_results)
        asked = f"run, X, y, method={method if isinstance(method, str) else 'vertical'!r}, name=name, ax=ax"
        raise fail("RS044.display", n_models=len(names), names=names, asked=asked, first=names[0])


def _given_once(name: str, value: Any, other_name: str, other: Any) -> Any:
    """The value of an argument that has two names; RS002 if both were used."""
    if value is not None and other is not None:
        raise fail("RS002.two-names", name=name, other_name=other_name)
    return other if value is None else value


def _response_order(response_method: object) -> Sequence[str]:
    """The methods that an estimator is asked for, in scikit-learn's order; RS001 for others."""
    chosen = one_of("response_method", response_method, ("auto", *_RESPONSES))
    return _RESPONSES if chosen == "auto" else (chosen,)


def _second_class(fitted: Any) -> Any:
    """``classes_[1]`` of an estimator, of the first of several, or of those of a cross-validation."""
    if isinstance(fitted, Mapping):
        first = next(iter(fitted.values()))
        fitted = fitted["estimator"] if "estimator" in fitted and "indices" in fitted else first
        return _second_class(fitted)
    if isinstance(fitted, list | tuple):
        return _second_class(fitted[0])
    return classes_of(fitted)[1]


def _predictions_of(
    y_true: Any,
    y_score: Any,
    groups: Any,
    *,
    sample_weight: Any,
    positive: Any,
    higher_is_positive: bool,
    unit: str | None,
) -> ScoreSet:
    """The scores, from one entry for each row, or from lists with one array for each fold."""
    if y_score is None:
        raise fail("RS002.no-scores")
    lists = [_holds_arrays(given) for given in (y_true, y_score)]
    if not any(lists):
        return ScoreSet.from_arrays(
            y_true,
            y_score,
            groups,
            sample_weight=sample_weight,
            positive=positive,
            higher_is_positive=higher_is_positive,
            unit=unit,
        )
    if not all(lists) or len(y_true) != len(y_score):
        n_labels, n_scores = (
            len(own) if many else 1 for own, many in zip((y_true, y_score), lists, strict=True)
        )
        raise fail("RS002.fold-arrays", n_labels=n_labels, n_scores=n_scores)
    if sample_weight is not None and not _holds_arrays(sample_weight):
        way, found = "sample_weight=[weights[test] for test in tests]", described(sample_weight)
        raise fail(
            "RS002.kind", name="sample_weight", kind="one array for each fold", found=found, ways=[way]
        )
    return ScoreSet.from_folds(
        zip(y_true, y_score, strict=True),
        names=groups,
        positive=positive,
        sample_weight=sample_weight,
        higher_is_positive=higher_is_positive,
        unit=unit or "fold",
    )


def _holds_arrays(given: object) -> bool:
    """Whether it is a list of arrays, not a list of values."""
    is_array = isinstance(given, np.ndarray) and given.dtype.kind == "O"  # of folds that differ in length
    if not (is_array or isinstance(given, list | tuple)) or not len(given):  # type: ignore[arg-type]
        return False
    first = given[0]  # type: ignore[index]
    return hasattr(first, "__len__") and not isinstance(first, str | bytes)


@contextmanager
def _in_words_of_sklearn() -> Iterator[None]:
    """Messages from below say ``positive=`` and ``group=``; here it is ``pos_label=`` and ``groups=``."""
    try:
        yield
    except RocsteadyError as error:
        error.remedies = tuple(_respelled(remedy) for remedy in error.remedies)
        raise


def _respelled(remedy: Remedy) -> Remedy:
    if isinstance(remedy, str):
        for name, own in _OWN_WORDS.items():  # where a call or a list of arguments begins one
            for before in ("(", " "):
                remedy = remedy.replace(f"{before}{name}=", f"{before}{own}=")
        return remedy
    if isinstance(remedy, Option):
        return Option(_OWN_WORDS.get(remedy.name, remedy.name), remedy.value)
    if not isinstance(remedy, Sequence):
        return remedy
    return [part if isinstance(part, str) else _respelled(part) for part in remedy]  # type: ignore[misc]
