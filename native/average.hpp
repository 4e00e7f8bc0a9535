// Averaging curves along a direction.
//
// Seen along an angle, a point (fpr, tpr) has the position u = cos fpr + sin tpr and the value v = cos tpr -
// sin fpr. On every curve v is piecewise linear in u, with jumps where the curve runs along the direction:
// rising steps at angle 0, steps to the right at a right angle. So is the mean of many curves, between the
// positions where any of them bends or jumps: their union, sorted.
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
        // The vertex at which the path leaves the direction it takes from k: runs straight up or straight to
        // the right are told by their counts, without a division.
        std::size_t next_bend(std::size_t k) const {
            const bool is_flat = tp_[k + 1] == tp_[k], is_steep = fp_[k + 1] == fp_[k];
            for (++k; k + 1 < size_; ++k)
                if (!(is_flat && tp_[k + 1] == tp_[k]) && !(is_steep && fp_[k + 1] == fp_[k])) break;
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

// What happens to the mean at one position.
struct Change {
    double jump;
    double slope_begins,
        slope_ends;  // apart: their difference would round away a gentle slope behind a steep one
};

// visit(position, first value, last value, slope behind, is it an end) for every distinct position of one
// path.
template <class Count, class Visit>
void for_each_position(const Paths<Count> &paths, std::size_t curve, Visit visit) {
    const auto path = paths[curve];
    if (path.size() == 0) return;
    const std::size_t end = path.size() - 1;
    std::size_t k = 0;
    auto here = path[0];
    for (bool is_end = true;; is_end = false) {
        const auto first = here;
        auto last = first, next = first;
        bool is_last = true;  // told by the vertices: a position that is no number differs from itself
        while (is_last && k < end) {  // over what lies at the same position
            k = path.next_bend(k);
            next = path[k];
            is_last = next.position == first.position;
            if (is_last) last = next;
        }
        const double slope = is_last ? 0 : (next.value - last.value) / (next.position - last.position);
        visit(first.position, first.value, last.value, slope, is_end || is_last);
        if (is_last) return;
        here = next;
    }
}

// A running sum kept to twice the precision of a double.
struct LongSum {
    double high = 0, low = 0;
    void add(double x) {
        const double sum = high + x, part = sum - high;
        low += (high - (sum - part)) + (x - part);
        high = sum;
    }
    // Adds slope * (to - from) with the difference unrounded: near-vertical stretches have slopes of
    // millions.
    void add_rise(const LongSum &slope, double from, double to) {
        const double run = to - from, back = run - to;
        const double lost = (to - (run - back)) - (from + back);
        add(slope.value() * run);
        add(slope.value() * lost);
    }
    double value() const { return high + low; }
};

// The mean path: at each position the value met first and the one met last.
struct MeanPath {
    std::vector<double> positions, first, last;
};

template <class Count>
MeanPath average_paths(const Paths<Count> &paths, const double *weights, int threads) {
    // 1. The changes of every curve, each in the stretch of its vertices.
    const std::size_t n_vertices = std::size_t(paths.offsets[paths.n_curves]);
    Memory<double> positions(n_vertices);
    Memory<Change> changes(n_vertices);
    std::vector<std::int64_t> n_changes(paths.n_curves + 1, 0);
    const std::size_t per_task = std::max<std::size_t>(1, paths.n_curves * 16384 / (n_vertices + 1));
    const std::size_t n_tasks = (paths.n_curves + per_task - 1) / per_task;
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
        for (std::size_t curve = task * per_task; curve < std::min(paths.n_curves, (task + 1) * per_task);
             ++curve) {
            worker.pulse();
            std::size_t at = std::size_t(paths.offsets[curve]);
            double slope_before = 0;
            const double weight = weights[curve];
            for_each_position(
                paths, curve, [&](double position, double first, double last, double slope, bool is_end) {
                    if (is_end || last != first || slope != slope_before) {
                        positions[at] = position;
                        changes[at++] = {weight * (last - first), weight * slope, weight * slope_before};
                    }
                    slope_before = slope;
                });
            n_changes[curve + 1] = std::int64_t(at) - paths.offsets[curve];
        }
    });
    // 2. Close the gaps, so that they are one column.
    std::size_t total = 0;
    for (std::size_t curve = 0; curve < paths.n_curves; ++curve) {
        const std::size_t from = std::size_t(paths.offsets[curve]), n = std::size_t(n_changes[curve + 1]);
        if (from != total) {
            std::memmove(positions.data() + total, positions.data() + from, n * sizeof(double));
            std::memmove(changes.data() + total, changes.data() + from, n * sizeof(Change));
        }
        total += n;
    }
    // 3. Sort by position.
    Rows rows;
    rows.scores = positions.data();
    rows.size = total;
    rows.flip = 0;  // ascending
    const std::int64_t offsets[2] = {0, std::int64_t(total)};
    Buckets<Change> all(rows, offsets, 1, {changes.data()}, threads);
    struct Stretch {  // of one bucket, starting from value 0 and slope 0
        std::size_t n_distinct = 0;
        double first = 0, last = 0;
        LongSum slope, value;
    };
    std::vector<Stretch> stretches;
    auto walk = [&](const Bucket &bucket, LongSum slope, LongSum value, auto emit) {
        double before = 0;
        for (std::size_t i = bucket.begin; i < bucket.end;) {
            const Key key = *all.keys(i);
            const double position = double_from_ordered(key);
            if (i > bucket.begin) value.add_rise(slope, before, position);
            before = position;
            const double first = value.value();
            for (; i < bucket.end && *all.keys(i) == key; ++i) {
                value.add(all.payloads(i)->jump);
                slope.add(all.payloads(i)->slope_begins);
                slope.add(-all.payloads(i)->slope_ends);
            }
            emit(position, first, value.value(), slope, value);
        }
    };
    all.sort([&](std::size_t n_buckets) { stretches.resize(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) {
                 Stretch &stretch = stretches[b];
                 walk(bucket, {}, {}, [&](double position, double, double, LongSum slope, LongSum value) {
                     if (stretch.n_distinct++ == 0) stretch.first = position;
                     stretch.last = position;
                     stretch.slope = slope;
                     stretch.value = value;
                 });
             });
    // 4. What each bucket starts from; then all of them once more, in place.
    struct Start {
        std::size_t at;
        LongSum slope, value;
    };
    std::vector<Start> starts;
    Start now{0, {}, {}};
    double before = 0;
    for (const Stretch &stretch : stretches) {
        if (stretch.n_distinct) now.value.add_rise(now.slope, before, stretch.first);
        starts.push_back(now);
        if (!stretch.n_distinct) continue;
        now.at += stretch.n_distinct;
        now.value.add_rise(now.slope, stretch.first, stretch.last);
        now.value.add(stretch.value.high);
        now.value.add(stretch.value.low);
        now.slope.add(stretch.slope.high);
        now.slope.add(stretch.slope.low);
        before = stretch.last;
    }
    MeanPath mean;
    mean.positions.resize(now.at);
    mean.first.resize(now.at);
    mean.last.resize(now.at);
    parallel_for(all.buckets.size(), threads, [&](std::size_t b, Worker &) {
        std::size_t at = starts[b].at;
        walk(all.buckets[b], starts[b].slope, starts[b].value,
             [&](double position, double first, double last, const LongSum &, const LongSum &) {
                 mean.positions[at] = position;
                 mean.first[at] = first;
                 mean.last[at++] = last;
             });
    });
    return mean;
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
