#include "sim/study/play/crash.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>

#include "sim/system/system.hpp"

namespace orrery::study {

namespace {

/// Appends to a buffer that somebody else owns; no heap, no locale.
class LastWords {
 public:
  explicit LastWords(std::span<char> room) : room_(room) {}
  LastWords& operator<<(std::string_view words) {
    const std::size_t count = std::min(words.size(), room_.size() - length_);
    std::copy_n(words.begin(), count, room_.begin() + static_cast<std::ptrdiff_t>(length_));
    length_ += count;
    return *this;
  }
  LastWords& operator<<(std::uint64_t number) {
    char digits[20];
    std::size_t first = sizeof digits;
    do digits[--first] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    return *this << std::string_view(digits + first, sizeof digits - first);
  }
  std::string_view text() const { return {room_.data(), length_}; }

 private:
  std::span<char> room_;
  std::size_t length_ = 0;
};

std::string_view words_for(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV: it used memory that is not its own, or its stack ran out";
    case SIGBUS:
      return "SIGBUS: memory or a file that it used is gone";
    case SIGILL:
      return "SIGILL: an instruction that this processor does not have";
    case SIGFPE:
      return "SIGFPE: a division of whole numbers by zero";
    case SIGABRT:
      return "SIGABRT: it ended itself, since something that must hold did not";
    default:
      return "not one that it waits for";
  }
}

extern "C" void orrery_crashed(int signal) {
  const int number = errno;
  std::array<char, 1024> room;
  const std::string_view said = crash_message(signal, doing, room);
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, said.data(), said.size());
  errno = number;
  ::raise(signal);  // with its usual course again (SA_RESETHAND), once this returns
}

}  // namespace

std::string_view crash_message(int signal, const Doing& about, std::span<char> room) {
  LastWords words(room);
  words << "orrery: killed by signal " << static_cast<std::uint64_t>(signal) << " (" << words_for(signal) << ")";
  if (about.what != nullptr) {
    words << "\n  while " << about.what << " '" << about.point << "'";
    if (about.rank != nobody) words << ", rank " << std::uint64_t{about.rank};
    if (about.step > 0) words << ", its step " << about.step;
  }
  words
      << "\n  A bug: of a kernel, model or collective of your own if you added one (the preset 'asan' names its line), "
         "else of Orrery: please report it.\n";
  return words.text();
}

void keep_stack_for_crash() { static thread_local const system::SignalStack stack; }

void say_where_it_crashes() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  keep_stack_for_crash();
  struct sigaction action {};
  action.sa_handler = orrery_crashed;
  action.sa_flags = system::SignalStack::flag() | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::sigaction(signal, &action, nullptr);
#endif
}

}  // namespace orrery::study
