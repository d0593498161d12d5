/// How often a rank called what, and how long it was in there.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace orrery::record {

struct CallTime {
  explicit CallTime(const char* called);
  const char* name;
  std::uint64_t count = 0;
  double seconds = 0.0;
};

/// Every one there is, in the order of their wrappers.
inline std::vector<CallTime*>& call_times() {
  static std::vector<CallTime*> all;
  return all;
}
inline CallTime::CallTime(const char* called) : name(called) { call_times().push_back(this); }

inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace orrery::record
