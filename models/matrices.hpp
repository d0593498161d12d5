/// Matrices by (from, to) among a model's parameters: found by name, checked against what the model understands and
/// against the platform, and looked up by rank.
///
/// Checked  tests/unit/models/matrices_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"

namespace orrery {

/// Nodes, hosts or cores of the platform: rows of such a matrix.
std::uint32_t count_of(const Platform& platform, MatrixRows rows);

/// The matrix of that name; nullptr when there is none.
const ParameterMatrix* find_matrix(const ModelParameters& parameters, const std::string& name);

/// Throws InputError, opened by the place of the matrix in its file, for one that the model does not understand, is in
/// another unit or counted otherwise than it says, is not square, has not a row for each node (host, core) of the
/// platform, holds a number below 0 or none, or appears twice.
void check_matrices(const ModelEntry& entry, const ModelParameters& parameters, const Platform& platform);

/// The row of each rank. Ranks of several cores count as the first of them; cores are taken in the order of the ranks
/// of a host, so that the number says which. Throws DomainError for a GPU rank where cores are counted.  [ranks]
std::vector<std::uint32_t> matrix_rows_of(const Platform& platform, const Layout& layout, MatrixRows rows);

/// "node 3", "core 17"
std::string matrix_row_name(MatrixRows rows, std::size_t row);

}  // namespace orrery
