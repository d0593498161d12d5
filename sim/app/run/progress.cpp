#include "sim/app/run/progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "sim/core/error.hpp"
#include "sim/core/tell.hpp"

namespace orrery::app {

namespace {

volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int) { stop_asked = 1; }

}  // namespace

bool interrupted() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the process at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return true;
  }();
  return installed && stop_asked != 0;
}

void throw_if_interrupted(const std::string& doing) {
  if (interrupted()) throw Interrupted("interrupted: " + doing);
}

namespace {

/// A line longer than the terminal would wrap and could not be redrawn.
std::string fitted(const std::string& text) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return text.substr(0, known ? size.ws_col - 1u : 119u);
}

std::string duration_text(double s) {
  if (s < 100) return fmt::format("{:.0f} s", s);
  return s < 6000 ? fmt::format("{:.0f} min", s / 60) : fmt::format("{:.1f} h", s / 3600);
}

std::string count_text(double n) {
  if (n < 1e4) return fmt::format("{:.0f}", n);
  return n < 1e6 ? fmt::format("{:.0f}k", n / 1e3) : fmt::format("{:.2f}M", n / 1e6);
}

/// The rate is that of these last seconds.
constexpr double rate_window_s = 5.0;

}  // namespace

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {
  interrupted();
}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) tell("\r\033[K");
}

double ProgressLine::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

bool ProgressLine::due() const {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  return now - begin_ > 2s && (!drawn_ || now - last_ > (terminal_ ? Clock::duration(100ms) : Clock::duration(5s)));
}

void ProgressLine::draw(const std::string& text) {
  last_ = Clock::now();
  drawn_ = true;
  if (terminal_)
    tell("\r\033[K{}", fitted(text));
  else
    tell("{}\n", text);
  std::fflush(stderr);
}

Progress::Progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) {}

void Progress::update(std::size_t done, const std::string& detail) {
  if (!line_.due()) return;
  const double fraction = total_ == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total_);
  const std::string left =
      done == 0 ? std::string()
                : fmt::format(", about {} left", duration_text(line_.elapsed_s() * (1.0 - fraction) / fraction));
  constexpr std::size_t width = 24;
  const auto filled = std::min(width, static_cast<std::size_t>(fraction * width));
  line_.draw(fmt::format("{} [{}{}] {}/{}{}  {}", what_, std::string(filled, '#'), std::string(width - filled, '.'),
                         done, total_, left, detail));
}

std::string simulation_text(const SimulationFigures& f) {
  std::string text = f.what;
  if (f.total > 1) text += fmt::format(" {}/{}", f.done, f.total);
  text += fmt::format(": t={:.4g} s, {}", f.simulated_s, count_text(static_cast<double>(f.messages)));
  const bool expects = f.expected > 0 && f.messages <= f.expected;
  if (expects) text += fmt::format(" of {}", count_text(static_cast<double>(f.expected)));
  text += fmt::format(" messages, {} messages/s", count_text(f.messages_per_s));
  if (expects && f.messages_per_s > 0.0)
    text +=
        fmt::format(", about {} left", duration_text(static_cast<double>(f.expected - f.messages) / f.messages_per_s));
  else if (!expects && f.done > 0)
    text += fmt::format(", about {} left", duration_text(f.elapsed_s * static_cast<double>(f.total - f.done) /
                                                         static_cast<double>(f.done)));
  return text;
}

SimulationProgress::SimulationProgress(std::string what, std::uint64_t expected)
    : what_(std::move(what)), expected_(expected) {}

void SimulationProgress::update(const replay::BatchState& state) {
  const double now_s = line_.elapsed_s();
  samples_.push_back({now_s, state.messages()});
  while (samples_.size() > 2 && samples_[1].at_s < now_s - rate_window_s) samples_.pop_front();
  if (!line_.due()) return;
  SimulationFigures figures{.what = what_,
                            .done = state.done,
                            .total = state.total,
                            .messages = state.messages(),
                            .expected = expected_,
                            .elapsed_s = now_s};
  for (const auto& one : state.under_way) figures.simulated_s = std::max(figures.simulated_s, one.simulated_s);
  const double window_s = now_s - samples_.front().at_s;
  if (window_s > 0.0 && figures.messages > samples_.front().messages)
    figures.messages_per_s = static_cast<double>(figures.messages - samples_.front().messages) / window_s;
  line_.draw(simulation_text(figures));
}

}  // namespace orrery::app
