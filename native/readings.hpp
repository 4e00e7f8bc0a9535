// What is read off a resampled curve; _kernels/reference_resample.py lists the kinds.
//
// A Path knows its vertices: beyond_x(at) and beyond_y(at) give the first vertex beyond a rate and the one
// before it, reaching_y(at) the first vertex at or beyond it, frozen(column) one that was asked for, last()
// the end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rocsteady {

struct Readings {
    enum Kind : std::int64_t {
        auc,
        area_over_fpr,
        area_over_tpr,
        tpr_at_fpr,
        fpr_at_tpr,
        frozen_fpr,
        frozen_tpr
    };

    const std::int64_t *kinds;
    const double *low, *high;
    std::size_t n;
    const std::int64_t *frozen;  // (curves, n_frozen)
    std::size_t n_frozen;

    bool auc_only() const {
        return std::all_of(kinds, kinds + n, [](std::int64_t kind) { return kind == auc; });
    }
    bool has_auc() const {
        return std::any_of(kinds, kinds + n, [](std::int64_t kind) { return kind == auc; });
    }
    bool has_partial_areas() const {
        return std::any_of(kinds, kinds + n,
                           [](std::int64_t kind) { return kind == area_over_fpr || kind == area_over_tpr; });
    }
};

// x: false positive rate, y: true positive rate, area: twice the area under the curve up to here.
struct Vertex {
    double x, y, area;

    Vertex turned() const { return {y, x, 2 * (x * y - area / 2)}; }  // with the area left of the curve
};

struct Segment {
    Vertex before, after;  // the same vertex at the end of the path

    double height_at(double x) const {
        if (before.x == x) return before.y;
        const double share = (x - before.x) / (after.x - before.x);
        return std::min(std::max(before.y + share * (after.y - before.y), before.y), after.y);
    }
    double area_to(double x) const {
        return before.area / 2 + (x - before.x) * (before.y + height_at(x)) / 2;
    }
    Segment turned() const { return {before.turned(), after.turned()}; }
};

template <class Path>
double read_once(const Path &path, const Readings &readings, std::size_t k) {
    const double low = readings.low[k], high = readings.high[k];
    auto within = [&](double area) { return std::min(std::max(area, 0.0), high - low); };
    switch (readings.kinds[k]) {
        case Readings::auc:
            return path.last().area / 2;
        case Readings::area_over_fpr:
            return within(path.beyond_x(high).area_to(high) - path.beyond_x(low).area_to(low));
        case Readings::area_over_tpr: {
            const double left =
                path.beyond_y(high).turned().area_to(high) - path.beyond_y(low).turned().area_to(low);
            return within((high - low) - left);
        }
        case Readings::tpr_at_fpr:
            return path.beyond_x(low).height_at(low);
        case Readings::fpr_at_tpr: {
            const Segment segment = path.reaching_y(low);
            return segment.after.y == low ? segment.after.x : segment.turned().height_at(low);
        }
        case Readings::frozen_fpr:
            return path.frozen(std::size_t(low)).x;
        default:
            return path.frozen(std::size_t(low)).y;
    }
}

// visit(k, value) for every reading k.
template <class Path, class Visit>
void read_all(const Path &path, const Readings &readings, Visit visit) {
    for (std::size_t k = 0; k < readings.n; ++k) visit(k, read_once(path, readings, k));
}

// The first i in [begin, end) for which reached(i), given that it stays true; else end. Without branches:
// nobody could predict them.
template <class Reached>
std::size_t first_reached(std::size_t begin, std::size_t end, Reached reached) {
    std::size_t n = end - begin;
    while (n > 1) {
        const std::size_t half = n / 2;
        begin += half * std::size_t(!reached(begin + half - 1));
        n -= half;
    }
    return begin + std::size_t(n == 1 && !reached(begin));
}

}  // namespace rocsteady
