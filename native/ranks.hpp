// The rank of every row among the distinct scores of its group, in the order of the rows.
#pragma once

#include "count.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
