/// What a point of a scenario is, everything resolved but nothing loaded.
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
  std::optional<std::uint64_t> seed = {};  ///< of random placement, instead of the row's
};

/// Of kernels on a grid, where nobody names one.
inline constexpr const char* default_partitioner = "beaumont-columns";

struct PartitionSpec {
  std::string algorithm;  ///< or
  std::string file;       ///< a .2dist
  std::string where;
  std::vector<double> speeds = {};  ///< [ranks] for the algorithm; empty: those of the compute model
  double accuracy = 0.025;          ///< imbalance at which a partitioner that measures stops
  std::string processors = {}, processors_where = {};  ///< a table of data sheet parameters, for cost models
  Seconds latency_max = PartitionProblem::never;
  std::optional<CostWeights> weights = {};
  bool measuring_played = false;  ///< what it measures is played before the program: `measuring: played`
  bool confirm = true;            ///< what a model's times choose is played before it is taken
  bool assumed = false;           ///< nobody named it
};

/// One point of the sweep.
struct PointSpec {
  Settings settings;                        ///< what distinguishes the point
  std::map<std::string, std::string> flat;  ///< its scalars by path, for matching published values
  PlatformSpec platform;
  std::string network, network_where;
  LayoutSpec layout;
  NamedSpec kernel, compute;                      ///< compute without a name: the platform's
  std::shared_ptr<const DataTable> compute_rows;  ///< parameters of the compute model, written in the scenario
  std::optional<PartitionSpec> partition;
  std::vector<JobSpec> jobs = {};  ///< then layout, kernel and partition are theirs, and here are none
  std::vector<WhatIf> what_if = {};
  std::optional<FailureSpec> failures = {};
  bool staging_in_compute_model = true;  ///< `gpu-staging: compute-model`; false: `gpu-staging: messages`
};

/// The point that a scenario without a sweep is; `settings` are what distinguishes it. Throws InputError.
PointSpec read_point(const config::Document& document, Settings settings);

}  // namespace orrery
