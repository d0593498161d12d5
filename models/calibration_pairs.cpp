#include "models/calibration_pairs.hpp"

#include <fmt/format.h>

#include <cassert>

#include "models/matrices.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::size_t experiments_max = 20000;

/// Every core, in the order in which matrices count them.
std::vector<CorePlace> cores_of(const Platform& platform) {
  std::vector<CorePlace> cores;
  for (std::uint32_t node = 0; node < platform.nodes(); ++node)
    for (std::uint32_t core = 0; core < platform.node_types[platform.type_of(NodeId{node})].cores(); ++core)
      cores.push_back({NodeId{node}, core});
  return cores;
}

/// Where the two ranks of a pair stand; nobody for a node of one core with itself, and for a core.
std::vector<CorePlace> places_of(const Platform& platform, MatrixRows rows, const std::vector<CorePlace>& cores,
                                 std::uint32_t from, std::uint32_t to) {
  if (rows == MatrixRows::cores) return from == to ? std::vector<CorePlace>{} : std::vector{cores[from], cores[to]};
  const bool alone = from == to && platform.node_types[platform.type_of(NodeId{from})].cores() < 2;
  return alone ? std::vector<CorePlace>{} : cores_in_order(platform, {NodeId{from}, NodeId{to}});
}

}  // namespace

MatrixRows rows_of(CalibrationPairs pairs) {
  assert(pairs != CalibrationPairs::types);
  return pairs == CalibrationPairs::nodes ? MatrixRows::nodes : MatrixRows::cores;
}

std::string series_name(const std::string& kernel, MatrixRows rows, std::size_t from, std::size_t to) {
  return fmt::format("{}/{}/{}-{}", kernel, matrix_rows_word(rows), from, to);
}

std::vector<Experiment> pingpong_plan_of_pairs(const Platform& platform, const Network& network,
                                               const CalibrationRange& range) {
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type)
    if (platform.node_counts[type] > 0 && !on_network(platform, network, type))
      throw InputError(
          "calibrate: nodes of type '{}' are not on network '{}' (a matrix has a row for each node of the "
          "platform). Tell types of node apart instead ('--pairs types')?",
          platform.node_types[type].name, network.name);
  const MatrixRows rows = rows_of(range.pairs);
  const std::uint32_t count = count_of(platform, rows);
  const std::size_t pairs = std::size_t{count} * (count + 1) / 2;
  if (pairs > experiments_max)
    throw DomainError(
        "calibrate: {} {} make {} pairs to measure (at most {}). Tell types of node apart "
        "instead?",
        count, matrix_rows_word(rows), pairs, experiments_max);
  const auto cores = rows == MatrixRows::cores ? cores_of(platform) : std::vector<CorePlace>{};
  std::vector<Experiment> plan;
  for (std::uint32_t from = 0; from < count; ++from)
    for (std::uint32_t to = from; to < count; ++to)
      if (auto places = places_of(platform, rows, cores, from, to); !places.empty())
        plan.push_back({.id = series_name("pingpong", rows, from, to),
                        .kernel = "pingpong",
                        .kernel_parameters = {{"sizes", sizes_text(range.sizes)}},
                        .placement = std::move(places)});
  return plan;
}

void for_each_measured_pair(const Platform& platform, MatrixRows rows,
                            const std::function<void(std::uint32_t, std::uint32_t)>& f) {
  const std::uint32_t count = count_of(platform, rows);
  const auto cores = rows == MatrixRows::cores ? cores_of(platform) : std::vector<CorePlace>{};
  for (std::uint32_t from = 0; from < count; ++from)
    for (std::uint32_t to = from; to < count; ++to)
      if (!places_of(platform, rows, cores, from, to).empty()) f(from, to);
}

std::vector<std::vector<double>> matrix_of(const Platform& platform, MatrixRows rows, const std::string& kernel,
                                           const std::function<double(const std::string&)>& value) {
  const std::uint32_t count = count_of(platform, rows);
  std::vector<std::vector<double>> matrix(count, std::vector<double>(count, 0.0));
  for_each_measured_pair(platform, rows, [&](std::uint32_t from, std::uint32_t to) {
    matrix[from][to] = matrix[to][from] = value(series_name(kernel, rows, from, to));
  });
  return matrix;
}

}  // namespace orrery
