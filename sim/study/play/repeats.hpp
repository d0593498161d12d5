/// `--repeat N`: every point of which something is drawn - compute times, the ways of messages, the nodes of a random
/// placement - is played with N seeds, its own and the next ones. A repetition is a point like any other, with an id of
/// its own, so that a run which stopped resumes in the middle of one.
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
  std::optional<Scenario> scenario;              ///< each point once for each of its seeds; nothing: no point varies
  std::vector<std::size_t> first;                ///< [points + 1] number of a point's first repetition
  std::vector<std::vector<std::int64_t>> seeds;  ///< [points]
  std::string note;                              ///< on points that are equal each time and were played once
};
RepeatedScenario repeated(const Scenario& scenario, unsigned repeat);

/// What the repetitions of a point, each finished, took: the whole run and its phases.
Repeats repeats_of(const std::vector<std::int64_t>& seeds, const std::vector<RunResult>& runs);

/// --repeat as it must be. Throws InputError.
unsigned repeat_of(int asked);

}  // namespace orrery::study
