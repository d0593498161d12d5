/// What each thread does, stored where a crash handler can read it (sim/study/play/crash.hpp): a few stores, no lock.
///
///   const About about("playing", "summa, blocks 128");      until the end of the scope
///   doing.rank = 3;  doing.step = 17;                       set by the code that pulls the steps of a program
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace orrery {

inline constexpr std::uint32_t nobody = 0xffffffffu;

struct Doing {
  const char* what = nullptr;   ///< a literal: "playing"; null: no steps of a program are being pulled
  char point[160] = {};         ///< truncated if longer, always zero-terminated
  std::uint32_t rank = nobody;  ///< whose step is pulled or played
  std::uint64_t step = 0;       ///< of that rank, from 1; 0: not counted
};

inline thread_local constinit Doing doing;

class About {
 public:
  About(const char* what, std::string_view point) : before_(doing) {
    const std::size_t length = std::min(point.size(), sizeof doing.point - 1);
    std::copy_n(point.begin(), length, doing.point);
    doing.point[length] = '\0';
    doing.rank = nobody;
    doing.step = 0;
    doing.what = what;
  }
  About(const About&) = delete;
  About& operator=(const About&) = delete;
  ~About() { doing = before_; }

 private:
  Doing before_;
};

}  // namespace orrery
