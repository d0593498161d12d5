#include "platforms/local_work.hpp"

#include <fmt/format.h>

#include <utility>

namespace orrery {

namespace {

constexpr double reduction_accesses = 3.0, copy_accesses = 2.0;

/// Of the whole vector of the collective, see kernels/collectives/collective.cpp.
Bytes vector_of(const Compute& compute) { return Bytes(compute.shape[1]); }

bool cached(const LocalRates& rates, const Compute& compute) { return vector_of(compute) <= rates.cache; }

std::optional<Seconds> at(Bytes bytes, BytesPerSecond rate) {
  if (rate == BytesPerSecond{}) return std::nullopt;
  return bytes / rate;
}

}  // namespace

LocalWork kinds_of(const LocalRates& rates) {
  constexpr BytesPerSecond none{};
  return {rates.reduction > none, rates.copy > none, rates.fresh_memory > none};
}

std::optional<Seconds> local_time(const LocalRates& rates, const Compute& compute) {
  const bool in_cache = cached(rates, compute);
  switch (compute.work) {
    case Work::reduction:
      return at(compute.traffic / reduction_accesses, in_cache ? rates.cached_reduction : rates.reduction);
    case Work::buffer_copy:
      return at(compute.traffic / copy_accesses, in_cache ? rates.cached_copy : rates.copy);
    case Work::fresh_buffer:
      return at(compute.traffic < rates.fresh_from ? Bytes{} : compute.traffic, rates.fresh_memory);
    default:
      return std::nullopt;
  }
}

bool sweeps_memory(const LocalRates& rates, const Compute& compute) {
  return (compute.work == Work::reduction || compute.work == Work::buffer_copy) && !cached(rates, compute);
}

LocalRates load_local_work(const Figures& figures) {
  if (!figures.has("local-work")) return {};
  const Figures section = figures.inside("local-work");
  constexpr BytesPerSecond none{};
  LocalRates rates;
  rates.reduction = section.bandwidth_or("reduction", none);
  rates.copy = section.bandwidth_or("copy", none);
  rates.cache = section.bytes_or("cache", Bytes{});
  rates.cached_reduction = section.bandwidth_or("cached-reduction", rates.reduction);
  rates.cached_copy = section.bandwidth_or("cached-copy", rates.copy);
  rates.fresh_memory = section.bandwidth_or("fresh-memory", none);
  rates.fresh_from = section.bytes("fresh-from");
  for (const auto& [key, of] : {std::pair{"cached-reduction", "reduction"}, std::pair{"cached-copy", "copy"}})
    if (section.has(key) && (!section.has("cache") || !section.has(of)))
      section.section().refuse(
          key, fmt::format("'{}' without '{}' (it is the rate for vectors of up to 'cache', '{}' for others). Add it?",
                           key, section.has("cache") ? of : "cache", of));
  section.finish();
  return rates;
}

}  // namespace orrery
