// Averaging curves along a direction.
//
// Seen along an angle, a point (fpr, tpr) has the position u = cos fpr + sin tpr and the value v = cos tpr -
// sin fpr. On every curve v is piecewise linear in u, with jumps where the curve runs along the direction
// (angle 0 and rising steps). So is the mean of many curves, between the positions where any of them bends or
// jumps: their union, sorted.
#pragma once

#include "buckets.hpp"

namespace rocsteady {

// Counts of many curves end to end, read as paths from (0, 0) to (1, 1). Mirrored at the anti-diagonal,
// (x, y) -> (1 - y, 1 - x), horizontal becomes vertical without rotating by a rounded right angle.
template <class Count>
struct Paths {
    const Count *true_positives, *false_positives;
    const std::int64_t *offsets;
    std::size_t n_curves;
    double cosine, sine;
    bool mirrored;

    struct Point {
        double x, y;
    };
    class Path {
    public:
        Path(const Paths &paths, std::size_t curve)
            : tp_(paths.true_positives + paths.offsets[curve]),
              fp_(paths.false_positives + paths.offsets[curve]),
              size_(std::size_t(paths.offsets[curve + 1] - paths.offsets[curve])),
              mirrored_(paths.mirrored) {
            if (size_ == 0) return;
            positives_ = tp_[size_ - 1];
            negatives_ = fp_[size_ - 1];
        }
        std::size_t size() const { return size_; }
        // Rates by one division, so that equal shares of different totals are equal numbers.
        Point operator[](std::size_t k) const {
            if (!mirrored_) return {double(fp_[k]) / double(negatives_), double(tp_[k]) / double(positives_)};
            const std::size_t back = size_ - 1 - k;
            return {double(positives_ - tp_[back]) / double(positives_),
                    double(negatives_ - fp_[back]) / double(negatives_)};
        }

    private:
        const Count *tp_, *fp_;
        std::size_t size_;
        bool mirrored_;
        Count positives_ = 0, negatives_ = 0;
    };
    Path operator[](std::size_t curve) const { return Path(*this, curve); }

    double position(Point p) const { return sine == 0 ? p.x : cosine * p.x + sine * p.y; }
    double value(Point p) const { return sine == 0 ? p.y : cosine * p.y - sine * p.x; }
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
    std::size_t k = 0;
    while (k < path.size()) {
        const auto first = path[k];
        const double position = paths.position(first);
        std::size_t last = k;
        while (last + 1 < path.size() && paths.position(path[last + 1]) == position) ++last;
        const double value = paths.value(path[last]);
        double slope = 0;
        if (last + 1 < path.size()) {
            const auto next = path[last + 1];
            slope = (paths.value(next) - value) / (paths.position(next) - position);
        }
        visit(position, paths.value(first), value, slope, k == 0 || last + 1 == path.size());
        k = last + 1;
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

}  // namespace rocsteady
