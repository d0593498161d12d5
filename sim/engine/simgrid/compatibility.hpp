/// Every call into SimGrid, in one place: fluid flows over resources, and time. Written for 3.32.
///
/// SimGrid computes what it is the reference for: its CM02 network model, its max-min solver and its event loop. Each
/// of our flows is one network action over our resources (as SimGrid links of zero latency); our timers are a SimGrid
/// model, so its loop finds the next event of either. Ranks are not actors: see README, Decisions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace orrery::engine::simgrid {

struct Settings {
  bool tight_precision = false;
};

/// The actions at each date; called from SimGrid's loop.
class Events {
 public:
  virtual ~Events() = default;
  virtual double next_date() = 0;  ///< of our timers; infinity: none
  virtual void flow_ended(std::uint32_t flow, double now) = 0;
  virtual void time_advanced(double now) = 0;  ///< after all flows that ended now
};

/// One per process: SimGrid's engine is a singleton with static state.
class Simulation {
 public:
  Simulation(const Settings& settings, Events& events);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Resources are numbered in the order of these calls.
  void add_resource(double capacity);
  /// Bytes over all of `route` at the same time, at most at `cap` B/s (0: no cap).
  void start_flow(std::uint32_t flow, std::span<const std::uint32_t> route, double bytes, double cap);
  /// Limits the flow to `cap` B/s from now on; `cap` > 0.
  void bound_flow(std::uint32_t flow, double cap);
  /// Runs until no flow and no timer remains. Exceptions of the events pass through.
  void run();

  static std::string version();  ///< "3.32"

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace orrery::engine::simgrid
