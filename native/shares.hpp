// One curve of many groups, in which a case counts its group's share instead of one.
//
// With shares of weight / (sum of weights * cases of the class in the group) this is the weighted mean of the
// groups' rates at every threshold. Shares come to twice the precision of a double and are added up as
// fixed-point integers of 128 bits, so sums have no order, every thread count gives the same bits, and a rate
// is the mean of counts / n, rounded once. Nothing is divided: the shares of all cases of a class add up to
// one.
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
