/// The interface of an engine: input is a program, a platform and a layout; output is times and loads.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/program.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery {

/// Called at intervals with simulated seconds and the number of messages that have arrived; false interrupts the run.
using ReplayProgress = std::function<bool(double simulated_s, std::uint64_t messages)>;

struct ReplayOptions {
  std::uint32_t load_bins = 200;         ///< resolution of the load curves
  std::uint32_t intervals_max = 400;     ///< time-line intervals kept per rank (0: none)
  bool tight_precision = false;          ///< SimGrid: network/optim:Full, maxmin 1e-12, surf 1e-14 (exact, slower)
  bool staging_in_compute_model = true;  ///< GPU staging over PCIe is part of the compute model, not of transfers
  /// Flow engine only: rates are updated only if the load of a resource would differ from max-min fairness by more than
  /// this share. 0: exact.
  double approximate = 0.0;
  bool critical_path = false;   ///< record causes: RunResult::critical_path
  std::size_t path_events = 0;  ///< kept separately before they are added up; 0: by ranks (History::events_max_of)
  std::int64_t seed = 0;        ///< of randomized overheads
  /// Flow engine only: identical intervals of groups are simulated once if no other rank interferes. The result is that
  /// of the whole run except for rounding. RunResult::repeated reports the effect.
  bool alike_once = false;
  ReplayProgress progress;

  /// The full trace on request: for these ranks (empty: all) every interval that overlaps [trace_from_s, trace_until_s)
  /// is kept, and nothing of other ranks or times; `intervals_max` is then ignored.
  std::vector<Rank> trace_ranks;
  double trace_from_s = 0.0;
  double trace_until_s = std::numeric_limits<double>::infinity();
  bool full_trace() const { return !trace_ranks.empty() || has_trace_time(); }
  bool has_trace_time() const { return trace_from_s > 0.0 || trace_until_s < std::numeric_limits<double>::infinity(); }
};

/// One of several programs in one run, each on separate ranks. A barrier belongs to one job, and messages go from rank
/// to rank, so no job waits for another.
struct Job {
  std::string name;
  std::uint32_t ranks = 0;  ///< number of ranks, after those of the job before
  Seconds start{};
  /// Number of repetitions; each begins when all its ranks have ended the one before. 0: repeat until all jobs with a
  /// number have ended.
  std::uint32_t repeat = 1;
  bool idle = false;  ///< its ranks do nothing: shows the others without this job
};

struct ReplayInput {
  const Program* program = nullptr;
  const Platform* platform = nullptr;
  const Network* network = nullptr;  ///< one of platform->networks
  const Layout* layout = nullptr;    ///< ranks() == program->ranks()
  const ComputeModel* compute = nullptr;
  ReplayOptions options;
  std::span<const Job> jobs = {};  ///< empty: the program is one job; else they cover all its ranks
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// Any number of simulations in one process, on any thread. False: one per process, so each needs a child.
  virtual bool reentrant() const { return true; }
  /// Throws ReplayError on a deadlock (with every blocked rank, what it waits for and the cycle) and Interrupted.
  virtual RunResult replay(const ReplayInput& input) = 0;
};

/// SimGrid as the reference; throws InputError in a build without it. One simulation per process: fork between two.
std::unique_ptr<Engine> make_simgrid_engine();

/// Our own event core: the same rules and exact max-min sharing, updated at each event. Any number at the same time, on
/// any thread.
std::unique_ptr<Engine> make_flow_engine();

/// The names that users choose from; throws InputError that begins with `where` for any other.
const std::vector<std::string>& engine_names();
std::unique_ptr<Engine> make_engine(const std::string& name, const std::string& where);

}  // namespace orrery
