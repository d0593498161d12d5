/// Matrices by (from, to) among a model's parameters: found by name, checked against the model's description and the
/// platform, and indexed by rank.
///
/// Checked  tests/unit/models/matrices_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/model.hpp"

namespace orrery {

/// Number of nodes, hosts or cores of the platform: rows of such a matrix.
std::uint32_t count_of(const Platform& platform, MatrixRows rows);

/// The matrix of that name; nullptr if there is none.
const ParameterMatrix* find_matrix(const ModelParameters& parameters, const std::string& name);

/// Throws InputError that begins with the place of the matrix in its file if the model does not have it, if its unit or
/// the kind of its rows is wrong, if it is not square, lacks a row for some node (host, core) of the platform, contains
/// a number below 0 or NaN, or appears twice.
void check_matrices(const ModelEntry& entry, const ModelParameters& parameters, const Platform& platform);

/// The row of each rank. A rank of several cores uses the first one; cores are assigned in the order of the ranks of a
/// host, so that the number determines the core. Throws DomainError for a GPU rank if rows are cores.  [ranks]
std::vector<std::uint32_t> matrix_rows_of(const Platform& platform, const Layout& layout, MatrixRows rows);

/// "node 3", "core 17"
std::string matrix_row_name(MatrixRows rows, std::size_t row);

}  // namespace orrery
