#include "sim/study/read/engines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/engine/engine.hpp"

namespace orrery {

namespace {

constexpr const char* both = "both";
constexpr double messages_per_s = 1e5;
constexpr double ranks_at_full_rate = 64;
constexpr double at_once_s = 2.6e-9;  // for each message and each other one that is under way
constexpr double slow_s = 60;

std::string duration_text(double s) {
  if (s < 90) return fmt::format("{:.0f} s", s);
  return s < 5400 ? fmt::format("{:.0f} min", s / 60) : fmt::format("{:.0f} h", s / 3600);
}

}  // namespace

std::vector<std::string> engine_choices() {
  std::vector<std::string> choices = engine_names();
  if (with_simgrid) choices.insert(std::ranges::lower_bound(choices, both), both);
  return choices;
}

Refusal why_not_built(const std::string& asked) {
  if (with_simgrid || (asked != both && asked != "simgrid")) return {};
  return Refusal("'{}' is not in this program, which was built without SimGrid (known: flow). Use 'flow'?", asked);
}

void require_sharing(const std::string& engine, double approximate, const std::string& where, const char* remedy) {
  if (approximate > 0.0 && engine == "simgrid")
    throw InputError("{}: engine 'simgrid' only shares resources exactly. {}?", where, remedy);
}

std::vector<std::string> engines_of(const std::string& asked) {
  if (asked == both) return {default_engine, "flow"};
  return {asked};
}

SimgridTime simgrid_time(const std::vector<ExpectedWork>& work, unsigned jobs) {
  SimgridTime time;
  double longest_s = 0.0;
  for (const auto& one : work) {
    const auto messages = static_cast<double>(one.messages);
    const double in_step_s = messages / messages_per_s + messages * static_cast<double>(one.at_once) * at_once_s;
    const double drifting_s = std::max(in_step_s, messages / messages_per_s * (one.ranks / ranks_at_full_rate));
    time.in_step_s += in_step_s / std::max(1u, jobs);
    time.drifting_s += drifting_s / std::max(1u, jobs);
    longest_s = std::max(longest_s, drifting_s);
  }
  time.drifting_s = std::max(time.drifting_s, longest_s);
  return time;
}

double flow_time_of_gpus(const std::vector<ExpectedWork>& work, unsigned jobs) {
  double sum_s = 0.0, longest_s = 0.0;
  for (const auto& one : work) {
    if (!one.gpus) continue;
    const double takes_s = static_cast<double>(one.messages) * static_cast<double>(one.at_once) * at_once_s;
    sum_s += takes_s / std::max(1u, jobs);
    longest_s = std::max(longest_s, takes_s);
  }
  return std::max(sum_s, longest_s);
}

std::string slow_notice(const std::string& engine, const std::vector<ExpectedWork>& work, unsigned jobs) {
  if (engine == "flow") {
    const double takes_s = flow_time_of_gpus(work, jobs);
    if (takes_s < slow_s) return {};
    const auto most = std::ranges::max_element(work, {}, &ExpectedWork::at_once);
    return fmt::format(
        "engine flow: GPUs send {} messages at once: about {}. Faster: an algorithm that sends fewer at once",
        most->at_once, duration_text(takes_s));
  }
  if (engine != "simgrid") return {};
  const SimgridTime time = simgrid_time(work, jobs);
  if (time.drifting_s < slow_s) return {};
  std::uint64_t messages = 0;
  std::uint32_t ranks = 0;
  bool more = false;
  for (const auto& one : work) {
    more = more || one.more;
    messages += one.messages;
    ranks = std::max(ranks, one.ranks);
  }
  return fmt::format(
      "engine simgrid: {}{} messages, up to {} ranks: about {} while the ranks stay in step, {} once they drift apart. "
      "Faster: --engine flow",
      more ? "more than " : "", messages, ranks, duration_text(time.in_step_s), duration_text(time.drifting_s));
}

}  // namespace orrery
