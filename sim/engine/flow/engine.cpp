// The flow engine: the player's flows go to `Sharing`, whose ends come back to the player, in order of time.
#include "sim/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/engine/flow/head_of_line.hpp"
#include "sim/engine/flow/sharing.hpp"
#include "sim/engine/player.hpp"
#include "sim/engine/reporter.hpp"

namespace orrery {

namespace {

using Clock = std::chrono::steady_clock;

/// `SharedBy`: engine::Sharing, or engine::HeadOfLine on a network without congestion control.
template <class SharedBy>
class Run final : public engine::FlowSink {
 public:
  explicit Run(const ReplayInput& input) : Run(input, build_routes(*input.platform, *input.network), nullptr) {}
  /// `pieces`, if any, hear what resources carry when.
  Run(const ReplayInput& input, std::shared_ptr<const Routes> routes, std::vector<engine::LoadPiece>* pieces)
      : reporter_(input.options),
        routes_(std::move(routes)),
        player_(input, *routes_, *this),
        approximate_(input.options.approximate),
        sharing_(make_sharing()) {
    imbalance_.allowed = approximate_;
    if (input.options.critical_path) sharing_.remember_bottlenecks();
    sharing_.keep_loads(player_.resources().loads());
    if (pieces == nullptr) return;
    loads_so_far_.emplace(*pieces);
    player_.resources().loads().listen(*pieces);
  }

  RunResult play() {
    const auto began = Clock::now();
    player_.begin();
    sharing_.settle();
    if (loads_so_far_) note_loads(0.0);
    std::vector<engine::FlowId> ended;
    for (;;) {
      const double now = std::min(player_.next_date(), sharing_.next_date());
      if (now == std::numeric_limits<double>::infinity()) break;
      ended.clear();
      sharing_.advance(now, ended);
      if (ended.size() > 1) std::ranges::sort(ended);  // see player.hpp
      for (const auto& [flow, steps] : sharing_.ending_soon()) player_.fetch_end(flow, steps);
      for (const engine::FlowId flow : ended) player_.flow_ended(flow, now);
      player_.run_due(now);
      if (player_.is_over()) sharing_.end_loads();
      sharing_.settle();
      check(now);
      if (loads_so_far_) note_loads(now);
      if (++events_ % 64 == 0) reporter_.tell(now, player_.messages());
    }
    sharing_.add_up();
    RunResult result = player_.finish(approximate_ > 0.0 ? fmt::format("flow within {:g}", approximate_) : "flow");
    if (imbalance_.samples > 0) imbalance_.mean /= static_cast<double>(imbalance_.samples);
    result.imbalance = imbalance_;
    result.wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    return result;
  }

  void start_flow(engine::FlowId flow, engine::RouteId route, double bytes, double cap) override {
    sharing_.start(flow, route, bytes, cap);
  }
  std::size_t pairs_kept(std::size_t ranks) const override {
    return std::max(std::size_t{1} << 16, 16 * ranks);  // their routes and classes fit a shared cache; a halo has 26
  }
  void forget_route(engine::RouteId route) override { sharing_.forget(route); }
  PlayApart apart() override {
    return [this](const ReplayInput& input, std::vector<engine::LoadPiece>& pieces) {
      return Run(input, routes_, &pieces).play();
    };
  }
  void fetch_start(engine::RouteId route, int steps) const override { sharing_.fetch_start(route, steps); }
  engine::Use use(engine::ResourceId resource) const override { return sharing_.use(resource); }
  void holds_of(engine::RouteId route, double cap, double began, std::vector<engine::Hold>& by) override {
    sharing_.holds_of(route, cap, began, by);
  }

 private:
  SharedBy make_sharing() {
    const auto capacity = [this](engine::ResourceId id) { return player_.resources().capacity(id); };
    if constexpr (std::is_same_v<SharedBy, engine::HeadOfLine>)
      return {player_.routes(), capacity, engine::parts_of(*routes_, player_.resources())};
    else
      return {player_.routes(), capacity, approximate_ > 0.0 ? approximate_ : rounding, player_.fetches_ahead()};
  }
  /// Of a run whose loads are noted piece by piece: what each resource carries, and since when.
  struct LoadsSoFar {
    explicit LoadsSoFar(std::vector<engine::LoadPiece>& all) : pieces(all) {}
    std::vector<engine::LoadPiece>& pieces;
    std::vector<std::pair<double, double>> loads = {};
  };
  void note_loads(double now) {
    std::size_t k = 0;
    sharing_.each_load([&](engine::ResourceId resource, double load) {
      if (k == loads_so_far_->loads.size()) loads_so_far_->loads.emplace_back(0.0, now);
      auto& [before, since] = loads_so_far_->loads[k++];
      if (load == before) return;
      if (before != 0.0 && now > since) loads_so_far_->pieces.push_back({resource, since, now, before * (now - since)});
      before = load;
      since = now;
    });
  }

  /// The conditions of max-min fairness: at each event in debug builds, so that a test breaks where a rate does; now
  /// and then, for the error to report, when they hold approximately only.
  void check(double now) {
    if (!(approximate_ > 0.0 ? events_ >= next_check_ : always_checked)) return;
    next_check_ = events_ + std::max<std::uint64_t>(1024, sharing_.size());  // a check costs no more than the events
    std::string what;
    const double found = sharing_.violation(&what);
    if (approximate_ == 0.0 && found > 100 * rounding)
      throw std::logic_error(fmt::format("flow engine: sharing is off by {:g} at t={:.17g}s ({})", found, now, what));
    imbalance_.greatest = std::max(imbalance_.greatest, found);
    imbalance_.mean += found;
    ++imbalance_.samples;
  }

  static constexpr double rounding = 1e-10;  ///< of a load, relatively: what sums of rates may lose
#ifdef NDEBUG
  static constexpr bool always_checked = false;
#else
  static constexpr bool always_checked = true;
#endif
  engine::Reporter reporter_;
  std::shared_ptr<const Routes> routes_;
  engine::Player player_;
  double approximate_;
  SharedBy sharing_;
  Imbalance imbalance_;
  std::uint64_t next_check_ = 0;
  std::uint64_t events_ = 0;
  std::optional<LoadsSoFar> loads_so_far_;
};

class FlowEngine final : public Engine {
 public:
  std::string name() const override { return "flow"; }
  RunResult replay(const ReplayInput& input) override {
    if (input.network->congestion == Congestion::head_of_line) {
      if (input.options.approximate > 0.0)
        throw InputError(
            "network '{}': 'congestion' is head-of-line beside approximate sharing (its rates are exact). "
            "Leave 'approximate' out?",
            input.network->name);
      return replay_as<engine::HeadOfLine>(input);
    }
    return replay_as<engine::Sharing>(input);
  }

 private:
  template <class SharedBy>
  static RunResult replay_as(const ReplayInput& input) {
    if (!input.options.alike_once) return Run<SharedBy>(input).play();
    std::string why = "it ends in an error";
    try {
      return Run<SharedBy>(input).play();
    } catch (const engine::Unalike& found) {
      why = found.why;
    } catch (const ReplayError&) {  // which the whole run says
    }
    ReplayInput whole = input;
    whole.options.alike_once = false;
    RunResult result = Run<SharedBy>(whole).play();
    result.repeated = {.asked = true, .whole = why};
    return result;
  }
};

}  // namespace

std::unique_ptr<Engine> make_flow_engine() { return std::make_unique<FlowEngine>(); }

}  // namespace orrery
