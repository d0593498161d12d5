/// The engines of a command: selected once, the same for all its points, named in the result.
///
///   simgrid   the default and the reference, where Orrery is built with SimGrid
///   flow      our own event core
///   both      every point on both; the results shown are those of `simgrid`, with the differences of `flow`. Models
///             calibrate only on `simgrid`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/core/version.hpp"

namespace orrery {

inline constexpr const char* default_engine = with_simgrid ? "simgrid" : "flow";

/// Loads with a larger error than this are no useful approximation.
inline constexpr double approximate_max = 0.1;

/// The engines and "both": what `run` and `simulate` take.
std::vector<std::string> engine_choices();

/// Why an engine of other builds is not among the choices; empty for an available one, and for an unknown word.
///   "'simgrid' is not in this program, which was built without SimGrid (known: flow). Use 'flow'?"
Refusal why_not_built(const std::string& asked);

/// Throws InputError "where: ... <remedy>?" if the engine does not support approximate sharing.
void require_sharing(const std::string& engine, double approximate, const std::string& where, const char* remedy);

/// {"simgrid", "flow"} for "both", else the engine itself; the first one is shown and calibrates.
std::vector<std::string> engines_of(const std::string& asked);

/// One future simulation. `messages` may be an estimate, or a lower bound.
struct ExpectedWork {
  std::uint32_t ranks = 0;
  std::uint64_t messages = 0;
  bool more = false;          ///< there are more: they were not all counted
  std::uint64_t at_once = 0;  ///< messages that ranks have sent before they wait for them
  bool gpus = false;          ///< some rank is on a GPU
};

/// Seconds that SimGrid takes while ranks are synchronous, and after they drift apart.
struct SimgridTime {
  double in_step_s = 0.0, drifting_s = 0.0;
};

///   in step    messages * (10 us + 2.6 ns * messages at once)
///   drifting   messages / (100,000 per second * min(1, 64 / ranks)), or as in step where that is longer: the solver
///              re-solves one component of all flows at each event, so the cost of an event grows with them
/// Source   measured: validation/bench/README.md (64 ranks: 170,000/s; 1024: 98,000/s in step, 13,000/s drifting by 10
///          %; all-to-alls that send all at once, on 128, 192 and 512 ranks: 0.9, 4.5 and 177 s)
/// Valid    an order of magnitude; a smaller network or fewer flows at a time are faster
SimgridTime simgrid_time(const std::vector<ExpectedWork>& work, unsigned jobs);

/// Seconds that engine 'flow' takes for GPUs, whose messages cross several links of a node: 2.6 ns for each message and
/// each other message in flight. (All-to-alls that send all at once, on 128 and 192 GPUs: 0.8 and 3.6 s.) For ranks on
/// cores it takes a hundredth of that.
double flow_time_of_gpus(const std::vector<ExpectedWork>& work, unsigned jobs);

/// Notice before a run that may keep an engine busy for more than a minute; empty for other runs.
std::string slow_notice(const std::string& engine, const std::vector<ExpectedWork>& work, unsigned jobs);

}  // namespace orrery
