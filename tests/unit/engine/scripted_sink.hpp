/// A sink that shares nothing: a flow lasts its bytes over its cap, or over 1 GB/s, whoever else is on the way. What
/// the player asks of it is written down, so a test sees the protocol and no solver.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/engine/player.hpp"
#include "sim/engine/usage.hpp"
#include "tests/support/cluster.hpp"

namespace orrery::engine {

using Lines = std::vector<std::string>;

/// What a run asked and told, in words: times in microseconds.
struct Told {
  Lines flows;               ///< "12: 1000 B over outgoing NIC of node-0, incoming NIC of node-1 at most 5e+08 B/s"
  std::vector<Lines> ranks;  ///< "send 0..12 (1, 1000 B)"
  RunResult run;
};

class ScriptedSink final : public FlowSink {
 public:
  ScriptedSink(const test::Cluster& cluster, const Program& program)
      : routes_(build_routes(cluster.platform, cluster.network())),
        player_({&program, &cluster.platform, &cluster.network(), &cluster.layout, &compute_, cluster.options},
                *routes_, *this) {}

  Told play() {
    player_.begin();
    for (;;) {
      const double flow_date = first_end();
      const double now = std::min(flow_date, player_.next_date());
      if (now == std::numeric_limits<double>::infinity()) break;
      REQUIRE(now >= now_);
      now_ = now;
      if (flow_date == now)
        end_first();
      else
        player_.run_due(now);
    }
    finished_ = true;
    told_.run = player_.finish("scripted");
    for (const auto& timeline : told_.run.timelines) {
      Lines& lines = told_.ranks.emplace_back();
      for (const Interval& interval : timeline) lines.push_back(text_of(interval));
    }
    return std::move(told_);
  }

  void start_flow(FlowId flow, RouteId route, double bytes, double cap) override {
    REQUIRE(std::ranges::find(running_, flow, &Running::flow) == running_.end());  // a number names one flow at a time
    REQUIRE(bytes > 0.0);
    Lines names;
    const auto resources = player_.routes().resources(route);
    for (const ResourceId id : resources) names.push_back(player_.resources().name(id));
    told_.flows.push_back(fmt::format("{}: {:.6g} B over {}{}", us(now_), bytes, fmt::join(names, ", "),
                                      cap > 0.0 ? fmt::format(" at most {:g} B/s", cap) : ""));
    running_.push_back({flow, route, now_ + bytes / (cap > 0.0 ? cap : 1e9)});
    usage_.flow_started(resources, bytes, now_);
  }

  void holds_of(RouteId, double, double, std::vector<Hold>&) override {}
  Use use(ResourceId resource) const override {
    CHECK(finished_);  // asked when no flow is left
    return usage_.of(resource);
  }

 private:
  struct Running {
    FlowId flow;
    RouteId route;
    double end;
  };

  static std::string us(double seconds) { return fmt::format("{:.6g}", seconds * 1e6); }
  static std::string text_of(const Interval& interval) {
    std::string text =
        fmt::format("{} {}..{}", activity_name(interval.activity), us(interval.begin.si()), us(interval.end.si()));
    if (interval.peer != any_rank) text += fmt::format(" ({}, {:g} B)", index(interval.peer), interval.message.si());
    return text;
  }
  /// Of those that end at once the one that began first.
  std::vector<Running>::iterator first() { return std::ranges::min_element(running_, {}, &Running::end); }
  double first_end() { return running_.empty() ? std::numeric_limits<double>::infinity() : first()->end; }
  void end_first() {
    const auto at = first();
    const Running ended = *at;
    running_.erase(at);
    usage_.flow_ended(player_.routes().resources(ended.route), now_);
    player_.flow_ended(ended.flow, now_);
  }

  test::SecondsAsFlops compute_;
  std::unique_ptr<Routes> routes_;
  std::vector<Running> running_;
  Usage usage_;
  Told told_;
  double now_ = 0.0;
  bool finished_ = false;
  Player player_;
};

inline Told play(const test::Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  const FunctionProgram program("test", cluster.layout.ranks(), std::move(steps));
  return ScriptedSink(cluster, program).play();
}

}  // namespace orrery::engine
