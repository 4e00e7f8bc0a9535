// The Python face of the kernels. Same functions, arguments and answers as rocsteady/_kernels/reference.py,
// which documents them; nothing is computed here.
#include "average.hpp"
#include "decide.hpp"
#include "exchange.hpp"
#include "module_arrays.hpp"
#include "module_resample.hpp"
#include "module_slots.hpp"
#include "placements.hpp"
#include "ranks.hpp"
#include "shares.hpp"

using namespace nb::literals;

namespace rocsteady {
namespace {

template <class Label>
std::optional<double> first_other(const Column &labels, double positive) {
    const Label *values = static_cast<const Label *>(labels.data());
    const bool any = can_be<Label>(positive);
    for (std::size_t i = 0; i < labels.shape(0); ++i)
        if (!any || values[i] != Label(positive)) return double(values[i]);
    return std::nullopt;
}

nb::object other_label(const Column &labels, double positive) {
    const std::optional<double> other = unlocked([&]() -> std::optional<double> {
        switch (label_kind(labels)) {
            case LabelKind::int8:
                return first_other<std::int8_t>(labels, positive);
            case LabelKind::uint8:
                return first_other<std::uint8_t>(labels, positive);
            case LabelKind::int32:
                return first_other<std::int32_t>(labels, positive);
            case LabelKind::int64:
                return first_other<std::int64_t>(labels, positive);
            case LabelKind::float32:
                return first_other<float>(labels, positive);
            default:
                return first_other<double>(labels, positive);
        }
    });
    return other ? nb::cast(*other) : nb::none();
}

void check(const Column &scores, const Column &labels, double positive, double negative, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, true);
    unlocked([&] {
        const std::size_t task_rows = 256 * block_rows, n_tasks = (rows.size + task_rows - 1) / task_rows;
        std::vector<unsigned> flags(n_tasks, 0);
        parallel_for(n_tasks, threads, [&](std::size_t task, Worker &) {
            Key keys[block_rows];
            std::uint8_t classes[block_rows];
            const std::size_t stop = std::min(rows.size, (task + 1) * task_rows);
            for (std::size_t row = task * task_rows; row < stop; row += block_rows)
                flags[task] |= rows.read(row, std::min(block_rows, stop - row), keys, classes);
        });
        for (unsigned flag : flags) require_clean(flag);
        return 0;
    });
}

nb::object count_curves_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                         double negative, std::optional<Weights> weights, bool higher_is_positive,
                         int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    if (!weights) return hand_over(unlocked([&] { return count_curves(rows, offsets.data(), n, threads); }));
    if (weights->shape(0) != rows.size) throw nb::value_error("scores and weights differ in length");
    require_finite(weights->data(), rows.size);
    return hand_over(
        unlocked([&] { return weigh_curves(rows, offsets.data(), n, weights->data(), threads); }));
}

nb::tuple count_wins_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                      double negative, bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    return hand_over(unlocked([&] { return count_wins(rows, offsets.data(), n, threads); }), false);
}

nb::tuple delong_moments_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                          double negative, bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    return hand_over(unlocked([&] { return delong_moments(rows, offsets.data(), n, threads); }), true);
}

nb::tuple curve_moments_(const Counts &true_positives, const Counts &false_positives,
                         const Offsets &offsets) {
    if (true_positives.shape(0) != false_positives.shape(0))
        throw nb::value_error("the counts differ in length");
    const std::size_t n = n_groups(offsets, true_positives.shape(0));
    return hand_over(
        unlocked(
            [&] { return curve_moments(true_positives.data(), false_positives.data(), offsets.data(), n); }),
        true);
}

nb::object placements_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                       double negative, bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    Memory<std::int64_t> doubled(std::max<std::size_t>(rows.size, 1));
    unlocked([&] {
        placements(rows, offsets.data(), n, doubled.data(), threads);
        return 0;
    });
    return hand_over(std::move(doubled), rows.size);
}

nb::object score_ranks_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                        double negative, bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    Memory<std::int64_t> ranks(std::max<std::size_t>(rows.size, 1));
    unlocked([&] {
        score_ranks(rows, offsets.data(), n, ranks.data(), threads);
        return 0;
    });
    return hand_over(std::move(ranks), rows.size);
}

nb::tuple delong_covariance_(const std::vector<Column> &scores, const Column &labels, double positive,
                             double negative, bool higher_is_positive, int threads) {
    std::vector<Rows> classifiers;
    for (const Column &column : scores)
        classifiers.push_back(rows_of(column, labels, positive, negative, higher_is_positive));
    if (classifiers.empty()) throw nb::value_error("no scores");
    const Covariance result = unlocked([&] { return delong_covariance(classifiers, threads); });
    const std::vector<std::size_t> square = {classifiers.size(), classifiers.size()};
    return nb::make_tuple(
        hand_over(result.wins), result.n_positives, result.n_negatives,
        hand_over(result.positives.products, square), hand_over(result.negatives.products, square),
        hand_over(result.positives.differences, square), hand_over(result.negatives.differences, square));
}

nb::tuple share_curve_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                       double negative, const Matrix &positive_shares, const Matrix &negative_shares,
                       bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    auto long_sums = [&](const Matrix &shares) {
        if (shares.shape(0) != 2 || shares.shape(1) != n)
            throw nb::value_error("there must be one share per group, in two parts");
        require_finite(shares.data(), 2 * n);
        std::vector<LongSum> sums(n);
        for (std::size_t g = 0; g < n; ++g) {
            if (shares(0, g) < 0) throw nb::value_error("a share is negative");
            sums[g] = {shares(0, g), shares(1, g)};
        }
        return sums;
    };
    const std::vector<LongSum> of_positives = long_sums(positive_shares),
                               of_negatives = long_sums(negative_shares);
    Curves<double> curve = unlocked([&] {
        return share_curve(rows, offsets.data(), n, of_positives.data(), of_negatives.data(), threads);
    });
    const std::size_t size = std::size_t(curve.offsets.back());
    return nb::make_tuple(hand_over(std::move(curve.thresholds), size),
                          hand_over(std::move(curve.true_positives), size),
                          hand_over(std::move(curve.false_positives), size));
}

// Calls work(paths); counts are int64, or float64 sums of weights.
template <class Work>
void with_paths(const Column &true_positives, const Column &false_positives, const Offsets &offsets,
                double cosine, double sine, Work work) {
    const std::size_t n = n_groups(offsets, true_positives.shape(0));
    if (false_positives.shape(0) != true_positives.shape(0) ||
        false_positives.dtype() != true_positives.dtype())
        throw nb::value_error("the counts differ in length or type");
    auto call = [&](auto count) {
        using Count = decltype(count);
        const Paths<Count> paths{static_cast<const Count *>(true_positives.data()),
                                 static_cast<const Count *>(false_positives.data()),
                                 offsets.data(),
                                 n,
                                 cosine,
                                 sine};
        for (std::size_t i = 0; i < n; ++i) {
            const std::int64_t end = offsets(i + 1);
            if (end == offsets(i)) throw nb::value_error("a curve has no vertex");
            if (!(paths.true_positives[end - 1] > 0 && paths.false_positives[end - 1] > 0))
                throw nb::value_error("a curve lacks a class");
        }
        work(paths);
    };
    if (true_positives.dtype() == nb::dtype<double>())
        call(double());
    else if (true_positives.dtype() == nb::dtype<std::int64_t>())
        call(std::int64_t());
    else
        throw nb::type_error("counts must be int64 or float64");
}

nb::tuple average_paths_(const Column &true_positives, const Column &false_positives, const Offsets &offsets,
                         const Weights &weights, double cosine, double sine, int threads) {
    MeanPath mean;
    with_paths(true_positives, false_positives, offsets, cosine, sine, [&](const auto &paths) {
        if (weights.shape(0) != paths.n_curves) throw nb::value_error("there must be one weight per curve");
        require_finite(weights.data(), paths.n_curves);
        bool any = false;
        for (std::size_t i = 0; i < paths.n_curves; ++i) {
            if (weights(i) < 0) throw nb::value_error("a weight is negative");
            any |= weights(i) > 0;
        }
        if (!any) throw nb::value_error("no curve has a weight");
        mean = unlocked([&] { return average_paths(paths, weights.data(), threads); });
    });
    const std::size_t n = mean.size;
    return nb::make_tuple(hand_over(std::move(mean.positions), n), hand_over(std::move(mean.fpr), n),
                          hand_over(std::move(mean.tpr), n));
}

nb::tuple read_paths_(const Column &true_positives, const Column &false_positives, const Offsets &offsets,
                      double cosine, double sine, const Weights &positions, int threads) {
    const std::size_t n_curves = n_groups(offsets, true_positives.shape(0)), n = positions.shape(0);
    Memory<double> first(std::max<std::size_t>(n_curves * n, 1)),
        last(std::max<std::size_t>(n_curves * n, 1));
    with_paths(true_positives, false_positives, offsets, cosine, sine, [&](const auto &paths) {
        unlocked([&] {
            read_paths(paths, positions.data(), n, first.data(), last.data(), threads);
            return 0;
        });
    });
    const std::vector<std::size_t> shape = {n_curves, n};
    return nb::make_tuple(hand_over(std::move(first), n_curves * n, shape),
                          hand_over(std::move(last), n_curves * n, shape));
}

nb::tuple exchange_groups_(const Counts &positive_groups, const Counts &negative_groups,
                           const Counts &positives_at, const Counts &negatives_at, std::int64_t n_groups,
                           std::uint64_t seed, std::int64_t n_permutations, int threads) {
    if (positives_at.shape(0) != negatives_at.shape(0)) throw nb::value_error("the counts differ in length");
    if (n_groups < 1 || n_permutations < 0) throw nb::value_error("there must be groups and replicates");
    // Row numbers are 32 bits wide, and pair counts then fit 63.
    if (positive_groups.shape(0) + negative_groups.shape(0) >= std::size_t(1) << 32)
        throw nb::value_error("the counts are too many");
    // Everything a walk will index by is looked at once, here.
    auto require = [n_groups](const Counts &groups, const Counts &at) {
        if (std::uint64_t(n_groups) > groups.shape(0)) throw nb::value_error("a group lacks a class");
        for (std::size_t i = 0; i < groups.shape(0); ++i)
            if (groups(i) < 0 || groups(i) >= n_groups) throw nb::value_error("a group has no such number");
        std::int64_t left = std::int64_t(groups.shape(0));  // counted down: a sum could wrap round
        for (std::size_t k = 0; k < at.shape(0); ++k) {
            if (at(k) < 0) throw nb::value_error("a count is negative");
            if (at(k) > left) throw nb::value_error("the counts do not add up to the rows");
            left -= at(k);
        }
        if (left != 0) throw nb::value_error("the counts do not add up to the rows");
    };
    require(positive_groups, positives_at);
    require(negative_groups, negatives_at);
    ExchangeRows rows;
    rows.positive_groups = positive_groups.data();
    rows.negative_groups = negative_groups.data();
    rows.n_positives = positive_groups.shape(0);
    rows.n_negatives = negative_groups.shape(0);
    rows.positives_at = positives_at.data();
    rows.negatives_at = negatives_at.data();
    rows.n_distinct = positives_at.shape(0);
    rows.n_groups = std::size_t(n_groups);
    const ExchangedAucs aucs =
        unlocked([&] { return exchange_groups(rows, seed, std::size_t(n_permutations), threads); });
    return nb::make_tuple(hand_over(aucs.own), hand_over(aucs.shared));
}

nb::tuple read_scores_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                       double negative, bool higher_is_positive, double cosine, double sine,
                       const Weights &positions, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n_curves = n_groups(offsets, rows.size), n = positions.shape(0);
    Memory<double> first(std::max<std::size_t>(n_curves * n, 1)),
        last(std::max<std::size_t>(n_curves * n, 1));
    unlocked([&] {
        read_scores(rows, offsets.data(), n_curves, cosine, sine, positions.data(), n, first.data(),
                    last.data(), threads);
        return 0;
    });
    const std::vector<std::size_t> shape = {n_curves, n};
    return nb::make_tuple(hand_over(std::move(first), n_curves * n, shape),
                          hand_over(std::move(last), n_curves * n, shape));
}

WeighedRows weighed_rows(const Matrix &outputs, const Matrix &weights) {
    if (outputs.shape(0) < 1 || outputs.shape(0) != weights.shape(1))
        throw nb::value_error("there must be one weight per class");
    return {outputs.data(), outputs.shape(0), outputs.shape(1), weights.data(), weights.shape(0)};
}

nb::object count_errors_(const Matrix &outputs, const Offsets &offsets, const Matrix &weights, int threads) {
    const WeighedRows rows = weighed_rows(outputs, weights);
    if (n_groups(offsets, rows.n_rows) != rows.n_classes)
        throw nb::value_error("offsets must run from 0 to the number of rows, class by class");
    return hand_over(unlocked([&] { return count_errors(rows, offsets.data(), threads); }), 0,
                     {rows.n_vectors, rows.n_classes});
}

nb::object count_decisions_(const Matrix &outputs, const Counts &cells, std::int64_t n_cells,
                            const Matrix &weights, int threads) {
    const WeighedRows rows = weighed_rows(outputs, weights);
    bool fits = cells.shape(0) == rows.n_rows && n_cells >= 1;
    for (std::size_t i = 0; fits && i < rows.n_rows; ++i) fits = cells(i) >= 0 && cells(i) < n_cells;
    if (!fits) throw nb::value_error("every row must have a cell, numbered below n_cells");
    const std::size_t n = std::size_t(n_cells);
    return hand_over(unlocked([&] { return count_decisions(rows, cells.data(), n, threads); }), 0,
                     {rows.n_vectors, n, rows.n_classes});
}

void check_python_signals() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace
}  // namespace rocsteady

NB_MODULE(_native, m) {
    using namespace rocsteady;
    check_signals = check_python_signals;
    m.def("other_label", &other_label, "labels"_a, "positive"_a);
    m.def("check", &check, "scores"_a, "labels"_a, "positive"_a, "negative"_a, "threads"_a);
    m.def("count_curves", &count_curves_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "weights"_a.none(), "higher_is_positive"_a, "threads"_a);
    m.def("count_wins", &count_wins_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
    m.def("delong_moments", &delong_moments_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
    m.def("curve_moments", &curve_moments_, "true_positives"_a, "false_positives"_a, "offsets"_a);
    m.def("placements", &placements_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
    m.def("score_ranks", &score_ranks_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
    m.def("average_paths", &average_paths_, "true_positives"_a, "false_positives"_a, "offsets"_a, "weights"_a,
          "cosine"_a, "sine"_a, "threads"_a);
    m.def("read_paths", &read_paths_, "true_positives"_a, "false_positives"_a, "offsets"_a, "cosine"_a,
          "sine"_a, "positions"_a, "threads"_a);
    m.def("read_scores", &read_scores_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "cosine"_a, "sine"_a, "positions"_a, "threads"_a);
    m.def("share_curve", &share_curve_, "scores"_a, "labels"_a, "offsets"_a, "positive"_a, "negative"_a,
          "positive_shares"_a, "negative_shares"_a, "higher_is_positive"_a, "threads"_a);
    m.def("exchange_groups", &exchange_groups_, "positive_groups"_a, "negative_groups"_a, "positives_at"_a,
          "negatives_at"_a, "n_groups"_a, "seed"_a, "n_permutations"_a, "threads"_a);
    m.def("resample_cases", &resample_cases_, "positive_ranks"_a, "negative_ranks"_a, "positive_offsets"_a,
          "negative_offsets"_a, "positive_weights"_a.none(), "negative_weights"_a.none(), "group_weights"_a,
          "shared"_a, "kinds"_a, "low"_a, "high"_a, "frozen"_a, "seed"_a, "n_resamples"_a, "threads"_a,
          "progress"_a.none());
    m.def("resample_groups", &resample_groups_, "positive_ranks"_a, "negative_ranks"_a, "positive_offsets"_a,
          "negative_offsets"_a, "positive_weights"_a.none(), "negative_weights"_a.none(), "positive_shares"_a,
          "negative_shares"_a, "kinds"_a, "low"_a, "high"_a, "frozen"_a, "seed"_a, "n_resamples"_a,
          "threads"_a, "progress"_a.none());
    m.def("count_errors", &count_errors_, "outputs"_a, "offsets"_a, "weights"_a, "threads"_a);
    m.def("count_decisions", &count_decisions_, "outputs"_a, "cells"_a, "n_cells"_a, "weights"_a,
          "threads"_a);
    m.def("cell_slots", &cell_slots_, "scores"_a, "groups"_a, "starts"_a, "scales"_a, "firsts"_a, "sizes"_a,
          "stop"_a, "atoms"_a, "n_cells"_a, "nodes"_a);
    m.def("anchor_slots", &anchor_slots_, "scores"_a, "groups"_a, "anchors"_a, "offsets"_a);
    m.def("add_to_slots", &add_to_slots_, "slots"_a, "classes"_a.noconvert(), "scores"_a, "weights"_a.none(),
          "sums"_a.noconvert());
    m.def("order_by_group", &order_by_group_, "groups"_a, "n_groups"_a);
    m.def("delong_covariance", &delong_covariance_, "scores"_a, "labels"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
}
