#include "sim/core/phase.hpp"

namespace orrery {

namespace {

bool same(const Message& a, const Message& b) {
  return a.from == b.from && a.to == b.to && a.size == b.size && a.stage == b.stage && a.after == b.after &&
         a.blocking == b.blocking && a.receiver_waiting == b.receiver_waiting &&
         a.received_in_phase == b.received_in_phase;
}

bool same(const ComputeItem& a, const ComputeItem& b) {
  return a.rank == b.rank && a.repeat == b.repeat && a.compute.work == b.compute.work &&
         a.compute.flops == b.compute.flops && a.compute.shape == b.compute.shape;
}

template <class T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
}

}  // namespace

bool Phase::same_content(const Phase& other) const {
  return name == other.name && declared == other.declared && starts_together == other.starts_together &&
         all_same(messages, other.messages) && all_same(computes, other.computes);
}

}  // namespace orrery
