// From rows to sorted buckets.
//
// A bucket is a stretch of one group's scores: its positives, then its negatives, each sorted, strictest
// first. The buckets of a group follow one another in the order of the scores, so that whoever knows how many
// positives and negatives came before a bucket can walk it on its own. A small group is one bucket; a large
// one is cut:
//
//   1. a sample of the keys chooses a monotone map to 2,048 bins;
//   2. all rows are counted into bins (here NaN scores and stray labels are found, at no extra pass);
//   3. neighbouring bins are merged into buckets of about equal weight;
//   4. ONE stable scatter writes every key to its bucket and class;
//   5. each bucket is sorted in the cache and handed to the visitor at once.
#pragma once

#include <stdexcept>
#include <utility>

#include "memory.hpp"
#include "parallel.hpp"
#include "sort.hpp"

namespace rocsteady {

struct Bucket {
    std::size_t group = 0;
    std::size_t begin = 0, middle = 0, end = 0;  // positives [begin, middle), negatives [middle, end)
    std::int64_t positives_before = 0, negatives_before = 0;  // in the same group

    std::int64_t n_positives() const { return std::int64_t(middle - begin); }
    std::int64_t n_negatives() const { return std::int64_t(end - middle); }
};

struct UncleanRows : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

inline void require_clean(unsigned flags) {
    if (flags & Rows::nan_score) throw UncleanRows("a score is NaN");
    if (flags & Rows::stray_label) throw UncleanRows("a label is neither of the two");
}

// Bins of floats, evenly spaced by value. Each step is monotone, also after rounding, and infinities stop at
// the ends.
ROCSTEADY_CLONES static void bins_by_value(const Key *keys, std::size_t n, Key flip, double slope,
                                           double intercept, double last, std::uint16_t *out) {
    for (std::size_t i = 0; i < n; ++i) {
        const double position = double_from_ordered(keys[i] ^ flip) * slope + intercept;
        const double inside = position > 0.0 ? position : 0.0;
        out[i] = std::uint16_t(std::int32_t(inside < last ? inside : last));
    }
}

// A monotone map from keys to bins, chosen so that a sample of the keys shares as few bins as possible.
class BinMap {
public:
    static constexpr int bin_bits = 11;
    static constexpr std::size_t n_bins = 1 << bin_bits;

    explicit BinMap(const Rows &rows, std::size_t start, std::size_t n) : flip_(rows.flip) {
        std::vector<Key> sample = draw(rows, start, n);
        low_ = sample.front();
        shift_ = std::max(0, bit_width(sample.back() - low_) - bin_bits);
        if (!rows.has_float_keys()) return;
        const std::size_t shared_by_key = shared_bins(sample);
        // By value, from the first finite score of the sample to the last.
        std::size_t first = 0, last = sample.size() - 1;
        while (first < last && !std::isfinite(value(sample[first]))) ++first;
        while (first < last && !std::isfinite(value(sample[last]))) --last;
        slope_ = double(n_bins) / (value(sample[last]) - value(sample[first]));
        intercept_ = -value(sample[first]) * slope_;
        by_value_ = std::isfinite(slope_) && slope_ != 0 && std::isfinite(intercept_);
        if (by_value_ && shared_bins(sample) > shared_by_key) by_value_ = false;
    }

    void bins(const Key *keys, std::size_t n, std::uint16_t *out) const {
        if (by_value_) {
            bins_by_value(keys, n, flip_, slope_, intercept_, double(n_bins - 1), out);
        } else {
            for (std::size_t i = 0; i < n; ++i) {
                const Key distance = keys[i] > low_ ? keys[i] - low_ : 0;
                out[i] = std::uint16_t(std::min(distance >> shift_, Key(n_bins - 1)));
            }
        }
    }

private:
    double value(Key key) const { return double_from_ordered(key ^ flip_); }

    static std::vector<Key> draw(const Rows &rows, std::size_t start, std::size_t n) {
        std::vector<Key> sample(2048);
        std::uint64_t state = 0x9e3779b97f4a7c15;  // fixed: where the cuts fall must not change between runs
        for (std::size_t i = 0; i < sample.size(); ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const std::size_t stride = n / sample.size();
            rows.read_scores(start + i * stride + std::size_t((state >> 33) % stride), 1, &sample[i]);
        }
        std::sort(sample.begin(), sample.end());
        return sample;
    }

    std::size_t shared_bins(const std::vector<Key> &sample) const {
        std::vector<std::uint16_t> bin(sample.size());
        bins(sample.data(), sample.size(), bin.data());
        std::size_t shared = 0;
        for (std::size_t i = 1; i < sample.size(); ++i)
            shared += bin[i] == bin[i - 1] && sample[i] != sample[i - 1];
        return shared;
    }

    Key flip_, low_ = 0;
    int shift_ = 0;
    bool by_value_ = false;
    double slope_ = 0, intercept_ = 0;
};

// What travels with a key: nothing, the row's number, or an entry of a column (a weight, say).
template <class Payload>
struct Travel {
    const Payload *column = nullptr;
    Payload of(std::size_t row) const { return column[row]; }
};
template <>
struct Travel<Nothing> {
    Nothing of(std::size_t) const { return {}; }
};
using RowNumber = std::uint32_t;
template <>
struct Travel<RowNumber> {
    RowNumber of(std::size_t row) const { return RowNumber(row); }
};

template <class Payload>
class Buckets {
public:
    static constexpr bool travels_alone = std::is_same<Payload, Nothing>::value;
    static constexpr std::size_t large_group = 1 << 15;  // rows from which a group is cut
    static constexpr std::size_t bucket_rows = 1 << 14;  // aim for large groups ...
    static constexpr std::size_t max_buckets = 1 << 8;   // ... but no more streams to write to than this

    Buckets(const Rows &rows, const std::int64_t *offsets, std::size_t n_groups, Travel<Payload> travel,
            int threads)
        : rows_(rows),
          offsets_(offsets),
          n_groups_(n_groups),
          travel_(travel),
          threads_(threads),
          keys_(rows.size) {
        // Row numbers and bin counts are 32 bits wide, and pair counts then fit 63.
        if (rows.size >= (std::size_t(1) << 32))
            throw std::length_error("more than 4 billion rows in one call");
        if constexpr (!travels_alone) payloads_ = Scratch<Payload>(rows.size);
    }

    // Sorts everything; calls visit(bucket index, bucket) as soon as a bucket is sorted, from any thread.
    template <class Prepare, class Visit>
    void sort(Prepare prepare, Visit visit) {
        plan();
        prepare(buckets.size());
        sort_small_groups(visit);
        sort_large_groups(visit);
    }

    // All negatives of the bucket's group; known once the bucket is sorted.
    std::int64_t negatives_in_group(const Bucket &bucket) const {
        const Bucket &last = buckets[first_of_group[bucket.group + 1] - 1];
        return last.negatives_before + last.n_negatives();
    }

    const Key *keys(std::size_t at) const { return keys_.data() + at; }
    const Payload *payloads(std::size_t at) const { return payloads_.data() + at; }

    std::vector<Bucket> buckets;  // in order of groups, then of scores
    std::vector<std::size_t>
        first_of_group;  // buckets of group g: first_of_group[g] ... first_of_group[g + 1]

private:
    std::size_t rows_in(std::size_t group) const {
        return std::size_t(offsets_[group + 1] - offsets_[group]);
    }

    // Scatters the large groups, and lists all buckets; those of small groups are filled in when they are
    // sorted.
    void plan() {
        for (std::size_t group = 0; group < n_groups_; ++group) {
            first_of_group.push_back(buckets.size());
            if (rows_in(group) >= large_group) {
                cut(group);
            } else {
                Bucket bucket;
                bucket.group = group;
                bucket.begin = std::size_t(offsets_[group]);
                bucket.end = std::size_t(offsets_[group + 1]);
                buckets.push_back(bucket);
            }
        }
        first_of_group.push_back(buckets.size());
    }

    // Steps 1 to 4 for one large group.
    void cut(std::size_t group) {
        const std::size_t start = std::size_t(offsets_[group]), n = rows_in(group);
        const BinMap map(rows_, start, n);
        // Several chunks per thread, for the one that comes late. The scatter is stable, so where the chunks
        // meet leaves no trace in the result.
        const std::size_t n_chunks = threads_ > 1 ? 4 * std::size_t(threads_) : 1;
        auto chunk_begin = [&](std::size_t chunk) {
            return start + n / n_chunks * chunk + std::min(chunk, n % n_chunks);
        };

        std::vector<std::vector<std::uint32_t>> counts(n_chunks);
        std::vector<unsigned> flags(n_chunks, 0);
        parallel_for(n_chunks, threads_, [&](std::size_t chunk, Worker &worker) {
            counts[chunk].assign(2 * BinMap::n_bins, 0);
            std::uint32_t *count = counts[chunk].data();
            for_each_block(map, chunk_begin(chunk), chunk_begin(chunk + 1), worker, flags[chunk],
                           [&](std::size_t, std::size_t m, const Key *, const std::uint8_t *classes,
                               const std::uint16_t *bins) {
                               for (std::size_t i = 0; i < m; ++i) ++count[2 * bins[i] + !classes[i]];
                           });
        });
        for (unsigned flag : flags) require_clean(flag);

        const std::vector<std::uint16_t> bucket_of_bin = merge_bins(counts, n);
        const std::size_t n_buckets = bucket_of_bin.back() + std::size_t(1);
        std::vector<std::vector<std::size_t>> cursors = place(group, start, counts, bucket_of_bin, n_buckets);
        parallel_for(n_chunks, threads_, [&](std::size_t chunk, Worker &worker) {
            std::size_t *cursor = cursors[chunk].data();
            unsigned ignored = 0;
            for_each_block(map, chunk_begin(chunk), chunk_begin(chunk + 1), worker, ignored,
                           [&](std::size_t row, std::size_t m, const Key *keys, const std::uint8_t *classes,
                               const std::uint16_t *bins) {
                               for (std::size_t i = 0; i < m; ++i) {
                                   const std::size_t to = cursor[2 * bucket_of_bin[bins[i]] + !classes[i]]++;
                                   prefetch(keys_.data() + to + 8);
                                   keys_[to] = keys[i];
                                   if constexpr (!travels_alone) {
                                       prefetch(payloads_.data() + to + 64 / sizeof(Payload));
                                       payloads_[to] = travel_.of(row + i);
                                   }
                               }
                           });
        });
    }

    template <class Body>
    void for_each_block(const BinMap &map, std::size_t begin, std::size_t end, Worker &worker,
                        unsigned &flags, Body body) const {
        Key keys[block_rows];
        std::uint8_t classes[block_rows];
        std::uint16_t bins[block_rows];
        for (std::size_t row = begin; row < end; row += block_rows) {
            worker.pulse();
            const std::size_t m = std::min(block_rows, end - row);
            flags |= rows_.read(row, m, keys, classes);
            map.bins(keys, m, bins);
            body(row, m, keys, classes, bins);
        }
    }

    static std::vector<std::uint16_t> merge_bins(const std::vector<std::vector<std::uint32_t>> &counts,
                                                 std::size_t n) {
        const std::size_t aim = std::max(bucket_rows, n / max_buckets);
        std::vector<std::uint16_t> bucket_of_bin(BinMap::n_bins);
        std::size_t bucket = 0, filled = 0;
        for (std::size_t bin = 0; bin < BinMap::n_bins; ++bin) {
            std::size_t here = 0;
            for (const auto &count : counts) here += std::size_t(count[2 * bin]) + count[2 * bin + 1];
            if (filled > 0 && filled + here > aim) {
                ++bucket;
                filled = 0;
            }
            filled += here;
            bucket_of_bin[bin] = std::uint16_t(bucket);
        }
        return bucket_of_bin;
    }

    // Lists the buckets of a large group; returns where each chunk writes the next key of each bucket and
    // class.
    std::vector<std::vector<std::size_t>> place(std::size_t group, std::size_t start,
                                                const std::vector<std::vector<std::uint32_t>> &counts,
                                                const std::vector<std::uint16_t> &bucket_of_bin,
                                                std::size_t n_buckets) {
        std::vector<std::vector<std::size_t>> cursors(counts.size(),
                                                      std::vector<std::size_t>(2 * n_buckets, 0));
        for (std::size_t chunk = 0; chunk < counts.size(); ++chunk)
            for (std::size_t bin = 0; bin < BinMap::n_bins; ++bin)
                for (std::size_t c = 0; c < 2; ++c)
                    cursors[chunk][2 * bucket_of_bin[bin] + c] += counts[chunk][2 * bin + c];
        Bucket bucket;
        bucket.group = group;
        std::size_t at = start;
        for (std::size_t b = 0; b < n_buckets; ++b) {
            std::size_t edges[3] = {at, 0, 0};
            for (std::size_t c = 0; c < 2; ++c) {
                for (auto &cursor : cursors) at += std::exchange(cursor[2 * b + c], at);
                edges[c + 1] = at;
            }
            bucket.begin = edges[0], bucket.middle = edges[1], bucket.end = edges[2];
            buckets.push_back(bucket);
            bucket.positives_before += bucket.n_positives();
            bucket.negatives_before += bucket.n_negatives();
        }
        return cursors;
    }

    template <class Visit>
    void sort_large_groups(Visit visit) {
        std::vector<std::size_t> todo;
        for (std::size_t b = 0; b < buckets.size(); ++b)
            if (rows_in(buckets[b].group) >= large_group) todo.push_back(b);
        // The longest first, so that no thread is left alone with it at the end.
        std::stable_sort(todo.begin(), todo.end(), [&](std::size_t a, std::size_t b) {
            return buckets[a].end - buckets[a].begin > buckets[b].end - buckets[b].begin;
        });
        run_tasks(todo.size(), 1, [&](std::size_t i, Sorter<Payload> &sorter) {
            sort_bucket(buckets[todo[i]], sorter);
            visit(todo[i], buckets[todo[i]]);
        });
    }

    template <class Visit>
    void sort_small_groups(Visit visit) {
        std::vector<std::size_t> todo;
        std::size_t n = 0;
        for (std::size_t g = 0; g < n_groups_; ++g)
            if (rows_in(g) < large_group) todo.push_back(first_of_group[g]), n += rows_in(g);
        const std::size_t per_task =
            todo.empty() ? 1 : std::max<std::size_t>(1, todo.size() * 16384 / (n + 1));
        run_tasks(todo.size(), per_task, [&](std::size_t i, Sorter<Payload> &sorter) {
            Bucket &bucket = buckets[todo[i]];
            fill(bucket);
            sort_bucket(bucket, sorter);
            visit(todo[i], bucket);
        });
    }

    // body(i, sorter) for all i, in tasks of per_task; threads only where there is work for them.
    template <class Body>
    void run_tasks(std::size_t n, std::size_t per_task, Body body) {
        const std::size_t n_tasks = (n + per_task - 1) / per_task;
        parallel_for(n_tasks, threads_, [&](std::size_t task, Worker &worker) {
            Sorter<Payload> sorter(rows_.flip, rows_.has_float_keys());
            for (std::size_t i = task * per_task; i < std::min(n, (task + 1) * per_task); ++i) {
                worker.pulse();
                body(i, sorter);
            }
        });
    }

    // A small group: positives from the front, negatives from the back, then the negatives turned round
    // (stable).
    void fill(Bucket &bucket) {
        Key keys[block_rows];
        std::uint8_t classes[block_rows];
        unsigned flags = 0;
        std::size_t front = bucket.begin, back = bucket.end;
        for (std::size_t row = bucket.begin; row < bucket.end; row += block_rows) {
            const std::size_t m = std::min(block_rows, bucket.end - row);
            flags |= rows_.read(row, m, keys, classes);
            for (std::size_t i = 0; i < m; ++i) {
                const std::size_t to = classes[i] ? front : back - 1;
                keys_[to] = keys[i];
                if constexpr (!travels_alone) payloads_[to] = travel_.of(row + i);
                front += classes[i];
                back -= !classes[i];
            }
        }
        require_clean(flags);
        bucket.middle = front;
        if constexpr (!travels_alone) {  // keys alone are sorted next and have no order worth keeping
            std::reverse(keys_.data() + front, keys_.data() + bucket.end);
            std::reverse(payloads_.data() + front, payloads_.data() + bucket.end);
        }
    }

    void sort_bucket(const Bucket &bucket, Sorter<Payload> &sorter) {
        Payload *payloads = payloads_.data();
        sorter.sort(keys_.data() + bucket.begin, travels_alone ? nullptr : payloads + bucket.begin,
                    bucket.middle - bucket.begin);
        sorter.sort(keys_.data() + bucket.middle, travels_alone ? nullptr : payloads + bucket.middle,
                    bucket.end - bucket.middle);
    }

    const Rows &rows_;
    const std::int64_t *offsets_;
    std::size_t n_groups_;
    Travel<Payload> travel_;
    int threads_;
    Scratch<Key> keys_;
    Scratch<Payload> payloads_;
};

}  // namespace rocsteady
