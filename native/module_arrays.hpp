// Arrays on their way from and to Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <optional>

#include "count.hpp"

namespace nb = nanobind;

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

}  // namespace
}  // namespace rocsteady
