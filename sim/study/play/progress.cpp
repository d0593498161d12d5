#include "sim/study/play/progress.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <optional>

#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/events.hpp"
#include "sim/system/system.hpp"

namespace orrery::study {

namespace {

constexpr const char* erase_line = "\r\033[K";

volatile std::sig_atomic_t stop_asked = 0;

/// What is said when abandonable work is left; written before `said_size`, which says that there is any.
char said_text[1000];
volatile std::sig_atomic_t said_size = 0;

void ask_to_stop(int) {
  stop_asked = 1;
  if (said_size > 0) alarm(1);
}

void abandon(int) {
  if (said_size == 0) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, said_text, static_cast<std::size_t>(said_size));
  _exit(130);
}

}  // namespace

bool interrupted() {
  static const bool installed = [] {
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the process at once
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    action.sa_handler = abandon;
    action.sa_flags = 0;
    sigaction(SIGALRM, &action, nullptr);
    return true;
  }();
  return installed && stop_asked != 0;
}

void throw_if_interrupted(const Refusal& doing) {
  if (interrupted()) throw Interrupted("interrupted: {}", doing);
}

Abandonable::Abandonable(const std::string& said) {
  interrupted();
  const std::string line = (isatty(STDERR_FILENO) == 1 ? erase_line : "") + visible(said) + "\n";
  const std::size_t size = line.copy(said_text, sizeof said_text);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  said_size = static_cast<std::sig_atomic_t>(size);
}

Abandonable::~Abandonable() {
  said_size = 0;
  alarm(0);
}

namespace {

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

/// Columns are counted, not bytes: no character is cut in two.
std::string cut(const std::string& text, std::size_t width) {
  std::size_t columns = 0, at = 0;
  for (; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xc0) != 0x80 && columns++ == width) break;
  return text.substr(0, at);
}

/// The first of several ways to say it that fits.
std::string first_that_fits(const std::vector<std::string>& ways, std::size_t width) {
  for (const auto& way : ways)
    if (way.size() <= width) return way;
  return cut(ways.back(), width);
}

/// Nothing when it cannot be known.
std::optional<double> seconds_left(const SimulationCounts& f, bool expects) {
  if (expects)
    return f.messages_per_s > 0.0 ? std::optional(static_cast<double>(f.expected - f.messages) / f.messages_per_s)
                                  : std::nullopt;
  if (f.done == 0) return std::nullopt;
  return f.elapsed_s * static_cast<double>(f.total - f.done) / static_cast<double>(f.done);
}

}  // namespace

std::size_t progress_width() {
  constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  if (isatty(STDERR_FILENO) != 1) return unlimited;
  const unsigned width = system::terminal_columns(STDERR_FILENO);
  if (width == 0) return 79;
  return width - 1u;  // a line as wide as the terminal wraps on some and could not be redrawn
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1), begin_(Clock::now()), last_(begin_) {
  interrupted();
}

ProgressLine::~ProgressLine() {
  if (drawn_ && terminal_) std::fputs(erase_line, stderr);
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
  if (terminal_) {
    std::fputs(erase_line, stderr);
    tell("{}", cut(visible(text), progress_width()));
  } else {
    tell("{}\n", text);
  }
  std::fflush(stderr);
}

Progress::Progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) {}

std::string counted_text(const StepCounts& f, std::size_t width) {
  const double fraction = f.total == 0 ? 0.0 : static_cast<double>(f.done) / static_cast<double>(f.total);
  const std::string left = f.done == 0 ? "" : duration_text(f.elapsed_s * (1.0 - fraction) / fraction) + " left";
  const std::string about = left.empty() ? "" : ", about " + left, comma = left.empty() ? "" : ", " + left;
  constexpr std::size_t bar = 24;
  const auto filled = std::min(bar, static_cast<std::size_t>(fraction * bar));
  const std::string drawn = std::string(filled, '#') + std::string(bar - filled, '.');
  const std::string count = fmt::format("{}/{}", f.done, f.total), first = f.what.substr(0, f.what.find(' '));
  std::vector<std::string> ways = {fmt::format("{} [{}] {}{}", f.what, drawn, count, about),
                                   fmt::format("{} {}{}", f.what, count, about),
                                   fmt::format("{} {}{}", first, count, comma), fmt::format("{}{}", count, comma)};
  if (!f.detail.empty()) ways.insert(ways.begin(), ways.front() + "  " + f.detail);
  return first_that_fits(ways, width);
}

void Progress::update(std::size_t done, const std::string& detail) {
  const StepCounts counts{what_, detail, done, total_, line_.elapsed_s()};
  progress_event(counts);
  if (done < total_ && line_.due()) line_.draw(counted_text(counts, progress_width()));
}

std::string simulation_text(const SimulationCounts& f, std::size_t width) {
  const bool expects = f.expected > 0 && f.messages <= f.expected;
  const auto left_s = seconds_left(f, expects);
  const std::string count = count_text(static_cast<double>(f.messages)), rate = count_text(f.messages_per_s);
  const std::string of = expects ? " of " + count_text(static_cast<double>(f.expected)) : "";
  const std::string share =
      expects ? fmt::format("{:.0f} %", 100.0 * static_cast<double>(f.messages) / static_cast<double>(f.expected))
              : count;
  const std::string left = left_s ? duration_text(*left_s) + " left" : "";
  const std::string points = f.total > 1 ? fmt::format(" {}/{}", f.done, f.total) : "";
  const std::string engine = f.what.substr(f.what.rfind(' ') + 1);
  const auto comma = [](const std::string& text, const char* before) { return text.empty() ? "" : before + text; };
  const std::string points_alone = points.empty() ? "" : points.substr(1) + " ";
  return first_that_fits(
      {fmt::format("{}{}: t={:.4g} s, {}{} messages, {} messages/s{}", f.what, points, f.simulated_s, count, of, rate,
                   comma(left, ", about ")),
       fmt::format("{}{}: t={:.4g} s, {}{} messages, {}/s{}", engine, points, f.simulated_s, count, of, rate,
                   comma(left, ", ")),
       fmt::format("{}{}: t={:.3g} s, {}{}, {}/s{}", engine, points, f.simulated_s, count, of, rate, comma(left, ", ")),
       fmt::format("{}t={:.3g} s, {}, {}/s{}", points_alone, f.simulated_s, share, rate, comma(left, ", ")),
       fmt::format("{}t={:.3g} s, {}{}", points_alone, f.simulated_s, share, comma(left, ", ")),
       fmt::format("{}{}{}", points_alone, share, comma(left, ", "))},
      width);
}

SimulationProgress::SimulationProgress(std::string what, std::uint64_t expected)
    : what_(std::move(what)), expected_(expected) {}

void SimulationProgress::update(const engine::BatchState& state) {
  const double now_s = line_.elapsed_s();
  samples_.push_back({now_s, state.messages()});
  while (samples_.size() > 2 && samples_[1].at_s < now_s - rate_window_s) samples_.pop_front();
  SimulationCounts counts{.what = what_,
                          .done = state.done,
                          .total = state.total,
                          .messages = state.messages(),
                          .expected = expected_,
                          .elapsed_s = now_s};
  for (const auto& one : state.under_way) counts.simulated_s = std::max(counts.simulated_s, one.simulated_s);
  const double window_s = now_s - samples_.front().at_s;
  if (window_s > 0.0 && counts.messages > samples_.front().messages)
    counts.messages_per_s = static_cast<double>(counts.messages - samples_.front().messages) / window_s;
  progress_event(counts);
  if (line_.due()) line_.draw(simulation_text(counts, progress_width()));
}

}  // namespace orrery::study
