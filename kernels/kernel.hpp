/// A kernel: a program family with parameters, registered in the catalogue from its own file.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

struct StagePattern;

/// Input of a program. A program may keep references to all of it: `KernelEntry::make` keeps it alive.
struct KernelInput {
  Parameters parameters;
  std::uint32_t ranks = 0;
  std::shared_ptr<const Partition> partition;  ///< set if the entry has a grid
  std::shared_ptr<const Trace> trace = {};     ///< set if the entry uses one: read from its parameter 'file'
  const Layout* layout = nullptr;              ///< null: each rank has a separate node
  std::shared_ptr<const StagePattern> pattern =
      {};  ///< set if the entry uses one and its parameter 'pattern' names it
};

/// One time measured by a micro-benchmark: the time of phase "communication" divided by `transmissions`.
struct BenchmarkPoint {
  std::string variant;  ///< appended to the name of the series: "tau=3", "send"; empty if there is only one
  Bytes message;
  double transmissions = 1.0;
};

/// Makes a program of a kernel that owns a copy of its input, including the layout: a kernel that keeps a reference or
/// pointer to the input stays valid when the caller's input is gone.
class MakesProgram {
 public:
  using Function = std::function<std::unique_ptr<Program>(const KernelInput&)>;

  MakesProgram() = default;
  template <class Make>  // not for copies of a MakesProgram
  requires(!std::same_as<Make, MakesProgram>) && std::constructible_from<Function, Make> MakesProgram(Make make)
      : make_(std::move(make)) {}
  std::unique_ptr<Program> operator()(const KernelInput& input) const;

 private:
  Function make_;
};

struct KernelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;   ///< author, venue, year, section
  std::string page;     ///< equations and message table, shown by `orrery show kernel NAME`
  std::vector<Key> parameters;
  std::function<GridSize(const Parameters&)> grid = {};  ///< empty: the kernel needs no partition
  /// For a kernel with a grid: the compute step of a rank with this share, in one iteration. With a compute model it
  /// gives the speed of a rank at any size (models/partition/partition_problem.hpp).
  std::function<Compute(const Parameters&, ShareSize)> share = {};
  /// Preparation of a benchmark of such a share: it makes its data. Empty: nothing that takes time.
  std::function<Compute(const Parameters&, ShareSize)> prepare = {};
  /// The shares at which the speed is measured for a curve, smallest first.
  std::function<std::vector<ShareSize>(const Parameters&)> measured_shares = {};
  /// For a micro-benchmark: its measurements, in order of execution.
  std::function<std::vector<BenchmarkPoint>(const Parameters&)> benchmark_points = {};
  std::string communication_phase = "communication";  ///< the phase whose time is compared with models
  bool plays_trace = false;                           ///< uses KernelInput::trace
  bool plays_pattern = false;                         ///< uses KernelInput::pattern
  /// Kinds of its compute steps. The first is the most frequent: partitioners use its speeds.
  std::vector<Work> works = {Work::generic};
  /// Parameters of an instance whose steps can be listed, for contract tests. Others keep their defaults.
  std::vector<std::pair<std::string, std::string>> small = {};
  /// Metrics of a run, as the benchmark itself prints them; empty: none.
  std::function<std::vector<Metric>(const Parameters&, const RunResult&)> metrics = {};
  MakesProgram make;
};

Catalogue<KernelEntry>& kernels();

}  // namespace orrery
