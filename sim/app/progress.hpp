/// Progress of long work on stderr, and Ctrl-C.
///
/// On a terminal one line is redrawn (bar, count, estimate) once the work has taken two seconds; elsewhere a line is
/// written every ten seconds. Nothing is drawn for short work.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace orrery::app {

/// True once Ctrl-C (or SIGTERM) was pressed. The first call installs the handler.
bool interrupted();
/// Throws Interrupted with `resume_hint` when it was.
void throw_if_interrupted(const std::string& resume_hint);

class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total` are finished; `detail` names the current piece.
  void update(std::size_t done, const std::string& detail = {});

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line);

  std::string what_;
  std::size_t total_;
  bool terminal_, drawn_ = false;
  Clock::time_point begin_, last_;
};

}  // namespace orrery::app
