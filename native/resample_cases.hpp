// Cases drawn with replacement, and what the resampled curves give.
//
// The scores were sorted once, into ranks; a resample only counts how often each was drawn and adds up. The
// AUC alone needs less: one class is counted, and every drawn case of the other looks up how many of those it
// meets.
#pragma once

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "case_draws.hpp"
#include "readings.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
