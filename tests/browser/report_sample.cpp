/// Writes reports of made-up results for the browser test: an ordinary one, and one full of gaps and hostile names.
#include <fstream>
#include <limits>

#include "../unit/report/sample_result.hpp"
#include "sim/report/html.hpp"

namespace {

orrery::ScenarioResult odd_result() {
  auto result = orrery::report::sample::large_result(2, 3);
  const std::string attack = "</script><script>throw 1</script><img src=x onerror=alert(1)>{{data}}&\"";
  result.title = result.source = result.notes.emplace_back() = result.models[0].summary = attack;
  auto& points = result.points;
  points[0].settings[0].second = points[0].node_names[0] = points[0].binding = attack;
  points[1].run = {};
  points[1].simulated.reset();
  points[1].partition.reset();
  points[1].traffic.clear();
  points[1].failure = attack;
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  std::ofstream(folder + "/report.html") << orrery::report::to_html(orrery::report::sample::large_result(4, 8));
  std::ofstream(folder + "/odd.html") << orrery::report::to_html(odd_result());
  std::ofstream(folder + "/empty.html") << orrery::report::to_html({});
  return 0;
}
