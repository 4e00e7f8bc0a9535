// Deciding by class weights, and counting: for each weight vector, how many rows of each class are decided
// wrongly, and how many rows of each cell are decided for each class.
//
// A row goes to the class with the largest weight * output; of several the lowest. Outputs stand class by
// class, so that the loops run along rows, many at a time. A tile of rows stays in the nearest cache while a
// chunk of weight vectors goes over it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sort.hpp"

namespace rocsteady {

struct WeighedRows {
    const double *outputs;  // n_classes x n_rows
    std::size_t n_classes, n_rows;
    const double *weights;  // n_vectors x n_classes
    std::size_t n_vectors;

    const double *column(std::size_t c, std::size_t row) const { return outputs + c * n_rows + row; }
};

// Rows per tile: with 20 classes 20 KiB of outputs. Vectors per task: enough to use a tile while it is near.
constexpr std::size_t tile_rows = 128, chunk_vectors = 16;

// best = max(best, weight * output). Written as the comparison that vector maxima make.
ROCSTEADY_CLONES static void raise_best(const double *outputs, double weight, std::size_t n, double *best) {
    for (std::size_t i = 0; i < n; ++i) {
        const double product = weight * outputs[i];
        best[i] = product > best[i] ? product : best[i];
    }
}

ROCSTEADY_CLONES static void raise_best_class(const double *outputs, double weight, std::int64_t own,
                                              std::size_t n, double *best, std::int64_t *classes) {
    for (std::size_t i = 0; i < n; ++i) {
        const double product = weight * outputs[i];
        const bool better = product > best[i];
        best[i] = better ? product : best[i];
        classes[i] = better ? own : classes[i];
    }
}

// Rows whose own class loses: to a class before it also by a tie.
ROCSTEADY_CLONES static std::int64_t count_lost(const double *outputs, double weight, const double *before,
                                                const double *after, std::size_t n) {
    std::int64_t lost = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double own = weight * outputs[i];
        lost += std::int64_t((before[i] >= own) | (after[i] > own));
    }
    return lost;
}

inline std::int64_t errors_of_tile(const WeighedRows &rows, const double *weights, std::size_t own,
                                   std::size_t row, std::size_t n) {
    double before[tile_rows], after[tile_rows];
    std::fill_n(before, n, -1.0);  // products are never negative, so nothing ties with this
    std::fill_n(after, n, -1.0);
    for (std::size_t c = 0; c < own; ++c) raise_best(rows.column(c, row), weights[c], n, before);
    for (std::size_t c = own + 1; c < rows.n_classes; ++c)
        raise_best(rows.column(c, row), weights[c], n, after);
    return count_lost(rows.column(own, row), weights[own], before, after, n);
}

// Calls body(k, row, n) for every weight vector and every tile of the rows [begin, end).
template <class Body>
void for_tiles(std::size_t begin, std::size_t end, std::size_t first, std::size_t last, Worker &worker,
               Body body) {
    for (std::size_t row = begin; row < end; row += tile_rows) {
        worker.pulse();
        const std::size_t n = std::min(tile_rows, end - row);
        for (std::size_t k = first; k < last; ++k) body(k, row, n);
    }
}

inline Memory<std::int64_t> zeros(std::size_t n) {
    Memory<std::int64_t> memory(std::max<std::size_t>(n, 1));
    std::fill_n(memory.data(), n, std::int64_t(0));
    return memory;
}

// n_vectors x n_classes; rows offsets[c] to offsets[c + 1] are of class c.
inline Memory<std::int64_t> count_errors(const WeighedRows &rows, const std::int64_t *offsets, int threads) {
    Memory<std::int64_t> errors = zeros(product(rows.n_vectors, rows.n_classes));
    const std::size_t n_tasks = (rows.n_vectors + chunk_vectors - 1) / chunk_vectors;
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
        const std::size_t first = task * chunk_vectors,
                          last = std::min(rows.n_vectors, first + chunk_vectors);
        for (std::size_t own = 0; own < rows.n_classes; ++own)
            for_tiles(std::size_t(offsets[own]), std::size_t(offsets[own + 1]), first, last, worker,
                      [&](std::size_t k, std::size_t row, std::size_t n) {
                          errors[k * rows.n_classes + own] +=
                              errors_of_tile(rows, rows.weights + k * rows.n_classes, own, row, n);
                      });
    });
    return errors;
}

// n_vectors x n_cells x n_classes.
inline Memory<std::int64_t> count_decisions(const WeighedRows &rows, const std::int64_t *cells,
                                            std::size_t n_cells, int threads) {
    Memory<std::int64_t> counts = zeros(product(product(rows.n_vectors, n_cells), rows.n_classes));
    const std::size_t n_tasks = (rows.n_vectors + chunk_vectors - 1) / chunk_vectors;
    parallel_for(n_tasks, threads, [&](std::size_t task, Worker &worker) {
        const std::size_t first = task * chunk_vectors,
                          last = std::min(rows.n_vectors, first + chunk_vectors);
        for_tiles(0, rows.n_rows, first, last, worker, [&](std::size_t k, std::size_t row, std::size_t n) {
            double best[tile_rows];
            std::int64_t classes[tile_rows];
            std::fill_n(best, n, -1.0);
            std::fill_n(classes, n, std::int64_t(0));
            const double *weights = rows.weights + k * rows.n_classes;
            for (std::size_t c = 0; c < rows.n_classes; ++c)
                raise_best_class(rows.column(c, row), weights[c], std::int64_t(c), n, best, classes);
            std::int64_t *own = counts.data() + k * n_cells * rows.n_classes;
            for (std::size_t i = 0; i < n; ++i)
                ++own[std::size_t(cells[row + i]) * rows.n_classes + std::size_t(classes[i])];
        });
    });
    return counts;
}

}  // namespace rocsteady
