// Counting kernels: wins, moments and curves of many groups in one call.
#pragma once

#include "buckets.hpp"
#include "walk.hpp"

namespace rocsteady {

template <class Payload>
Sorted sorted(const Buckets<Payload> &all, const Bucket &bucket) {
    return {all.keys(bucket.begin), bucket.middle - bucket.begin, all.keys(bucket.middle),
            bucket.end - bucket.middle};
}

struct GroupCounts {
    std::vector<std::int64_t> wins, n_positives, n_negatives;
    std::vector<double> positive_spread, negative_spread;

    explicit GroupCounts(std::size_t n_groups)
        : wins(n_groups), n_positives(n_groups), n_negatives(n_groups) {}
};

inline GroupCounts count_wins(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                              int threads) {
    Buckets<Nothing> all(rows, offsets, n_groups, {}, threads);
    std::vector<std::int64_t> within;
    all.sort([&](std::size_t n_buckets) { within.resize(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) { within[b] = wins(sorted(all, bucket)); });
    GroupCounts out(n_groups);
    for (std::size_t b = 0; b < all.buckets.size(); ++b) {
        const Bucket &bucket = all.buckets[b];
        out.wins[bucket.group] += within[b] + 2 * bucket.positives_before * bucket.n_negatives();
        out.n_positives[bucket.group] += bucket.n_positives();
        out.n_negatives[bucket.group] += bucket.n_negatives();
    }
    return out;
}

inline GroupCounts summarise(const std::vector<ClassMoments> &groups) {
    GroupCounts out(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        out.wins[g] = groups[g].negatives.total();
        out.n_positives[g] = groups[g].positives.n;
        out.n_negatives[g] = groups[g].negatives.n;
        out.positive_spread.push_back(groups[g].positives.spread());
        out.negative_spread.push_back(groups[g].negatives.spread());
    }
    return out;
}

inline GroupCounts delong_moments(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                                  int threads) {
    Buckets<Nothing> all(rows, offsets, n_groups, {}, threads);
    std::vector<ClassMoments> within;
    all.sort([&](std::size_t n_buckets) { within.resize(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) { within[b] = moments(sorted(all, bucket)); });
    std::vector<ClassMoments> groups(n_groups);
    for (std::size_t b = 0; b < all.buckets.size(); ++b) {
        const Bucket &bucket = all.buckets[b];
        groups[bucket.group].positives.add(within[b].positives.shifted(bucket.negatives_before));
        groups[bucket.group].negatives.add(within[b].negatives.shifted(bucket.positives_before));
    }
    return summarise(groups);
}

// The same moments, from the counts of finished curves, which rise from 0.
inline GroupCounts curve_moments(const std::int64_t *true_positives, const std::int64_t *false_positives,
                                 const std::int64_t *offsets, std::size_t n_groups) {
    std::vector<ClassMoments> groups(n_groups);
    for (std::size_t g = 0; g < n_groups; ++g) {
        if (offsets[g] == offsets[g + 1]) continue;
        const std::int64_t n_positives = true_positives[offsets[g + 1] - 1],
                           n_negatives = false_positives[offsets[g + 1] - 1];
        bool rises = true_positives[offsets[g]] == 0 && false_positives[offsets[g]] == 0;
        if (n_positives > 0 && n_negatives >= (std::int64_t(1) << 62) / n_positives)
            throw std::overflow_error("more pairs than 63 bits can count");
        for (std::int64_t k = offsets[g] + 1; k < offsets[g + 1]; ++k) {
            const std::int64_t tp = true_positives[k], fp = false_positives[k];
            const std::int64_t tp_before = true_positives[k - 1], fp_before = false_positives[k - 1];
            rises &= tp >= tp_before && fp >= fp_before && tp <= n_positives && fp <= n_negatives;
            if (!rises) break;
            if (tp > tp_before) groups[g].positives.add(tp - tp_before, fp + fp_before);
            if (fp > fp_before) groups[g].negatives.add(fp - fp_before, tp + tp_before);
        }
        if (!rises) throw std::invalid_argument("the counts of a curve must rise from 0");
    }
    return summarise(groups);
}

// Curves of many groups, end to end. Count is std::int64_t, or double for sums of weights.
template <class Count>
struct Curves {
    Memory<double> thresholds;
    Memory<Count> true_positives, false_positives;
    std::vector<std::int64_t> offsets;
};

// Every bucket writes where it would stand if no two scores were equal; ties leave gaps, closed afterwards.
// Most large tables have none, so this saves a pass that would only count.
template <class Count>
class CurveWriter {
public:
    CurveWriter(const Rows &rows, std::size_t n_groups) : rows_(rows), capacity_(rows.size + n_groups) {
        curves.thresholds = Memory<double>(capacity_);
        curves.true_positives = Memory<Count>(capacity_);
        curves.false_positives = Memory<Count>(capacity_);
    }

    void prepare(std::size_t n_buckets) { written_.resize(n_buckets); }

    struct Cursor {
        double *thresholds;
        Count *true_positives, *false_positives;
    };
    Cursor at(const Bucket &bucket) {
        const std::size_t to = bucket.begin + bucket.group + 1;  // every group has one vertex more than rows
        return {curves.thresholds.data() + to, curves.true_positives.data() + to,
                curves.false_positives.data() + to};
    }
    void wrote(std::size_t b, std::size_t n) { written_[b] = n; }

    // Puts the first vertex of every group in place and closes the gaps.
    template <class Payload>
    void close(const Buckets<Payload> &all, int threads) {
        std::vector<Move> moves;
        std::size_t to = 0;
        const std::size_t n_groups = all.first_of_group.size() - 1;
        for (std::size_t g = 0; g < n_groups; ++g) {
            curves.offsets.push_back(std::int64_t(to++));
            for (std::size_t b = all.first_of_group[g]; b < all.first_of_group[g + 1]; ++b) {
                moves.push_back({all.buckets[b].begin + g + 1, to, written_[b]});
                to += written_[b];
            }
        }
        curves.offsets.push_back(std::int64_t(to));
        if (to < capacity_) {
            parallel_for(3, threads, [&](std::size_t column, Worker &) {
                if (column == 0) compact(curves.thresholds, moves, to);
                if (column == 1) compact(curves.true_positives, moves, to);
                if (column == 2) compact(curves.false_positives, moves, to);
            });
        }
        for (std::size_t g = 0; g < n_groups; ++g) {
            const std::size_t first = std::size_t(curves.offsets[g]);
            curves.thresholds[first] = rows_.beyond_all();
            curves.true_positives[first] = curves.false_positives[first] = 0;
        }
    }

    Curves<Count> curves;

private:
    struct Move {
        std::size_t from, to, n;
    };
    template <class T>
    static void compact(Memory<T> &column, const std::vector<Move> &moves, std::size_t total) {
        for (const Move &move : moves)
            if (move.from != move.to)
                std::memmove(column.data() + move.to, column.data() + move.from, move.n * sizeof(T));
        column.shrink(total);
    }

    const Rows &rows_;
    std::size_t capacity_;
    std::vector<std::size_t> written_;
};

// Writes the vertices of one bucket if all its keys differ, from both ends at once (see count_pairs); gives
// up with false at the first tie.
template <class Decode>
bool write_distinct(const Bucket &bucket, const Sorted &s, CurveWriter<std::int64_t>::Cursor out,
                    Decode threshold) {
    std::size_t i = 0, j = 0, i_end = s.n_positives, j_end = s.n_negatives;
    Key front = 0, back = 0;
    bool tie = false, front_moved = false, back_moved = false;
    auto write = [&](std::size_t positives, std::size_t negatives, Key key) {
        const std::size_t vertex = positives + negatives - 1;
        out.thresholds[vertex] = threshold(key);
        out.true_positives[vertex] = bucket.positives_before + std::int64_t(positives);
        out.false_positives[vertex] = bucket.negatives_before + std::int64_t(negatives);
    };
    auto step_front = [&](bool take_positive, Key key) {
        tie |= front_moved & (key == front);
        front = key;
        front_moved = true;
        i += take_positive;
        j += !take_positive;
        write(i, j, key);
    };
    for (std::size_t safe;
         !tie && (safe = std::min<std::size_t>(256, std::min(i_end - i, j_end - j) / 2)) > 0;) {
        while (safe--) {
            const Key p = s.positives[i], q = s.negatives[j];
            tie |= p == q;
            step_front(p < q, p < q ? p : q);
            const Key p_last = s.positives[i_end - 1], q_last = s.negatives[j_end - 1];
            const bool drop_negative = p_last < q_last;
            const Key key = drop_negative ? q_last : p_last;
            write(i_end, j_end, key);
            tie |= (p_last == q_last) | (back_moved & (key == back));
            back = key;
            back_moved = true;
            i_end -= !drop_negative;
            j_end -= drop_negative;
        }
    }
    while (!tie && (i < i_end || j < j_end)) {
        const bool take_positive = j == j_end || (i < i_end && s.positives[i] < s.negatives[j]);
        step_front(take_positive, take_positive ? s.positives[i] : s.negatives[j]);
    }
    return !(tie | (front_moved & back_moved & (front == back)));
}

// The same with ties, each of which is one vertex; returns how many there are.
template <class Decode>
std::size_t write_tied(const Bucket &bucket, const Sorted &s, CurveWriter<std::int64_t>::Cursor out,
                       Decode threshold) {
    std::size_t vertex = 0;
    std::int64_t positives = bucket.positives_before, negatives = bucket.negatives_before;
    for_each_distinct(s, [&](Key key, std::size_t new_positives, std::size_t new_negatives) {
        out.thresholds[vertex] = threshold(key);
        out.true_positives[vertex] = positives += std::int64_t(new_positives);
        out.false_positives[vertex++] = negatives += std::int64_t(new_negatives);
    });
    return vertex;
}

inline std::size_t write_vertices(const Rows &rows, const Bucket &bucket, const Sorted &s,
                                  CurveWriter<std::int64_t>::Cursor out) {
    auto write = [&](auto threshold) {
        return write_distinct(bucket, s, out, threshold) ? s.n_positives + s.n_negatives
                                                         : write_tied(bucket, s, out, threshold);
    };
    const Key flip = rows.flip;
    if (rows.has_float_keys()) return write([flip](Key key) { return double_from_ordered(key ^ flip); });
    return write([&rows](Key key) { return rows.threshold(key); });
}

inline Curves<std::int64_t> count_curves(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                                         int threads) {
    CurveWriter<std::int64_t> writer(rows, n_groups);
    Buckets<Nothing> all(rows, offsets, n_groups, {}, threads);
    all.sort([&](std::size_t n_buckets) { writer.prepare(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) {
                 writer.wrote(b, write_vertices(rows, bucket, sorted(all, bucket), writer.at(bucket)));
             });
    writer.close(all, threads);
    return std::move(writer.curves);
}

// Sums of weights instead of counts. Buckets are summed first, so that each can start from what came before
// it; the order of additions is that of the scores and rows, whatever the threads.
inline Curves<double> weigh_curves(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                                   const double *weights, int threads) {
    CurveWriter<double> writer(rows, n_groups);
    Buckets<double> all(rows, offsets, n_groups, {weights}, threads);
    struct Weight {
        Sum positives, negatives;
    };
    std::vector<Weight> weight;
    all.sort(
        [&](std::size_t n_buckets) {
            writer.prepare(n_buckets);
            weight.resize(n_buckets);
        },
        [&](std::size_t b, const Bucket &bucket) {
            for (std::size_t i = bucket.begin; i < bucket.middle; ++i)
                weight[b].positives.add(*all.payloads(i));
            for (std::size_t i = bucket.middle; i < bucket.end; ++i)
                weight[b].negatives.add(*all.payloads(i));
        });
    Weight before;
    for (std::size_t b = 0; b < weight.size(); ++b) {
        if (b == all.first_of_group[all.buckets[b].group]) before = {};
        const Weight own = weight[b];
        weight[b] = before;
        before.positives.add(own.positives);
        before.negatives.add(own.negatives);
    }
    parallel_for(all.buckets.size(), threads, [&](std::size_t b, Worker &) {
        const Bucket &bucket = all.buckets[b];
        auto out = writer.at(bucket);
        Weight sum = weight[b];
        const double *positive = all.payloads(bucket.begin), *negative = all.payloads(bucket.middle);
        std::size_t vertex = 0;
        for_each_distinct(sorted(all, bucket),
                          [&](Key key, std::size_t n_positives, std::size_t n_negatives) {
                              while (n_positives--) sum.positives.add(*positive++);
                              while (n_negatives--) sum.negatives.add(*negative++);
                              out.thresholds[vertex] = rows.threshold(key);
                              out.true_positives[vertex] = sum.positives.value();
                              out.false_positives[vertex++] = sum.negatives.value();
                          });
        writer.wrote(b, vertex);
    });
    writer.close(all, threads);
    return std::move(writer.curves);
}

}  // namespace rocsteady
