// From rows to sorted buckets of keys.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "parallel.hpp"

namespace rocsteady {

// Scores as 64-bit keys.
//
// Every score type maps to an unsigned integer whose order is the order in which a falling threshold meets
// the scores: the strictest score has the smallest key. Equal scores have equal keys and nothing else has:
// int64 never passes through double (2^53 + 1 would tie with 2^53), float widens exactly, -0.0 equals 0.0.

using Key = std::uint64_t;

// Straight loops over a block, compiled for plain x86-64 and for its newer levels; the right one is chosen
// when the library is loaded. All give the same bits: they differ only in how many lanes they work on.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && __GNUC__ >= 12 && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define ROCSTEADY_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define ROCSTEADY_CLONES
#endif
// For what such a loop calls: a function of its own would be compiled once, for plain x86-64.
#if defined(__GNUC__)
#define ROCSTEADY_INLINE inline __attribute__((always_inline))
#else
#define ROCSTEADY_INLINE inline
#endif

enum class ScoreKind { float64, float32, int64, uint64 };
enum class LabelKind { int8, uint8, int32, int64, float32, float64 };  // bool reads as uint8

constexpr Key sign_bit = Key(1) << 63;
constexpr std::size_t block_rows = 1024;  // keys and labels of a block stay in the first-level cache

// Ascending order of values = ascending order of the returned integers.
inline Key ordered_bits(double x) {
    Key bits;
    x += 0.0;  // -0.0 becomes 0.0
    std::memcpy(&bits, &x, sizeof bits);
    return bits ^ (Key(std::int64_t(bits) >> 63) | sign_bit);
}
inline Key ordered_bits(float x) { return ordered_bits(double(x)); }
inline Key ordered_bits(std::int64_t x) { return Key(x) ^ sign_bit; }
inline Key ordered_bits(std::uint64_t x) { return x; }

inline double double_from_ordered(Key ordered) {
    const Key bits = ordered ^ (((ordered >> 63) - 1) | sign_bit);
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

// keys[i] = the key of source[i]; returns whether a score was NaN.
template <class Score>
inline bool load_keys_loop(const Score *source, std::size_t n, Key flip, Key *keys) {
    unsigned any_nan = 0;
    for (std::size_t i = 0; i < n; ++i) {
        any_nan |= source[i] != source[i];
        keys[i] = ordered_bits(source[i]) ^ flip;
    }
    return any_nan;
}
ROCSTEADY_CLONES static bool load_keys(const double *source, std::size_t n, Key flip, Key *keys) {
    return load_keys_loop(source, n, flip, keys);
}
template <class Score>
bool load_keys(const Score *source, std::size_t n, Key flip, Key *keys) {
    return load_keys_loop(source, n, flip, keys);
}

// The smallest and the largest of n > 0 keys.
struct Range {
    Key low, high;
};
ROCSTEADY_CLONES static Range range_of(const Key *keys, std::size_t n) {
    Key low = keys[0], high = keys[0];
    for (std::size_t i = 1; i < n; ++i) {
        low = keys[i] < low ? keys[i] : low;
        high = keys[i] > high ? keys[i] : high;
    }
    return {low, high};
}

// Whether a label of this type can be that number: converted, 300 would be an int8 of 44, and 1.5 would be 1.
template <class Label>
bool can_be(double value) {
    if constexpr (std::is_floating_point<Label>::value) return true;
    const double beyond = std::ldexp(1.0, std::numeric_limits<Label>::digits);  // one more than the highest
    return value >= double(std::numeric_limits<Label>::min()) && value < beyond && value == std::floor(value);
}

// What the user handed over: one column of scores, one of labels. Reads blocks of rows as keys and classes.
class Rows {
public:
    const void *scores = nullptr;
    ScoreKind score_kind = ScoreKind::float64;
    const void *labels = nullptr;
    LabelKind label_kind = LabelKind::uint8;
    double positive = 1, negative = 0;
    std::size_t size = 0;
    Key flip = ~Key(0);  // all ones when the highest score is the strictest

    static constexpr unsigned nan_score = 1, stray_label = 2;

    // Fills keys and classes (1 = positive) of n <= block_rows rows; returns what was unclean, as flags.
    unsigned read(std::size_t start, std::size_t n, Key *keys, std::uint8_t *classes) const {
        return read_scores(start, n, keys) | read_labels(start, n, classes);
    }

    unsigned read_scores(std::size_t start, std::size_t n, Key *keys) const {
        switch (score_kind) {
            case ScoreKind::float64:
                return load(static_cast<const double *>(scores) + start, n, keys);
            case ScoreKind::float32:
                return load(static_cast<const float *>(scores) + start, n, keys);
            case ScoreKind::int64:
                return load(static_cast<const std::int64_t *>(scores) + start, n, keys);
            default:
                return load(static_cast<const std::uint64_t *>(scores) + start, n, keys);
        }
    }

    unsigned read_labels(std::size_t start, std::size_t n, std::uint8_t *classes) const {
        if (!labels) return std::memset(classes, 1, n), 0;  // rows without classes are all "positive"
        switch (label_kind) {
            case LabelKind::int8:
                return classify(static_cast<const std::int8_t *>(labels) + start, n, classes);
            case LabelKind::uint8:
                return classify(static_cast<const std::uint8_t *>(labels) + start, n, classes);
            case LabelKind::int32:
                return classify(static_cast<const std::int32_t *>(labels) + start, n, classes);
            case LabelKind::int64:
                return classify(static_cast<const std::int64_t *>(labels) + start, n, classes);
            case LabelKind::float32:
                return classify(static_cast<const float *>(labels) + start, n, classes);
            default:
                return classify(static_cast<const double *>(labels) + start, n, classes);
        }
    }

    // The score behind a key, as the threshold that is printed.
    double threshold(Key key) const {
        const Key ordered = key ^ flip;
        switch (score_kind) {
            case ScoreKind::int64:
                return double(std::int64_t(ordered ^ sign_bit));
            case ScoreKind::uint64:
                return double(ordered);
            default:
                return double_from_ordered(ordered);
        }
    }

    bool has_float_keys() const {
        return score_kind == ScoreKind::float64 || score_kind == ScoreKind::float32;
    }

    double beyond_all() const {
        const double infinity = std::numeric_limits<double>::infinity();
        return flip ? infinity : -infinity;
    }

private:
    template <class Score>
    unsigned load(const Score *source, std::size_t n, Key *keys) const {
        return load_keys(source, n, flip, keys) ? nan_score : 0;
    }

    template <class Label>
    unsigned classify(const Label *source, std::size_t n, std::uint8_t *classes) const {
        const bool any_yes = can_be<Label>(positive), any_no = can_be<Label>(negative);
        const Label yes = any_yes ? Label(positive) : Label(0), no = any_no ? Label(negative) : Label(0);
        bool stray = false;
        for (std::size_t i = 0; i < n; ++i) {
            const bool is_yes = any_yes & (source[i] == yes), is_no = any_no & (source[i] == no);
            classes[i] = is_yes;
            stray |= !(is_yes | is_no);
        }
        return stray ? stray_label : 0;
    }
};

// Sorting keys that fit in the cache, stably, alone or with a payload (a row number, a weight).
//
// Two counting passes order the keys by the leading bits of their distance from the smallest; insertion puts
// right the few neighbours that still share those bits. Where many share them (odd distributions), they are
// sorted the same way on their own, narrower range. Keys that are all equal are recognised at once, so ties
// cost nothing.

struct Nothing {};  // the payload of keys that travel alone

inline int bit_width(Key x) {
    int width = 0;
    for (; x; x >>= 1) ++width;
    return width;
}

// A monotone map from keys to codes of `bits` bits, fine where the keys are.
//
// Keys of floats of one sign are spread well by their leading bits. Between -1 and 1, however, lie almost all
// the keys there are, so a range that crosses zero is mapped by value instead.
struct Coding {
    Key low = 0, flip = 0;
    int shift = 0;
    bool by_value = false;
    double origin = 0, slope = 0;

    // All keys lie in [low_key, high_key]; `floats` says what they stand for.
    Coding(Key low_key, Key high_key, Key flip_key, bool floats, int bits) : low(low_key), flip(flip_key) {
        shift = std::max(0, bit_width(high_key - low_key) - bits);
        if (shift == 0 || !floats) return;
        const double first = double_from_ordered(low_key ^ flip), last = double_from_ordered(high_key ^ flip);
        origin = first;
        slope = double((Key(1) << bits) - 1) / (last - first);
        by_value = (first < 0) != (last < 0) && std::isfinite(last - first) && std::isfinite(slope);
    }

    template <bool ByValue>
    std::uint32_t code(Key key) const {
        if constexpr (ByValue)
            return std::uint32_t(std::int32_t((double_from_ordered(key ^ flip) - origin) * slope));
        return std::uint32_t((key - low) >> shift);
    }
    bool is_exact() const { return shift == 0; }
};

template <class Payload>
class Sorter {
public:
    Sorter(Key flip, bool floats) : flip_(flip), floats_(floats) {}

    // Sorts keys[0, n) ascending and takes payloads[0, n) along. Equal keys keep their order.
    void sort(Key *keys, Payload *payloads, std::size_t n) {
        if (n <= few) {
            for (std::size_t i = 1; i < n; ++i) insert(keys, payloads, i);
            return;
        }
        const Range range = range_of(keys, n);
        if (range.low == range.high) return;
        const int digit = std::min(max_digit, (bit_width(n) + 5) / 2);
        const Coding coding(range.low, range.high, flip_, floats_, 2 * digit);
        coding.by_value ? sort_by<true>(coding, digit, keys, payloads, n)
                        : sort_by<false>(coding, digit, keys, payloads, n);
    }

private:
    static constexpr std::size_t few = 24;
    static constexpr std::size_t far = 24;  // an insertion that would move further than this means a crowd
    static constexpr int max_digit = 9;
    static constexpr bool travels_alone = std::is_same<Payload, Nothing>::value;

    template <bool ByValue>
    void sort_by(const Coding &coding, int digit, Key *keys, Payload *payloads, std::size_t n) {
        distribute<ByValue>(coding, digit, keys, payloads, n);
        if (!coding.is_exact()) finish<ByValue>(coding, keys, payloads, n);
    }

    // Orders by code: the low digit into the spare, the high digit back.
    template <bool ByValue>
    void distribute(const Coding &coding, int digit, Key *keys, Payload *payloads, std::size_t n) {
        const std::uint32_t mask = (1u << digit) - 1;
        std::array<std::uint32_t, 1 << max_digit> first{}, second{};
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t code = coding.code<ByValue>(keys[i]);
            ++first[code & mask];
            ++second[code >> digit];
        }
        std::uint32_t first_sum = 0, second_sum = 0;
        for (std::size_t d = 0; d <= mask; ++d) {
            const std::uint32_t first_count = first[d], second_count = second[d];
            first[d] = first_sum;
            second[d] = second_sum;
            first_sum += first_count;
            second_sum += second_count;
        }
        if (spare_keys_.size() < n) {
            spare_keys_.resize(n);
            if constexpr (!travels_alone) spare_payloads_.resize(n);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const std::uint32_t to = first[coding.code<ByValue>(keys[i]) & mask]++;
            spare_keys_[to] = keys[i];
            if constexpr (!travels_alone) spare_payloads_[to] = payloads[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Key key = spare_keys_[i];
            const std::uint32_t to = second[coding.code<ByValue>(key) >> digit]++;
            keys[to] = key;
            if constexpr (!travels_alone) payloads[to] = spare_payloads_[i];
        }
    }

    // Keys are in order of their codes; put those that share a code in order too.
    template <bool ByValue>
    void finish(const Coding &coding, Key *keys, Payload *payloads, std::size_t n) {
        for (std::size_t i = 1; i < n; ++i) {
            if (keys[i - 1] <= keys[i]) continue;
            const std::uint32_t code = coding.code<ByValue>(keys[i]);
            if (i < far || coding.code<ByValue>(keys[i - far]) != code) {
                insert(keys, payloads, i);
                continue;
            }
            std::size_t begin = i, end = i;  // a crowd: sort it on its own, then go on behind it
            while (begin > 0 && coding.code<ByValue>(keys[begin - 1]) == code) --begin;
            while (end < n && coding.code<ByValue>(keys[end]) == code) ++end;
            sort(keys + begin, travels_alone ? payloads : payloads + begin, end - begin);
            i = end - 1;
        }
    }

    static void insert(Key *keys, Payload *payloads, std::size_t i) {
        const Key key = keys[i];
        std::size_t j = i;
        if constexpr (travels_alone) {
            for (; j > 0 && keys[j - 1] > key; --j) keys[j] = keys[j - 1];
        } else {
            const Payload payload = payloads[i];
            for (; j > 0 && keys[j - 1] > key; --j) {
                keys[j] = keys[j - 1];
                payloads[j] = payloads[j - 1];
            }
            payloads[j] = payload;
        }
        keys[j] = key;
    }

    Key flip_;
    bool floats_;
    std::vector<Key> spare_keys_;
    std::vector<Payload> spare_payloads_;
};

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
