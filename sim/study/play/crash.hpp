/// Last words of a program that a signal kills: what it was doing, which point, whose step (sim/core/doing.hpp).
///
/// Async-signal-safe: what it says is put together in a buffer on the stack and written at once. Then the signal takes
/// its usual course, so that exit code (128 + signal in a shell), core file and debugger see what they would have.
#pragma once

#include <span>
#include <string_view>

#include "sim/core/doing.hpp"

namespace orrery::study {

/// Of SIGSEGV, SIGBUS, SIGILL, SIGFPE and SIGABRT, from now on, here and in children. Not under a sanitizer, which says
/// more.
void say_where_it_crashes();

/// A stack for the handler of this thread, so that it can speak when the thread's own has run out. main() and each thread
/// that plays programs of kernels call it once.
void keep_stack_for_crash();

/// What is said, put into `room`; cut where that is too small.
std::string_view crash_message(int signal, const Doing& about, std::span<char> room);

}  // namespace orrery::study
