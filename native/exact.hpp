// Arithmetic without rounding: 128-bit integers, and sums of doubles kept to twice their precision.
#pragma once

#include <cmath>
#include <cstdint>

namespace rocsteady {

// A signed 128-bit integer. Sums of squared placements pass 64 bits at a few million cases. Compilers without
// __int128 (MSVC) get the two-word version; ROCSTEADY_PORTABLE_INT128 forces it, so that it can be tested anywhere.
#if defined(__SIZEOF_INT128__) && !defined(ROCSTEADY_PORTABLE_INT128)
__extension__ typedef __int128 Int128;

inline Int128 multiply(std::int64_t a, std::int64_t b) { return Int128(a) * b; }
inline Int128 multiply(Int128 a, std::int64_t b) { return a * b; }
inline double to_double(Int128 x) { return double(x); }  // correctly rounded
inline std::int64_t to_int64(Int128 x) { return std::int64_t(x); }
#else
struct Int128 {
    std::uint64_t low = 0, high = 0;  // two's complement

    Int128() = default;
    Int128(std::int64_t x) : low(std::uint64_t(x)), high(x < 0 ? ~std::uint64_t(0) : 0) {}
    Int128(std::uint64_t low_word, std::uint64_t high_word) : low(low_word), high(high_word) {}

    Int128 operator-() const { return Int128(~low + 1, ~high + (low == 0)); }
    Int128 operator+(Int128 o) const { return Int128(low + o.low, high + o.high + (low + o.low < low)); }
    Int128 operator-(Int128 o) const { return *this + -o; }
    Int128 &operator+=(Int128 o) { return *this = *this + o; }
};

inline Int128 multiply_words(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t half = 0xffffffffu;
    const std::uint64_t a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const std::uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32);
    const std::uint64_t cross = a0 * b1 + (middle & half);
    return Int128((cross << 32) | (low & half), a1 * b1 + (middle >> 32) + (cross >> 32));
}
inline Int128 multiply(Int128 a, std::int64_t b) {
    const std::uint64_t word = std::uint64_t(b);
    Int128 product = multiply_words(a.low, word);
    product.high += a.high * word - (b < 0 ? a.low : 0);
    return product;
}
inline Int128 multiply(std::int64_t a, std::int64_t b) { return multiply(Int128(a), b); }

inline std::int64_t to_int64(Int128 x) { return std::int64_t(x.low); }

inline double to_double(Int128 x) {
    const bool is_negative = x.high >> 63;
    if (is_negative) x = -x;
    int shift = 0;
    while (x.high) {  // keep 64 bits; what falls off stays visible in the last bit, so rounding is right
        x.low = (x.low >> 1) | (x.high << 63) | (x.low & 1);
        x.high >>= 1;
        ++shift;
    }
    const double magnitude = std::ldexp(double(x.low), shift);
    return is_negative ? -magnitude : magnitude;
}
#endif

// A running sum of doubles that is off by about 2^-106: rounded, it is what an exact sum would round to.
struct Sum {
    double high = 0, low = 0;

    void add(double x) {
        const double sum = high + x;
        const double part = sum - high;
        low += (high - (sum - part)) + (x - part);
        high = sum;
        const double folded = high + low;
        low -= folded - high;
        high = folded;
    }
    void add(const Sum &other) {
        add(other.high);
        add(other.low);
    }
    double value() const { return high; }
};

}  // namespace rocsteady
