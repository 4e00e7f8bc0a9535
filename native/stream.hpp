// Random numbers that depend on nothing but their position: any thread can take any replicate.
#pragma once

#include "sort.hpp"

namespace rocsteady {

// Draw number k of a stream is a function of where the stream starts and of k: SplitMix64, read as a hash of
// a counter.
constexpr std::uint64_t golden_gamma = 0x9E3779B97F4A7C15ull;

inline std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Where a stream within a stream starts.
inline std::uint64_t substream_start(std::uint64_t start, std::uint64_t number) {
    return mixed(start + number);
}

inline std::uint64_t stream_start(std::uint64_t seed, std::uint64_t replicate) {
    return substream_start(mixed(seed + golden_gamma), replicate);
}

// The high half of draw * bound, without 128-bit integers: in [0, bound). Bounds stay below 2^32, so that the
// bias is below 2^-32.
inline std::uint32_t index_below(std::uint64_t draw, std::uint64_t bound) {
    const std::uint64_t low = (draw & 0xFFFFFFFFull) * bound >> 32;
    return std::uint32_t(((draw >> 32) * bound + low) >> 32);
}

// out[k] = draw number first + k of the stream, below the bound.
ROCSTEADY_CLONES static void draw_indices(std::uint64_t start, std::uint64_t first, std::uint64_t bound,
                                          std::size_t n, std::uint32_t *out) {
    std::uint64_t counter = start + (first + 1) * golden_gamma;
    for (std::size_t k = 0; k < n; ++k, counter += golden_gamma) out[k] = index_below(mixed(counter), bound);
}

// The same below bound - k: partners of a shuffle.
ROCSTEADY_CLONES static void draw_partners(std::uint64_t start, std::uint64_t first, std::uint64_t bound,
                                           std::size_t n, std::uint32_t *out) {
    std::uint64_t counter = start + (first + 1) * golden_gamma;
    for (std::size_t k = 0; k < n; ++k, counter += golden_gamma)
        out[k] = index_below(mixed(counter), bound - k);
}

}  // namespace rocsteady
