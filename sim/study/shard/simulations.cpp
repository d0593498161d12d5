#include "sim/study/shard/simulations.hpp"

#include <memory>
#include <utility>

#include "sim/study/shard/predicted_costs.hpp"

namespace orrery::study {

Simulations::Simulations(const RunRequest& request, unsigned jobs)
    : scenario_(scenario_of(request)),
      repeats_(repeated(scenario_, repeat_of(request.repeat))),
      candidate_time_(scenario_, jobs) {}

std::vector<std::uint64_t> Simulations::costs() {
  const LoadedPoints points(scenario(), false, std::ref(candidate_time_));
  return predicted_costs(scenario(), points);
}

Scenario Simulations::part(const std::vector<std::size_t>& which) const {
  Scenario part = scenario();
  const auto numbers = std::make_shared<const std::vector<std::size_t>>(which);
  const auto from = std::make_shared<const Points>(part.points);
  part.points = Points(
      numbers->size(), [=](std::size_t i) { return (*from)[(*numbers)[i]]; },
      [=](std::size_t i) { return from->settings((*numbers)[i]); });
  return part;
}

}  // namespace orrery::study
