/// A kernel: a program family with parameters, entered in the catalogue from its own file.
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

/// What a program is made from. A program may keep references to all of it: `KernelEntry::make` sees to that.
struct KernelInput {
  Parameters parameters;
  std::uint32_t ranks = 0;
  std::shared_ptr<const Partition> partition;  ///< set when the entry names a grid
  std::shared_ptr<const Trace> trace = {};     ///< set when the entry plays one: read from its parameter 'file'
  const Layout* layout = nullptr;              ///< without one each rank has a node to itself
  std::shared_ptr<const StagePattern> pattern =
      {};  ///< set when the entry plays one and its parameter 'pattern' names it
};

/// One time that a micro-benchmark measures: the time of phase "communication" divided by `transmissions`.
struct BenchmarkPoint {
  std::string variant;  ///< appended to the name of the series: "tau=3", "send"; empty when there is one
  Bytes message;
  double transmissions = 1.0;
};

/// Makes a program of a kernel that owns a copy of its input, layout and all: a kernel that keeps a reference to it, or
/// the pointer, plays what it was made from, whatever becomes of the caller's.
class MakesProgram {
 public:
  using Function = std::function<std::unique_ptr<Program>(const KernelInput&)>;

  MakesProgram() = default;
  template <class Make>  // a MakesProgram is copied, which has no need to know what else one is made of
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
  /// Of a kernel with a grid: the compute step of a rank that owns so much of it, in one iteration. A compute model
  /// that is asked for it says how fast a rank is at any size (models/partition/partition_problem.hpp).
  std::function<Compute(const Parameters&, ShareSize)> share = {};
  /// What a benchmark of such a share does once before: it makes its data. Empty: nothing that takes time.
  std::function<Compute(const Parameters&, ShareSize)> prepare = {};
  /// The shares at which that speed is to be measured where a curve of it is made, smallest first.
  std::function<std::vector<ShareSize>(const Parameters&)> measured_shares = {};
  /// Of a micro-benchmark: what it measures, in the order in which it runs.
  std::function<std::vector<BenchmarkPoint>(const Parameters&)> benchmark_points = {};
  std::string communication_phase = "communication";  ///< the phase whose time is compared with models
  bool plays_trace = false;                           ///< wants KernelInput::trace
  bool plays_pattern = false;                         ///< wants KernelInput::pattern
  /// Kinds of its compute steps. The first is what most are: the speeds a partitioner is given.
  std::vector<Work> works = {Work::generic};
  /// Parameters of an instance whose steps can be listed: what contract tests make. Others keep their defaults.
  std::vector<std::pair<std::string, std::string>> small = {};
  /// What the benchmark itself would print of a run; empty: nothing.
  std::function<std::vector<Metric>(const Parameters&, const RunResult&)> metrics = {};
  MakesProgram make;
};

Catalogue<KernelEntry>& kernels();

}  // namespace orrery
