/// What a run reports about its collectives: one record for all calls with the same operation, name, algorithm, group
/// size and message size, whichever ranks made them.
///
///   time        sum over the calls of  max over members (end - own begin)                    s
///   late        sum over the calls of  last member's begin - first member's                  s
///   bandwidth   bytes * calls / time                     what a benchmark calls algorithm bandwidth
///   bus         bandwidth * f(operation, n)              what the busiest link of an even fabric carries
///
///   f = 2 (n-1)/n   allreduce
///       (n-1)/n     reduce_scatter, allgather(v), alltoall(v), scatter(v), gather(v)
///       1           bcast, reduce, scan, exscan
///
///   steps       most messages that one member sends, or receives, on one channel (algorithms for GPUs divide vectors
///               among channels that work beside each other), of all calls
///
/// Source   NVIDIA nccl-tests, doc/PERFORMANCE.md ("bus bandwidth")
/// Differs  nccl-tests time many calls and divide; here a call's time contains the wait for members that come late
/// Checked  tests/unit/core/collective_record_test.cpp, tests/replay/collectives_test.cpp
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/collective_call.hpp"

namespace orrery {

struct CollectiveRecord {
  Operation operation{};
  std::string name;  ///< the kernel's name for it; often empty
  std::string algorithm;
  std::uint32_t ranks = 0;     ///< of one group
  Bytes bytes;                 ///< see sim/core/collective_call.hpp
  std::uint64_t calls = 0;     ///< each counted once for its whole group
  Seconds time, time_max;      ///< sum over the calls, and the longest
  Seconds late;                ///< part of `time` in which members wait for the last one
  std::uint64_t messages = 0;  ///< of all calls
  std::uint64_t steps = 0;

  BytesPerSecond bandwidth() const;
  BytesPerSecond bus_bandwidth() const;

  bool operator==(const CollectiveRecord&) const = default;
};

/// f above; 0 for a barrier and for a group of one.
double bus_factor(Operation operation, std::uint32_t ranks);

}  // namespace orrery
