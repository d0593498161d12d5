/// Writes reports of made-up results for the browser test: an ordinary one, and one full of gaps and hostile names.
#include <fstream>
#include <limits>

#include "../unit/show/sample_result.hpp"
#include "sim/show/page/html.hpp"

namespace {

orrery::ScenarioResult odd_result() {
  auto result = orrery::show::sample::large_result(2, 3);
  const std::string attack = "</script><script>throw 1</script><img src=x onerror=alert(1)>{{data}}&\"";
  result.title = result.source = result.notes.emplace_back() = result.models[0].summary = attack;
  auto& points = result.points;
  points[0].settings[0].second = points[0].node_names[0] = points[0].binding = attack;
  points[1].run = {};
  points[1].simulated.reset();
  points[1].partition.reset();
  points[1].traffic.clear();
  points[1].failure = orrery::Refusal::sentence(attack);
  points[2].predictions.clear();
  points[2].other_engine = orrery::EngineDifference{.engine = attack,
                                                    .makespan = 1.1 * points[2].run.makespan,
                                                    .phases = {{attack,
                                                                1,
                                                                orrery::Seconds(1.0),
                                                                orrery::Seconds(1.1),
                                                                {7, orrery::Seconds(0.0), orrery::Seconds(1.0)},
                                                                {}}},
                                                    .failure = attack};
  points[3].predictions[0].time = orrery::Seconds(std::numeric_limits<double>::infinity());
  for (auto& point : points)
    if (point.simulated) point.measured = 1.3 * *point.simulated;
  return result;
}

/// Long names, times of 1e10 s, messages of no bytes, phases and loads of nothing.
orrery::ScenarioResult extreme_result() {
  auto result = orrery::show::sample::large_result(2, 3);
  const std::string name(400, 'w'), words = "a name of very many words " + std::string(300, 'x');
  result.title = result.name = name;
  for (auto& [key, value] : result.points[0].settings) value = name + key;
  auto& point = result.points[0];
  point.node_names.assign(point.node_names.size(), name);
  point.binding = words;
  point.kernel = point.platform = point.network = point.layout_name = name;
  for (auto& prediction : point.predictions) prediction.mode = words;
  for (auto& phase : point.run.phases) phase.phase = words;
  for (auto& resource : point.run.resources) resource.name = name;
  auto& slow = result.points[1];
  const double factor = 1e10 / slow.run.makespan.si();
  slow.run.makespan = orrery::Seconds(1e10);
  *slow.simulated = factor * *slow.simulated;
  for (auto& timeline : slow.run.timelines)
    for (auto& interval : timeline) {
      interval.begin = factor * interval.begin;
      interval.end = factor * interval.end;
    }
  for (auto& phase : slow.run.phases) {
    phase.begin = factor * phase.begin;
    phase.end = factor * phase.end;
  }
  slow.metrics = {{words, 1e30, "s"}, {"T(0 B)", 0.0, "s"}, {"T", std::numeric_limits<double>::quiet_NaN(), "s"}};
  auto& nothing = result.points[2];
  for (auto& row : nothing.traffic)
    for (auto& cell : row) cell.bytes = {};
  for (auto& timeline : nothing.run.timelines)
    for (auto& interval : timeline) interval.message = {};
  for (auto& phase : nothing.run.phases)
    for (auto& traffic : phase.traffic) traffic.bytes = {};
  for (auto& resource : nothing.run.resources) {
    resource.bytes = {};
    resource.load.assign(resource.load.size(), 0.0);
  }
  for (auto& loads : nothing.network_loads) loads.slots.assign(loads.slots.size(), {});
  nothing.simulated = nothing.run.makespan = {};
  return result;
}

orrery::ScenarioResult one_result() {
  auto result = orrery::show::sample::large_result(1, 1);
  result.points.resize(1);
  result.averages.clear();
  return result;
}

/// A thousand points, of which the page details some.
orrery::ScenarioResult many_result() {
  auto result = orrery::show::sample::large_result(1, 1);
  const auto first = result.points[0];
  result.points.clear();
  for (int i = 0; i < 1000; ++i) {
    result.points.push_back(first);
    result.points.back().id = std::to_string(i);
    result.points.back().settings = {{"kernel.points", std::to_string(64 + i)}};
  }
  return result;
}

/// Two thousand points over four axes, some of which failed: more panels than a page draws.
orrery::ScenarioResult sweep_result() {
  auto result = orrery::show::sample::large_result(1, 1);
  auto first = result.points[0];
  const auto placement = first.layout.placements.front();
  result.points.clear();
  for (int i = 0; i < 2000; ++i) {
    const int ranks = 1 << (i / 200), points = 64 * (1 + i / 20 % 10), algorithm = i / 2 % 10, network = i % 2;
    const double factor = points * (1 + 0.1 * algorithm) * (1 + network) / ranks + 0.01 * ranks;
    auto& point = result.points.emplace_back(first);
    point.id = std::to_string(i);
    point.settings = {{"layout.ranks", std::to_string(ranks)},
                      {"kernel.points", std::to_string(points)},
                      {"kernel.algorithm", "number " + std::to_string(algorithm)},
                      {"network", network == 0 ? "fast" : "slow"}};
    point.run.makespan = factor * first.run.makespan;
    point.simulated = 0.9 * point.run.makespan;
    point.layout.placements.assign(static_cast<std::size_t>(ranks), placement);
    for (int rank = 0; rank < ranks; ++rank)
      point.layout.placements[static_cast<std::size_t>(rank)].node =
          orrery::NodeId{static_cast<std::uint32_t>(rank / 4)};
    if (i % 97 == 0) {
      point.failure = "a deadlock";
      point.simulated.reset();
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  std::ofstream(folder + "/report.html") << orrery::show::to_html(orrery::show::sample::large_result(4, 8));
  std::ofstream(folder + "/odd.html") << orrery::show::to_html(odd_result());
  std::ofstream(folder + "/extreme.html") << orrery::show::to_html(extreme_result());
  std::ofstream(folder + "/many.html") << orrery::show::to_html(many_result());
  std::ofstream(folder + "/sweep.html") << orrery::show::to_html(sweep_result());
  std::ofstream(folder + "/one.html") << orrery::show::to_html(one_result());
  std::ofstream(folder + "/empty.html") << orrery::show::to_html({});
  return 0;
}
