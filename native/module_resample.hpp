// The Python face of the resampling kernels.
#pragma once

#include "module_arrays.hpp"
#include "resample_cases.hpp"
#include "resample_groups.hpp"

namespace rocsteady {
namespace {

// With a negative weight a class could count for nothing in every draw, and another would be tried for ever.
void require_weights(const double *weights, std::size_t n) {
    require_finite(weights, n);
    for (std::size_t i = 0; i < n; ++i)
        if (weights[i] < 0) throw nb::value_error("a weight is negative");
}

// Cases of one class of a resampling kernel; everything that will be indexed by is looked at once, here.
Cases cases_of(const Counts &ranks, const Offsets &offsets, const std::optional<Weights> &weights) {
    n_groups(offsets, ranks.shape(0));
    // Places among the cases of the other class, two for each, are numbered in 32 bits.
    if (ranks.shape(0) >= std::size_t(1) << 31) throw nb::value_error("too many cases in one class");
    for (std::size_t i = 0; i < ranks.shape(0); ++i)
        if (ranks(i) < 0 || ranks(i) >= std::int64_t(1) << 32)
            throw nb::value_error("a rank is negative or too high");
    if (weights && weights->shape(0) != ranks.shape(0))
        throw nb::value_error("ranks and weights differ in length");
    if (weights) require_weights(weights->data(), weights->shape(0));
    return {ranks.data(), offsets.data(), weights ? weights->data() : nullptr};
}

Readings readings_of(const Counts &kinds, const Weights &low, const Weights &high, const Vertices &frozen,
                     std::size_t n_curves) {
    const std::size_t n = kinds.shape(0), n_frozen = frozen.shape(1);
    bool fits = low.shape(0) == n && high.shape(0) == n && frozen.shape(0) == n_curves;
    for (std::size_t k = 0; fits && k < n; ++k) {
        const std::int64_t kind = kinds(k);
        const double most = kind >= Readings::frozen_fpr ? double(n_frozen) - 1 : 1;
        fits = kind >= 0 && kind <= Readings::frozen_tpr && low(k) >= 0 && low(k) <= most;
        if (kind == Readings::area_over_fpr || kind == Readings::area_over_tpr)
            fits = fits && high(k) >= low(k) && high(k) <= 1;
    }
    if (!fits) throw nb::value_error("a reading is not one, or is out of range");
    return {kinds.data(), low.data(), high.data(), n, frozen.data(), n_frozen};
}

// The vertices of every curve must exist; n_vertices(curve) is one more than the highest.
template <class Count>
void require_vertices(const Vertices &frozen, Count n_vertices) {
    for (std::size_t curve = 0; curve < frozen.shape(0); ++curve)
        for (std::size_t k = 0; k < frozen.shape(1); ++k)
            if (frozen(curve, k) < 0 || std::size_t(frozen(curve, k)) >= n_vertices(curve))
                throw nb::value_error("a frozen vertex does not exist");
}

Report::Tell teller(const nb::object &progress) {
    if (progress.is_none()) return {};
    return [&progress](std::size_t done, std::size_t total) {
        nb::gil_scoped_acquire acquire;
        progress(done, total);
    };
}

nb::object resample_cases_(const Counts &positive_ranks, const Counts &negative_ranks,
                           const Offsets &positive_offsets, const Offsets &negative_offsets,
                           std::optional<Weights> positive_weights, std::optional<Weights> negative_weights,
                           const Weights &group_weights, bool shared, const Counts &kinds, const Weights &low,
                           const Weights &high, const Vertices &frozen, std::uint64_t seed,
                           std::int64_t n_resamples, int threads, const nb::object &progress) {
    CaseDraws draws{{cases_of(positive_ranks, positive_offsets, positive_weights),
                     cases_of(negative_ranks, negative_offsets, negative_weights)},
                    positive_offsets.shape(0) - 1,
                    group_weights.data(),
                    shared,
                    seed,
                    std::size_t(n_resamples)};
    if (draws.n_groups < 1 || negative_offsets.shape(0) != positive_offsets.shape(0) || n_resamples < 0 ||
        group_weights.shape(0) != draws.n_groups || !positive_weights != !negative_weights)
        throw nb::value_error("the groups or weights do not fit together");
    require_weights(group_weights.data(), draws.n_groups);
    const Readings readings = readings_of(kinds, low, high, frozen, draws.n_curves());
    require_vertices(frozen, [&](std::size_t curve) { return draws.n_ranks(curve) + 1; });
    const std::size_t n = product(draws.n_resamples, readings.n);
    Memory<double> values(std::max<std::size_t>(n, 1));
    Report report(teller(progress), draws.n_resamples);
    unlocked([&] {
        resample_cases(draws, readings, threads, report, values.data());
        return 0;
    });
    return hand_over(std::move(values), n, {draws.n_resamples, readings.n});
}

nb::tuple resample_groups_(const Counts &positive_ranks, const Counts &negative_ranks,
                           const Offsets &positive_offsets, const Offsets &negative_offsets,
                           std::optional<Weights> positive_weights, std::optional<Weights> negative_weights,
                           const Weights &positive_shares, const Weights &negative_shares,
                           const Counts &kinds, const Weights &low, const Weights &high,
                           const Vertices &frozen, std::uint64_t seed, std::int64_t n_resamples, int threads,
                           const nb::object &progress) {
    GroupDraws draws{{cases_of(positive_ranks, positive_offsets, positive_weights),
                      cases_of(negative_ranks, negative_offsets, negative_weights)},
                     positive_offsets.shape(0) - 1,
                     {positive_shares.data(), negative_shares.data()},
                     seed,
                     std::size_t(n_resamples)};
    if (draws.n_groups < 1 || draws.n_groups >= std::size_t(1) << 29 || n_resamples < 0 ||
        negative_offsets.shape(0) != positive_offsets.shape(0) ||
        positive_shares.shape(0) != draws.n_groups || negative_shares.shape(0) != draws.n_groups ||
        !positive_weights != !negative_weights)
        throw nb::value_error("the groups or weights do not fit together");
    require_weights(positive_shares.data(), draws.n_groups);
    require_weights(negative_shares.data(), draws.n_groups);
    const Readings readings = readings_of(kinds, low, high, frozen, 1);
    const std::size_t n = product(draws.n_resamples, readings.n);
    Memory<double> values(std::max<std::size_t>(n, 1));
    Report report(teller(progress), draws.n_resamples);
    const std::size_t n_redrawn = unlocked([&] {
        const GroupResampler resampler(draws, readings);
        require_vertices(frozen, [&](std::size_t) { return resampler.n_vertices(); });
        return resampler.run(threads, report, values.data());
    });
    return nb::make_tuple(hand_over(std::move(values), n, {draws.n_resamples, readings.n}), n_redrawn);
}

}  // namespace
}  // namespace rocsteady
