// The Python face of the kernels. Same functions, arguments and answers as rocsteady/_kernels/reference.py,
// which documents them; nothing is computed here.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "average.hpp"
#include "decide.hpp"
#include "exchange.hpp"
#include "resample.hpp"
#include "slots.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace rocsteady {

// Whole numbers of any type. An array of floats is refused: converted, 2.7 would be a 2 that nobody meant.
template <std::size_t Dimensions>
struct Integers : nb::ndarray<const std::int64_t, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu> {
    using Array = nb::ndarray<const std::int64_t, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
    Integers() = default;
    explicit Integers(Array array) : Array(std::move(array)) {}
};

}  // namespace rocsteady

namespace nanobind::detail {

template <std::size_t Dimensions>
struct type_caster<rocsteady::Integers<Dimensions>> {
    using Integers = rocsteady::Integers<Dimensions>;
    using Array = make_caster<typename Integers::Array>;
    NB_TYPE_CASTER(Integers, Array::Name)

    bool from_python(handle source, std::uint8_t flags, cleanup_list *cleanup) noexcept {
        const auto as_it_is = std::uint8_t(flags & ~std::uint8_t(cast_flags::convert));
        Array array;
        if (!array.from_python(source, as_it_is, cleanup)) {
            make_caster<ndarray<ro>> any;
            if (!any.from_python(source, as_it_is, cleanup)) return false;
            if (any.value.dtype().code == std::uint8_t(dlpack::dtype_code::Float)) return false;
            if (!array.from_python(source, flags, cleanup)) return false;
        }
        value = Integers(array.value);
        return true;
    }
};

}  // namespace nanobind::detail

namespace rocsteady {
namespace {

using Column = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = Integers<1>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = Offsets;
using Vertices = Integers<2>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ScoreKind score_kind(const Column &scores) {
    if (scores.dtype() == nb::dtype<double>()) return ScoreKind::float64;
    if (scores.dtype() == nb::dtype<float>()) return ScoreKind::float32;
    if (scores.dtype() == nb::dtype<std::int64_t>()) return ScoreKind::int64;
    if (scores.dtype() == nb::dtype<std::uint64_t>()) return ScoreKind::uint64;
    throw nb::type_error("scores must be float64, float32, int64 or uint64");
}

LabelKind label_kind(const Column &labels) {
    if (labels.dtype() == nb::dtype<bool>() || labels.dtype() == nb::dtype<std::uint8_t>())
        return LabelKind::uint8;
    if (labels.dtype() == nb::dtype<std::int8_t>()) return LabelKind::int8;
    if (labels.dtype() == nb::dtype<std::int32_t>()) return LabelKind::int32;
    if (labels.dtype() == nb::dtype<std::int64_t>()) return LabelKind::int64;
    if (labels.dtype() == nb::dtype<float>()) return LabelKind::float32;
    if (labels.dtype() == nb::dtype<double>()) return LabelKind::float64;
    throw nb::type_error("labels must be bool, int8, uint8, int32, int64, float32 or float64");
}

Rows rows_of(const Column &scores, const Column &labels, double positive, double negative,
             bool higher_is_positive) {
    if (scores.shape(0) != labels.shape(0)) throw nb::value_error("scores and labels differ in length");
    Rows rows;
    rows.scores = scores.data();
    rows.score_kind = score_kind(scores);
    rows.labels = labels.data();
    rows.label_kind = label_kind(labels);
    rows.positive = positive;
    rows.negative = negative;
    rows.size = scores.shape(0);
    rows.flip = higher_is_positive ? ~Key(0) : 0;
    return rows;
}

std::size_t n_groups(const Offsets &offsets, std::size_t n_rows) {
    const std::size_t n = offsets.shape(0);
    if (n == 0 || offsets(0) != 0 || std::size_t(offsets(n - 1)) != n_rows)
        throw nb::value_error("offsets must run from 0 to the number of rows");
    for (std::size_t i = 1; i < n; ++i)
        if (offsets(i) < offsets(i - 1)) throw nb::value_error("offsets must not fall");
    return n - 1;
}

// Sums of what is not finite are neither exact nor in any order.
void require_finite(const double *weights, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(weights[i])) throw nb::value_error("a weight is not finite");
}

// Hands an array over to Python, which frees it.
template <class T>
nb::object hand_over(Memory<T> memory, std::size_t n, std::vector<std::size_t> shape = {}) {
    if (shape.empty()) shape = {n};
    T *data = memory.release();
    nb::capsule owner(data, [](void *p) noexcept { std::free(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}

template <class T>
nb::object hand_over(const std::vector<T> &values, std::vector<std::size_t> shape = {}) {
    Memory<T> memory(std::max<std::size_t>(values.size(), 1));
    std::copy(values.begin(), values.end(), memory.data());
    return hand_over(std::move(memory), values.size(), std::move(shape));
}

template <class Count>
nb::tuple hand_over(Curves<Count> curves) {
    const std::size_t n = std::size_t(curves.offsets.back());
    return nb::make_tuple(hand_over(std::move(curves.thresholds), n),
                          hand_over(std::move(curves.true_positives), n),
                          hand_over(std::move(curves.false_positives), n), hand_over(curves.offsets));
}

nb::tuple hand_over(const GroupCounts &counts, bool with_spreads) {
    if (!with_spreads)
        return nb::make_tuple(hand_over(counts.wins), hand_over(counts.n_positives),
                              hand_over(counts.n_negatives));
    return nb::make_tuple(hand_over(counts.wins), hand_over(counts.n_positives),
                          hand_over(counts.n_negatives), hand_over(counts.positive_spread),
                          hand_over(counts.negative_spread));
}

// Runs without the interpreter lock, so that other Python threads go on meanwhile.
template <class Work>
auto unlocked(Work work) {
    nb::gil_scoped_release release;
    return work();
}

// An array that work(data) fills.
template <class T, class Work>
nb::object filled(std::size_t n, Work work, std::vector<std::size_t> shape = {}) {
    Memory<T> memory(std::max<std::size_t>(n, 1));
    unlocked([&] { work(memory.data()); });
    return hand_over(std::move(memory), n, std::move(shape));
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
    return filled<std::int64_t>(
        rows.size, [&](std::int64_t *doubled) { placements(rows, offsets.data(), n, doubled, threads); });
}

nb::object score_ranks_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                        double negative, bool higher_is_positive, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n = n_groups(offsets, rows.size);
    return filled<std::int64_t>(
        rows.size, [&](std::int64_t *ranks) { score_ranks(rows, offsets.data(), n, ranks, threads); });
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

// What every curve is worth at positions, met first and met last.
struct Ends {
    std::size_t n_curves, n;
    Memory<double> first, last;

    Ends(std::size_t curves, std::size_t positions)
        : n_curves(curves),
          n(positions),
          first(std::max<std::size_t>(curves * positions, 1)),
          last(std::max<std::size_t>(curves * positions, 1)) {}
    nb::tuple hand_over() {
        const std::vector<std::size_t> shape = {n_curves, n};
        return nb::make_tuple(rocsteady::hand_over(std::move(first), n_curves * n, shape),
                              rocsteady::hand_over(std::move(last), n_curves * n, shape));
    }
};

nb::tuple read_paths_(const Column &true_positives, const Column &false_positives, const Offsets &offsets,
                      double cosine, double sine, const Weights &positions, int threads) {
    const std::size_t n_curves = n_groups(offsets, true_positives.shape(0)), n = positions.shape(0);
    Ends ends(n_curves, n);
    with_paths(true_positives, false_positives, offsets, cosine, sine, [&](const auto &paths) {
        unlocked(
            [&] { read_paths(paths, positions.data(), n, ends.first.data(), ends.last.data(), threads); });
    });
    return ends.hand_over();
}

nb::tuple read_scores_(const Column &scores, const Column &labels, const Offsets &offsets, double positive,
                       double negative, bool higher_is_positive, double cosine, double sine,
                       const Weights &positions, int threads) {
    const Rows rows = rows_of(scores, labels, positive, negative, higher_is_positive);
    const std::size_t n_curves = n_groups(offsets, rows.size), n = positions.shape(0);
    Ends ends(n_curves, n);
    unlocked([&] {
        read_scores(rows, offsets.data(), n_curves, cosine, sine, positions.data(), n, ends.first.data(),
                    ends.last.data(), threads);
    });
    return ends.hand_over();
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

// With a negative weight a class could count for nothing in every draw, and another would be tried for ever.
void require_weights(const double *weights, std::size_t n) {
    require_finite(weights, n);
    for (std::size_t i = 0; i < n; ++i)
        if (weights[i] < 0) throw nb::value_error("a weight is negative");
}

// Cases of one class of a resampling kernel; everything that will be indexed by is looked at once, here.
Cases cases_of(const Counts &ranks, const Offsets &offsets, const std::optional<Weights> &weights) {
    n_groups(offsets, ranks.shape(0));
    // Places among the cases of the other class, two for each, are numbered in 32 bits.
    if (ranks.shape(0) >= std::size_t(1) << 31) throw nb::value_error("too many cases in one class");
    for (std::size_t i = 0; i < ranks.shape(0); ++i)
        if (ranks(i) < 0 || ranks(i) >= std::int64_t(1) << 32)
            throw nb::value_error("a rank is negative or too high");
    if (weights && weights->shape(0) != ranks.shape(0))
        throw nb::value_error("ranks and weights differ in length");
    if (weights) require_weights(weights->data(), weights->shape(0));
    return {ranks.data(), offsets.data(), weights ? weights->data() : nullptr};
}

Readings readings_of(const Counts &kinds, const Weights &low, const Weights &high, const Vertices &frozen,
                     std::size_t n_curves) {
    const std::size_t n = kinds.shape(0), n_frozen = frozen.shape(1);
    bool fits = low.shape(0) == n && high.shape(0) == n && frozen.shape(0) == n_curves;
    for (std::size_t k = 0; fits && k < n; ++k) {
        const std::int64_t kind = kinds(k);
        const double most = kind >= Readings::frozen_fpr ? double(n_frozen) - 1 : 1;
        fits = kind >= 0 && kind <= Readings::frozen_tpr && low(k) >= 0 && low(k) <= most;
        if (kind == Readings::area_over_fpr || kind == Readings::area_over_tpr)
            fits = fits && high(k) >= low(k) && high(k) <= 1;
    }
    if (!fits) throw nb::value_error("a reading is not one, or is out of range");
    return {kinds.data(), low.data(), high.data(), n, frozen.data(), n_frozen};
}

// The vertices of every curve must exist; n_vertices(curve) is one more than the highest.
template <class Count>
void require_vertices(const Vertices &frozen, Count n_vertices) {
    for (std::size_t curve = 0; curve < frozen.shape(0); ++curve)
        for (std::size_t k = 0; k < frozen.shape(1); ++k)
            if (frozen(curve, k) < 0 || std::size_t(frozen(curve, k)) >= n_vertices(curve))
                throw nb::value_error("a frozen vertex does not exist");
}

Report::Tell teller(const nb::object &progress) {
    if (progress.is_none()) return {};
    return [&progress](std::size_t done, std::size_t total) {
        nb::gil_scoped_acquire acquire;
        progress(done, total);
    };
}

nb::object resample_cases_(const Counts &positive_ranks, const Counts &negative_ranks,
                           const Offsets &positive_offsets, const Offsets &negative_offsets,
                           std::optional<Weights> positive_weights, std::optional<Weights> negative_weights,
                           const Weights &group_weights, bool shared, const Counts &kinds, const Weights &low,
                           const Weights &high, const Vertices &frozen, std::uint64_t seed,
                           std::int64_t n_resamples, int threads, const nb::object &progress) {
    CaseDraws draws{{cases_of(positive_ranks, positive_offsets, positive_weights),
                     cases_of(negative_ranks, negative_offsets, negative_weights)},
                    positive_offsets.shape(0) - 1,
                    group_weights.data(),
                    shared,
                    seed,
                    std::size_t(n_resamples)};
    if (draws.n_groups < 1 || negative_offsets.shape(0) != positive_offsets.shape(0) || n_resamples < 0 ||
        group_weights.shape(0) != draws.n_groups || !positive_weights != !negative_weights)
        throw nb::value_error("the groups or weights do not fit together");
    require_weights(group_weights.data(), draws.n_groups);
    const Readings readings = readings_of(kinds, low, high, frozen, draws.n_curves());
    require_vertices(frozen, [&](std::size_t curve) { return draws.n_ranks(curve) + 1; });
    const std::size_t n = product(draws.n_resamples, readings.n);
    Report report(teller(progress), draws.n_resamples);
    return filled<double>(n,
                          [&](double *values) { resample_cases(draws, readings, threads, report, values); },
                          {draws.n_resamples, readings.n});
}

nb::tuple resample_groups_(const Counts &positive_ranks, const Counts &negative_ranks,
                           const Offsets &positive_offsets, const Offsets &negative_offsets,
                           std::optional<Weights> positive_weights, std::optional<Weights> negative_weights,
                           const Weights &positive_shares, const Weights &negative_shares,
                           const Counts &kinds, const Weights &low, const Weights &high,
                           const Vertices &frozen, std::uint64_t seed, std::int64_t n_resamples, int threads,
                           const nb::object &progress) {
    GroupDraws draws{{cases_of(positive_ranks, positive_offsets, positive_weights),
                      cases_of(negative_ranks, negative_offsets, negative_weights)},
                     positive_offsets.shape(0) - 1,
                     {positive_shares.data(), negative_shares.data()},
                     seed,
                     std::size_t(n_resamples)};
    if (draws.n_groups < 1 || draws.n_groups >= std::size_t(1) << 29 || n_resamples < 0 ||
        negative_offsets.shape(0) != positive_offsets.shape(0) ||
        positive_shares.shape(0) != draws.n_groups || negative_shares.shape(0) != draws.n_groups ||
        !positive_weights != !negative_weights)
        throw nb::value_error("the groups or weights do not fit together");
    require_weights(positive_shares.data(), draws.n_groups);
    require_weights(negative_shares.data(), draws.n_groups);
    const Readings readings = readings_of(kinds, low, high, frozen, 1);
    const std::size_t n = product(draws.n_resamples, readings.n);
    Memory<double> values(std::max<std::size_t>(n, 1));
    Report report(teller(progress), draws.n_resamples);
    const std::size_t n_redrawn = unlocked([&] {
        const GroupResampler resampler(draws, readings);
        require_vertices(frozen, [&](std::size_t) { return resampler.n_vertices(); });
        return resampler.run(threads, report, values.data());
    });
    return nb::make_tuple(hand_over(std::move(values), n, {draws.n_resamples, readings.n}), n_redrawn);
}

using Nodes = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

void require_groups(const Counts &groups, std::size_t n, std::int64_t n_groups) {
    bool fits = groups.shape(0) == n && n_groups >= 0;
    for (std::size_t i = 0; fits && i < n; ++i) fits = groups(i) >= 0 && groups(i) < n_groups;
    if (!fits) throw nb::value_error("every row must have a group, numbered below n_groups");
}

nb::object cell_slots_(const Weights &scores, const Counts &groups, const Weights &starts,
                       const Weights &scales, const Counts &firsts, const Counts &sizes, double stop,
                       const Weights &atoms, std::int64_t n_cells, const Nodes &nodes) {
    const std::size_t n = scores.shape(0), n_pieces = starts.shape(0), n_slots = nodes.shape(0);
    bool fits = n_cells >= 1 && scales.shape(0) == n_pieces && firsts.shape(0) == n_pieces &&
                sizes.shape(0) == n_pieces;
    std::int64_t above = 2;  // cells of a piece follow those of the one before
    for (std::size_t i = 0; fits && i < n_pieces; ++i) {
        fits = firsts(i) == above && sizes(i) >= 1 && sizes(i) <= n_cells - above;
        if (fits) above += sizes(i);
    }
    if (!fits || n_cells - above < 2 + std::int64_t(atoms.shape(0)))
        throw nb::value_error("pieces and cells do not fit together");
    bool is_split = false;
    for (std::size_t i = 0; i < n_slots; ++i) {
        const double first = nodes(i, 2), parts = nodes(i, 3);
        is_split = is_split || parts != 0;
        if (parts == 0) continue;
        // Whole numbers: a first part of 3.5 would be the third, which may be the cell itself.
        const bool whole = first == std::floor(first) && parts == std::floor(parts);
        if (!(whole && parts >= 1 && first > double(i) && first + parts <= double(n_slots)))
            throw nb::value_error("the parts of a cell must come after it");
    }
    require_groups(groups, n, std::int64_t(n_slots) / n_cells);
    const double *split = is_split ? nodes.data() : nullptr;
    const CellTree tree{starts.data(), scales.data(), firsts.data(),  sizes.data(), n_pieces,
                        stop,          atoms.data(),  atoms.shape(0), n_cells,      split};
    return filled<std::int64_t>(
        n, [&](std::int64_t *slots) { leaves_of(scores.data(), groups.data(), n, tree, slots); });
}

nb::object anchor_slots_(const Weights &scores, const Counts &groups, const Weights &anchors,
                         const Offsets &offsets) {
    const std::size_t n = scores.shape(0);
    require_groups(groups, n, std::int64_t(n_groups(offsets, anchors.shape(0))));
    return filled<std::int64_t>(n, [&](std::int64_t *slots) {
        places_among(scores.data(), groups.data(), n, anchors.data(), offsets.data(), slots);
    });
}

using Classes = nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;  // added to in place

void add_to_slots_(const Counts &slots, const Classes &classes, const Weights &scores,
                   std::optional<Weights> weights, Sums sums) {
    const std::size_t n = slots.shape(0);
    bool fits = classes.shape(0) == n && scores.shape(0) == n && (!weights || weights->shape(0) == n);
    for (std::size_t i = 0; fits && i < n; ++i)
        fits = slots(i) >= 0 && slots(i) < std::int64_t(sums.shape(0));
    if (!fits) throw nb::value_error("rows and slots do not fit together");
    unlocked([&] {
        add_to_slots(slots.data(), classes.data(), scores.data(), weights ? weights->data() : nullptr, n,
                     sums.data());
    });
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
    m.def("delong_covariance", &delong_covariance_, "scores"_a, "labels"_a, "positive"_a, "negative"_a,
          "higher_is_positive"_a, "threads"_a);
}
