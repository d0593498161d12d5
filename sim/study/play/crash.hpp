/// The final message of a program killed by a signal: activity, point, and the rank's step (sim/core/doing.hpp).
///
/// Async-signal-safe: the message is built in a buffer on the stack and written with one call. Then the signal is
/// handled as usual, so the exit code (128 + signal in a shell), core file and debugger are unaffected.
#pragma once

#include <span>
#include <string_view>

#include "sim/core/doing.hpp"

namespace orrery::study {

/// Handles SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT from now on, here and in children. Not under a sanitizer, which
/// reports more.
void say_where_it_crashes();

/// A stack for the handler of this thread, so that it works after a stack overflow. main() and each thread that plays
/// programs of kernels call it once.
void keep_stack_for_crash();

/// The message, written into `room`; truncated if that is too small.
std::string_view crash_message(int signal, const Doing& about, std::span<char> room);

}  // namespace orrery::study
