#include "sim/study/play/events.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/core/printable.hpp"
#include "sim/show/result/refusal_json.hpp"

namespace orrery::study {

namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

int listener = -1;  ///< the number of the open file; -1 without one

void write_line(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const auto wrote = ::write(listener, line.data() + done, line.size() - done);
    if (wrote <= 0) return;
    done += static_cast<std::size_t>(wrote);
  }
}

void write_line(const Json& json) { write_line(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"); }

std::string last;  ///< what last_error gives

/// At most ten times a second, but the end of something always: a bar that stays at 7 of 8 looks stuck.
bool due(bool last) {
  static Clock::time_point next;
  if (listener < 0) return false;
  const auto now = Clock::now();
  if (!last && now < next) return false;
  next = now + std::chrono::milliseconds(100);
  return true;
}

}  // namespace

void open_events() {
  const char* named = std::getenv("ORRERY_EVENTS");
  if (named == nullptr) return;
  const std::string_view text(named);
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && ::fcntl(number, F_SETFD, FD_CLOEXEC) == 0) listener = number;
  ::unsetenv("ORRERY_EVENTS");
}

void progress_event(const StepCounts& f) {
  if (!due(f.done == f.total)) return;
  write_line({{"event", "progress"},
              {"what", f.what},
              {"done", f.done},
              {"total", f.total},
              {"detail", f.detail},
              {"elapsed_s", f.elapsed_s}});
}

void progress_event(const SimulationCounts& f) {
  if (!due(f.done == f.total)) return;
  write_line({{"event", "progress"},
              {"what", f.what},
              {"done", f.done},
              {"total", f.total},
              {"detail", ""},
              {"elapsed_s", f.elapsed_s},
              {"messages", f.messages},
              {"expected_messages", f.expected},
              {"simulated_s", f.simulated_s}});
}

void error_event(int exit_code, const Refusal& refusal) {
  last = show::refusal_json(exit_code, printable(refusal.text()), refusal);
  if (listener >= 0) write_line("{\"event\":\"error\",\"refusal\":" + last + "}\n");
}

const std::string& last_error() { return last; }

}  // namespace orrery::study
