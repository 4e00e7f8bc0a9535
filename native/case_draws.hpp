// Cases drawn with replacement within their group and class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "memory.hpp"
#include "parallel.hpp"
#include "stream.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
