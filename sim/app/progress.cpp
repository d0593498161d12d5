#include "sim/app/progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "sim/core/error.hpp"

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

void throw_if_interrupted(const std::string& resume_hint) {
  if (interrupted()) throw Interrupted("interrupted" + (resume_hint.empty() ? std::string() : ": " + resume_hint));
}

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      last_(begin_) {
  interrupted();
}

Progress::~Progress() {
  if (drawn_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::size_t done, const std::string& detail) {
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  const bool due = now - begin_ > 2s && (terminal_ ? now - last_ > 100ms : now - last_ > 10s);
  if (!due) return;
  last_ = now;
  const double elapsed_s = std::chrono::duration<double>(now - begin_).count();
  const double fraction = total_ == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(total_);
  const std::string left =
      done == 0 ? std::string() : fmt::format(", about {:.0f} s left", elapsed_s * (1.0 - fraction) / fraction);
  if (!terminal_) return draw(fmt::format("{} {}/{} ({:.0f} s{}) {}", what_, done, total_, elapsed_s, left, detail));
  constexpr std::size_t width = 24;
  const auto filled = std::min(width, static_cast<std::size_t>(fraction * width));
  draw(fmt::format("{} [{}{}] {}/{}{}  {}", what_, std::string(filled, '#'), std::string(width - filled, '.'), done,
                   total_, left, detail));
}

void Progress::draw(const std::string& line) {
  drawn_ = true;
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line);
  else
    fmt::print(stderr, "{}\n", line);
  std::fflush(stderr);
}

}  // namespace orrery::app
