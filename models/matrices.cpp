#include "models/matrices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

std::string described(const MatrixDescription& matrix) {
  std::vector<std::string> rows;
  for (const auto kind : matrix.rows) rows.emplace_back(matrix_rows_word(kind));
  return fmt::format("'{}' in {} by {}", matrix.name, matrix.unit, fmt::join(rows, " or "));
}

const MatrixDescription& understood(const ModelEntry& entry, const ParameterMatrix& matrix, const std::string& where) {
  std::vector<std::string> names;
  for (const auto& known : entry.matrices) names.push_back(known.name);
  const auto found = std::ranges::find(entry.matrices, matrix.name, &MatrixDescription::name);
  if (entry.matrices.empty())
    throw InputError("{}: model '{}' reads no matrices ('{}' is one). Remove it?", where, entry.name, matrix.name);
  if (found == entry.matrices.end())
    throw InputError("{}: model '{}' has no matrix '{}'{}", where, entry.name, matrix.name,
                     known_names(matrix.name, names));
  const bool rows = std::ranges::find(found->rows, matrix.rows) != found->rows.end();
  if (matrix.unit != found->unit || !rows)
    throw InputError("{}: matrix '{}' is in '{}' by {} (model '{}' reads {}). Convert it?", where, matrix.name,
                     matrix.unit, matrix_rows_word(matrix.rows), entry.name, described(*found));
  return *found;
}

void check_shape(const ParameterMatrix& matrix, const Platform& platform, const std::string& where) {
  const std::size_t wanted = count_of(platform, matrix.rows);
  const char* things = matrix_rows_word(matrix.rows);
  if (matrix.values.size() != wanted)
    throw InputError(
        "{}: matrix '{}' has {} rows, platform '{}' {} {} (one row for each). Measure it on "
        "this platform?",
        where, matrix.name, matrix.values.size(), platform.name, wanted, things);
  for (std::size_t from = 0; from < wanted; ++from) {
    if (matrix.values[from].size() != wanted)
      throw InputError("{}: matrix '{}' has {} numbers in the row of {} (square: {}). Complete it?", where, matrix.name,
                       matrix.values[from].size(), matrix_row_name(matrix.rows, from), wanted);
    for (std::size_t to = 0; to < wanted; ++to)
      if (const double value = matrix.values[from][to]; !(std::isfinite(value) && value >= 0.0))
        throw InputError("{}: matrix '{}' from {} to {} is {:g} {} (0 or more). Correct it?", where, matrix.name,
                         matrix_row_name(matrix.rows, from), matrix_row_name(matrix.rows, to), value, matrix.unit);
  }
}

/// First core of each rank, counted within its host.
std::vector<std::uint32_t> first_cores(const Layout& layout) {
  std::map<HostId, std::uint32_t> taken;
  std::vector<std::uint32_t> first;
  for (const Placement& place : layout.placements) {
    auto& cores = taken[place.host];
    first.push_back(cores);
    cores += place.cores;
  }
  return first;
}

}  // namespace

std::uint32_t count_of(const Platform& platform, MatrixRows rows) {
  std::uint32_t count = 0;
  for (std::size_t t = 0; t < platform.node_types.size(); ++t) {
    const NodeType& type = platform.node_types[t];
    const std::uint32_t of_node = rows == MatrixRows::nodes ? 1
                                  : rows == MatrixRows::cores
                                      ? type.cores()
                                      : type.sockets + static_cast<std::uint32_t>(type.gpus.size());
    count += platform.node_counts[t] * of_node;
  }
  return count;
}

const ParameterMatrix* find_matrix(const ModelParameters& parameters, const std::string& name) {
  const auto found = std::ranges::find(parameters.matrices, name, &ParameterMatrix::name);
  return found == parameters.matrices.end() ? nullptr : &*found;
}

void check_matrices(const ModelEntry& entry, const ModelParameters& parameters, const Platform& platform) {
  for (const auto& matrix : parameters.matrices) {
    const std::string where = matrix.where.empty() ? entry.name : matrix.where;
    understood(entry, matrix, where);
    check_shape(matrix, platform, where);
    if (find_matrix(parameters, matrix.name) != &matrix)
      throw InputError("{}: matrix '{}' appears twice (each once). Remove one?", where, matrix.name);
  }
}

std::vector<std::uint32_t> matrix_rows_of(const Platform& platform, const Layout& layout, MatrixRows rows) {
  std::vector<std::uint32_t> first_core(platform.nodes() + 1, 0);  // of each node
  if (rows == MatrixRows::cores)
    for (std::uint32_t node = 0; node < platform.nodes(); ++node)
      first_core[node + 1] = first_core[node] + platform.node_types[platform.type_of(NodeId{node})].cores();
  const auto within = rows == MatrixRows::cores ? first_cores(layout) : std::vector<std::uint32_t>{};
  std::vector<std::uint32_t> result;
  for (std::uint32_t r = 0; r < layout.ranks(); ++r) {
    const Placement& place = layout.placements[r];
    const NodeType& type = platform.node_types[place.node_type];
    if (rows == MatrixRows::nodes) {
      result.push_back(static_cast<std::uint32_t>(index(place.node)));
    } else if (rows == MatrixRows::hosts) {
      result.push_back(static_cast<std::uint32_t>(index(place.host)));
    } else if (place.gpu) {
      throw DomainError("rank {} runs on a GPU, and the matrix counts cores (a GPU is a host). Use a matrix by hosts?",
                        r);
    } else {
      const std::uint32_t core = within[r] % type.cores_per_socket;  // ranks beyond the cores share them
      result.push_back(first_core[index(place.node)] + place.socket_of_node * type.cores_per_socket + core);
    }
  }
  return result;
}

std::string matrix_row_name(MatrixRows rows, std::size_t row) {
  const std::string things = matrix_rows_word(rows);
  return fmt::format("{} {}", things.substr(0, things.size() - 1), row);
}

}  // namespace orrery
