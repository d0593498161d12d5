/// Whether two steps say the same, by value. A field or a kind that is added and not compared here does not compile.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::test {

namespace same_step_detail {

inline auto said(const Compute& step) { return step; }
inline auto said(const ComputeUntil& step) {
  const auto& [compute, chunks, request] = step;
  return std::tuple(compute, chunks, request);
}
inline auto said(const Send& step) {
  const auto& [to, message, tag, communicator, repeat, protocol, in_switch] = step;
  return std::tuple(to, message, tag, communicator, repeat, protocol, in_switch);
}
inline auto said(const Recv& step) {
  const auto& [from, message, tag, communicator] = step;
  return std::tuple(from, message, tag, communicator);
}
inline auto said(const Isend& step) {
  const auto& [send, request] = step;
  return std::tuple(said(send), request);
}
inline auto said(const Irecv& step) {
  const auto& [recv, request] = step;
  return std::tuple(said(recv), request);
}
inline auto said(const Wait& step) {
  const auto& [request] = step;
  return request;
}
inline auto said(const WaitAll& step) {
  const auto& [first, count] = step;
  return std::tuple(first, count);
}
inline auto said(const WaitAny& step) {
  const auto& [of, found] = step;
  return std::tuple(*of, found != nullptr);
}
inline auto said(const Probe& step) {  // where the answer goes is another variable in every run
  const auto& [from, tag, communicator, found] = step;
  return std::tuple(from, tag, communicator, found != nullptr);
}
inline auto said(const IdealBarrier&) { return true; }
inline auto said(const PhaseMark& step) {
  const auto& [name] = step;
  return std::string(name);
}
inline auto said(const IterationMark& step) {
  const auto& [iteration] = step;
  return iteration;
}
inline auto said(const StageMark& step) {
  const auto& [name, composition] = step;
  return std::tuple(std::string(name), composition);
}
inline auto said(const CollectiveBegin& step) {
  const auto& [call, team] = step;
  const auto& [operation, root, algorithm, bytes, group, name] = *call;
  return std::tuple(operation, root, std::string(algorithm), bytes, group, std::string(name),
                    std::vector<Rank>(team.begin(), team.end()));
}
inline auto said(const CollectiveEnd&) { return true; }

}  // namespace same_step_detail

inline bool same_step(const Step& a, const Step& b) {
  return a.index() == b.index() && visit_step(
                                       [&](const auto& first) {
                                         return same_step_detail::said(first) ==
                                                same_step_detail::said(std::get<std::decay_t<decltype(first)>>(b));
                                       },
                                       a);
}

}  // namespace orrery::test
