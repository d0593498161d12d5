/// Progress of long work on stderr, and Ctrl-C.
///
/// On a terminal one line is redrawn once the work has taken two seconds; elsewhere a line is written every five
/// seconds. Short work shows nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/core/refusal.hpp"
#include "sim/engine/batch.hpp"

namespace orrery::study {

/// True once Ctrl-C (or SIGTERM) was pressed. The first call installs the handler.
bool interrupted();
/// Throws Interrupted, "interrupted: " and the current activity, after Ctrl-C.
void throw_if_interrupted(const Refusal& doing);

/// For work that cannot check for Ctrl-C, such as reading one huge point: while this object lives, Ctrl-C ends the
/// process a second later with `said` and exit code 130, unless the work has ended by then. Only for work that leaves
/// nothing half done, and only one at a time.
class Abandonable {
 public:
  explicit Abandonable(const std::string& said);
  ~Abandonable();
  Abandonable(const Abandonable&) = delete;
  Abandonable& operator=(const Abandonable&) = delete;
};

/// Columns of the terminal on stderr; no limit for a file or a pipe.
std::size_t progress_width();

/// The line itself: when to draw it, and how.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool due() const;
  void draw(const std::string& text);
  double elapsed_s() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_, drawn_ = false;
  Clock::time_point begin_, last_;
};

/// "reading points [######..................] 11/47, about 3 s left  summa" in at most `width` columns: it first drops
/// the detail, then the bar, then the words of `what`.
struct StepCounts {
  std::string what, detail;
  std::size_t done = 0, total = 0;
  double elapsed_s = 0.0;
};
std::string counted_text(const StepCounts& counts, std::size_t width);

/// Counted work: `done` of `total` steps.
class Progress {
 public:
  Progress(std::string what, std::size_t total);

  /// `done` of `total` are finished; `detail` names the current piece.
  void update(std::size_t done, const std::string& detail = {});

 private:
  std::string what_;
  std::size_t total_;
  ProgressLine line_;
};

/// The state of running simulations.
struct SimulationCounts {
  std::string what;  ///< "simulating on flow"
  std::size_t done = 0, total = 0;
  double simulated_s = 0.0;     ///< of the most advanced one
  std::uint64_t messages = 0;   ///< of all simulations, arrived
  std::uint64_t expected = 0;   ///< of all simulations; 0: unknown
  double messages_per_s = 0.0;  ///< recent rate
  double elapsed_s = 0.0;
};

/// "simulating on flow: t=0.0123 s, 1.20M of 8.19M messages, 412k messages/s, about 17 s left". The time left comes
/// from the expected messages at the present rate, else from the simulations that have ended, else it is omitted.
/// Narrow columns use fewer words, down to "2/8 t=0.0123 s, 15 %, 412k/s, 17 s left" in 40.
std::string simulation_text(const SimulationCounts& counts, std::size_t width = static_cast<std::size_t>(-1));

/// Simulations of a batch, from their progress reports.
class SimulationProgress {
 public:
  /// `expected`: messages of all simulations together, 0 if unknown.
  SimulationProgress(std::string what, std::uint64_t expected);
  /// Call when the number becomes known.
  void expect(std::uint64_t messages) { expected_ = messages; }
  void update(const engine::BatchState& state);

 private:
  struct Sample {
    double at_s;
    std::uint64_t messages;
  };
  std::string what_;
  std::uint64_t expected_;
  std::deque<Sample> samples_;  ///< of the last seconds
  ProgressLine line_;
};

}  // namespace orrery::study
