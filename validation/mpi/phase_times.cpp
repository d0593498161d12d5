#include "validation/mpi/phase_times.hpp"

#include <algorithm>

#include "sim/core/step.hpp"

namespace orrery::mpi {

void PhaseTimes::begin(double now_s) {
  *this = {};
  name_ = default_phase;
  begin_s_ = now_s;
}

void PhaseTimes::close(double now_s) {
  if (used_) spans_.push_back({name_, iteration_, entered_[name_]++, now_s - begin_s_});
  used_ = false;
}

void PhaseTimes::enter_phase(const char* name, double now_s) {
  close(now_s);
  name_ = name;
  begin_s_ = now_s;
}

void PhaseTimes::enter_iteration(std::uint32_t iteration, double now_s) {
  close(now_s);
  name_ = default_phase;
  iteration_ = iteration;
  begin_s_ = now_s;
  entered_.clear();
}

void LongestSpans::add(const PhaseSpan& span) {
  double& known = longest_[{span.phase, span.iteration, span.occurrence}];
  known = std::max(known, span.seconds);
}

std::map<std::string, double> LongestSpans::by_phase() const {
  std::map<std::string, double> times;
  for (const auto& [key, seconds] : longest_) times[std::get<0>(key)] += seconds;
  return times;
}

std::map<std::uint32_t, double> LongestSpans::by_iteration(const std::string& phase) const {
  std::map<std::uint32_t, double> times;
  for (const auto& [key, seconds] : longest_)
    if (std::get<0>(key) == phase) times[std::get<1>(key)] += seconds;
  return times;
}

}  // namespace orrery::mpi
