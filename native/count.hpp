// What is counted off sorted rows: wins, moments, curves, ranks, placements.
#pragma once

#include <algorithm>
#include <cmath>

#include "exact.hpp"
#include "sort.hpp"

namespace rocsteady {

// Walking a sorted bucket: positives and negatives meet in the order of the scores.
//
// Where no positive ties with a negative the walk takes the stricter of the two heads without branching,
// because on overlapping classes no branch could be predicted. Ties, which are rare in continuous scores and
// cheap in coarse ones, take the careful road.

struct Sorted {
    const Key *positives;
    std::size_t n_positives;
    const Key *negatives;
    std::size_t n_negatives;
};

// visit(key, positives, negatives) for every distinct key: how many of each class have it.
template <class Visit>
void for_each_distinct(const Sorted &s, Visit visit) {
    std::size_t i = 0, j = 0;
    while (i < s.n_positives || j < s.n_negatives) {
        const bool negatives_done = j == s.n_negatives;
        const bool positives_done = i == s.n_positives;
        const Key key = negatives_done || (!positives_done && s.positives[i] < s.negatives[j])
                            ? s.positives[i]
                            : s.negatives[j];
        const std::size_t first_positive = i, first_negative = j;
        while (i < s.n_positives && s.positives[i] == key) ++i;
        while (j < s.n_negatives && s.negatives[j] == key) ++j;
        visit(key, i - first_positive, j - first_negative);
    }
}

// The pairs (positive, negative) that the positive wins, under the rule that decides ties. Two walks, one
// from each end, take turns: each has to wait for its last load, and they wait together.
template <bool TiesWin>
std::int64_t count_pairs(const Sorted &s, bool &any_tie) {
    std::size_t i = 0, j = 0, i_end = s.n_positives, j_end = s.n_negatives;
    std::uint64_t pairs = 0;
    bool tie = false;
    auto positive_first = [](Key p, Key q) { return TiesWin ? p <= q : p < q; };
    for (std::size_t safe; (safe = std::min(i_end - i, j_end - j) / 2) > 0;) {
        while (safe--) {
            const Key p = s.positives[i], q = s.negatives[j];
            const bool take_positive = positive_first(p, q);
            pairs +=
                i & (std::uint64_t(take_positive) - 1);  // a negative is passed: i positives were stricter
            i += take_positive;
            j += !take_positive;
            const Key p_last = s.positives[i_end - 1], q_last = s.negatives[j_end - 1];
            const bool drop_negative = positive_first(p_last, q_last);
            pairs += i_end & (0 - std::uint64_t(drop_negative));
            i_end -= !drop_negative;
            j_end -= drop_negative;
            tie |= (p == q) | (p_last == q_last);
        }
    }
    while (i < i_end && j < j_end) {
        const Key p = s.positives[i], q = s.negatives[j];
        const bool take_positive = positive_first(p, q);
        tie |= p == q;
        pairs += i & (std::uint64_t(take_positive) - 1);
        i += take_positive;
        j += !take_positive;
    }
    any_tie = tie;
    return std::int64_t(pairs + std::uint64_t(i) * (j_end - j));
}

// Twice the pairs that the positive wins; a tie is half a win.
inline std::int64_t wins(const Sorted &s) {
    bool any_tie = false;
    const std::int64_t strict = count_pairs<false>(s, any_tie);
    return any_tie ? strict + count_pairs<true>(s, any_tie) : 2 * strict;
}

// Sums over the cases of one class of x and x^2, x being twice the cases of the other class met before (ties
// half).
struct Moments {
    Int128 sum = 0, squares = 0;
    std::int64_t n = 0;

    void add(std::int64_t count, std::int64_t x) {
        n += count;
        sum += multiply(count, x);
        squares += multiply(multiply(x, x), count);
    }
    void add(const Moments &o) {
        n += o.n;
        sum += o.sum;
        squares += o.squares;
    }
    // The same cases after `before` further cases of the other class came first: x grows by 2 * before.
    Moments shifted(std::int64_t before) const {
        Moments moved = *this;
        moved.sum += multiply(2 * before, n);
        moved.squares += multiply(sum, 4 * before) + multiply(multiply(2 * before, 2 * before), n);
        return moved;
    }
    // n * sum(x^2) - sum(x)^2: n^2 times the variance, exact, then rounded once. With fewer than 2^32 rows
    // every term fits: sum(x) is at most 2 n_positives n_negatives < 2^63, its square and n * sum(x^2) are
    // below 2^126.
    double spread() const { return to_double(multiply(squares, n) - multiply(sum, total())); }
    std::int64_t total() const { return to_int64(sum); }
};

struct ClassMoments {
    Moments positives, negatives;
};

// The moments of one bucket on its own.
inline ClassMoments moments_with_ties(const Sorted &s) {
    ClassMoments m;
    std::int64_t positives = 0, negatives = 0;
    for_each_distinct(s, [&](Key, std::size_t new_positives, std::size_t new_negatives) {
        const std::int64_t p = std::int64_t(new_positives), n = std::int64_t(new_negatives);
        if (p) m.positives.add(p, 2 * negatives + n);
        if (n) m.negatives.add(n, 2 * positives + p);
        positives += p;
        negatives += n;
    });
    return m;
}

inline ClassMoments moments(const Sorted &s) {
    // Up to this size the sums of squares below fit 64 bits.
    if (s.n_positives + s.n_negatives >= (std::size_t(1) << 20)) return moments_with_ties(s);
    std::uint64_t i = 0, j = 0, sum_i = 0, sum_j = 0, squares_i = 0, squares_j = 0;
    bool tie = false;
    while (i < s.n_positives && j < s.n_negatives) {
        const Key p = s.positives[i], q = s.negatives[j];
        const bool take_positive = p < q;
        const std::uint64_t positive_mask = 0 - std::uint64_t(take_positive);
        tie |= p == q;
        sum_j += j & positive_mask;
        squares_j += (j * j) & positive_mask;
        sum_i += i & ~positive_mask;
        squares_i += (i * i) & ~positive_mask;
        i += take_positive;
        j += !take_positive;
    }
    if (tie) return moments_with_ties(s);
    const std::uint64_t rest_i = s.n_positives - i, rest_j = s.n_negatives - j;  // one of them is zero
    sum_j += rest_i * j;
    squares_j += rest_i * j * j;
    sum_i += rest_j * i;
    squares_i += rest_j * i * i;
    ClassMoments m;
    m.positives.n = std::int64_t(s.n_positives);
    m.positives.sum = Int128(std::int64_t(2 * sum_j));
    m.positives.squares = multiply(Int128(std::int64_t(squares_j)), 4);
    m.negatives.n = std::int64_t(s.n_negatives);
    m.negatives.sum = Int128(std::int64_t(2 * sum_i));
    m.negatives.squares = multiply(Int128(std::int64_t(squares_i)), 4);
    return m;
}

// Counting kernels: wins, moments and curves of many groups in one call.

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

// The rank of every row among the distinct scores of its group, in the order of the rows.

// Each bucket counts from 0; afterwards the distinct scores of the buckets before it are added.
inline void score_ranks(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                        std::int64_t *out, int threads) {
    Buckets<RowNumber> all(rows, offsets, n_groups, {}, threads);
    std::vector<std::int64_t> n_distinct;
    all.sort([&](std::size_t n_buckets) { n_distinct.resize(n_buckets); },
             [&](std::size_t b, const Bucket &bucket) {
                 const RowNumber *positive = all.payloads(bucket.begin),
                                 *negative = all.payloads(bucket.middle);
                 std::int64_t rank = 0;
                 for_each_distinct(sorted(all, bucket),
                                   [&](Key, std::size_t n_positives, std::size_t n_negatives) {
                                       while (n_positives--) out[*positive++] = rank;
                                       while (n_negatives--) out[*negative++] = rank;
                                       ++rank;
                                   });
                 n_distinct[b] = rank;
             });
    std::int64_t before = 0;
    for (std::size_t b = 0; b < n_distinct.size(); ++b) {
        if (b == all.first_of_group[all.buckets[b].group]) before = 0;
        before += std::exchange(n_distinct[b], before);
    }
    parallel_for(n_distinct.size(), n_distinct.size() > n_groups ? threads : 1, [&](std::size_t b, Worker &) {
        if (n_distinct[b] == 0) return;
        const Bucket &bucket = all.buckets[b];
        for (std::size_t i = bucket.begin; i < bucket.end; ++i) out[*all.payloads(i)] += n_distinct[b];
    });
}

// DeLong placements in the order of the rows, and their covariances over several classifiers.

// For every positive of a bucket twice the negatives met before it, for every negative twice the positives
// met before it, ties half; counted from the start of the group.
template <class X>
struct Met {
    std::vector<X> by_positives, by_negatives;

    Met(const Bucket &bucket, const Sorted &s) : by_positives(s.n_positives), by_negatives(s.n_negatives) {
        if (!without_ties(bucket, s)) with_ties(bucket, s);
    }

private:
    bool without_ties(const Bucket &bucket, const Sorted &s) {
        X *positive = by_positives.data(), *negative = by_negatives.data();
        const X negatives_before = X(2 * bucket.negatives_before),
                positives_before = X(2 * bucket.positives_before);
        std::size_t i = 0, j = 0, i_end = s.n_positives, j_end = s.n_negatives;
        bool tie = false;
        // Both heads are written; the one that is passed keeps its value, the other is written again.
        auto step_front = [&] {
            const Key p = s.positives[i], q = s.negatives[j];
            positive[i] = X(negatives_before + 2 * j);
            negative[j] = X(positives_before + 2 * i);
            tie |= p == q;
            i += p < q;
            j += !(p < q);
        };
        auto step_back = [&] {
            const Key p = s.positives[i_end - 1], q = s.negatives[j_end - 1];
            positive[i_end - 1] = X(negatives_before + 2 * j_end);
            negative[j_end - 1] = X(positives_before + 2 * i_end);
            tie |= p == q;
            i_end -= !(p < q);
            j_end -= p < q;
        };
        for (std::size_t safe; (safe = std::min(i_end - i, j_end - j) / 2) > 0;) {
            while (safe--) {  // two walks that do not wait for each other, as in count_pairs
                step_front();
                step_back();
            }
        }
        while (i < i_end && j < j_end) step_front();
        for (; i < i_end; ++i) positive[i] = X(negatives_before + 2 * j);
        for (; j < j_end; ++j) negative[j] = X(positives_before + 2 * i);
        return !tie;
    }

    void with_ties(const Bucket &bucket, const Sorted &s) {
        std::size_t i = 0, j = 0;
        std::int64_t positives = bucket.positives_before, negatives = bucket.negatives_before;
        for_each_distinct(s, [&](Key, std::size_t n_positives, std::size_t n_negatives) {
            const std::int64_t p = std::int64_t(n_positives), n = std::int64_t(n_negatives);
            while (n_positives--) by_positives[i++] = X(2 * negatives + n);
            while (n_negatives--) by_negatives[j++] = X(2 * positives + p);
            positives += p;
            negatives += n;
        });
    }
};

// Writes twice the placement of every row. For a positive: negatives it beats, ties half; for a negative:
// positives that beat it, ties half.
inline void placements(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups, std::int64_t *out,
                       int threads) {
    Buckets<RowNumber> all(rows, offsets, n_groups, {}, threads);
    all.sort([](std::size_t) {},
             [&](std::size_t, const Bucket &bucket) {
                 const Met<std::int64_t> met(bucket, sorted(all, bucket));
                 const RowNumber *positive = all.payloads(bucket.begin),
                                 *negative = all.payloads(bucket.middle);
                 const std::int64_t all_negatives = 2 * all.negatives_in_group(bucket);
                 for (std::int64_t x : met.by_positives) out[*positive++] = all_negatives - x;
                 for (std::int64_t x : met.by_negatives) out[*negative++] = x;
             });
}

// Sums over the cases of one class of x_a and of x_a x_b, for all pairs of k classifiers.
struct CrossSums {
    std::int64_t n = 0;
    std::vector<Int128> sums, products;  // [a], [a][b <= a]

    explicit CrossSums(std::size_t k = 0) : sums(k, Int128(0)), products(k * k, Int128(0)) {}

    // n * sum(x_a x_b) - sum(x_a) sum(x_b), exact. Below 2^122 for fewer than 2^31 rows.
    Int128 spread(std::size_t a, std::size_t b) const {
        return multiply(products[std::max(a, b) * sums.size() + std::min(a, b)], n) -
               multiply(sums[a], to_int64(sums[b]));
    }
    // The same of the differences x_a - x_b. Formed here because rounded spreads of classifiers that
    // agree on nearly all cases would cancel to nothing.
    Int128 difference_spread(std::size_t a, std::size_t b) const {
        return (spread(a, a) - spread(a, b)) + (spread(b, b) - spread(a, b));
    }
};

// The sum of term(i) for i < n; the sum of any 1,024 of them fits 64 bits.
template <class Term>
Int128 sum_of(std::size_t n, Term term) {
    Int128 total = 0;
    for (std::size_t begin = 0; begin < n; begin += 1024) {
        std::uint64_t part = 0;
        for (std::size_t i = begin; i < std::min(n, begin + 1024); ++i) part += term(i);
        total += Int128(std::int64_t(part >> 1)) + Int128(std::int64_t(part - (part >> 1)));
    }
    return total;
}

// One classifier after the other. Each bucket is summed while it is in the cache, looking up what the earlier
// classifiers gave to the same rows; the last one is never stored. The negatives that a positive beats are
// all negatives less those met before it, so sums over `met` have the same spread.
class CovarianceSums {
public:
    using X = std::uint32_t;  // twice a count of rows

    CovarianceSums(std::size_t k, std::size_t n_rows) : positives(k), negatives(k), k_(k), n_rows_(n_rows) {
        if (n_rows >= (std::size_t(1) << 31))
            throw std::length_error("more than 2 billion rows in one comparison");
    }

    void add(const Rows &rows, int threads) {
        const std::int64_t offsets[2] = {0, std::int64_t(n_rows_)};
        const std::size_t own = met_.size();  // this classifier
        const bool keep = own + 1 < k_;
        met_.emplace_back(keep ? n_rows_ : 0);
        std::vector<Part> parts;
        Buckets<RowNumber> all(rows, offsets, 1, {}, threads);
        all.sort([&](std::size_t n_buckets) { parts.resize(n_buckets); },
                 [&](std::size_t b, const Bucket &bucket) {
                     const Met<X> met(bucket, sorted(all, bucket));
                     parts[b].positives = sum_up(own, keep, met.by_positives, all.payloads(bucket.begin));
                     parts[b].negatives = sum_up(own, keep, met.by_negatives, all.payloads(bucket.middle));
                 });
        for (const Part &part : parts) {
            collect(own, part.positives, positives);
            collect(own, part.negatives, negatives);
        }
        const Bucket &last = all.buckets.back();
        positives.n = last.positives_before + last.n_positives();
        negatives.n = last.negatives_before + last.n_negatives();
    }

    CrossSums positives, negatives;

private:
    struct ClassPart {
        Int128 sum = 0;
        std::vector<Int128> products;  // with classifier 0 ... own
    };
    struct Part {
        ClassPart positives, negatives;
    };

    ClassPart sum_up(std::size_t own, bool keep, const std::vector<X> &x, const RowNumber *rows) {
        ClassPart part;
        const std::size_t n = x.size();
        if (keep) {
            X *out = met_[own].data();
            for (std::size_t i = 0; i < n; ++i) {
                prefetch(out +
                         rows[std::min(i + 16, n - 1)]);  // rows lie all over the table: ask for them early
                out[rows[i]] = x[i];
            }
        }
        part.sum = sum_of(n, [&](std::size_t i) { return x[i]; });
        for (std::size_t a = 0; a < own; ++a) {
            const X *other = met_[a].data();
            part.products.push_back(product_sum(
                n, [&](std::size_t i) { return x[i]; }, [&](std::size_t i) { return other[rows[i]]; }));
        }
        part.products.push_back(
            product_sum(n, [&](std::size_t i) { return x[i]; }, [&](std::size_t i) { return x[i]; }));
        return part;
    }

    template <class A, class B>
    Int128 product_sum(std::size_t n, A a, B b) const {
        if (n_rows_ < (std::size_t(1) << 26))  // products of 54 bits: 1,024 of them fit 64
            return sum_of(n, [&](std::size_t i) { return std::uint64_t(a(i)) * b(i); });
        const Int128 low =
            sum_of(n, [&](std::size_t i) { return (std::uint64_t(a(i)) * b(i)) & 0xffffffffu; });
        const Int128 high = sum_of(n, [&](std::size_t i) { return (std::uint64_t(a(i)) * b(i)) >> 32; });
        return multiply(high, std::int64_t(1) << 32) + low;
    }

    void collect(std::size_t own, const ClassPart &part, CrossSums &into) const {
        into.sums[own] += part.sum;
        for (std::size_t a = 0; a <= own; ++a) into.products[own * k_ + a] += part.products[a];
    }

    std::size_t k_, n_rows_;
    std::vector<Memory<X>> met_;
};

// All (k, k), row by row.
struct Spreads {
    std::vector<double> products, differences;

    explicit Spreads(const CrossSums &sums) {
        const std::size_t k = sums.sums.size();
        for (std::size_t a = 0; a < k; ++a) {
            for (std::size_t b = 0; b < k; ++b) {
                products.push_back(to_double(sums.spread(a, b)));
                differences.push_back(to_double(sums.difference_spread(a, b)));
            }
        }
    }
};

struct Covariance {
    std::vector<std::int64_t> wins;
    std::int64_t n_positives, n_negatives;
    Spreads positives, negatives;
};

// scores[a].labels are the same for all a.
inline Covariance delong_covariance(const std::vector<Rows> &scores, int threads) {
    CovarianceSums sums(scores.size(), scores[0].size);
    for (const Rows &rows : scores) sums.add(rows, threads);
    std::vector<std::int64_t> wins;  // the positives met before each negative beat it
    for (const Int128 &met : sums.negatives.sums) wins.push_back(to_int64(met));
    return {wins, sums.positives.n, sums.negatives.n, Spreads(sums.positives), Spreads(sums.negatives)};
}

// One curve of many groups, in which a case counts its group's share instead of one.
//
// With shares of weight / (sum of weights * cases of the class in the group) this is the weighted mean of the
// groups' rates at every threshold. Shares come to twice the precision of a double and are added up as
// fixed-point integers of 128 bits, so sums have no order, every thread count gives the same bits, and a rate
// is the mean of counts / n, rounded once. Nothing is divided: the shares of all cases of a class add up to
// one.

struct GroupNumber {
    std::uint32_t group;
};

struct FixedPoint {
    std::vector<Int128> shares;
    double unit = 1;

    // As many bits as leave room for the sum of all, were all cases of this class.
    FixedPoint(const LongSum *given, const std::int64_t *offsets, std::size_t n) : shares(n) {
        double most = 0;
        for (std::size_t g = 0; g < n; ++g) most += given[g].high * double(offsets[g + 1] - offsets[g]);
        int exponent = 0;
        std::frexp(most, &exponent);  // most < 2^exponent
        const int bits = 126 - exponent;
        for (std::size_t g = 0; g < n; ++g)
            if (offsets[g + 1] > offsets[g])  // the share of a group without rows may be too large
                shares[g] = from_double(std::nearbyint(std::ldexp(given[g].high, bits))) +
                            from_double(std::nearbyint(std::ldexp(given[g].low, bits)));
        unit = std::ldexp(1.0, -bits);
    }
    double rate(Int128 sum) const { return to_double(sum) * unit; }
};

inline Curves<double> share_curve(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                                  const LongSum *positive_shares, const LongSum *negative_shares,
                                  int threads) {
    Memory<GroupNumber> groups(std::max<std::size_t>(rows.size, 1));
    const std::size_t per_task = std::max<std::size_t>(1, n_groups * 65536 / (rows.size + 1));
    parallel_for((n_groups + per_task - 1) / per_task, threads, [&](std::size_t task, Worker &) {
        const std::size_t end = std::min(n_groups, (task + 1) * per_task);
        for (std::size_t g = task * per_task; g < end; ++g)
            std::fill(groups.data() + offsets[g], groups.data() + offsets[g + 1],
                      GroupNumber{std::uint32_t(g)});
    });
    const FixedPoint of_positives(positive_shares, offsets, n_groups);
    const FixedPoint of_negatives(negative_shares, offsets, n_groups);
    const std::int64_t whole[2] = {0, std::int64_t(rows.size)};
    CurveWriter<double> writer(rows, 1);
    Buckets<GroupNumber> all(rows, whole, 1, {groups.data()}, threads);
    struct Total {
        Int128 positives = 0, negatives = 0;
    };
    std::vector<Total> totals;
    all.sort(
        [&](std::size_t n_buckets) {
            writer.prepare(n_buckets);
            totals.resize(n_buckets);
        },
        [&](std::size_t b, const Bucket &bucket) {
            for (std::size_t i = bucket.begin; i < bucket.middle; ++i)
                totals[b].positives += of_positives.shares[all.payloads(i)->group];
            for (std::size_t i = bucket.middle; i < bucket.end; ++i)
                totals[b].negatives += of_negatives.shares[all.payloads(i)->group];
        });
    Total before;
    for (Total &total : totals) {
        const Total own = total;
        total = before;
        before.positives += own.positives;
        before.negatives += own.negatives;
    }
    parallel_for(all.buckets.size(), threads, [&](std::size_t b, Worker &) {
        const Bucket &bucket = all.buckets[b];
        auto out = writer.at(bucket);
        Total sum = totals[b];
        const GroupNumber *positive = all.payloads(bucket.begin), *negative = all.payloads(bucket.middle);
        std::size_t vertex = 0;
        double tpr = of_positives.rate(sum.positives), fpr = of_negatives.rate(sum.negatives);
        for_each_distinct(sorted(all, bucket),
                          [&](Key key, std::size_t n_positives, std::size_t n_negatives) {
                              const bool is_up = n_positives > 0, is_right = n_negatives > 0;
                              while (n_positives--) sum.positives += of_positives.shares[(positive++)->group];
                              while (n_negatives--) sum.negatives += of_negatives.shares[(negative++)->group];
                              if (is_up) tpr = of_positives.rate(sum.positives);
                              if (is_right) fpr = of_negatives.rate(sum.negatives);
                              out.thresholds[vertex] = rows.threshold(key);
                              out.true_positives[vertex] = tpr;
                              out.false_positives[vertex++] = fpr;
                          });
        writer.wrote(b, vertex);
    });
    writer.close(all, threads);
    return std::move(writer.curves);
}

}  // namespace rocsteady
