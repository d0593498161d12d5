#include "validation/mpi/phase_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <utility>

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

namespace {

using Key = std::tuple<std::string, std::uint32_t, std::uint32_t>;

/// One line for each span: iteration, occurrence, seconds, phase.
std::string packed(const std::vector<PhaseSpan>& spans) {
  std::string text;
  for (const auto& span : spans)
    text += fmt::format("{} {} {} {}\n", span.iteration, span.occurrence, span.seconds, span.phase);
  return text;
}

void unpack(std::string_view text, std::map<Key, double>& longest) {
  while (!text.empty()) {
    const auto length = text.find('\n');
    const std::string line(text.substr(0, length));
    text.remove_prefix(length + 1);
    char* at = nullptr;
    const auto iteration = static_cast<std::uint32_t>(std::strtoul(line.c_str(), &at, 10));
    const auto occurrence = static_cast<std::uint32_t>(std::strtoul(at, &at, 10));
    const double seconds = std::strtod(at, &at);
    double& known = longest[{at + 1, iteration, occurrence}];
    known = std::max(known, seconds);
  }
}

}  // namespace

std::map<std::string, double> phase_times(const std::vector<PhaseSpan>& spans, MPI_Comm ranks) {
  int count = 1;
  MPI_Comm_size(ranks, &count);
  const std::string own = packed(spans);
  const int length = static_cast<int>(own.size());
  std::vector<int> lengths(static_cast<std::size_t>(count)), starts(static_cast<std::size_t>(count));
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, ranks);
  int all = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) starts[i] = std::exchange(all, all + lengths[i]);
  std::string text(static_cast<std::size_t>(all), ' ');
  MPI_Allgatherv(own.data(), length, MPI_CHAR, text.data(), lengths.data(), starts.data(), MPI_CHAR, ranks);
  std::map<Key, double> longest;
  unpack(text, longest);
  std::map<std::string, double> times;
  for (const auto& [key, seconds] : longest) times[std::get<0>(key)] += seconds;
  return times;
}

}  // namespace orrery::mpi
