#include "kernels/superstep_library.hpp"

#include <utility>

namespace orrery {

std::uint32_t map_stages(std::uint32_t ranks) {
  std::uint32_t stages = 0;
  for (std::uint64_t reach = 1; reach < ranks; reach *= 2) ++stages;
  return stages;
}

Bytes map_payload(std::uint32_t ranks, std::uint32_t stage) {
  const std::uint64_t distance = std::uint64_t{1} << stage;
  const std::uint64_t rows = stage + 1 < map_stages(ranks) ? distance : ranks - distance;
  return static_cast<double>(rows * ranks) * library_integer;
}

Generator<Step> bsp_sync_steps(SyncPlan plan, Rank me) {
  const auto mine = static_cast<std::uint32_t>(me);
  const auto request = [&](std::uint32_t n) { return RequestId{plan.first_request + n}; };
  for (std::uint32_t stage = 0; stage < map_stages(plan.ranks); ++stage) {
    const auto distance = static_cast<std::uint32_t>((std::uint64_t{1} << stage) % plan.ranks);
    const Rank from{(mine + plan.ranks - distance) % plan.ranks}, to{(mine + distance) % plan.ranks};
    const Bytes rows = map_payload(plan.ranks, stage);
    co_yield irecv(from, sync_header, plan.tag, request(0));
    if (plan.map) co_yield irecv(from, rows, plan.tag, request(1));
    co_yield isend(to, sync_header, plan.tag, request(2));
    if (plan.map) co_yield isend(to, rows, plan.tag, request(3));
    co_yield wait_all(request(0), 4);
  }
  co_yield wait_all();
  const BarrierPlan second{
      .algorithm = plan.second, .ranks = plan.ranks, .tag = plan.tag, .first_request = plan.first_request};
  co_yield elements_of(barrier_steps(second, me));
}

Generator<Step> bsponmpi_sync_steps(collectives::Call call, collectives::PairSizes put) {
  collectives::Call counts = call;
  counts.algorithm = call.group.size() > 12 ? "bruck" : "basic_linear";
  co_yield elements_of(collectives::alltoall(counts, bsponmpi_counts));
  const auto column = [put = std::move(put)](Member from, Member to) {
    return static_cast<std::uint64_t>(bsponmpi_index.si()) + put(from, to);
  };
  co_yield elements_of(collectives::alltoallv(call, collectives::PairSizes::of(column)));
}

}  // namespace orrery
