// Exchanging groups: the mean AUC within groups, and the AUC under one shared threshold, after the rows of
// each class have been dealt to the groups by chance.
//
// The scores are sorted once. A replicate shuffles the group numbers of the positives and of the negatives
// and walks through the sorted rows: per group it counts the positives met so far, so that a negative knows
// how many of its own group beat it, and beside that the share of all positives met so far, every group
// counting once. That is O(rows) for each replicate and needs no matrix of AUCs between groups.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "stream.hpp"

namespace rocsteady {

struct ExchangeRows {
    const std::int64_t *positive_groups, *negative_groups;  // strictest score first
    std::size_t n_positives, n_negatives;
    const std::int64_t *positives_at, *negatives_at;  // rows at each distinct score, strictest first
    std::size_t n_distinct, n_groups;
};

struct ExchangedAucs {
    std::vector<double> own, shared;  // entry 0: the rows as they are
};

// One step of the walk: which row (positives first, then negatives), and how often the positives met so far
// count for it, doubled. 0 is a positive, 2 a negative; a negative tied with positives comes once before and
// once after them, each time with 1.
template <class Step>
Memory<Step> steps_of(const ExchangeRows &rows, std::size_t &n_steps) {
    n_steps = rows.n_positives + rows.n_negatives;
    for (std::size_t k = 0; k < rows.n_distinct; ++k)
        if (rows.positives_at[k] > 0) n_steps += std::size_t(rows.negatives_at[k]);
    Memory<Step> steps(n_steps);
    std::size_t at = 0, positive = 0, negative = rows.n_positives;
    auto add = [&](std::size_t first, std::int64_t n, Step weight) {
        for (std::int64_t i = 0; i < n; ++i) steps[at++] = Step(first + std::size_t(i)) << 2 | weight;
    };
    for (std::size_t k = 0; k < rows.n_distinct; ++k) {
        const std::int64_t n_positives = rows.positives_at[k], n_negatives = rows.negatives_at[k];
        const bool tied = n_positives > 0 && n_negatives > 0;
        add(negative, n_negatives, tied ? 1 : 2);
        add(positive, n_positives, 0);
        if (tied) add(negative, n_negatives, 1);
        positive += std::size_t(n_positives);
        negative += std::size_t(n_negatives);
    }
    return steps;
}

// Shares are summed block by block: one sum over millions of rows would round away five digits.
constexpr std::size_t sum_block = 4096;

// What a walk keeps of each group, side by side because all of it is touched at once.
struct Tally {
    double positive_share, negative_share;  // what one row of the group counts for where groups count alike
    std::int64_t above, wins;               // positives met; twice the pairs won
};

template <class Group, class Step>
class Exchange {
public:
    Exchange(const ExchangeRows &rows, std::uint64_t seed)
        : rows_(rows), seed_(seed), groups_(rows.n_positives + rows.n_negatives) {
        for (std::size_t i = 0; i < rows.n_positives; ++i) groups_[i] = Group(rows.positive_groups[i]);
        for (std::size_t i = 0; i < rows.n_negatives; ++i)
            groups_[rows.n_positives + i] = Group(rows.negative_groups[i]);
        n_positives_.assign(rows.n_groups, 0);
        n_negatives_.assign(rows.n_groups, 0);
        for (std::size_t i = 0; i < rows.n_positives; ++i) ++n_positives_[std::size_t(groups_[i])];
        for (std::size_t i = rows.n_positives; i < size(); ++i) ++n_negatives_[std::size_t(groups_[i])];
        for (std::size_t g = 0; g < rows.n_groups; ++g)
            if (n_positives_[g] == 0 || n_negatives_[g] == 0)
                throw std::invalid_argument("a group lacks a class");
        steps_ = steps_of<Step>(rows, n_steps_);
    }

    ExchangedAucs run(std::size_t n_permutations, int threads) const {
        ExchangedAucs result;
        result.own.resize(n_permutations + 1);
        result.shared.resize(n_permutations + 1);
        parallel_for(n_permutations + 1, threads, [&](std::size_t replicate, Worker &worker) {
            Scratch<Group> dealt(size());
            std::copy(groups_.data(), groups_.data() + size(), dealt.data());
            if (replicate > 0) {
                const std::uint64_t start = stream_start(seed_, replicate);
                shuffle(dealt.data(), rows_.n_positives, start, 0, worker);
                shuffle(dealt.data() + rows_.n_positives, rows_.n_negatives, start, rows_.n_positives,
                        worker);
            }
            walk(dealt.data(), worker, result.own[replicate], result.shared[replicate]);
        });
        return result;
    }

private:
    std::size_t size() const { return rows_.n_positives + rows_.n_negatives; }

    // Fisher and Yates, from the end. Partners are drawn a block ahead, so that their cache lines are on the
    // way before they are needed.
    static void shuffle(Group *groups, std::size_t n, std::uint64_t start, std::uint64_t first,
                        Worker &worker) {
        constexpr std::size_t block = 256;
        std::uint32_t partners[block];
        for (std::size_t left = n; left > 1;) {
            worker.pulse();
            const std::size_t count = std::min(block, left - 1);
            draw_partners(start, first, left, count, partners);
            for (std::size_t k = 0; k < count; ++k) prefetch(groups + partners[k]);
            for (std::size_t k = 0; k < count; ++k) std::swap(groups[left - 1 - k], groups[partners[k]]);
            left -= count;
            first += count;
        }
    }

    void walk(const Group *groups, Worker &worker, double &own, double &shared) const {
        Scratch<Tally> tallies(rows_.n_groups);
        for (std::size_t g = 0; g < rows_.n_groups; ++g)
            tallies[g] = {1.0 / double(n_positives_[g]), 1.0 / double(n_negatives_[g]), 0, 0};
        double met = 0, won = 0;
        for (std::size_t begin = 0; begin < n_steps_; begin += sum_block) {
            worker.pulse();
            const std::size_t end = std::min(n_steps_, begin + sum_block);
            double met_here = 0, won_here = 0;
            for (std::size_t i = begin; i < end; ++i) {  // no branches: the classes come in no order
                const Step step = steps_.data()[i];
                const std::int64_t weight = std::int64_t(step & 3);
                Tally &tally = tallies[std::size_t(groups[step >> 2])];
                const bool is_positive = weight == 0;
                tally.wins += weight * tally.above;
                tally.above += is_positive;
                won_here += double(weight) * tally.negative_share * (met + met_here);
                met_here += is_positive ? tally.positive_share : 0.0;
            }
            met += met_here;
            won += won_here;
        }
        double total = 0;
        for (std::size_t g = 0; g < rows_.n_groups; ++g)
            total += double(tallies[g].wins) / double(2 * n_positives_[g] * n_negatives_[g]);
        const double n_groups = double(rows_.n_groups);
        own = total / n_groups;
        shared = won / (2 * n_groups * n_groups);
    }

    ExchangeRows rows_;
    std::uint64_t seed_;
    Memory<Group> groups_;
    std::vector<std::int64_t> n_positives_, n_negatives_;
    Memory<Step> steps_;
    std::size_t n_steps_ = 0;
};

template <class Group>
ExchangedAucs exchange_groups_as(const ExchangeRows &rows, std::uint64_t seed, std::size_t n_permutations,
                                 int threads) {
    // Half the memory to stream through where the rows can be numbered in 30 bits.
    if (rows.n_positives + rows.n_negatives < std::size_t(1) << 30)
        return Exchange<Group, std::uint32_t>(rows, seed).run(n_permutations, threads);
    return Exchange<Group, std::uint64_t>(rows, seed).run(n_permutations, threads);
}

inline ExchangedAucs exchange_groups(const ExchangeRows &rows, std::uint64_t seed, std::size_t n_permutations,
                                     int threads) {
    if (rows.n_groups <= std::size_t(1) << 16)
        return exchange_groups_as<std::uint16_t>(rows, seed, n_permutations, threads);
    return exchange_groups_as<std::uint32_t>(rows, seed, n_permutations, threads);
}

}  // namespace rocsteady
