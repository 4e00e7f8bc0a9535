// The Python face of the kernels that count streams.
#pragma once

#include "module_arrays.hpp"
#include "slots.hpp"

namespace rocsteady {
namespace {

using Nodes = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;

void require_groups(const Counts &groups, std::size_t n, std::int64_t n_groups) {
    bool fits = groups.shape(0) == n && n_groups >= 0;
    for (std::size_t i = 0; fits && i < n; ++i) fits = groups(i) >= 0 && groups(i) < n_groups;
    if (!fits) throw nb::value_error("every row must have a group, numbered below n_groups");
}

nb::object cell_slots_(const Weights &scores, const Counts &groups, const Weights &starts,
                       const Weights &scales, const Counts &firsts, const Counts &sizes, double stop,
                       const Weights &atoms, std::int64_t n_cells, const Nodes &nodes) {
    const std::size_t n = scores.shape(0), n_pieces = starts.shape(0), n_slots = nodes.shape(0);
    bool fits = n_cells >= 1 && scales.shape(0) == n_pieces && firsts.shape(0) == n_pieces &&
                sizes.shape(0) == n_pieces;
    std::int64_t above = 2;  // cells of a piece follow those of the one before
    for (std::size_t i = 0; fits && i < n_pieces; ++i) {
        fits = firsts(i) == above && sizes(i) >= 1 && sizes(i) <= n_cells - above;
        if (fits) above += sizes(i);
    }
    if (!fits || n_cells - above < 2 + std::int64_t(atoms.shape(0)))
        throw nb::value_error("pieces and cells do not fit together");
    bool is_split = false;
    for (std::size_t i = 0; i < n_slots; ++i) {
        const double first = nodes(i, 2), parts = nodes(i, 3);
        is_split = is_split || parts != 0;
        if (parts == 0) continue;
        // Whole numbers: a first part of 3.5 would be the third, which may be the cell itself.
        const bool whole = first == std::floor(first) && parts == std::floor(parts);
        if (!(whole && parts >= 1 && first > double(i) && first + parts <= double(n_slots)))
            throw nb::value_error("the parts of a cell must come after it");
    }
    require_groups(groups, n, std::int64_t(n_slots) / n_cells);
    Memory<std::int64_t> slots(std::max<std::size_t>(n, 1));
    const double *split = is_split ? nodes.data() : nullptr;
    const CellTree tree{starts.data(), scales.data(), firsts.data(),  sizes.data(), n_pieces,
                        stop,          atoms.data(),  atoms.shape(0), n_cells,      split};
    unlocked([&] {
        leaves_of(scores.data(), groups.data(), n, tree, slots.data());
        return 0;
    });
    return hand_over(std::move(slots), n);
}

nb::object anchor_slots_(const Weights &scores, const Counts &groups, const Weights &anchors,
                         const Offsets &offsets) {
    const std::size_t n = scores.shape(0);
    require_groups(groups, n, std::int64_t(n_groups(offsets, anchors.shape(0))));
    Memory<std::int64_t> slots(std::max<std::size_t>(n, 1));
    unlocked([&] {
        places_among(scores.data(), groups.data(), n, anchors.data(), offsets.data(), slots.data());
        return 0;
    });
    return hand_over(std::move(slots), n);
}

using Classes = nb::ndarray<const std::int8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Sums = nb::ndarray<double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;  // added to in place

void add_to_slots_(const Counts &slots, const Classes &classes, const Weights &scores,
                   std::optional<Weights> weights, Sums sums) {
    const std::size_t n = slots.shape(0);
    bool fits = classes.shape(0) == n && scores.shape(0) == n && (!weights || weights->shape(0) == n);
    for (std::size_t i = 0; fits && i < n; ++i)
        fits = slots(i) >= 0 && slots(i) < std::int64_t(sums.shape(0));
    if (!fits) throw nb::value_error("rows and slots do not fit together");
    unlocked([&] {
        add_to_slots(slots.data(), classes.data(), scores.data(), weights ? weights->data() : nullptr, n,
                     sums.data());
        return 0;
    });
}

nb::object order_by_group_(const Counts &groups, std::int64_t n) {
    const std::size_t n_rows = groups.shape(0);
    require_groups(groups, n_rows, n);
    Memory<std::int64_t> order(std::max<std::size_t>(n_rows, 1)), starts(std::size_t(n) + 1);
    unlocked([&] {
        order_by_group(groups.data(), n_rows, starts.data(), std::size_t(n), order.data());
        return 0;
    });
    return hand_over(std::move(order), n_rows);
}

}  // namespace
}  // namespace rocsteady
