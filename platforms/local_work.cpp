#include "platforms/local_work.hpp"

#include <algorithm>
#include <map>

#include "sim/core/fresh_buffer.hpp"

namespace orrery {

namespace {

constexpr double reduction_accesses = 3.0, copy_accesses = 2.0;

/// Of the whole vector of the collective, see kernels/collectives/collective.cpp.
Bytes vector_of(const Compute& compute) { return Bytes(compute.shape[1]); }

bool cached(const LocalRates& rates, const Compute& compute) { return vector_of(compute) <= rates.cache; }

/// What malloc maps before it has learnt better is not in the heap.
constexpr Bytes heap_from = 128_KiB;

BytesPerSecond rate_of_buffers(const LocalRates& rates, Bytes longest, bool several) {
  if (longest >= rates.fresh_from) return rates.fresh_memory;
  return several && longest > heap_from ? rates.heap_memory : BytesPerSecond{};
}

Seconds at(Bytes bytes, BytesPerSecond rate) { return rate == BytesPerSecond{} ? Seconds{} : bytes / rate; }

Seconds fresh_time(const LocalRates& rates, const Compute& compute) {
  const Bytes longest(compute.shape[0]);
  if (compute.shape[2] == FreshBuffer::block) return longest >= rates.fresh_from ? rates.registration : Seconds{};
  return at(compute.traffic, rate_of_buffers(rates, longest, compute.shape[2] == FreshBuffer::several));
}

}  // namespace

RankRates::RankRates(const Platform& platform, const Layout& layout) {
  std::map<HostId, std::uint32_t> ranks_of;
  for (const Placement& place : layout.placements) ++ranks_of[place.host];
  std::map<std::pair<const LocalRates*, std::uint32_t>, std::uint32_t> known;
  for (const Placement& place : layout.placements) {
    const LocalRates& stated = platform.local_rates(place);
    const std::uint32_t ranks = stated.shared_cache > Bytes{} ? ranks_of[place.host] : 1;
    const auto [at, fresh] = known.try_emplace({&stated, ranks}, static_cast<std::uint32_t>(rates_.size()));
    if (fresh) {
      rates_.push_back(stated);
      if (stated.shared_cache > Bytes{}) rates_.back().cache = std::min(stated.cache, stated.shared_cache / ranks);
    }
    of_.push_back(at->second);
  }
}

LocalWork kinds_of(const LocalRates& rates) {
  constexpr BytesPerSecond none{};
  return {rates.reduction > none || rates.cached_reduction > none, rates.copy > none || rates.cached_copy > none,
          rates.fresh_memory > none || rates.heap_memory > none || rates.registration > Seconds{},
          rates.datatype > Seconds{} || rates.datatype_block > Seconds{} || rates.count > Seconds{}};
}

std::optional<Seconds> local_time(const LocalRates& rates, const Compute& compute) {
  const bool in_cache = cached(rates, compute);
  switch (compute.work) {
    case Work::reduction:
      if (!kinds_of(rates).reduction) return std::nullopt;  // then its flops count, where a program asks for that
      return at(compute.traffic / reduction_accesses, in_cache ? rates.cached_reduction : rates.reduction);
    case Work::buffer_copy:
      return at(compute.traffic / copy_accesses, in_cache ? rates.cached_copy : rates.copy);
    case Work::fresh_buffer:
      return fresh_time(rates, compute);
    case Work::datatype:
      return compute.shape[0] * rates.datatype + compute.shape[1] * rates.datatype_block +
             compute.shape[2] * rates.count;
    default:
      return std::nullopt;
  }
}

bool sweeps_memory(const LocalRates& rates, const Compute& compute) {
  return (compute.work == Work::reduction || compute.work == Work::buffer_copy) && !cached(rates, compute);
}

}  // namespace orrery
