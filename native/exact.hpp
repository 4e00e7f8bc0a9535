// Arithmetic without rounding: 128-bit integers, and exact sums of doubles.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

namespace rocsteady {

// A signed 128-bit integer. Sums of squared placements pass 64 bits at a few million cases. Compilers without
// __int128 (MSVC) get the two-word version; ROCSTEADY_PORTABLE_INT128 forces it, so that it can be tested
// anywhere.
#if defined(__SIZEOF_INT128__) && !defined(ROCSTEADY_PORTABLE_INT128)
__extension__ typedef __int128 Int128;

inline Int128 multiply(std::int64_t a, std::int64_t b) { return Int128(a) * b; }
inline Int128 multiply(Int128 a, std::int64_t b) { return a * b; }
inline double to_double(Int128 x) { return double(x); }  // correctly rounded
inline std::int64_t to_int64(Int128 x) { return std::int64_t(x); }
inline Int128 from_double(double x) { return Int128(x); }  // of an integer below 2^127
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

inline Int128 from_double(double x) {  // of an integer below 2^127
    const double high = std::floor(std::ldexp(std::fabs(x), -64));
    const Int128 magnitude(std::uint64_t(std::fabs(x) - std::ldexp(high, 64)), std::uint64_t(high));
    return x < 0 ? -magnitude : magnitude;
}
#endif

// A number, or a running sum, to twice the precision of a double (Ogita, Rump & Oishi 2005).
struct LongSum {
    double high = 0, low = 0;

    double value() const { return high + low; }
    void add(double x) {
        const double sum = high + x, part = sum - high;
        low += (high - (sum - part)) + (x - part);
        high = sum;
    }
    void add(const LongSum &x) {
        add(x.high);
        low += x.low;
    }
    void add_product(const LongSum &x, double y) {
        const double product = x.high * y;
        const Halves a(x.high), b(y);
        add(product);
        low += ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low + x.low * y;
    }

private:
    struct Halves {  // of 26 bits each, whose products are exact (Veltkamp)
        double high, low;
        explicit Halves(double x) {
            const double shifted = 134217729.0 * x;
            high = shifted - (shifted - x);
            low = x - high;
        }
    };
};

inline LongSum quotient(double dividend, const LongSum &divisor) {
    const double first = dividend / divisor.value();
    LongSum rest{dividend, 0};
    rest.add_product(divisor, -first);
    const double second = rest.value() / divisor.value(), sum = first + second;
    return {sum, second - (sum - first)};
}

// A running sum of doubles without any error (Shewchuk 1997): the sum is kept as doubles that do not overlap,
// and rounded only when it is read. Ordinary weights need two or three of them. Weights over hundreds of
// decades leave more, with few bits each; packed so that each is less than the last bit of the next, 41 hold
// whatever a double can be, as long as it is finite: what is not has no exact sum, is kept alone, and stays
// what it is.
class Sum {
public:
    void add(double x) {
        if (size_ == most_) pack();
        int kept = 0;
        for (int k = 0; k < size_; ++k) {
            double y = parts_[k];
            if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0) parts_[kept++] = low;
            x = high;
        }
        if (!std::isfinite(x)) kept = 0;  // its low parts are NaN, and there would be one more with each sum
        parts_[kept] = x;
        size_ = kept + 1;
    }
    void add(const Sum &other) {
        for (int k = 0; k < other.size_; ++k) add(other.parts_[k]);
    }

    // The exact sum, correctly rounded.
    double value() const {
        int k = size_;
        if (k == 0) return 0;
        double high = parts_[--k], low = 0;
        while (k > 0 && low == 0) {
            const double x = high, y = parts_[--k];
            high = x + y;
            low = y - (high - x);
        }
        // Half-way between two doubles: what is left decides.
        if (k > 0 && ((low < 0) == (parts_[k - 1] < 0)) && low != 0) {
            const double twice = 2 * low, up = high + twice;
            if (up - high == twice) high = up;
        }
        return high;
    }

private:
    // The same sum in as few parts as can be (Shewchuk's COMPRESS).
    void pack() {
        int bottom = size_ - 1;
        double rest = parts_[bottom];
        for (int k = bottom - 1; k >= 0; --k) {
            const double x = rest, y = parts_[k];
            rest = x + y;
            const double low = y - (rest - x);
            if (low == 0) continue;
            parts_[bottom--] = rest;
            rest = low;
        }
        int kept = 0;
        for (int k = bottom + 1; k < size_; ++k) {
            const double x = parts_[k], y = rest;
            rest = x + y;
            const double low = y - (rest - x);
            if (low != 0) parts_[kept++] = low;
        }
        parts_[kept] = rest;
        size_ = kept + 1;
    }

    static constexpr int most_ = 48;
    double parts_[most_ + 1];
    int size_ = 0;
};

}  // namespace rocsteady
