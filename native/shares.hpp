// One curve of many groups, in which a case counts its group's share instead of one.
//
// With shares of 1 / (groups * cases of the class in the group) this is the mean of the groups' rates at
// every threshold. Shares are fixed-point integers, so sums have no order: every thread count gives the same
// bits, and a sum costs one addition. The largest share has 63 bits; all others are off by half a unit of its
// last.
#pragma once

#include <cmath>

#include "buckets.hpp"
#include "count.hpp"
#include "exact.hpp"
#include "walk.hpp"

namespace rocsteady {

struct GroupNumber {
    std::uint32_t group;
};

inline std::vector<std::int64_t> fixed_point(const double *shares, std::size_t n) {
    double largest = 0;
    for (std::size_t g = 0; g < n; ++g) largest = std::max(largest, shares[g]);
    int exponent = 0;
    std::frexp(largest, &exponent);  // largest < 2^exponent
    std::vector<std::int64_t> fixed(n);
    for (std::size_t g = 0; g < n; ++g)
        fixed[g] = std::int64_t(std::nearbyint(std::ldexp(shares[g], 62 - exponent)));
    return fixed;
}

inline Curves<double> share_curve(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups,
                                  const double *positive_shares, const double *negative_shares, int threads) {
    Memory<GroupNumber> groups(std::max<std::size_t>(rows.size, 1));
    const std::size_t per_task = std::max<std::size_t>(1, n_groups * 65536 / (rows.size + 1));
    parallel_for((n_groups + per_task - 1) / per_task, threads, [&](std::size_t task, Worker &) {
        const std::size_t end = std::min(n_groups, (task + 1) * per_task);
        for (std::size_t g = task * per_task; g < end; ++g)
            std::fill(groups.data() + offsets[g], groups.data() + offsets[g + 1],
                      GroupNumber{std::uint32_t(g)});
    });
    const std::vector<std::int64_t> of_positives = fixed_point(positive_shares, n_groups);
    const std::vector<std::int64_t> of_negatives = fixed_point(negative_shares, n_groups);
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
                totals[b].positives += of_positives[all.payloads(i)->group];
            for (std::size_t i = bucket.middle; i < bucket.end; ++i)
                totals[b].negatives += of_negatives[all.payloads(i)->group];
        });
    Total before;
    for (Total &total : totals) {
        const Total own = total;
        total = before;
        before.positives += own.positives;
        before.negatives += own.negatives;
    }
    const double positives = to_double(before.positives), negatives = to_double(before.negatives);
    parallel_for(all.buckets.size(), threads, [&](std::size_t b, Worker &) {
        const Bucket &bucket = all.buckets[b];
        auto out = writer.at(bucket);
        Total sum = totals[b];
        const GroupNumber *positive = all.payloads(bucket.begin), *negative = all.payloads(bucket.middle);
        std::size_t vertex = 0;
        for_each_distinct(sorted(all, bucket),
                          [&](Key key, std::size_t n_positives, std::size_t n_negatives) {
                              while (n_positives--) sum.positives += of_positives[(positive++)->group];
                              while (n_negatives--) sum.negatives += of_negatives[(negative++)->group];
                              out.thresholds[vertex] = rows.threshold(key);
                              out.true_positives[vertex] = to_double(sum.positives) / positives;
                              out.false_positives[vertex++] = to_double(sum.negatives) / negatives;
                          });
        writer.wrote(b, vertex);
    });
    writer.close(all, threads);
    return std::move(writer.curves);
}

}  // namespace rocsteady
