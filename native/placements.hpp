// DeLong placements in the order of the rows, and their covariances over several classifiers.
#pragma once

#include "count.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
