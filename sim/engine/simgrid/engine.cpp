#include "sim/engine/engine.hpp"

#include <chrono>
#include <unordered_map>
#include <vector>

#include "sim/engine/flow/head_of_line.hpp"
#include "sim/engine/flow/sharing.hpp"
#include "sim/engine/player.hpp"
#include "sim/engine/reporter.hpp"
#include "sim/engine/simgrid/compatibility.hpp"
#include "sim/engine/usage.hpp"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

/// One run: hands the player's flows to SimGrid and SimGrid's events to the player.
class Run final : public engine::simgrid::Events, public engine::FlowSink {
 public:
  explicit Run(const ReplayInput& input)
      : reporter_(input.options),
        routes_(build_routes(*input.platform, *input.network)),
        player_(input, *routes_, *this),
        simulation_({.tight_precision = input.options.tight_precision}, *this) {
    const engine::Resources& resources = player_.resources();
    for (std::uint32_t i = 0; i < resources.count(); ++i)
      simulation_.add_resource(resources.capacity(engine::ResourceId{i}));
    // Connections are made as they are used, but SimGrid takes no link once it runs.
    for (std::uint64_t k = 0; k < resources.connections_max(); ++k)
      simulation_.add_resource(input.network->protocol.pair_bandwidth.si());
    const auto capacity = [&resources](engine::ResourceId id) { return resources.capacity(id); };
    if (input.network->congestion == Congestion::head_of_line) {
      rates_ = std::make_unique<engine::HeadOfLine>(player_.routes(), capacity,
                                                    engine::parts_of(*routes_, player_.resources()));
      rates_->keep_new_rates();
      if (input.options.critical_path) rates_->remember_bottlenecks();
      rates_->keep_loads(resources.loads());
      return;
    }
    if (!input.options.critical_path && !resources.loads().kept()) return;
    beside_ = std::make_unique<engine::Sharing>(player_.routes(), capacity);
    if (input.options.critical_path) beside_->remember_bottlenecks();
    beside_->keep_loads(resources.loads());
  }

  RunResult play(std::string engine) {
    const auto began = Clock::now();
    player_.begin();
    give_rates();
    simulation_.run();
    RunResult result = player_.finish(std::move(engine));
    result.wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    return result;
  }

  void start_flow(engine::FlowId flow, engine::RouteId number, double bytes, double cap) override {
    const auto route = player_.routes().resources(number);
    usage_.flow_started(route, bytes, now_);
    running_.emplace(flow, Running{number, cap});
    if (rates_ != nullptr) rates_->start(flow, number, bytes, cap);
    if (beside_ != nullptr) {
      catch_up(now_);
      beside_->start(flow, number, bytes, cap);
    }
    simulation_.start_flow(static_cast<std::uint32_t>(flow),
                           {reinterpret_cast<const std::uint32_t*>(route.data()), route.size()}, bytes, cap);
  }
  double next_date() override { return player_.next_date(); }
  engine::Use use(engine::ResourceId resource) const override { return usage_.of(resource); }
  void holds_of(engine::RouteId route, double cap, double began, std::vector<engine::Hold>& by) override {
    if (rates_ != nullptr) return rates_->holds_of(route, cap, began, by);
    catch_up(now_);
    beside_->holds_of(route, cap, began, by);
  }
  void flow_ended(std::uint32_t flow, double now) override {
    now_ = now;
    if (beside_ != nullptr) catch_up(now);
    const engine::FlowId id{flow};
    const Running ended = running_.extract(id).mapped();
    usage_.flow_ended(player_.routes().resources(ended.route), now);
    if (rates_ != nullptr) {
      rates_->pass(now);
      rates_->end(id, ended.route, ended.cap);
    }
    player_.flow_ended(id, now);
  }
  void time_advanced(double now) override {
    now_ = now;
    if (beside_ != nullptr) catch_up(now);
    if (rates_ != nullptr) rates_->pass(now);
    player_.run_due(now);
    if (player_.is_over()) end_loads();
    give_rates();
    if (++events_ % 16 == 0)
      reporter_.tell(now, player_.messages());  // one event may cost milliseconds where the solver is busy
  }

 private:
  struct Running {
    engine::RouteId route;
    double cap;
  };
  /// SimGrid's solver knows no links that hold flows up: it gets the rates as bounds, which its capacities allow.
  void give_rates() {
    if (rates_ == nullptr) return;
    rates_->settle();
    rates_->each_new_rate(
        [this](engine::FlowId flow, double rate) { simulation_.bound_flow(static_cast<std::uint32_t>(flow), rate); });
  }
  void end_loads() {
    if (beside_ != nullptr) beside_->end_loads();
    if (rates_ != nullptr) rates_->end_loads();
  }
  /// The flows so far, shared beside SimGrid. Starts are SimGrid's, so that the two do not drift apart.
  void catch_up(double now) {
    ended_.clear();
    beside_->settle();
    while (beside_->next_date() <= now) {
      beside_->advance(beside_->next_date(), ended_);
      beside_->settle();
    }
    beside_->advance(now, ended_);
    beside_->settle();
  }

  engine::Reporter reporter_;
  std::unique_ptr<Routes> routes_;
  engine::Player player_;
  engine::simgrid::Simulation simulation_;
  engine::Usage usage_;
  std::unique_ptr<engine::Sharing>
      beside_;  ///< tells what holds flows back and what is loaded when, which SimGrid does not
  std::unique_ptr<engine::HeadOfLine> rates_;  ///< of a network without congestion control
  std::vector<engine::FlowId> ended_;
  std::unordered_map<engine::FlowId, Running> running_;
  double now_ = 0.0;
  std::uint64_t events_ = 0;
};

class SimgridEngine final : public Engine {
 public:
  std::string name() const override { return "simgrid"; }
  bool reentrant() const override { return false; }
  RunResult replay(const ReplayInput& input) override {
    std::string described = "simgrid " + engine::simgrid::Simulation::version();
    if (input.options.tight_precision) described += ", tight precision";
    return Run(input).play(std::move(described));
  }
};

}  // namespace

std::unique_ptr<Engine> make_simgrid_engine() { return std::make_unique<SimgridEngine>(); }

}  // namespace orrery
