// Rows of a stream and the slots they are counted in: leaves of a tree of cells, or places among anchors.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace rocsteady {

// The cells that all groups start from, and those that some of them were split into. A straight piece covers
// the scores from its start on: cell first + floor((score - start) * scale). Group g has the cells g *
// n_cells and following; a cell that was split has its parts as children, numbered from first_child on.
struct CellTree {
    const double *starts, *scales;
    const std::int64_t *firsts, *sizes;  // of each piece
    std::size_t n_pieces;
    double stop;
    const double *atoms;
    std::size_t n_atoms;
    std::int64_t n_cells;
    const double *nodes;  // of each cell start, scale, first child, number of children: a leaf has none;
                          // null where all cells are leaves, which saves a look into memory for every row
};

constexpr std::int64_t lowest_infinite = 0, below_all = 1;

inline std::int64_t inside(double score, double start, double scale, std::int64_t n) {
    if (n == 1) return 0;  // products of infinities would be NaN
    const double place = (score - start) * scale;
    if (!(place < double(n - 1))) return n - 1;
    return place > 0 ? std::int64_t(place) : 0;  // far below 0 there is no integer to cast to
}

inline std::int64_t root_cell(const CellTree &tree, double score, std::int64_t above) {
    if (score >= tree.stop || tree.n_pieces == 0 || !(score >= tree.starts[0])) {
        if (score == -HUGE_VAL) return lowest_infinite;
        if (score == HUGE_VAL) return above + 1 + std::int64_t(tree.n_atoms);
        for (std::size_t i = 0; i < tree.n_atoms; ++i)
            if (score == tree.atoms[i]) return above + 1 + std::int64_t(i);
        return score >= tree.stop ? above : below_all;
    }
    for (std::size_t i = 0; i < tree.n_atoms; ++i)
        if (score == tree.atoms[i]) return above + 1 + std::int64_t(i);
    std::size_t piece = 0, n = tree.n_pieces;  // the last piece that does not start above the score
    while (n > 1) {
        const std::size_t half = n / 2;
        piece += (tree.starts[piece + half] <= score) ? half : 0;
        n -= half;
    }
    return tree.firsts[piece] + inside(score, tree.starts[piece], tree.scales[piece], tree.sizes[piece]);
}

inline void leaves_of(const double *scores, const std::int64_t *groups, std::size_t n, const CellTree &tree,
                      std::int64_t *slots) {
    const std::size_t last = tree.n_pieces - 1;
    const std::int64_t above = tree.n_pieces ? tree.firsts[last] + tree.sizes[last] : 2;
    for (std::size_t i = 0; i < n; ++i) {
        std::int64_t cell = groups[i] * tree.n_cells + root_cell(tree, scores[i], above);
        if (tree.nodes)
            for (const double *node = tree.nodes + 4 * cell; node[3] != 0; node = tree.nodes + 4 * cell)
                cell = std::int64_t(node[2]) + inside(scores[i], node[0], node[1], std::int64_t(node[3]));
        slots[i] = cell;
    }
}

// The number of anchors below a score. The loop has no branch that depends on the data, and its length only
// on the number of anchors.
inline std::size_t anchors_below(const double *anchors, std::size_t n, double score) {
    const double *first = anchors;
    while (n > 1) {
        const std::size_t half = n / 2;
        first += (first[half - 1] < score) ? half : 0;
        n -= half;
    }
    return std::size_t(first - anchors) + (n == 1 && *first < score);
}

// A group with k anchors has 2k + 1 slots: slot 2j lies before its anchor j (and after the one before it),
// slot 2j + 1 is on it.
inline void places_among(const double *scores, const std::int64_t *groups, std::size_t n,
                         const double *anchors, const std::int64_t *offsets, std::int64_t *slots) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t first = std::size_t(offsets[groups[i]]);
        const std::size_t n_anchors = std::size_t(offsets[groups[i] + 1]) - first;
        const std::size_t below = anchors_below(anchors + first, n_anchors, scores[i]);
        const bool on_anchor = below < n_anchors && anchors[first + below] == scores[i];
        slots[i] = std::int64_t(2 * (first + below) + on_anchor) + groups[i];
    }
}

// What a slot holds: positives, negatives (rows or weights), its lowest and its highest score. One line of
// the cache for each row that is added.
inline void add_to_slots(const std::int64_t *slots, const std::int8_t *classes, const double *scores,
                         const double *weights, std::size_t n, double *sums) {
    for (std::size_t i = 0; i < n; ++i) {
        double *own = sums + 4 * slots[i];
        own[classes[i] ? 0 : 1] += weights ? weights[i] : 1.0;
        own[2] = std::min(own[2], scores[i]);
        own[3] = std::max(own[3], scores[i]);
    }
}

}  // namespace rocsteady
