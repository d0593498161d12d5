/// Prefetches memory that will be read soon, so that a large simulation does not wait for each cache line in turn.
///
///   fetch(&processes[rank]);  fetch_lines(frame, 5);
///
/// It changes only the time; any address is valid. The empty asm statement is needed: GCC treats a function that only
/// prefetches as free of effects and drops its calls.
#pragma once

#include <cstddef>

namespace orrery {

inline void fetch(const void* from) {
#ifdef __GNUC__
  __builtin_prefetch(from);
  asm volatile("");
#else
  static_cast<void>(from);
#endif
}

inline void fetch_lines(const void* from, std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i) fetch(static_cast<const char*>(from) + 64 * i);
}

}  // namespace orrery
