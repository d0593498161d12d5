// SimGrid by itself, as versions.hpp and compatibility.cpp use it: flows that share, a cap, a Comm that is started again and timers,
// beside dates worked out by hand. Whatever version there is must pass this first.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>

#include "sim/engine/isolate.hpp"
#include "sim/engine/simgrid/compatibility.hpp"

using namespace orrery;

namespace {

/// Flow 7 begins over both resources as flow 0 ends.
class Dates final : public engine::simgrid::Events {
 public:
  std::string play() {
    engine::simgrid::Simulation simulation({.tight_precision = true}, *this);
    simulation_ = &simulation;
    simulation.add_resource(100.0);
    simulation.add_resource(30.0);
    simulation.start_flow(0, {both_, 1}, 100.0, 0.0);
    simulation.start_flow(1, {both_, 1}, 300.0, 0.0);
    simulation.start_flow(2, {both_ + 1, 1}, 25.0, 5.0);
    simulation.run();
    std::string text;
    for (const auto& [flow, date] : ended_) text += fmt::format("{} at {:.9g}, ", flow, date);
    return text + fmt::format("woken at {:.9g}", woken_);
  }
  double next_date() override { return timers_.empty() ? std::numeric_limits<double>::infinity() : *timers_.begin(); }
  void flow_ended(std::uint32_t flow, double now) override {
    ended_[flow] = now;
    start_ = flow == 0;
  }
  void time_advanced(double now) override {
    for (; !timers_.empty() && *timers_.begin() <= now; timers_.erase(timers_.begin())) woken_ = now;
    if (start_) simulation_->start_flow(7, both_, 60.0, 0.0);
    start_ = false;
  }

 private:
  engine::simgrid::Simulation* simulation_ = nullptr;
  std::map<std::uint32_t, double> ended_;
  std::set<double> timers_{0.5, 2.5};
  std::uint32_t both_[2] = {0, 1};
  double woken_ = 0.0;
  bool start_ = false;
};

}  // namespace

TEST_SUITE("replay/simgrid flows") {
  TEST_CASE("Flows share as worked out by hand on the version of SimGrid that is there") {
    // 0 and 1 share 100 B/s until 2 s. Then 7 gets what 2 leaves of the second, 25 B/s, and 1 the other 75 of the first until 7 ends
    // after 60 / 25 s; 1 has 20 B left for 0.2 s. 2 is capped at 5 B/s.
    CHECK(engine::run_isolated("test", [] { return Dates().play(); }) ==
          "0 at 2, 1 at 4.6, 2 at 5, 7 at 4.4, woken at 2.5");
  }
}
