#include "models/requirement_matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

double amount_of(const Compute& compute) {
  if (compute.flops > Flops(0.0)) return compute.flops.si();
  return compute.traffic > Bytes(0.0) ? compute.traffic.si() : 1.0;
}

std::size_t columns_of(const Matrix& matrix) { return matrix.empty() ? 0 : matrix.front().size(); }

std::string shape_of(const Matrix& matrix) { return fmt::format("{} x {}", matrix.size(), columns_of(matrix)); }

}  // namespace

std::vector<double> row_sums_of_product(const Matrix& requirement, const Matrix& cost) {
  if (requirement.size() != cost.size() || columns_of(requirement) != columns_of(cost))
    throw InputError("matrices: requirements are {} and costs {} (the same shape). Complete them?",
                     shape_of(requirement), shape_of(cost));
  std::vector<double> sums;
  for (std::size_t i = 0; i < requirement.size(); ++i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < requirement[i].size(); ++k) sum += requirement[i][k] * cost[i][k];
    sums.push_back(sum);
  }
  return sums;
}

KernelMatrices kernel_matrices(const Phase& phase, const ComputeModel& compute) {
  KernelMatrices result;
  std::vector<const ComputeItem*> greatest;  // of each kind
  for (const ComputeItem& item : phase.computes) {
    const auto k = static_cast<std::size_t>(std::ranges::find(result.kinds, item.compute.work) - result.kinds.begin());
    if (k == result.kinds.size()) {
      result.kinds.push_back(item.compute.work);
      greatest.push_back(&item);
    } else if (amount_of(item.compute) > amount_of(greatest[k]->compute)) {
      greatest[k] = &item;
    }
  }
  result.requirement.assign(phase.ranks, std::vector<double>(result.kinds.size(), 0.0));
  result.cost = result.requirement;
  for (const ComputeItem& item : phase.computes) {
    const auto k = static_cast<std::size_t>(std::ranges::find(result.kinds, item.compute.work) - result.kinds.begin());
    const double repeat = item.repeat;
    result.requirement[index(item.rank)][k] += repeat * amount_of(item.compute);
    result.cost[index(item.rank)][k] += repeat * compute.compute_time(item.compute, item.rank).si();
  }
  for (std::uint32_t rank = 0; rank < phase.ranks; ++rank)
    for (std::size_t k = 0; k < result.kinds.size(); ++k) {
      double& cost = result.cost[rank][k];
      const Compute& like = greatest[k]->compute;
      cost = result.requirement[rank][k] > 0.0 ? cost / result.requirement[rank][k]
                                               : compute.compute_time(like, Rank{rank}).si() / amount_of(like);
    }
  return result;
}

Seconds SuperstepTimes::overlap(std::size_t rank) const {
  return std::min(maskable_computation[rank], maskable_communication[rank]);
}

Seconds SuperstepTimes::total(std::size_t rank) const {
  return (computation[rank] - maskable_computation[rank]) + (communication[rank] - maskable_communication[rank]) +
         std::max(maskable_computation[rank], maskable_communication[rank]);
}

std::size_t SuperstepTimes::slowest() const {
  std::size_t found = 0;
  for (std::size_t rank = 1; rank < computation.size(); ++rank)
    if (total(rank) > total(found)) found = rank;
  return found;
}

SuperstepTimes communication_times(const Phase& phase, const LinkCosts& links) {
  const std::vector<Seconds> nothing(phase.ranks);
  SuperstepTimes times{nothing, nothing, nothing, nothing};
  for (const Message& message : phase.messages) {
    const Seconds cost = static_cast<double>(message.repeat) * links.latency(message.from, message.to) +
                         message.size * links.inverse_bandwidth(message.from, message.to);
    times.communication[index(message.from)] += cost;
    if (message.overlapped) times.maskable_communication[index(message.from)] += cost;
  }
  return times;
}

SuperstepTimes superstep_times(const Phase& phase, const LinkCosts& links, const ComputeModel& compute) {
  SuperstepTimes times = communication_times(phase, links);
  for (const ComputeItem& item : phase.computes) {
    const Seconds cost = static_cast<double>(item.repeat) * compute.compute_time(item.compute, item.rank);
    times.computation[index(item.rank)] += cost;
    if (item.overlapped) times.maskable_computation[index(item.rank)] += cost;
  }
  return times;
}

std::optional<Exchange> best_exchange(const KernelMatrices& kernels) {
  if (kernels.kinds.empty()) return {};
  const auto own = row_sums_of_product(kernels.requirement, kernels.cost);
  const auto busiest = static_cast<std::size_t>(std::ranges::max_element(own) - own.begin());
  auto rest = own;  // the greatest without the busiest and one more is among the first three
  std::ranges::sort(rest, std::ranges::greater{});
  const auto on = [&](std::size_t work, std::size_t processor) {
    double sum = 0.0;
    for (std::size_t k = 0; k < kernels.kinds.size(); ++k)
      sum += kernels.requirement[work][k] * kernels.cost[processor][k];
    return sum;
  };
  Exchange best{busiest, busiest, Seconds(own[busiest]), Seconds(own[busiest])};
  for (std::size_t other = 0; other < own.size(); ++other) {
    if (other == busiest) continue;
    const std::size_t left = rest[1] == own[other] ? 2 : 1;
    const double others = left < rest.size() ? rest[left] : 0.0;
    const Seconds then(std::max({on(busiest, other), on(other, busiest), others}));
    if (then < best.then) best = {busiest, other, best.now, then};
  }
  if (best.then > 0.99 * best.now) return {};
  return best;
}

}  // namespace orrery
