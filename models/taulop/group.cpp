#include "models/taulop/group.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace orrery::taulop {

namespace {

/// Calls f(table) for each bit.
template <class Function>
void for_each_table(TableSet tables, Function f) {
  for (; tables != 0; tables &= tables - 1) f(static_cast<std::size_t>(std::countr_zero(tables)));
}

}  // namespace

Sequence merged(const Sequence& sequence, MergeBy by) {
  Sequence result;
  for (const auto& next : sequence) {
    const bool follows = !result.empty() && result.back().mergeable && next.mergeable &&
                         result.back().channel == next.channel && result.back().concurrency == next.concurrency &&
                         (by == MergeBy::channel || result.back().to_node == next.to_node);
    if (follows) {
      result.back().message += next.message;
      result.back().tables |= next.tables;
    } else {
      result.push_back(next);
    }
  }
  return result;
}

Seconds time_of(TableSet tables, Bytes message, std::uint32_t concurrency, std::span<const TransmissionTable> known) {
  if (std::has_single_bit(tables))
    return known[static_cast<std::size_t>(std::countr_zero(tables))].time(message, concurrency);
  Seconds dearest;
  for_each_table(tables, [&](std::size_t i) { dearest = std::max(dearest, known[i].time(message, concurrency)); });
  return dearest;
}

Seconds overhead_of(TableSet tables, Bytes message, std::span<const TransmissionTable> known) {
  Seconds dearest;
  for_each_table(tables, [&](std::size_t i) { dearest = std::max(dearest, known[i].overhead(message)); });
  return dearest;
}

Seconds transfer_time_of(TableSet tables, Bytes message, std::uint32_t concurrency,
                         std::span<const TransmissionTable> known) {
  Seconds dearest;
  for_each_table(tables,
                 [&](std::size_t i) { dearest = std::max(dearest, known[i].transfer_time(message, concurrency)); });
  return dearest;
}

void ConcurrentGroup::start(std::uint32_t id, const Transmission& transmission) {
  heap_.push({carried_ + transmission.message, id, transmission.concurrency, transmission.tables});
  concurrency_ += transmission.concurrency;
  count_tables(transmission.tables, +1);
}

Bytes ConcurrentGroup::progress_in(Seconds t, std::span<const TransmissionTable> known, Overhead overhead) const {
  Bytes least;
  bool first = true;
  for_each_table(tables_, [&](std::size_t i) {
    const auto& table = known[i];
    const Bytes carried =
        overhead == Overhead::once ? table.transferred(t, concurrency_) : table.bytes(t, concurrency_);
    least = first ? carried : std::min(least, carried);
    first = false;
  });
  if (overhead == Overhead::once || least < shortest()) return least;
  // The library's byte for a time below every T is progress, but no message ends by it: its last byte is not free.
  const bool below_every_time = t < time_of(tables_, Bytes(0), concurrency_, known);
  return below_every_time ? std::max(Bytes(0), shortest() - Bytes(1)) : least;
}

void ConcurrentGroup::progress(Bytes lost, std::vector<std::uint32_t>& ended) {
  carried_ += lost;
  const auto first = static_cast<std::ptrdiff_t>(ended.size());
  while (!heap_.empty() && heap_.top().ends_at <= carried_ + Bytes(1e-6)) {
    const Member member = heap_.top();
    heap_.pop();
    ended.push_back(member.id);
    concurrency_ -= member.concurrency;
    count_tables(member.tables, -1);
  }
  std::sort(ended.begin() + first, ended.end());
  if (heap_.empty()) carried_ = Bytes(0);
}

void ConcurrentGroup::count_tables(TableSet tables, int change) {
  for_each_table(tables, [&](std::size_t i) {
    users_[i] += static_cast<std::uint32_t>(change);
    const TableSet bit = TableSet{1} << i;
    tables_ = users_[i] > 0 ? tables_ | bit : tables_ & ~bit;
  });
}

}  // namespace orrery::taulop
