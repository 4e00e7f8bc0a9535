// Whole groups drawn with replacement, and what the one curve through all their cases gives.
//
// The cases are sorted once, strictest first. A resample is a walk through them in which every case counts as
// often as its group was drawn; resamples are walked in batches, side by side, because each case then costs
// one lookup for all of them. Rates are looked up afterwards: the walk leaves marks, and only the stretch
// between two marks in which a wanted rate lies is walked again.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "case_draws.hpp"
#include "readings.hpp"

namespace rocsteady {

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
