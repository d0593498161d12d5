/// The part of `orrery run` that determines a result: input of each shard, stored next to its points, used to merge.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/study/play/run_scenario.hpp"

namespace orrery::study {

struct RunRequest {
  std::string scenario;                ///< its file
  std::vector<std::string> overrides;  ///< of --set, --engine and --approximate
  int repeat = 1;
  bool full = false, ignore_memory = false;
  std::string critical_path = "auto", trace_ranks = {}, trace_time = {};

  /// Calls `field` for every member.
  template <class Field>
  void each_field(const Field& field) {
    field("scenario", scenario);
    field("set", overrides);
    field("repeat", repeat);
    field("full", full);
    field("ignore_memory", ignore_memory);
    field("critical_path", critical_path);
    field("trace_ranks", trace_ranks);
    field("trace_time", trace_time);
  }
};

Scenario scenario_of(const RunRequest& request);
RunOptions options_of(const RunRequest& request, unsigned jobs);

/// "run sweep.yaml --set ..." without the program's name: the command that repeats the run.
std::vector<std::string> words_of(const RunRequest& request);

/// Hash of the scenario's text and of everything else in the request, except the location of the file.
std::string identity_of(const RunRequest& request);

}  // namespace orrery::study
