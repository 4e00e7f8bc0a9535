"""``RocAverageDisplay``: the average of many ROC curves with the habits of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocsteady.averaging.average import average as make_average
from rocsteady.averaging.base import Average
from rocsteady.curves.from_scores import described
from rocsteady.errors import fail
from rocsteady.options import yes_or_no
from rocsteady.plots.scikit_learn.drawing import draw_display, given_looks
from rocsteady.plots.scikit_learn.scores import (
    given_once,
    in_words_of_sklearn,
    method_for,
    predictions_of,
    require_method,
    require_one_run,
    response_order,
    second_class,
)
from rocsteady.scores.score_set import ScoreSet
from rocsteady.scores.sklearn import rows_of_cv_results, rows_of_estimator

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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

    def _repr_png_(self) -> Any:
        """The picture, for a notebook, unless pyplot or whoever made the axes shows it."""
        draw = getattr(getattr(self, "ax_", None), "_repr_png_", None)
        return None if draw is None else draw()

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
        wanted = given_looks(
            self.average,
            self.name if name is None else name,
            curve_kwargs,
            options,
            figure={"curves": curves, "band": band, "at": at},
            chance_settings=chance_level_kw,
            chance=yes_or_no("plot_chance_level", plot_chance_level),
            despine=yes_or_no("despine", despine),
            pos_label=self.pos_label,
        )
        drawn = draw_display(self.average, wanted, ax)
        self.ax_, self.figure_ = drawn.axes, drawn.axes.figure
        self.line_, self.members_ = drawn.line, drawn.members
        self.band_, self.chance_level_ = drawn.bands, drawn.chance
        return self

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
        require_method(method, "fold")
        require_one_run(cv_results, method)
        with in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "responses": response_order(response_method)}
            rows = rows_of_cv_results(cv_results, X, y, positive=pos_label, **asked)
            score_set = ScoreSet.from_arrays(**rows)
            found = make_average(score_set, method, group_weights=group_weights, undefined=undefined)
        positive = second_class(cv_results) if pos_label is None else pos_label
        of_chance = given_once("chance_level_kw", chance_level_kw, "chance_level_kwargs", chance_level_kwargs)
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
        'false positive rate'
        """
        given = given_once("y_score", y_score, "y_pred", y_pred)
        with in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "higher_is_positive": higher_is_positive}
            score_set = predictions_of(y_true, given, groups, positive=pos_label, unit=unit, **asked)
            method = method_for(score_set, method, unit or "group")
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
        with in_words_of_sklearn():
            asked = {"sample_weight": sample_weight, "responses": response_order(response_method)}
            asked |= {"groups": groups, "positive": pos_label, "unit": unit}
            score_set = ScoreSet.from_arrays(**rows_of_estimator(estimator, X, y, **asked))
            method = method_for(score_set, method, unit or ("estimator" if several else "group"))
            found = make_average(score_set, method, group_weights=group_weights, undefined=undefined)
        positive = second_class(estimator) if pos_label is None else pos_label
        named = type(estimator).__name__ if name is None and not several else name
        return cls(found, name=named, pos_label=positive).plot(
            ax, curve_kwargs=curve_kwargs, plot_chance_level=plot_chance_level, despine=despine,
            chance_level_kw=chance_level_kw, **options,
        )  # fmt: skip
