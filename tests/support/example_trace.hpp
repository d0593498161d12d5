#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "sim/config/traces/trace_file.hpp"
#include "sim/core/trace.hpp"

namespace orrery::test {

/// What a kernel that plays traces is given: a ring, then every collective.
inline std::shared_ptr<const Trace> example_trace(std::uint32_t ranks) {
  std::string text, counts;
  for (std::uint32_t r = 0; r < ranks; ++r) counts += fmt::format("{} ", 3 * r + 1);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const std::uint32_t next = (r + 1) % ranks, previous = (r + ranks - 1) % ranks, mine = 3 * r + 1;
    std::string same;
    for (std::uint32_t peer = 0; peer < ranks; ++peer) same += fmt::format("{} ", mine);
    for (const std::string& call :
         {fmt::format("irecv {} 1 8", previous), fmt::format("isend {} 1 8", next), std::string("waitall"),
          std::string("compute 5"), std::string("barrier"), std::string("bcast 8 0"), std::string("reduce 80 1 0"),
          std::string("allreduce 80 1"), std::string("alltoall 5 5"), fmt::format("alltoallv 9 {}9 {}", same, counts),
          std::string("gather 4 4 0"), fmt::format("gatherv {} {}0", mine, counts), std::string("scatter 4 4 0"),
          fmt::format("scatterv {}{} 0", counts, mine), std::string("allgather 7 7"),
          fmt::format("allgatherv {} {}", mine, counts), fmt::format("reducescatter {}0", counts),
          std::string("scan 8 0"), std::string("exscan 8 0")})
      text += fmt::format("{} {}\n", r, call);
  }
  return std::make_shared<const Trace>(config::parse_ti(text, "example"));
}

}  // namespace orrery::test
