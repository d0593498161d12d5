/// A kernel: a program family with parameters, entered in the catalogue from its own file.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/catalogue.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/metric.hpp"
#include "sim/core/parameters.hpp"
#include "sim/core/partition.hpp"
#include "sim/core/program.hpp"
#include "sim/core/replay_result.hpp"
#include "sim/core/trace.hpp"

namespace orrery {

struct KernelInput {
  Parameters parameters;
  std::uint32_t ranks = 0;
  std::shared_ptr<const Partition> partition;  ///< set when the entry names a grid
  std::shared_ptr<const Trace> trace = {};     ///< set when the entry plays one: read from its parameter 'file'
  const Layout* layout = nullptr;  ///< read while the program is made; without one each rank has a node to itself
};

struct GridSize {
  std::uint32_t columns = 0, rows = 0;  ///< blocks or points to be partitioned
};

struct KernelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;   ///< author, venue, year, section
  std::string page;     ///< equations and message table, shown by `orrery show kernel NAME`
  std::vector<ParameterDescription> parameters;
  std::function<GridSize(const Parameters&)> grid = {};  ///< empty: the kernel needs no partition
  std::string communication_phase = "communication";     ///< the phase whose time is compared with models
  bool plays_trace = false;                              ///< wants KernelInput::trace
  /// Kinds of its compute steps. The first is what most are: the speeds a partitioner is given.
  std::vector<Work> works = {Work::generic};
  /// Parameters of an instance whose steps can be listed: what contract tests make. Others keep their defaults.
  std::vector<std::pair<std::string, std::string>> small = {};
  /// What the benchmark itself would print of a run; empty: nothing.
  std::function<std::vector<Metric>(const Parameters&, const RunResult&)> metrics = {};
  std::function<std::unique_ptr<Program>(const KernelInput&)> make;
};

Catalogue<KernelEntry>& kernels();

}  // namespace orrery
