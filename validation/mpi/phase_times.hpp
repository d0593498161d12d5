/// When one rank was in which phase, and what that means for the run: the engines' definition of a phase's time.
///
///   time of a phase in an iteration = max over ranks of (end - own start);   of a phase: their sum over the iterations
///
/// Checked  tests/unit/validation/mpi_test.cpp, against an engine's own records
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace orrery::mpi {

/// The n-th time that a rank was in the phase within the iteration.
struct PhaseSpan {
  std::string phase;
  std::uint32_t iteration = 0, occurrence = 0;
  double seconds = 0.0;
};

/// Of one rank: phases open at a mark and end at the next.
class PhaseTimes {
 public:
  void begin(double now_s);
  void enter_phase(const char* name, double now_s);
  void enter_iteration(std::uint32_t iteration, double now_s);
  /// Phases count from the first step in them on: marks that follow each other leave none behind.
  void step() { used_ = true; }
  void end(double now_s) { close(now_s); }
  /// The phase that the rank is in.
  const std::string& phase() const { return name_; }

  const std::vector<PhaseSpan>& spans() const { return spans_; }

 private:
  void close(double now_s);

  std::string name_;
  std::uint32_t iteration_ = 0;
  double begin_s_ = 0.0;
  bool used_ = false;
  std::map<std::string, std::uint32_t> entered_;  ///< in this iteration
  std::vector<PhaseSpan> spans_;
};

/// Of every phase, iteration and occurrence the longest over the ranks.
class LongestSpans {
 public:
  void add(const PhaseSpan& span);
  /// Seconds of each phase: the sum of its longest spans.
  std::map<std::string, double> by_phase() const;
  /// Seconds of one phase in each iteration that has it.
  std::map<std::uint32_t, double> by_iteration(const std::string& phase) const;

 private:
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, double> longest_;
};

}  // namespace orrery::mpi
