// Scores as 64-bit keys.
//
// Every score type maps to an unsigned integer whose order is the order in which a falling threshold meets
// the scores: the strictest score has the smallest key. Equal scores have equal keys and nothing else has:
// int64 never passes through double (2^53 + 1 would tie with 2^53), float widens exactly, -0.0 equals 0.0.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rocsteady {

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

}  // namespace rocsteady
