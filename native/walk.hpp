// Walking a sorted bucket: positives and negatives meet in the order of the scores.
//
// Where no positive ties with a negative the walk takes the stricter of the two heads without branching,
// because on overlapping classes no branch could be predicted. Ties, which are rare in continuous scores and
// cheap in coarse ones, take the careful road.
#pragma once

#include <algorithm>

#include "exact.hpp"
#include "keys.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
