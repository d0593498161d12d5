// The flow engine: the player's flows go to `Sharing`, whose ends come back to the player, in order of time.
#include "sim/replay/engine.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "sim/replay/flow/sharing.hpp"
#include "sim/replay/player.hpp"
#include "sim/replay/reporter.hpp"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

std::vector<double> capacities(const replay::Resources& resources) {
  std::vector<double> result;
  result.reserve(resources.count());
  for (std::uint32_t i = 0; i < resources.count(); ++i) result.push_back(resources.capacity(replay::ResourceId{i}));
  return result;
}

class Run final : public replay::FlowSink {
 public:
  explicit Run(const ReplayInput& input)
      : reporter_(input.options),
        routes_(build_routes(*input.platform, *input.network)),
        player_(input, *routes_, *this),
        sharing_(player_.routes(), capacities(player_.resources())) {}

  RunResult play() {
    const auto began = Clock::now();
    player_.begin();
    sharing_.settle();
    std::vector<replay::FlowId> ended;
    for (;;) {
      const double now = std::min(player_.next_date(), sharing_.next_date());
      if (now == std::numeric_limits<double>::infinity()) break;
      ended.clear();
      sharing_.advance(now, ended);
      for (const replay::FlowId flow : ended) player_.flow_ended(flow, now);
      player_.run_due(now);
      sharing_.settle();
      if (++events_ % 1024 == 0) reporter_.tell(now, player_.messages());
    }
    RunResult result = player_.finish("flow");
    result.wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    return result;
  }

  void start_flow(replay::FlowId flow, replay::RouteId route, double bytes, double cap) override {
    sharing_.start(flow, route, bytes, cap);
  }

 private:
  replay::Reporter reporter_;
  std::unique_ptr<Routes> routes_;
  replay::Player player_;
  replay::Sharing sharing_;
  std::uint64_t events_ = 0;
};

class FlowEngine final : public Engine {
 public:
  std::string name() const override { return "flow"; }
  RunResult replay(const ReplayInput& input) override { return Run(input).play(); }
};

}  // namespace

std::unique_ptr<Engine> make_flow_engine() { return std::make_unique<FlowEngine>(); }

}  // namespace orrery
