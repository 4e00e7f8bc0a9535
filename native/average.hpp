// Averaging curves along a direction.
//
// Seen along an angle, a point (fpr, tpr) has the position u = cos fpr + sin tpr. Between the positions where
// any curve bends, both rates of every curve are linear in the position, and so are their means. A mean rate
// has two parts: what the curves had reached where they last stopped moving on that axis, a weighted mean of
// counts / n, and what those that are moving have added since. The first part is kept to twice the precision
// of a double. So where no curve moves, which is wherever the mean runs straight up or straight to the right,
// the rate is that weighted mean, rounded once. Whether a curve moves is told by its counts, never computed.
#pragma once

#include <limits>

#include "count.hpp"

namespace rocsteady {

// Counts of many curves end to end, read as paths from (0, 0) to (1, 1).
template <class Count>
struct Paths {
    const Count *true_positives, *false_positives;
    const std::int64_t *offsets;
    std::size_t n_curves;
    double cosine, sine;

    // A right angle is exact only if it swaps the axes: the cosine of its float is 6e-17, and readings would
    // come from the wrong ends of the steps.
    struct Point {
        double position, value;
    };
    class Path {
    public:
        Path(const Paths &paths, std::size_t curve)
            : tp_(paths.true_positives + paths.offsets[curve]),
              fp_(paths.false_positives + paths.offsets[curve]),
              size_(std::size_t(paths.offsets[curve + 1] - paths.offsets[curve])),
              cosine_(paths.cosine),
              sine_(paths.sine) {
            if (size_ == 0) return;
            positives_ = double(tp_[size_ - 1]);
            negatives_ = double(fp_[size_ - 1]);
        }
        std::size_t size() const { return size_; }
        double total(int axis) const { return axis ? positives_ : negatives_; }
        // How much further along an axis (0: fpr, 1: tpr) the path is at vertex m than at k, as a share of
        // one.
        LongSum moved(int axis, std::size_t k, std::size_t m, const LongSum &share) const {
            const Count *counts = axis ? tp_ : fp_;
            LongSum sum;
            if constexpr (std::is_integral<Count>::value) {
                sum.add_product(share, double(counts[m] - counts[k]));
            } else {  // a difference would be rounded
                sum.add_product(share, double(counts[m]));
                sum.add_product(share, -double(counts[k]));
            }
            return sum;
        }
        std::int64_t n_moved(int axis, std::size_t k, std::size_t m) const {  // of cases that are counted
            if constexpr (!std::is_integral<Count>::value) return 0;
            return axis ? tp_[m] - tp_[k] : fp_[m] - fp_[k];
        }
        bool moves(int axis, std::size_t k, std::size_t m) const {
            return axis ? tp_[m] != tp_[k] : fp_[m] != fp_[k];
        }
        bool is_at_bottom(std::size_t k) const { return fp_[k] == 0; }  // before the first false positive
        bool is_at_top(std::size_t k) const { return tp_[k] == tp_[size_ - 1]; }
        double rate(int axis, std::size_t k) const {
            return axis ? double(tp_[k]) / positives_ : double(fp_[k]) / negatives_;
        }
        // The vertex at which the path leaves the direction it takes from k: runs straight up or straight to
        // the right are told by their counts, without a division.
        std::size_t next_bend(std::size_t k) const {
            bool up = tp_[k + 1] != tp_[k], right = fp_[k + 1] != fp_[k];
            for (++k; k + 1 < size_; ++k) {
                up |= tp_[k + 1] != tp_[k];
                right |= fp_[k + 1] != fp_[k];
                if (up && right) break;
            }
            return k;
        }
        // Rates by one division, so that equal shares of different totals are equal numbers.
        Point operator[](std::size_t k) const {
            const double fpr = double(fp_[k]) / negatives_, tpr = double(tp_[k]) / positives_;
            if (sine_ == 0) return {fpr, tpr};
            if (cosine_ == 0) return {tpr, -fpr};
            return {cosine_ * fpr + sine_ * tpr, cosine_ * tpr - sine_ * fpr};
        }
        double position(std::size_t k) const {
            if (sine_ == 0) return double(fp_[k]) / negatives_;
            if (cosine_ == 0) return double(tp_[k]) / positives_;
            return (*this)[k].position;
        }

    private:
        const Count *tp_, *fp_;
        std::size_t size_;
        double cosine_, sine_;
        double positives_ = 0, negatives_ = 0;
    };
    Path operator[](std::size_t curve) const { return Path(*this, curve); }
};

// What a case of a curve counts on either axis: weight / (cases * sum of the weights).
struct Shares {
    LongSum of_axis[2];
};

// What one curve does to the mean at one of its bends: on an axis it stops, on an axis it starts to move.
struct Change {
    LongSum distance;                 // on the axis where it stops, since it started there
    double slope_ends, slope_begins;  // apart: their difference would round away a gentle one behind a steep
    std::uint8_t stops, starts;       // none, or 1 more than an axis
    bool at_once;                     // it moved while its position did not: a jump
    bool leaves_bottom, reaches_top;

    const LongSum &moved(const Shares *) const { return distance; }
    void pack(const Change &change, std::int64_t, std::size_t) { *this = change; }
};

// The same in 24 bytes, for it is carried about three times: what a case counts is looked up.
struct SmallChange {
    static constexpr std::int64_t most = (std::int64_t(1) << 24) - 1;
    double slope_ends, slope_begins;
    std::uint32_t curve;
    std::uint32_t n_moved : 24, stops : 2, starts : 2, at_once : 1, leaves_bottom : 1, reaches_top : 1;

    LongSum moved(const Shares *shares) const {
        LongSum distance;
        distance.add_product(shares[curve].of_axis[stops - 1], n_moved);
        return distance;
    }
    void pack(const Change &change, std::int64_t n, std::size_t of_curve) {
        slope_ends = change.slope_ends;
        slope_begins = change.slope_begins;
        curve = std::uint32_t(of_curve);
        n_moved = std::uint32_t(n) & std::uint32_t(most);
        stops = change.stops & 3;
        starts = change.starts & 3;
        at_once = change.at_once;
        leaves_bottom = change.leaves_bottom;
        reaches_top = change.reaches_top;
    }
};

// How many changes a curve makes, or a few more where steps of its counts are empty. Of a mean whose position
// is one of the rates (vertical: fpr, horizontal: tpr) only the other rate changes.
template <class Count>
ROCSTEADY_INLINE std::size_t count_changes_of(const Count *tp, const Count *fp, std::size_t size,
                                              bool is_vertical, bool is_horizontal) {
    const bool is_oblique = !is_vertical && !is_horizontal;
    std::size_t n = 0;
    for (std::size_t k = 1; k + 1 < size; ++k) {
        const bool up = tp[k] != tp[k - 1], right = fp[k] != fp[k - 1];
        const bool goes_up = tp[k + 1] != tp[k], goes_right = fp[k + 1] != fp[k];
        const bool bends = (up | goes_up) & (right | goes_right), slants = goes_up & goes_right;
        const std::size_t here = is_oblique    ? 1 + ((up & right) | slants)
                                 : is_vertical ? up | slants
                                               : right | slants;
        n += std::size_t(bends) * here + 2 * std::size_t(!(up | right) | !(goes_up | goes_right));
    }
    const auto at_end = [&](std::size_t k) {
        return 1 + std::size_t(is_oblique && tp[k] != tp[k - 1] && fp[k] != fp[k - 1]);
    };
    return size < 2 ? 1 : n + at_end(1) + at_end(size - 1);
}
ROCSTEADY_CLONES static std::size_t count_changes(const std::int64_t *tp, const std::int64_t *fp,
                                                  std::size_t size, bool is_vertical, bool is_horizontal) {
    return count_changes_of(tp, fp, size, is_vertical, is_horizontal);
}
ROCSTEADY_CLONES static std::size_t count_changes(const double *tp, const double *fp, std::size_t size,
                                                  bool is_vertical, bool is_horizontal) {
    return count_changes_of(tp, fp, size, is_vertical, is_horizontal);
}

// visit(position, change, cases moved where it stops) for all that one curve does to the mean rates; at least
// once at either end.
template <class Path, class Visit>
void for_each_change(const Path &path, bool is_vertical, bool is_horizontal, const Shares &shares,
                     Visit visit) {
    struct Run {
        bool moves[2] = {false, false}, starts[2] = {false, false}, at_once = false;
        LongSum moved[2];
        std::int64_t n_moved[2] = {0, 0};
        double slope[2] = {0, 0};
    };
    const std::size_t end = path.size() - 1;
    Run before;
    double position = path.position(0), next_position = position;
    bool was_at_top = false;
    for (std::size_t k = 0, next = 0;; k = next, position = next_position) {
        Run after;
        if (k < end) {
            next = path.next_bend(k);
            next_position = path.position(next);
            after.at_once = next_position <= position;
            const bool moves[2] = {path.moves(0, k, next), path.moves(1, k, next)};
            const bool stays = (is_vertical && !moves[0]) || (is_horizontal && !moves[1]);
            after.moves[0] = moves[0] && !is_vertical;
            after.moves[1] = moves[1] && !is_horizontal;
            for (int axis = 0; axis < 2; ++axis) {
                if (!after.moves[axis]) continue;
                after.starts[axis] = !stays;
                after.moved[axis] = path.moved(axis, k, next, shares.of_axis[axis]);
                after.n_moved[axis] = path.n_moved(axis, k, next);
                if (!after.at_once)
                    after.slope[axis] = after.moved[axis].value() / (next_position - position);
            }
        }
        Change change{};
        change.leaves_bottom = k < end && path.is_at_bottom(k) && !path.is_at_bottom(next);
        change.reaches_top = !was_at_top && path.is_at_top(k);
        was_at_top |= change.reaches_top;
        std::int64_t n_moved = 0;
        bool is_told = k != 0 && k != end;
        // One change, unless the curve moves on both axes before or behind.
        const bool is_corner =
            before.moves[0] + before.moves[1] <= 1 && after.starts[0] + after.starts[1] <= 1;
        bool is_any = false;
        for (int axis = 0; axis < 2; ++axis) {
            is_any |= before.moves[axis] || after.starts[axis];
            if (before.moves[axis]) {
                change.stops = std::uint8_t(axis + 1);
                change.distance = before.moved[axis];
                n_moved = before.n_moved[axis];
                change.slope_ends = before.slope[axis];
                change.at_once = before.at_once;
            }
            if (after.starts[axis] && !after.at_once) {
                change.starts = std::uint8_t(axis + 1);
                change.slope_begins = after.slope[axis];
            }
            if (!is_any || (axis == 0 && is_corner)) continue;
            visit(position, change, n_moved);
            is_told = true;
            is_any = change.leaves_bottom = change.reaches_top = false;
            change.stops = change.starts = 0;
        }
        if (!is_told) visit(position, change, n_moved);
        if (k == end) return;
        before = after;
    }
}

// One mean rate on its way.
struct MeanRate {
    LongSum stopped;  // what the curves had reached where they last stopped: exact
    LongSum all, slope;
    std::int64_t n_moving = 0;

    // Rounding must not carry it below what has been reached for certain.
    double value() const { return n_moving == 0 ? stopped.value() : std::max(all.value(), stopped.value()); }
    void settle() {
        if (n_moving == 0) all = stopped, slope = {};
    }
};

struct MeanRates {
    MeanRate axes[2];
    std::int64_t n_left_bottom = 0, n_at_top = 0;

    // Near-vertical stretches have slopes of millions, so the way from one position to the next is not
    // rounded.
    void advance(double from, double to) {
        const double run = to - from, back = run - to;
        const double lost = (to - (run - back)) - (from + back);
        for (MeanRate &rate : axes) {
            const double slope = rate.slope.value();
            if (slope == 0) continue;
            rate.all.add(slope * run);
            rate.all.low += slope * lost;
        }
    }
    template <class Change>
    void stop(const Change &change, const Shares *shares) {
        n_left_bottom += change.leaves_bottom;
        n_at_top += change.reaches_top;
        if (!change.stops || change.at_once) return;
        MeanRate &rate = axes[change.stops - 1];
        rate.stopped.add(change.moved(shares));
        rate.slope.add(-change.slope_ends);
        --rate.n_moving;
    }
    template <class Change>
    void jump_and_start(const Change &change, const Shares *shares) {
        if (change.stops && change.at_once) {
            MeanRate &rate = axes[change.stops - 1];
            const LongSum moved = change.moved(shares);
            rate.stopped.add(moved);
            rate.all.add(moved);
        }
        if (!change.starts) return;
        axes[change.starts - 1].slope.add(change.slope_begins);
        ++axes[change.starts - 1].n_moving;
    }
    void settle() {
        for (MeanRate &rate : axes) rate.settle();
    }
    // What a later stretch adds that was walked from nothing.
    void add(const MeanRates &later) {
        for (int axis = 0; axis < 2; ++axis) {
            axes[axis].stopped.add(later.axes[axis].stopped);
            axes[axis].all.add(later.axes[axis].all);
            axes[axis].slope.add(later.axes[axis].slope);
            axes[axis].n_moving += later.axes[axis].n_moving;
        }
        n_left_bottom += later.n_left_bottom;
        n_at_top += later.n_at_top;
    }
};

// The mean as a polyline: one point at every position, two where it jumps.
struct MeanPath {
    Memory<double> positions, fpr, tpr;
    std::size_t size = 0;

    // What came before a fall of a rounding error comes down: a rate that is exact is never less than what
    // came before it.
    void lower_before(std::size_t at, std::size_t begin) {
        for (double *rates : {fpr.data(), tpr.data()})
            for (std::size_t i = at; i > begin && rates[i - 1] > rates[i]; --i) rates[i - 1] = rates[i];
    }
};

template <class Payload, class Count>
MeanPath sweep(const Paths<Count> &paths, const double *weights, int threads) {
    const bool is_vertical = paths.sine == 0, is_horizontal = paths.cosine == 0;
    // 1. The sum of the weights.
    const double largest = *std::max_element(weights, weights + paths.n_curves);
    int exponent = 0;
    std::frexp(largest, &exponent);  // a power of two changes no digit, and no square overflows
    LongSum total;
    std::int64_t n_weighed = 0;
    for (std::size_t curve = 0; curve < paths.n_curves; ++curve) {
        total.add(std::ldexp(weights[curve], -exponent));
        n_weighed += weights[curve] > 0;
    }
    // 2. The changes of every curve, counted, then written.
    const std::size_t n_vertices = std::size_t(paths.offsets[paths.n_curves]);
    const std::size_t per_task = std::max<std::size_t>(1, paths.n_curves * 16384 / (n_vertices + 1));
    const std::size_t n_tasks = (paths.n_curves + per_task - 1) / per_task;
    auto for_each_curve = [&](auto body) {
        parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
            const std::size_t stop = std::min(paths.n_curves, (task + 1) * per_task);
            for (std::size_t curve = task * per_task; curve < stop; ++curve) {
                worker.pulse();
                if (weights[curve] > 0) body(curve);
            }
        });
    };
    std::vector<std::size_t> first_change(paths.n_curves + 1, 0);
    for_each_curve([&](std::size_t curve) {
        const std::int64_t begin = paths.offsets[curve];
        first_change[curve + 1] =
            count_changes(paths.true_positives + begin, paths.false_positives + begin,
                          std::size_t(paths.offsets[curve + 1] - begin), is_vertical, is_horizontal);
    });
    for (std::size_t curve = 0; curve < paths.n_curves; ++curve)
        first_change[curve + 1] += first_change[curve];
    const std::size_t n_changes = first_change.back();
    Memory<double> positions(n_changes);
    Memory<Payload> changes(n_changes);
    std::vector<Shares> shares(paths.n_curves);
    struct Corners {
        double tpr_without_false_positives, fpr_with_all_positives;
    };
    std::vector<Corners> corners(paths.n_curves, Corners{1, 0});
    for_each_curve([&](std::size_t curve) {
        const auto path = paths[curve];
        for (int axis = 0; axis < 2; ++axis) {
            LongSum whole;
            whole.add_product(total, path.total(axis));
            shares[curve].of_axis[axis] = quotient(std::ldexp(weights[curve], -exponent), whole);
        }
        std::size_t at = first_change[curve];
        auto write = [&](double position, const Change &change, std::int64_t n_moved) {
            positions[at] = position;
            changes[at++].pack(change, n_moved, curve);
        };
        for_each_change(path, is_vertical, is_horizontal, shares[curve], write);
        while (at < first_change[curve + 1])  // empty steps were counted: nothing happens, at the start
            write(0, Change{}, 0);
        std::size_t k = 0;
        while (k + 1 < path.size() && path.is_at_bottom(k + 1)) ++k;
        corners[curve].tpr_without_false_positives = path.rate(1, k);
        k = path.size() - 1;
        while (k > 0 && path.is_at_top(k - 1)) --k;
        corners[curve].fpr_with_all_positives = path.rate(0, k);
    });
    Corners corner{1, 0};
    for (const Corners &own : corners) {
        corner.tpr_without_false_positives =
            std::min(corner.tpr_without_false_positives, own.tpr_without_false_positives);
        corner.fpr_with_all_positives = std::max(corner.fpr_with_all_positives, own.fpr_with_all_positives);
    }
    // 3. Sort by position.
    Rows rows;
    rows.scores = positions.data();
    rows.size = n_changes;
    rows.flip = 0;  // ascending
    const std::int64_t offsets[2] = {0, std::int64_t(n_changes)};
    Buckets<Payload> all(rows, offsets, 1, {changes.data()}, threads);
    struct Stretch {  // of one bucket, walked from nothing
        std::size_t n_points = 0;
        double first = 0, last = 0;
        MeanRates rates;
    };
    std::vector<Stretch> stretches;
    // emit(position, rates, does the mean jump here, has none left the bottom before, were not all at the
    // top)
    auto walk = [&](const Bucket &bucket, MeanRates &rates, auto reached, auto passed) {
        double before = 0;
        for (std::size_t i = bucket.begin; i < bucket.end;) {
            const Key key = *all.keys(i);
            const double position = double_from_ordered(key);
            if (i > bucket.begin) rates.advance(before, position);
            before = position;
            const std::int64_t n_left_bottom = rates.n_left_bottom, n_at_top = rates.n_at_top;
            bool jumps = false;
            std::size_t end = i;
            for (; end < bucket.end && *all.keys(end) == key; ++end) {
                rates.stop(*all.payloads(end), shares.data());
                jumps |= all.payloads(end)->at_once;
            }
            reached(position, jumps, n_left_bottom, n_at_top);
            for (; i < end; ++i) rates.jump_and_start(*all.payloads(i), shares.data());
            if (jumps) passed(position);
        }
    };
    all.sort([&](std::size_t n_buckets) { stretches.resize(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) {
                 Stretch &stretch = stretches[b];
                 walk(
                     bucket, stretch.rates,
                     [&](double position, bool, std::int64_t, std::int64_t) {
                         if (stretch.n_points++ == 0) stretch.first = position;
                         stretch.last = position;
                     },
                     [&](double) { ++stretch.n_points; });
             });
    // 4. What each bucket starts from; then all of them once more, in place.
    struct Start {
        std::size_t at;
        MeanRates rates;
    };
    std::vector<Start> starts;
    Start now{0, {}};
    double before = 0;
    for (const Stretch &stretch : stretches) {
        if (stretch.n_points) now.rates.advance(before, stretch.first);
        starts.push_back(now);
        if (!stretch.n_points) continue;
        now.at += stretch.n_points;
        now.rates.advance(stretch.first, stretch.last);
        now.rates.add(stretch.rates);
        now.rates.settle();
        before = stretch.last;
    }
    MeanPath mean{Memory<double>(now.at), Memory<double>(now.at), Memory<double>(now.at), now.at};
    parallel_for(all.buckets.size(), threads, [&](std::size_t b, Worker &) {
        std::size_t at = starts[b].at;
        MeanRates rates = starts[b].rates;
        auto write = [&](double position, double fpr, double tpr) {
            mean.positions[at] = position;
            mean.fpr[at] = is_vertical ? position : fpr;
            mean.tpr[at] = is_horizontal ? position : tpr;
            mean.lower_before(at++, starts[b].at);
        };
        walk(
            all.buckets[b], rates,
            [&](double position, bool jumps, std::int64_t n_left_bottom, std::int64_t n_at_top) {
                rates.settle();
                double fpr = rates.axes[0].value(), tpr = rates.axes[1].value();
                // Curves that are all at the bottom, or all at the top, have one and the same point there.
                if (!jumps && n_left_bottom == 0 && rates.n_left_bottom > 0)
                    tpr = corner.tpr_without_false_positives;
                if (!jumps && n_at_top < n_weighed && rates.n_at_top == n_weighed)
                    fpr = corner.fpr_with_all_positives;
                write(position, fpr, tpr);
            },
            [&](double position) { write(position, rates.axes[0].value(), rates.axes[1].value()); });
    });
    for (const Start &start : starts)
        if (start.at < mean.size) mean.lower_before(start.at, 0);
    return mean;
}

template <class Count>
MeanPath average_paths(const Paths<Count> &paths, const double *weights, int threads) {
    bool is_small = std::is_integral<Count>::value;
    for (std::size_t curve = 0; curve < paths.n_curves; ++curve)
        for (int axis = 0; axis < 2; ++axis)
            is_small &= paths[curve].total(axis) <= double(SmallChange::most);
    return is_small ? sweep<SmallChange>(paths, weights, threads) : sweep<Change>(paths, weights, threads);
}

// The values that one path meets first and last at rising positions; beyond its ends those of the ends.
template <class Path>
void read_path(const Path &path, const double *at, std::size_t n, double *first, double *last) {
    std::size_t k = 0;  // the first vertex at or behind the position
    const double end_position = path.position(path.size() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        const double position = std::min(at[i], end_position);
        // Few positions on a long path: halve; many: the next vertex is near.
        std::size_t low = k, high = path.size() - 1, step = 1;
        while (low + step < high && path.position(low + step) < position) low += step, step *= 2;
        high = std::min(high, low + step);
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (path.position(middle) < position)
                low = middle + 1;
            else
                high = middle;
        }
        k = low;
        const auto here = path[k];
        if (here.position <= position || k == 0) {  // at a vertex, or before the first
            first[i] = here.value;
            std::size_t end = k;
            while (end + 1 < path.size() && path.position(end + 1) == here.position) ++end;
            last[i] = path[end].value;
            continue;
        }
        const auto before = path[k - 1];
        const double share = (position - before.position) / (here.position - before.position);
        const double between = before.value + share * (here.value - before.value);
        // Rounding must not carry a reading past the ends of its own segment.
        const double lowest = std::min(before.value, here.value),
                     highest = std::max(before.value, here.value);
        first[i] = last[i] = std::min(std::max(between, lowest), highest);
    }
}

// The same of every curve, row by row.
template <class Count>
void read_paths(const Paths<Count> &paths, const double *at, std::size_t n, double *first, double *last,
                int threads) {
    const std::size_t n_vertices = std::size_t(paths.offsets[paths.n_curves]);
    const std::size_t work = n_vertices + 8 * n * paths.n_curves + 1;
    const std::size_t per_task = std::max<std::size_t>(1, paths.n_curves * 65536 / work);
    const std::size_t n_tasks = (paths.n_curves + per_task - 1) / per_task;
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
        const std::size_t end = std::min(paths.n_curves, (task + 1) * per_task);
        for (std::size_t curve = task * per_task; curve < end; ++curve) {
            worker.pulse();
            read_path(paths[curve], at, n, first + curve * n, last + curve * n);
        }
    });
}

// The same of every group of scores, without keeping its curve. A group without both classes has no values.
inline void read_scores(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups, double cosine,
                        double sine, const double *at, std::size_t n, double *first, double *last,
                        int threads) {
    using Count = std::int64_t;
    auto read = [&](std::size_t group, const Count *tp, const Count *fp, std::size_t size) {
        double *to_first = first + group * n, *to_last = last + group * n;
        if (tp[size - 1] == 0 || fp[size - 1] == 0) {
            std::fill(to_first, to_first + n, std::numeric_limits<double>::quiet_NaN());
            std::fill(to_last, to_last + n, std::numeric_limits<double>::quiet_NaN());
            return;
        }
        const std::int64_t ends[2] = {0, std::int64_t(size)};
        const Paths<Count> path{tp, fp, ends, 1, cosine, sine};
        read_path(path[0], at, n, to_first, to_last);
    };
    bool all_small = true;
    for (std::size_t g = 0; g < n_groups; ++g)
        all_small &= std::size_t(offsets[g + 1] - offsets[g]) < Buckets<Nothing>::large_group;
    if (!all_small) {  // the buckets of a large group come in any order
        const Curves<Count> curves = count_curves(rows, offsets, n_groups, threads);
        parallel_for(n_groups, threads, [&](std::size_t g, Worker &worker) {
            worker.pulse();
            const std::int64_t begin = curves.offsets[g], end = curves.offsets[g + 1];
            read(g, curves.true_positives.data() + begin, curves.false_positives.data() + begin,
                 std::size_t(end - begin));
        });
        return;
    }
    Buckets<Nothing> all(rows, offsets, n_groups, {}, threads);
    all.sort([](std::size_t) {},
             [&](std::size_t, const Bucket &bucket) {
                 thread_local std::vector<double> thresholds;
                 thread_local std::vector<Count> tp, fp;
                 const std::size_t most = bucket.end - bucket.begin + 1;
                 if (tp.size() < most) thresholds.resize(most), tp.resize(most), fp.resize(most);
                 tp[0] = fp[0] = 0;
                 const std::size_t n_vertices =
                     write_vertices(rows, bucket, sorted(all, bucket),
                                    {thresholds.data() + 1, tp.data() + 1, fp.data() + 1});
                 read(bucket.group, tp.data(), fp.data(), 1 + n_vertices);
             });
}

}  // namespace rocsteady
