#include "sim/study/shard/run_request.hpp"

#include <fmt/format.h>

#include "sim/config/files.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/study/play/repeats.hpp"

namespace orrery::study {

Scenario scenario_of(const RunRequest& request) {
  Scenario scenario = read_scenario(request.scenario, request.overrides);
  if (request.ignore_memory) scenario.ignore_memory = true;
  return scenario;
}

RunOptions options_of(const RunRequest& request, unsigned jobs) {
  return {.jobs = jobs,
          .full = request.full,
          .trace = trace_range(request.trace_ranks, request.trace_time),
          .critical_path = critical_path_asked(request.critical_path),
          .repeat = repeat_of(request.repeat)};
}

std::vector<std::string> words_of(const RunRequest& request) {
  std::vector<std::string> words{"run", request.scenario};
  const auto add = [&](const char* option, const std::string& value, const char* unless) {
    if (value != unless) words.insert(words.end(), {option, value});
  };
  for (const auto& setting : request.overrides) words.insert(words.end(), {"--set", setting});
  add("--repeat", std::to_string(request.repeat), "1");
  add("--critical-path", request.critical_path, "auto");
  add("--trace-ranks", request.trace_ranks, "");
  add("--trace-time", request.trace_time, "");
  if (request.full) words.emplace_back("--full");
  if (request.ignore_memory) words.emplace_back("--ignore-memory");
  return words;
}

std::string identity_of(const RunRequest& request) {
  RunRequest elsewhere = request;
  elsewhere.scenario.clear();
  Fingerprint identity;
  identity.add(config::read_file(request.scenario));
  for (const auto& word : words_of(elsewhere)) identity.add(word).add(0);
  return fmt::format("{:016x}", identity.value());
}

}  // namespace orrery::study
