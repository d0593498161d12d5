/// `--repeat N`: each randomized point (compute times, routes of messages, the nodes of a random placement) runs with N
/// seeds, its own and the next ones. A repetition is a normal point with its own id, so a run that stopped can resume
/// between repetitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/repeated.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

struct RepeatedScenario {
  std::optional<Scenario> scenario;              ///< each point once for each of its seeds; empty: no point varies
  std::vector<std::size_t> first;                ///< [points + 1] index of a point's first repetition
  std::vector<std::vector<std::int64_t>> seeds;  ///< [points]
  std::string note;                              ///< on points that do not vary and ran once
};
RepeatedScenario repeated(const Scenario& scenario, unsigned repeat);

/// Times of the repetitions of a point, all finished: the whole run and its phases.
Repeats repeats_of(const std::vector<std::int64_t>& seeds, const std::vector<RunResult>& runs);

/// The value of --repeat. Throws InputError if it is invalid.
unsigned repeat_of(int asked);

}  // namespace orrery::study
