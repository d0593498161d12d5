/// A scenario file: a platform, a kernel, models, a sweep; the points of the sweep, and published values for them.
///
///   source: "Rico-Gallego et al. 2016, Table 2"
///   platform: fermi                                 # a shipped name or a file next to the scenario; with parameters
///                                                   # changed: {name: fermi, networks: {ethernet: {bandwidth:
///                                                   10Gbps}}}
///   network: infiniband
///   engine: flow                                    # or simgrid (default), both
///   approximate: 0.01                               # flow engine: loads of resources within 1 % of fair; 0: exact
///   ignore-memory: true                             # default: what does not fit into a node's or GPU's memory is
///                                                   # refused
///   layout: {table: rico-gallego16-table1, row: M10}   # or {ranks: 64, per-node: 1, cores: 1}
///   kernel: {name: summa, blocks: 256}
///   partition: {algorithm: beaumont-columns}        # or {file: fig8.2dist}; only for kernels with a grid. In
///                                                   # proportion to 'speeds: [1, 1, 4]' of the ranks, or to the
///                                                   # compute model's
///   compute: {model: table, rows: [{type: xeon12, size_flop: 1e6, speed_flop_per_s: 9e9}, ...], noise: 0.03}
///                                                   # or parameters: FILE.csv; without a model: the platform's, changed
///   gpu-staging: messages                           # GPU processes' messages cross their links, unless the channel is
///                                                   # gpu-direct; compute-model (default): compute times contain that
///   models: [taulop, {name: taulop, mode: algebra}, {name: taulop, overhead: per-slice}, hloggp,
///            {name: mine, predictions: my.csv}]     # sim/config/own_predictions.hpp
///   calibrate: {sizes: [1B, 64KiB], concurrency: 24, pairs: nodes}   # or {files: [parameters.yaml]}
///   alike: once                                     # engine flow: simulate identical intervals of GPU groups once
///   steady: 0.1%                                    # iterations run until their times differ by at most this
///   only: {ranks: [power-of-two, divides kernel.points]}   # points of the sweep with such numbers of ranks
///   choose: {at: ..., beside: ..., average: ...}    # sim/study/read/choose.hpp
///   search: {least: cost, at-most: {time: 2h}}      # sim/study/read/search_spec.hpp
///   sweep: {layout.row: [M1, M2], network: [infiniband, ethernet], kernel: [{name: summa, blocks: 128}, ...]}
///   average-over: layout.row
///   speed-up-over: layout.ranks                     # metric 'speed-up': against the run with the axis' first value,
///                                                   # of several axes ([kernel, compute]) the first value of each
///   measured: measured.csv                          # times of real runs, sim/study/read/measured_times.hpp
///   validate: {repeat: 11, median: 3%, each: 10%}   # 'orrery validate': measured here, calibrated from, compared with
///   published: [{model: taulop, network: infiniband, kernel.blocks: 128, mu: 1.16}]   # sim/study/read/stated.hpp
///   tolerance: [{of: simulated, against: published, within: 5%}]
///
/// A sweep is the product of its axes, the last axis fastest; point_keys() lists what it may set. An axis may be
/// 'layout.configuration: {each: "4,2,4,1"}': all configurations of up to these numbers of nodes and of ranks per core.
/// Axes inside 'zip' take their values together; any value of a point may be computed from others (expressions.hpp).
/// Wrong input is an InputError with file, line and column.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/reader.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/choose.hpp"
#include "sim/study/read/model_spec.hpp"
#include "sim/study/read/points.hpp"
#include "sim/study/read/search_spec.hpp"
#include "sim/study/read/stated.hpp"

namespace orrery {

inline constexpr Word<CalibrationPairs> calibration_pairs_words[] = {
    {"types", CalibrationPairs::types}, {"nodes", CalibrationPairs::nodes}, {"cores", CalibrationPairs::cores}};

struct CalibrationSpec {
  std::vector<std::string> files;  ///< parameter files to use instead of calibrating on the engine
  std::vector<Bytes> sizes;        ///< empty: the default grid
  std::uint32_t concurrency = 0;   ///< 0: the maximum of the kernels
  CalibrationPairs pairs = CalibrationPairs::types;
  std::string where;
};

/// How `orrery validate` measures the points, and bounds for the simulated times compared with them.
struct ValidateSpec {
  std::vector<Bytes> sizes;      ///< of the micro-benchmarks calibrated from; empty: the default ones
  std::uint32_t repeat = 11;     ///< measured runs of each
  std::uint32_t seeds = 9;       ///< for points whose times vary
  std::optional<double> median;  ///< greatest median over the points of |simulated - measured| / measured
  std::optional<double> each;    ///< the largest of any point that repeats
  double repeats_to = 0.05;      ///< half the confidence interval of the median, over the median
  std::string where;             ///< empty: the scenario has no `validate`
};

struct Scenario {
  std::string name, title, source, file;
  std::string engine;                     ///< "simgrid", "flow" or "both"
  double approximate = 0.0;               ///< ReplayOptions::approximate
  bool ignore_memory = false;             ///< programs run even if they do not fit in memory
  bool alike_once = false;                ///< ReplayOptions::alike_once
  double steady = 0.0;                    ///< iterations run until they differ by at most this (0: all run)
  std::optional<ChooseSpec> choose = {};  ///< evaluation of the models' choices
  SearchSpec search = {};                 ///< the goal of 'orrery search'
  std::vector<ModelSpec> models;          ///< with mode and options, if given; else the default
  CalibrationSpec calibration;
  ValidateSpec validate;
  std::string average_over;                ///< a sweep axis, or empty
  std::vector<std::string> speed_up_over;  ///< the same, several
  std::vector<Published> published;
  std::vector<Tolerance> tolerances;
  std::string measured_file, measured_where;
  std::string measured_metric, metric_where;  ///< metric of the times without a phase; empty: the compared phase
  std::shared_ptr<const OwnPredictions> measured;  ///< after reading; null if nothing was measured
  bool changed = false;  ///< by --set, except engine and tolerance: reference values do not apply
  std::string changes;   ///< changes of the points by --set; added to the title, which may name old values
  Points points;

  std::string folder() const;  ///< of the file: searched first for the files it names
};

/// Reads a scenario and its own predictions; `overrides` are "path=value" of --set, applied before the sweep is
/// unrolled. `said_by` begins errors about an override, because a lab sets values, too.
Scenario read_scenario(const std::string& path, const std::vector<std::string>& overrides);
Scenario parse_scenario(const config::Document& document, const std::string& path,
                        const std::vector<std::string>& overrides, const std::string& said_by = "--set");

}  // namespace orrery
