// Sorting keys that fit in the cache, stably, alone or with a payload (a row number, a weight).
//
// Two counting passes order the keys by the leading bits of their distance from the smallest; insertion puts
// right the few neighbours that still share those bits. Where many share them (odd distributions), they are
// sorted the same way on their own, narrower range. Keys that are all equal are recognised at once, so ties
// cost nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "keys.hpp"

namespace rocsteady {

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

}  // namespace rocsteady
