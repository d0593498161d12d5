/// The specification of a point of a scenario: all values resolved, no files loaded.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"
#include "platforms/layouts.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/data_table.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/failures.hpp"
#include "sim/study/read/job_spec.hpp"
#include "sim/study/read/named_spec.hpp"
#include "sim/study/read/platform_changes.hpp"
#include "sim/study/read/what_if.hpp"

namespace orrery {

struct LayoutSpec {
  std::string table, row;        ///< a layout table and its row, or
  std::optional<LayoutRow> own;  ///< a row written in the scenario ("ranks: 64", "place: [...]")
  std::string where;
  std::optional<std::uint64_t> seed = {};  ///< for random placement, in place of the row's
};

/// For kernels on a grid, if none is named.
inline constexpr const char* default_partitioner = "beaumont-columns";

struct PartitionSpec {
  std::string algorithm;  ///< or
  std::string file;       ///< a .2dist
  std::string where;
  std::vector<double> speeds = {};  ///< [ranks] for the algorithm; empty: those of the compute model
  double accuracy = 0.025;          ///< imbalance at which a partitioner that measures stops
  std::string processors = {}, processors_where = {};  ///< a table of data sheet values, for cost models
  Seconds latency_max = PartitionProblem::never;
  std::optional<CostWeights> weights = {};
  bool measuring_played = false;  ///< its measurements run before the program: `measuring: played`
  bool confirm = true;            ///< the choice of a model is simulated before it is taken
  bool assumed = false;           ///< not named in the file
};

/// One point of the sweep.
struct PointSpec {
  Settings settings;                        ///< what distinguishes the point
  std::map<std::string, std::string> flat;  ///< its scalars by path, for matching published values
  PlatformSpec platform;
  std::string network, network_where;
  LayoutSpec layout;
  NamedSpec kernel, compute;                      ///< without a name, compute is the platform's
  std::shared_ptr<const DataTable> compute_rows;  ///< parameters of the compute model, written in the scenario
  std::optional<PartitionSpec> partition;
  std::vector<JobSpec> jobs = {};  ///< each has its layout, kernel and partition; the point then has none
  std::vector<WhatIf> what_if = {};
  std::optional<FailureSpec> failures = {};
  bool staging_in_compute_model = true;  ///< `gpu-staging: compute-model`; false: `gpu-staging: messages`
};

/// The single point of a scenario without a sweep; `settings` distinguish it. Throws InputError.
PointSpec read_point(const config::Document& document, Settings settings);

}  // namespace orrery
