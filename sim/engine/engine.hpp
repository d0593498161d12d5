/// The interface of an engine: a program, a platform, a layout in; times and loads out.
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

/// Called now and then with simulated seconds and the messages that have arrived; returning false interrupts the run.
using ReplayProgress = std::function<bool(double simulated_s, std::uint64_t messages)>;

struct ReplayOptions {
  std::uint32_t load_bins = 200;         ///< resolution of the load curves
  std::uint32_t intervals_max = 400;     ///< time-line intervals kept per rank (0: none)
  bool tight_precision = false;          ///< SimGrid: network/optim:Full, maxmin 1e-12, surf 1e-14 (exact, slower)
  bool staging_in_compute_model = true;  ///< GPU staging over PCIe is part of the compute model, not of transfers
  /// Flow engine only: rates are repaired only where a resource would be loaded by this share more or
  /// less than max-min fairness has it. 0: exact.
  double approximate = 0.0;
  bool critical_path = false;   ///< keep what caused what: RunResult::critical_path
  std::size_t path_events = 0;  ///< kept one by one before they are added up; 0: by the ranks (History::events_max_of)
  std::int64_t seed = 0;        ///< of overheads that vary
  /// Flow engine only: stretches of groups that are alike are played once where nothing else touches them; the result
  /// is that of the whole run but for rounding. RunResult::repeated says what came of it.
  bool alike_once = false;
  ReplayProgress progress;

  /// The full trace on request: of these ranks (none: of all) every interval that overlaps [trace_from_s,
  /// trace_until_s) is kept, and none of any other rank or time; `intervals_max` then bounds nothing.
  std::vector<Rank> trace_ranks;
  double trace_from_s = 0.0;
  double trace_until_s = std::numeric_limits<double>::infinity();
  bool full_trace() const { return !trace_ranks.empty() || has_trace_time(); }
  bool has_trace_time() const { return trace_from_s > 0.0 || trace_until_s < std::numeric_limits<double>::infinity(); }
};

/// One of several programs that a run plays at once, each on ranks of its own: barriers are of a job, and messages go
/// from rank to rank, so that no job waits for another.
struct Job {
  std::string name;
  std::uint32_t ranks = 0;  ///< the next so many
  Seconds start{};
  /// How often it is played; each time begins when all its ranks have ended the one before. 0: again and again until
  /// all jobs that state a number have ended.
  std::uint32_t repeat = 1;
  bool idle = false;  ///< its ranks do nothing: what the others are without it
};

struct ReplayInput {
  const Program* program = nullptr;
  const Platform* platform = nullptr;
  const Network* network = nullptr;  ///< one of platform->networks
  const Layout* layout = nullptr;    ///< ranks() == program->ranks()
  const ComputeModel* compute = nullptr;
  ReplayOptions options;
  std::span<const Job> jobs = {};  ///< none: the program is one; else their ranks are all of its
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string name() const = 0;
  /// Any number of simulations in one process, on any thread; false: one per process, so each needs a child.
  virtual bool reentrant() const { return true; }
  /// Throws ReplayError on a deadlock (naming every blocked rank, what it waits for and the cycle) and Interrupted.
  virtual RunResult replay(const ReplayInput& input) = 0;
};

/// SimGrid as the judge; an InputError in a program that was built without it. SimGrid allows one simulation per process: fork before calling `replay` more than once.
std::unique_ptr<Engine> make_simgrid_engine();

/// Our own event core: the same rules, exact max-min sharing, repaired at each event. Any number at a time, on any
/// thread.
std::unique_ptr<Engine> make_flow_engine();

/// The names users choose from; throws InputError opened by `where` for any other.
const std::vector<std::string>& engine_names();
std::unique_ptr<Engine> make_engine(const std::string& name, const std::string& where);

}  // namespace orrery
