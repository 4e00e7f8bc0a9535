// Cases, or whole groups, drawn with replacement, and what is read off the resampled curves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "stream.hpp"

namespace rocsteady {

// Cases drawn with replacement within their group and class.

// The cases of one class, group after group.
struct Cases {
    const std::int64_t *ranks, *offsets;
    const double *weights;  // or null

    std::size_t size(std::size_t group) const { return std::size_t(offsets[group + 1] - offsets[group]); }
};

struct CaseDraws {
    Cases classes[2];  // positives, negatives
    std::size_t n_groups;
    const double *group_weights;
    bool shared;  // one curve through the cases of all groups
    std::uint64_t seed;
    std::size_t n_resamples;

    std::size_t n_rows() const {
        return std::size_t(classes[0].offsets[n_groups] + classes[1].offsets[n_groups]);
    }
    std::size_t n_curves() const { return shared ? 1 : n_groups; }
    std::size_t first_group(std::size_t curve) const { return shared ? curve * n_groups : curve; }
    std::size_t n_cases(std::size_t c, std::size_t curve) const {
        const std::int64_t *offsets = classes[c].offsets;
        return std::size_t(offsets[first_group(curve + 1)] - offsets[first_group(curve)]);
    }
    // visit(case, rank) for the cases of one class of a curve.
    template <class Visit>
    void each_case(std::size_t c, std::size_t curve, Visit visit) const {
        const std::int64_t *offsets = classes[c].offsets;
        for (std::int64_t i = offsets[first_group(curve)]; i < offsets[first_group(curve + 1)]; ++i)
            visit(std::size_t(i), std::size_t(classes[c].ranks[i]));
    }
    // One more than the highest rank of a curve.
    std::size_t n_ranks(std::size_t curve) const {
        std::size_t most = 0;
        for (std::size_t c = 0; c < 2; ++c)
            each_case(c, curve, [&](std::size_t, std::size_t rank) { most = std::max(most, rank + 1); });
        return most;
    }
};

// Calls take(begin, indices, n) for blocks of draws of one class of one curve: cases begin + indices[i].
template <class Take>
void draw_cases(const CaseDraws &draws, std::size_t c, std::size_t curve, std::uint64_t start, Worker &worker,
                Take take) {
    constexpr std::size_t block = 1024;
    std::uint32_t indices[block];
    for (std::size_t g = draws.first_group(curve); g < draws.first_group(curve + 1); ++g) {
        const std::uint64_t own = substream_start(start, 2 * g + c);
        const std::size_t n = draws.classes[c].size(g), begin = std::size_t(draws.classes[c].offsets[g]);
        for (std::size_t first = 0; first < n; first += block) {
            const std::size_t m = std::min(block, n - first);
            draw_indices(own, first, n, m, indices);
            take(begin, indices, m);
            if (m == block) worker.pulse();
        }
    }
}

// The ranks that a class has on a curve are its slots. The place of a slot is twice the number of slots of
// the other class that are stricter, plus one if it ties with the next. Index numbers places.
template <class Index>
class Slots {
public:
    explicit Slots(const CaseDraws &draws) {
        for (std::size_t c = 0; c < 2; ++c)
            of_case[c] = Memory<Index>(std::size_t(draws.classes[c].offsets[draws.n_groups]));
        for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) {
            std::vector<std::size_t> before[2];  // slots of ranks stricter than each
            for (std::size_t c = 0; c < 2; ++c) number(draws, c, curve, before[c]);
            for (std::size_t c = 0; c < 2; ++c) {
                first[c].push_back(places[c].size());
                for (std::size_t rank = 0; rank + 1 < before[c].size(); ++rank)
                    if (before[c][rank] < before[c][rank + 1])
                        places[c].push_back(Index(before[1 - c][rank] + before[1 - c][rank + 1]));
                most = std::max(most, places[c].size() - first[c].back());
            }
        }
        for (std::size_t c = 0; c < 2; ++c) first[c].push_back(places[c].size());
    }

    std::size_t size(std::size_t c, std::size_t curve) const { return first[c][curve + 1] - first[c][curve]; }
    const Index *places_of(std::size_t c, std::size_t curve) const {
        return places[c].data() + first[c][curve];
    }

    Memory<Index> of_case[2];
    std::vector<Index> places[2];       // of the slots, curve after curve
    std::vector<std::size_t> first[2];  // slot of each curve
    std::size_t most = 0;               // slots of a class on a curve

private:
    void number(const CaseDraws &draws, std::size_t c, std::size_t curve, std::vector<std::size_t> &before) {
        before.assign(draws.n_ranks(curve) + 1, 0);
        draws.each_case(c, curve, [&](std::size_t, std::size_t rank) { before[rank + 1] = 1; });
        for (std::size_t rank = 1; rank < before.size(); ++rank) before[rank] += before[rank - 1];
        draws.each_case(c, curve,
                        [&](std::size_t i, std::size_t rank) { of_case[c][i] = Index(before[rank]); });
    }
};

// What is read off a resampled curve; _kernels/resample.py lists the kinds.
//
// A Path knows its vertices: beyond_x(at) and beyond_y(at) give the first vertex beyond a rate and the one
// before it, reaching_y(at) the first vertex at or beyond it, frozen(column) one that was asked for, last()
// the end.

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

// Cases drawn with replacement, and what the resampled curves give.
//
// The scores were sorted once, into ranks; a resample only counts how often each was drawn and adds up. The
// AUC alone needs less: one class is counted, and every drawn case of the other looks up how many of those it
// meets.

// AUCs alone: the rarer class is counted.
template <class Index>
class CaseAucs {
public:
    CaseAucs(const CaseDraws &draws, const Readings &readings)
        : draws_(draws), n_readings_(readings.n), slots_(draws) {
        // Only the places of the cases that are not counted will be asked for.
        for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) {
            const std::size_t other = 1 - counted(curve);
            const Index *places = slots_.places_of(other, curve);
            draws.each_case(other, curve, [&](std::size_t i, std::size_t) {
                slots_.of_case[other][i] = places[slots_.of_case[other][i]];
            });
        }
    }

    struct Room {
        Scratch<Index> counts, met;
        explicit Room(const CaseAucs &of) : counts(of.slots_.most), met(2 * of.slots_.most + 1) {}
    };

    template <class Visit>
    void read(std::size_t curve, std::uint64_t start, Room &room, Worker &worker, Visit visit) const {
        const std::size_t own = counted(curve), n_slots = slots_.size(own, curve);
        Index *counts = room.counts.data(), *met = room.met.data();
        std::memset(static_cast<void *>(counts), 0, n_slots * sizeof(Index));
        draw_cases(draws_, own, curve, start, worker,
                   [&](std::size_t begin, const std::uint32_t *indices, std::size_t n) {
                       const Index *slots = slots_.of_case[own].data() + begin;
                       for (std::size_t i = 0; i < n; ++i) ++counts[slots[indices[i]]];
                   });
        Index before = 0;  // met[place]: twice the counted cases that are stricter, ties half
        for (std::size_t slot = 0; slot < n_slots; ++slot) {
            const Index after = Index(before + counts[slot]);
            met[2 * slot] = Index(2 * before);
            met[2 * slot + 1] = Index(before + after);
            before = after;
        }
        met[2 * n_slots] = Index(2 * before);
        std::uint64_t sum = 0;
        draw_cases(draws_, 1 - own, curve, start, worker,
                   [&](std::size_t begin, const std::uint32_t *indices, std::size_t n) {
                       const Index *places = slots_.of_case[1 - own].data() + begin;
                       for (std::size_t i = 0; i < n; ++i) sum += met[places[indices[i]]];
                   });
        const std::uint64_t n_positives = draws_.n_cases(0, curve), n_negatives = draws_.n_cases(1, curve);
        const std::uint64_t wins = own == 0 ? sum : 2 * n_positives * n_negatives - sum;
        const double area = double(wins) / (double(n_positives) * double(n_negatives));
        for (std::size_t k = 0; k < n_readings_; ++k) visit(k, area / 2);
    }

private:
    std::size_t counted(std::size_t curve) const {
        return draws_.n_cases(0, curve) <= draws_.n_cases(1, curve) ? 0 : 1;
    }

    const CaseDraws &draws_;
    std::size_t n_readings_;
    Slots<Index> slots_;
};

// A curve of counts. Only where a case was drawn is there a vertex to look for, so each class keeps the
// counts before and after its own slots: [slot] and [slot + 1].
template <class Index>
struct CountedPath {
    const Index *counts[2], *places[2];
    std::size_t n_slots[2];
    const std::uint64_t *wins;  // twice the area before each slot of the negatives, or null
    std::uint64_t all_wins;
    const std::size_t *frozen_slots[2];  // slots before each frozen vertex

    Vertex last() const { return {1.0, 1.0, double(all_wins) / (total(0) * total(1))}; }
    Vertex frozen(std::size_t column) const {
        return vertex(frozen_slots[0][column], frozen_slots[1][column]);
    }
    Segment beyond_x(double at) const { return around(1, first_beyond(1, at)); }
    Segment beyond_y(double at) const { return around(0, first_beyond(0, at)); }
    Segment reaching_y(double at) const {
        if (at <= 0) return {vertex(0, 0), vertex(0, 0)};
        // The fewest positives whose rate is not below `at`.
        double count = std::ceil(at * total(0));
        while ((count - 1) / total(0) >= at) --count;
        while (count / total(0) < at) ++count;
        return around(0, first_above(0, Index(count - 1)));
    }

private:
    double total(std::size_t c) const { return double(counts[c][n_slots[c]]); }
    Vertex vertex(std::size_t positive_slots, std::size_t negative_slots) const {
        return {double(counts[1][negative_slots]) / total(1), double(counts[0][positive_slots]) / total(0),
                wins ? double(wins[negative_slots]) / (total(0) * total(1)) : 0.0};
    }
    // From the vertex before a slot of a class to the one after it.
    Segment around(std::size_t c, std::size_t slot) const {
        if (slot == n_slots[c]) return {last(), last()};
        const std::size_t place = places[c][slot], low = place / 2, high = (place + 1) / 2;
        if (c == 0) return {vertex(slot, low), vertex(slot + 1, high)};
        return {vertex(low, slot), vertex(high, slot + 1)};
    }
    // The slot with the first case whose rate is beyond `at`.
    std::size_t first_beyond(std::size_t c, double at) const {
        double count = std::floor(at * total(c));  // the most cases whose rate is not
        while ((count + 1) / total(c) <= at) ++count;
        while (count / total(c) > at) --count;
        return first_above(c, Index(count));
    }
    std::size_t first_above(std::size_t c, Index count) const {
        const Index *after = counts[c] + 1;
        return first_reached(0, n_slots[c], [=](std::size_t slot) { return after[slot] > count; });
    }
};

// Whole curves of counts.
template <class Index>
class CaseCurves {
public:
    CaseCurves(const CaseDraws &draws, const Readings &readings)
        : draws_(draws),
          readings_(readings),
          slots_(draws),
          has_auc_(readings.has_auc()),
          has_partial_areas_(readings.has_partial_areas()) {
        for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) freeze(curve);
    }

    struct Room {
        Scratch<Index> counts[2];
        Scratch<std::uint64_t> wins;
        explicit Room(const CaseCurves &of) : wins(of.slots_.most + 1) {
            for (auto &own : counts) own = Scratch<Index>(of.slots_.most + 1);
        }
    };

    template <class Visit>
    void read(std::size_t curve, std::uint64_t start, Room &room, Worker &worker, Visit visit) const {
        CountedPath<Index> path;
        for (std::size_t c = 0; c < 2; ++c) {
            path.n_slots[c] = slots_.size(c, curve);
            path.places[c] = slots_.places_of(c, curve);
            path.counts[c] = count(c, curve, start, room.counts[c].data(), worker);
            path.frozen_slots[c] = frozen_[c].data() + curve * readings_.n_frozen;
        }
        path.all_wins = add_wins(path, room.wins.data());
        path.wins = has_partial_areas_ ? room.wins.data() : nullptr;
        read_all(path, readings_, visit);
    }

private:
    const Index *count(std::size_t c, std::size_t curve, std::uint64_t start, Index *counts,
                       Worker &worker) const {
        const std::size_t n_slots = slots_.size(c, curve);
        std::memset(static_cast<void *>(counts), 0, (n_slots + 1) * sizeof(Index));
        draw_cases(draws_, c, curve, start, worker,
                   [&](std::size_t begin, const std::uint32_t *indices, std::size_t n) {
                       const Index *slots = slots_.of_case[c].data() + begin;
                       for (std::size_t i = 0; i < n; ++i) ++counts[1 + slots[indices[i]]];
                   });
        Index sum = 0;
        for (std::size_t slot = 1; slot <= n_slots; ++slot) counts[slot] = sum = Index(sum + counts[slot]);
        return counts;
    }

    // Twice the wins of all positives over the negatives of each slot and those before it.
    std::uint64_t add_wins(const CountedPath<Index> &path, std::uint64_t *wins) const {
        const Index *fp = path.counts[1], *tp = path.counts[0], *places = path.places[1];
        std::uint64_t sum = 0;
        auto won = [&](std::size_t slot) {
            const std::size_t place = places[slot];
            return std::uint64_t(fp[slot + 1] - fp[slot]) *
                   (std::uint64_t(tp[place / 2]) + tp[(place + 1) / 2]);
        };
        if (!has_partial_areas_) {
            if (has_auc_)
                for (std::size_t slot = 0; slot < path.n_slots[1]; ++slot) sum += won(slot);
            return sum;
        }
        wins[0] = 0;
        for (std::size_t slot = 0; slot < path.n_slots[1]; ++slot) wins[slot + 1] = sum += won(slot);
        return sum;
    }

    void freeze(std::size_t curve) {
        for (std::size_t c = 0; c < 2; ++c) {
            std::vector<bool> taken(draws_.n_ranks(curve) + 1, false);
            draws_.each_case(c, curve, [&](std::size_t, std::size_t rank) { taken[rank] = true; });
            for (std::size_t k = 0; k < readings_.n_frozen; ++k) {
                const std::int64_t vertex = readings_.frozen[curve * readings_.n_frozen + k];
                frozen_[c].push_back(std::size_t(std::count(taken.begin(), taken.begin() + vertex, true)));
            }
        }
    }

    const CaseDraws &draws_;
    const Readings &readings_;
    Slots<Index> slots_;
    bool has_auc_, has_partial_areas_;
    std::vector<std::size_t> frozen_[2];
};

// A curve of weights: all its vertices.
struct WeighedPath {
    const double *x, *y, *area;
    std::size_t n_ranks;
    const std::int64_t *frozen_vertices;

    Vertex last() const { return vertex(n_ranks); }
    Vertex frozen(std::size_t column) const { return vertex(std::size_t(frozen_vertices[column])); }
    Segment beyond_x(double at) const {
        return ending(first_reached(0, n_ranks + 1, [&](std::size_t k) { return x[k] > at; }));
    }
    Segment beyond_y(double at) const {
        return ending(first_reached(0, n_ranks + 1, [&](std::size_t k) { return y[k] > at; }));
    }
    Segment reaching_y(double at) const {
        return ending(first_reached(0, n_ranks + 1, [&](std::size_t k) { return y[k] >= at; }));
    }

private:
    Vertex vertex(std::size_t k) const { return {x[k], y[k], area[k]}; }
    Segment ending(std::size_t after) const {
        if (after > n_ranks) return {last(), last()};
        return {vertex(after > 0 ? after - 1 : 0), vertex(after)};
    }
};

// Whole curves of weights.
class WeighedCurves {
public:
    WeighedCurves(const CaseDraws &draws, const Readings &readings) : draws_(draws), readings_(readings) {
        for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) {
            n_ranks_.push_back(draws.n_ranks(curve));
            most_ranks_ = std::max(most_ranks_, n_ranks_.back());
        }
    }

    struct Room {
        Scratch<double> rates[2], areas;
        explicit Room(const WeighedCurves &of) : areas(of.most_ranks_ + 1) {
            for (auto &own : rates) own = Scratch<double>(of.most_ranks_ + 1);
        }
    };

    template <class Visit>
    void read(std::size_t curve, std::uint64_t start, Room &room, Worker &worker, Visit visit) const {
        const std::size_t n = n_ranks_[curve];
        for (std::size_t c = 0; c < 2; ++c) {
            double *rates = room.rates[c].data();
            std::fill(rates, rates + n + 1, 0.0);
            draw_cases(draws_, c, curve, start, worker,
                       [&](std::size_t begin, const std::uint32_t *indices, std::size_t m) {
                           const std::int64_t *ranks = draws_.classes[c].ranks + begin;
                           const double *weights = draws_.classes[c].weights + begin;
                           for (std::size_t i = 0; i < m; ++i)
                               rates[1 + ranks[indices[i]]] += weights[indices[i]];
                       });
            for (std::size_t k = 1; k <= n; ++k) rates[k] += rates[k - 1];
            const double total = rates[n];
            for (std::size_t k = 1; k <= n; ++k) rates[k] /= total;
        }
        const double *y = room.rates[0].data(), *x = room.rates[1].data();
        double *areas = room.areas.data();
        areas[0] = 0;
        for (std::size_t k = 1; k <= n; ++k) areas[k] = areas[k - 1] + (x[k] - x[k - 1]) * (y[k] + y[k - 1]);
        const std::int64_t *frozen = readings_.frozen + curve * readings_.n_frozen;
        read_all(WeighedPath{x, y, areas, n, frozen}, readings_, visit);
    }

private:
    const CaseDraws &draws_;
    const Readings &readings_;
    std::vector<std::size_t> n_ranks_;
    std::size_t most_ranks_ = 0;
};

// Reads all resamples and takes the weighted means over the curves.
template <class Reader>
void run_case_draws(const CaseDraws &draws, const Readings &readings, int threads, Report &report,
                    double *out) {
    const Reader reader(draws, readings);
    auto weight = [&](std::size_t curve) { return draws.shared ? 1.0 : draws.group_weights[curve]; };
    double total_weight = 0;
    for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) total_weight += weight(curve);
    constexpr std::size_t task_draws = std::size_t(1) << 17;  // a fraction of a millisecond
    const std::size_t per_task = std::max<std::size_t>(1, task_draws / draws.n_rows());
    const std::size_t n_tasks = (draws.n_resamples + per_task - 1) / per_task;
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
        typename Reader::Room room(reader);
        const std::size_t end = std::min(draws.n_resamples, (task + 1) * per_task);
        for (std::size_t replicate = task * per_task; replicate < end; ++replicate) {
            const std::uint64_t start = stream_start(draws.seed, replicate);
            double *values = out + replicate * readings.n;
            std::fill(values, values + readings.n, 0.0);
            for (std::size_t curve = 0; curve < draws.n_curves(); ++curve)
                reader.read(curve, start, room, worker,
                            [&](std::size_t k, double value) { values[k] += weight(curve) * value; });
            for (std::size_t k = 0; k < readings.n; ++k) values[k] /= total_weight;
            worker.pulse();
            report.add(1, worker);
        }
    });
    report.finish();
}

// out: (n_resamples, readings).
inline void resample_cases(const CaseDraws &draws, const Readings &readings, int threads, Report &report,
                           double *out) {
    std::size_t most = 0;
    for (std::size_t curve = 0; curve < draws.n_curves(); ++curve) {
        for (std::size_t c = 0; c < 2; ++c) {
            if (draws.n_cases(c, curve) == 0) throw std::invalid_argument("a curve lacks a class");
            most = std::max(most, draws.n_cases(c, curve));
        }
    }
    if (draws.classes[0].weights) return run_case_draws<WeighedCurves>(draws, readings, threads, report, out);
    auto run = [&](auto index) {
        using Index = decltype(index);
        if (readings.auc_only())
            run_case_draws<CaseAucs<Index>>(draws, readings, threads, report, out);
        else
            run_case_draws<CaseCurves<Index>>(draws, readings, threads, report, out);
    };
    // Half the memory to look up in where twice the cases can be numbered in 16 bits.
    most < std::size_t(1) << 15 ? run(std::uint16_t()) : run(std::uint32_t());
}

// Whole groups drawn with replacement, and what the one curve through all their cases gives.
//
// The cases are sorted once, strictest first. A resample is a walk through them in which every case counts as
// often as its group was drawn; resamples are walked in batches, side by side, because each case then costs
// one lookup for all of them. Rates are looked up afterwards: the walk leaves marks, and only the stretch
// between two marks in which a wanted rate lies is walked again.

struct GroupDraws {
    Cases classes[2];  // positives, negatives; ranked over all groups
    std::size_t n_groups;
    const double *shares[2];  // of each group: what one of its cases counts for
    std::uint64_t seed;
    std::size_t n_resamples;
};

// One case of the walk: 4 * (2 * group + class), plus 1 if other cases have the same score, plus 2 if it is
// the last of those.
using WalkStep = std::uint32_t;
constexpr WalkStep tied_step = 1, last_tied_step = 2;

inline bool ends_vertex(WalkStep step) { return (step & 3) != tied_step; }
inline std::size_t table_row(WalkStep step) { return step >> 2; }
inline bool is_negative(WalkStep step) { return step & 4; }

// Resamples side by side. With fewer the compilers unroll the loops and no longer use wide registers well.
constexpr std::size_t lanes = 32;
using Lanes = double[lanes];

// What a walk has met so far, and twice the area so far; not yet divided by the totals.
struct LanesMet {
    Lanes tp, fp, wins;
};

// Walks over steps that do not end within a score. The table has a row of lanes per group and class; values
// are what the cases count for, where that is not in the table.
template <bool HasValues>
ROCSTEADY_INLINE void walk_lanes(const WalkStep *steps, const double *values, std::size_t n,
                                 const double *table, LanesMet &met) {
    Lanes tp, fp, wins, tp_before, fp_before;
    for (std::size_t l = 0; l < lanes; ++l) tp[l] = met.tp[l], fp[l] = met.fp[l], wins[l] = met.wins[l];
    // Rows of a large table lie far apart: ask for them early.
    auto fetch = [&](std::size_t i) {
        const double *drawn = table + table_row(steps[std::min(i + 8, n - 1)]) * lanes;
        for (std::size_t l = 0; l < lanes; l += 8) prefetch_to_read(drawn + l);
    };
    auto add = [&](std::size_t i, Lanes &to) {
        const double *drawn = table + table_row(steps[i]) * lanes;
        for (std::size_t l = 0; l < lanes; ++l) to[l] += HasValues ? drawn[l] * values[i] : drawn[l];
    };
    for (std::size_t i = 0; i < n; ++i) {
        fetch(i);
        if (!(steps[i] & tied_step)) {
            if (!is_negative(steps[i])) {
                add(i, tp);
                continue;
            }
            const double *drawn = table + table_row(steps[i]) * lanes;
            for (std::size_t l = 0; l < lanes; ++l) {
                const double after = fp[l] + (HasValues ? drawn[l] * values[i] : drawn[l]);
                wins[l] += (after - fp[l]) * (tp[l] + tp[l]);
                fp[l] = after;
            }
            continue;
        }
        for (std::size_t l = 0; l < lanes; ++l) tp_before[l] = tp[l], fp_before[l] = fp[l];
        for (;; ++i) {
            add(i, is_negative(steps[i]) ? fp : tp);
            if (steps[i] & last_tied_step) break;
        }
        for (std::size_t l = 0; l < lanes; ++l) wins[l] += (fp[l] - fp_before[l]) * (tp[l] + tp_before[l]);
    }
    for (std::size_t l = 0; l < lanes; ++l) met.tp[l] = tp[l], met.fp[l] = fp[l], met.wins[l] = wins[l];
}
ROCSTEADY_CLONES static void walk_counts(const WalkStep *steps, std::size_t n, const double *table,
                                         LanesMet &met) {
    walk_lanes<false>(steps, nullptr, n, table, met);
}
ROCSTEADY_CLONES static void walk_values(const WalkStep *steps, const double *values, std::size_t n,
                                         const double *table, LanesMet &met) {
    walk_lanes<true>(steps, values, n, table, met);
}

class GroupResampler {
public:
    GroupResampler(const GroupDraws &draws, const Readings &readings) : draws_(draws), readings_(readings) {
        std::atomic<bool> cancelled{false};
        Worker worker(cancelled, true);
        sort_rows(worker);
        for (std::size_t c = 0; c < 2; ++c) {
            totals_[c].assign(draws.n_groups, 0.0);
            bool any = false;
            for (std::size_t g = 0; g < draws.n_groups; ++g) {
                if (g % pulse_groups == 0) worker.pulse();
                for (std::int64_t i = draws.classes[c].offsets[g]; i < draws.classes[c].offsets[g + 1]; ++i)
                    totals_[c][g] += value_of(c, g, i);
                // A draw would never have a weight, and another would be tried for ever.
                if (!std::isfinite(totals_[c][g])) throw std::invalid_argument("a weight is not finite");
                any |= totals_[c][g] > 0;
            }
            if (!any) throw std::invalid_argument("a class has no weight");
        }
    }

    std::size_t n_vertices() const { return n_vertices_; }

    std::size_t run(int threads, Report &report, double *out) const {
        const std::size_t n_batches = (draws_.n_resamples + lanes - 1) / lanes;
        std::atomic<std::size_t> n_redrawn{0};
        parallel_for(n_batches, threads, [&](std::size_t batch, Worker &worker) {
            const std::size_t first = batch * lanes, n = std::min(lanes, draws_.n_resamples - first);
            Scratch<double> table(2 * draws_.n_groups * lanes);
            n_redrawn += fill(table.data(), first, n, worker);
            Scratch<LanesMet> marks(blocks_.size());
            walk(table.data(), marks.data(), worker);
            for (std::size_t lane = 0; lane < n; ++lane) {
                const Path path(*this, table.data(), marks.data(), lane);
                double *values = out + (first + lane) * readings_.n;
                read_all(path, readings_, [&](std::size_t k, double value) { values[k] = value; });
                worker.pulse();
            }
            report.add(n, worker);
        });
        report.finish();
        return n_redrawn;
    }

private:
    // Steps between two marks; the first begins at the origin.
    struct Block {
        std::size_t first_step, first_vertex;  // the vertex before its steps
    };
    static constexpr std::size_t block_steps = 512;
    static constexpr std::size_t pulse_groups =
        1024;  // a loop over groups asks after so many if it should stop

    double value_of(std::size_t c, std::size_t group, std::int64_t row) const {
        const double *weights = draws_.classes[c].weights;
        return weights ? weights[row] * draws_.shares[c][group] : draws_.shares[c][group];
    }
    bool has_values() const { return draws_.classes[0].weights != nullptr; }

    // By counting: ranks are dense. Positives come before negatives of the same score.
    void sort_rows(Worker &worker) {
        std::int64_t n_ranks = 0;
        std::size_t n_rows = 0;
        for (const Cases &cases : draws_.classes) {
            const std::size_t n = std::size_t(cases.offsets[draws_.n_groups]);
            for (std::size_t i = 0; i < n; ++i) n_ranks = std::max(n_ranks, cases.ranks[i] + 1);
            n_rows += n;
        }
        if (std::size_t(n_ranks) > n_rows) throw std::invalid_argument("a rank has no case");
        std::vector<std::size_t> to(2 * std::size_t(n_ranks) + 1, 0);  // [2 * rank + class + 1]
        for (std::size_t c = 0; c < 2; ++c)
            for (std::int64_t i = 0; i < draws_.classes[c].offsets[draws_.n_groups]; ++i)
                ++to[2 * std::size_t(draws_.classes[c].ranks[i]) + c + 1];
        for (std::size_t k = 1; k < to.size(); ++k) to[k] += to[k - 1];
        n_steps_ = n_rows;
        steps_ = Memory<WalkStep>(n_rows);
        if (has_values()) values_ = Memory<double>(n_rows);
        std::vector<std::size_t> ends;  // where each rank ends
        for (std::size_t rank = 0; rank < std::size_t(n_ranks); ++rank) ends.push_back(to[2 * rank + 2]);
        for (std::size_t c = 0; c < 2; ++c) {
            const Cases &cases = draws_.classes[c];
            for (std::size_t g = 0; g < draws_.n_groups; ++g) {
                if (g % pulse_groups == 0) worker.pulse();
                for (std::int64_t i = cases.offsets[g]; i < cases.offsets[g + 1]; ++i) {
                    const std::size_t at = to[2 * std::size_t(cases.ranks[i]) + c]++;
                    steps_[at] = WalkStep(2 * g + c) << 2;
                    if (has_values()) values_[at] = value_of(c, g, i);
                }
            }
        }
        std::size_t begin = 0;
        for (std::size_t rank = 0; rank < ends.size(); ++rank) {
            if (ends[rank] == begin) throw std::invalid_argument("a rank has no case");
            if (ends[rank] - begin > 1) {
                for (std::size_t i = begin; i < ends[rank]; ++i) steps_[i] |= tied_step;
                steps_[ends[rank] - 1] |= last_tied_step;
            }
            if (blocks_.empty() || begin - blocks_.back().first_step >= block_steps)
                blocks_.push_back({begin, rank});
            begin = ends[rank];
        }
        n_vertices_ = ends.size() + 1;
    }

    // How often every group is drawn in every lane, times what a case counts for; scaled by powers of two,
    // which round nothing, so that sums and products stay within the range of floats.
    std::size_t fill(double *table, std::size_t first, std::size_t n_lanes, Worker &worker) const {
        const std::size_t n = draws_.n_groups;
        Scratch<std::uint32_t> counts(n * lanes);  // lane by lane: draws go everywhere
        double scales[2][lanes] = {};
        std::size_t n_redrawn = 0;
        std::fill(counts.data(), counts.data() + n * lanes, 0);
        for (std::size_t lane = 0; lane < n_lanes; ++lane)
            n_redrawn +=
                draw(first + lane, counts.data() + n * lane, scales[0][lane], scales[1][lane], worker);
        for (std::size_t g = 0; g < n; ++g) {
            if (g % pulse_groups == 0) worker.pulse();
            for (std::size_t c = 0; c < 2; ++c) {
                double *row = table + (2 * g + c) * lanes;
                const double share = has_values() ? 1.0 : draws_.shares[c][g];
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    row[lane] = double(counts[n * lane + g]) * scales[c][lane] * share;
            }
        }
        return n_redrawn;
    }

    // Counts the groups of one resample and returns how many draws were thrown away.
    std::size_t draw(std::size_t replicate, std::uint32_t *counts, double &positive_scale,
                     double &negative_scale, Worker &worker) const {
        const std::size_t n = draws_.n_groups;
        const std::uint64_t start = stream_start(draws_.seed, replicate);
        for (std::size_t tries = 0;; ++tries) {
            std::fill(counts, counts + n, 0);
            constexpr std::size_t block = 1024;
            std::uint32_t drawn[block];
            for (std::size_t begin = 0; begin < n; begin += block) {
                worker.pulse();
                const std::size_t m = std::min(block, n - begin);
                draw_indices(start, tries * n + begin, n, m, drawn);
                for (std::size_t i = 0; i < m; ++i) ++counts[drawn[i]];
            }
            double totals[2] = {0, 0};
            for (std::size_t g = 0; g < n; ++g)
                for (std::size_t c = 0; c < 2; ++c) totals[c] += double(counts[g]) * totals_[c][g];
            if (!(totals[0] > 0 && totals[1] > 0)) continue;
            positive_scale = power_below(totals[0]);
            negative_scale = power_below(totals[1]);
            return tries;
        }
    }

    // The power of two that makes a number about 1.
    static double power_below(double x) {
        int exponent;
        std::frexp(x, &exponent);
        return std::ldexp(1.0, -std::min(std::max(exponent, -1000), 1000));
    }

    // marks[b]: what was met up to the end of block b.
    void walk(const double *table, LanesMet *marks, Worker &worker) const {
        LanesMet met{};
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const std::size_t begin = blocks_[b].first_step, n = end_of(b) - begin;
            if (has_values())
                walk_values(steps_.data() + begin, values_.data() + begin, n, table, met);
            else
                walk_counts(steps_.data() + begin, n, table, met);
            marks[b] = met;
            worker.pulse();
        }
    }
    std::size_t end_of(std::size_t b) const {
        return b + 1 < blocks_.size() ? blocks_[b + 1].first_step : n_steps_;
    }

    // The curve of one lane. Keeps the block that it walked last: rates are mostly asked for in order.
    class Path {
    public:
        Path(const GroupResampler &of, const double *table, const LanesMet *marks, std::size_t lane)
            : of_(of), table_(table), marks_(marks), lane_(lane) {
            const LanesMet &end = marks[of.blocks_.size() - 1];
            n_positives_ = end.tp[lane];
            n_negatives_ = end.fp[lane];
        }

        Vertex last() const { return scaled(raw_mark(of_.blocks_.size())); }
        Vertex frozen(std::size_t column) const {
            const std::size_t k = std::size_t(of_.readings_.frozen[column]);
            const auto &blocks = of_.blocks_;
            // The block that holds vertex k as the end of one of its steps, or the origin.
            const std::size_t b =
                first_reached(0, blocks.size(), [&](std::size_t i) { return blocks[i].first_vertex >= k; });
            if (b == 0) return scaled({0, 0, 0});
            walk_again(b - 1);
            return scaled(raw_[k - blocks[b - 1].first_vertex]);
        }
        Segment beyond_x(double at) const {
            return ending([=](const Vertex &v) { return v.x / n_negatives_ > at; });
        }
        Segment beyond_y(double at) const {
            return ending([=](const Vertex &v) { return v.y / n_positives_ > at; });
        }
        Segment reaching_y(double at) const {
            return ending([=](const Vertex &v) { return v.y / n_positives_ >= at; });
        }

    private:
        // What was met before block b, in the place of the rates.
        Vertex raw_mark(std::size_t b) const {
            if (b == 0) return {0, 0, 0};
            const LanesMet &met = marks_[b - 1];
            return {met.fp[lane_], met.tp[lane_], met.wins[lane_]};
        }
        Vertex scaled(const Vertex &raw) const {
            return {raw.x / n_negatives_, raw.y / n_positives_, raw.area / (n_positives_ * n_negatives_)};
        }

        // The first vertex for which reached(raw vertex), and the one before it.
        template <class Reached>
        Segment ending(Reached reached) const {
            const std::size_t n_blocks = of_.blocks_.size();
            if (reached(raw_mark(0))) return {scaled({0, 0, 0}), scaled({0, 0, 0})};
            const std::size_t b =
                first_reached(0, n_blocks, [&](std::size_t i) { return reached(raw_mark(i + 1)); });
            if (b == n_blocks) return {last(), last()};
            walk_again(b);
            // The block has it by its mark; the bound only keeps what is no number from leading outside.
            const std::size_t k =
                std::min(first_reached(1, raw_.size(), [&](std::size_t i) { return reached(raw_[i]); }),
                         raw_.size() - 1);
            return {scaled(raw_[k - 1]), scaled(raw_[k])};
        }

        void walk_again(std::size_t b) const {
            if (b == walked_) return;
            walked_ = b;
            raw_.clear();
            raw_.push_back(raw_mark(b));
            double tp = raw_[0].y, fp = raw_[0].x;
            for (std::size_t i = of_.blocks_[b].first_step; i < of_.end_of(b); ++i) {
                const WalkStep step = of_.steps_.data()[i];
                double drawn = table_[table_row(step) * lanes + lane_];
                if (of_.has_values()) drawn *= of_.values_.data()[i];
                (is_negative(step) ? fp : tp) += drawn;
                if (!ends_vertex(step)) continue;
                const Vertex before = raw_.back();
                raw_.push_back({fp, tp, before.area + (fp - before.x) * (tp + before.y)});
            }
        }

        const GroupResampler &of_;
        const double *table_;
        const LanesMet *marks_;
        std::size_t lane_;
        double n_positives_, n_negatives_;
        mutable std::size_t walked_ = std::size_t(-1);
        mutable std::vector<Vertex> raw_;
    };

    GroupDraws draws_;
    const Readings &readings_;
    std::vector<double> totals_[2];
    Memory<WalkStep> steps_;
    Memory<double> values_;
    std::size_t n_steps_ = 0, n_vertices_ = 0;
    std::vector<Block> blocks_;
};

}  // namespace rocsteady
