// DeLong placements in the order of the rows, and their covariances over several classifiers.
#pragma once

#include "count.hpp"

namespace rocsteady {

using RowNumber = std::uint32_t;

// Places the rows of one bucket while no positive ties with a negative; gives up with false where one does.
template <class Out>
bool place_distinct(const Sorted &s, const RowNumber *positive, const RowNumber *negative, std::int64_t positives_before,
                    std::int64_t negatives_left, Out *out) {
    constexpr std::size_t ahead = 8;  // rows are scattered all over the table: ask for them early
    std::size_t i = 0, j = 0;
    bool tie = false;
    while (i < s.n_positives && j < s.n_negatives) {
        const Key p = s.positives[i], q = s.negatives[j];
        const bool take_positive = p < q;
        tie |= p == q;
        prefetch(out + positive[std::min(i + ahead, s.n_positives - 1)]);
        prefetch(out + negative[std::min(j + ahead, s.n_negatives - 1)]);
        const std::int64_t beaten = 2 * (negatives_left - std::int64_t(j)), beating = 2 * (positives_before + std::int64_t(i));
        out[take_positive ? positive[i] : negative[j]] = Out(take_positive ? beaten : beating);
        i += take_positive;
        j += !take_positive;
    }
    for (; i < s.n_positives; ++i) out[positive[i]] = Out(2 * (negatives_left - std::int64_t(j)));
    for (; j < s.n_negatives; ++j) out[negative[j]] = Out(2 * (positives_before + std::int64_t(i)));
    return !tie;
}

template <class Out>
void place_tied(const Sorted &s, const RowNumber *positive, const RowNumber *negative, std::int64_t positives_before,
                std::int64_t negatives_left, Out *out) {
    for_each_distinct(s, [&](Key, std::size_t n_positives, std::size_t n_negatives) {
        const std::int64_t p = std::int64_t(n_positives), n = std::int64_t(n_negatives);
        while (n_positives--) out[*positive++] = Out(2 * negatives_left - n);
        while (n_negatives--) out[*negative++] = Out(2 * positives_before + p);
        positives_before += p;
        negatives_left -= n;
    });
}

// Writes twice the placement of every row. For a positive: negatives it beats, ties half; for a negative:
// positives that beat it, ties half.
template <class Out>
void placements(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups, Out *out, int threads) {
    Buckets<RowNumber> all(rows, offsets, n_groups, {}, threads);
    all.sort([](std::size_t) {},
             [&](std::size_t, const Bucket &bucket) {
                 const Sorted s = sorted(all, bucket);
                 const RowNumber *positive = all.payloads(bucket.begin), *negative = all.payloads(bucket.middle);
                 const std::int64_t negatives_left = all.negatives_in_group(bucket) - bucket.negatives_before;
                 if (!place_distinct(s, positive, negative, bucket.positives_before, negatives_left, out))
                     place_tied(s, positive, negative, bucket.positives_before, negatives_left, out);
             });
}

// Sums over the cases of each class of x_a and of x_a x_b, for all pairs of k classifiers.
struct CrossSums {
    std::vector<Int128> sums, products;  // [class][a], [class][a][b <= a]
    std::int64_t n[2] = {0, 0};

    explicit CrossSums(std::size_t k = 0) : sums(2 * k, Int128(0)), products(2 * k * k, Int128(0)) {}
    void add(const CrossSums &o) {
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += o.sums[i];
        for (std::size_t i = 0; i < products.size(); ++i) products[i] += o.products[i];
        for (int c = 0; c < 2; ++c) n[c] += o.n[c];
    }
};

template <class Out>
CrossSums cross_sums(const Rows &rows, const std::vector<Memory<Out>> &x, int threads) {
    const std::size_t k = x.size(), task_rows = 64 * block_rows;
    const std::size_t n_tasks = (rows.size + task_rows - 1) / task_rows;
    std::vector<CrossSums> parts(n_tasks, CrossSums(k));
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &) {
        std::uint8_t classes[block_rows];
        CrossSums &part = parts[task];
        const std::size_t stop = std::min(rows.size, (task + 1) * task_rows);
        for (std::size_t row = task * task_rows; row < stop; row += block_rows) {
            const std::size_t m = std::min(block_rows, stop - row);
            rows.read_labels(row, m, classes);
            std::int64_t n_positives = 0;
            for (std::size_t i = 0; i < m; ++i) n_positives += classes[i];
            part.n[1] += n_positives;
            part.n[0] += std::int64_t(m) - n_positives;
            for (std::size_t a = 0; a < k; ++a) {
                const Out *xa = x[a].data() + row;
                std::uint64_t sum[2] = {0, 0};
                for (std::size_t i = 0; i < m; ++i) {
                    const std::uint64_t is_positive = 0 - std::uint64_t(classes[i]);
                    sum[0] += xa[i] & ~is_positive;
                    sum[1] += xa[i] & is_positive;
                }
                for (std::size_t c = 0; c < 2; ++c) part.sums[c * k + a] += Int128(std::int64_t(sum[c]));
                for (std::size_t b = 0; b <= a; ++b) {
                    const Out *xb = x[b].data() + row;
                    // Cut one factor at 32 bits so that a block of products fits 64.
                    std::uint64_t low[2] = {0, 0}, high[2] = {0, 0};
                    for (std::size_t i = 0; i < m; ++i) {
                        const std::uint64_t product = std::uint64_t(xa[i]) * xb[i];
                        const std::uint64_t is_positive = 0 - std::uint64_t(classes[i]);
                        low[0] += product & 0xffffffffu & ~is_positive;
                        high[0] += (product >> 32) & ~is_positive;
                        low[1] += product & 0xffffffffu & is_positive;
                        high[1] += (product >> 32) & is_positive;
                    }
                    for (std::size_t c = 0; c < 2; ++c)
                        part.products[(c * k + a) * k + b] +=
                            multiply(Int128(std::int64_t(high[c])), std::int64_t(1) << 32) + Int128(std::int64_t(low[c]));
                }
            }
        }
    });
    CrossSums total(k);
    for (const CrossSums &part : parts) total.add(part);
    return total;
}

struct Covariance {
    std::vector<std::int64_t> wins;
    std::int64_t n_positives = 0, n_negatives = 0;
    std::vector<double> positive_spread, negative_spread;  // (k, k), row by row
};

// scores[a].labels are the same for all a.
inline Covariance delong_covariance(const std::vector<Rows> &scores, int threads) {
    const std::size_t k = scores.size(), n = scores[0].size;
    if (n >= (std::size_t(1) << 31)) throw std::length_error("more than 2 billion rows in one comparison");
    const std::int64_t offsets[2] = {0, std::int64_t(n)};
    std::vector<Memory<std::uint32_t>> x;  // twice a count of rows: 32 bits are enough
    for (const Rows &rows : scores) {
        x.emplace_back(n);
        placements(rows, offsets, 1, x.back().data(), threads);
    }
    const CrossSums total = cross_sums(scores[0], x, threads);
    Covariance out;
    out.n_positives = total.n[1];
    out.n_negatives = total.n[0];
    for (std::size_t a = 0; a < k; ++a) out.wins.push_back(to_int64(total.sums[k + a]));
    for (std::size_t c = 0; c < 2; ++c) {
        std::vector<double> &spread = c ? out.positive_spread : out.negative_spread;
        spread.resize(k * k);
        for (std::size_t a = 0; a < k; ++a)
            for (std::size_t b = 0; b <= a; ++b)
                spread[a * k + b] = spread[b * k + a] =
                    to_double(multiply(total.products[(c * k + a) * k + b], total.n[c]) -
                              multiply(total.sums[c * k + a], to_int64(total.sums[c * k + b])));
    }
    return out;
}

}  // namespace rocsteady
