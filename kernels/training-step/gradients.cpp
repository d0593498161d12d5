// Reduction of gradients: the bucket of each layer is summed over all ranks with its weights after its last
// micro-batch, either by the GPU's only rank after all passes, or by its gradient stream in the meantime.
#include <cmath>

#include "kernels/training-step/steps.hpp"

namespace orrery::training {

namespace {

constexpr double update_flops = swept_flops_per_byte * 30.0;  ///< of Adam, for each weight: 12
constexpr Bytes states{12.0};  ///< weight, mean and variance in single precision, read and written

std::uint64_t whole(double weights) { return static_cast<std::uint64_t>(std::llround(weights)); }

Generator<Step> reduce(const Worker& worker, Side side, double weights) {
  const Plan& plan = worker.plan;
  const std::uint32_t members = plan.axis(side).count;
  if (weights <= 0.0 || members == 1) return {};
  const collectives::Choice& algorithm = plan.sharded ? plan.reduce_scatter : plan.allreduce;
  collectives::Call call = worker.call(side, algorithm);
  call.element = plan.gradient_precision;
  if (!plan.sharded) return collectives::allreduce(call, static_cast<double>(whole(weights)) * call.element);
  return collectives::reduce_scatter(call, collectives::Shares::balanced(members, whole(weights)));
}

Generator<Step> gather(const Worker& worker, Side side, double weights) {
  const Plan& plan = worker.plan;
  const std::uint32_t members = plan.axis(side).count;
  if (weights <= 0.0 || members == 1) return {};
  collectives::Call call = worker.call(side, plan.allgather);
  call.element = plan.product_precision;
  return collectives::allgatherv(call, collectives::Shares::balanced(members, whole(weights)));
}

Step update(const Plan& plan, double weights, const Axis& shards) {
  const double mine = plan.sharded ? weights / shards.count : weights;
  return compute(Work::daxpy, Flops(update_flops * mine), {mine, 0.0, 0.0},
                 mine * (2.0 * states + plan.gradient_precision + plan.product_precision));
}

Generator<Step> gather(const Worker& worker, std::uint32_t bucket) {
  co_yield elements_of(gather(worker, Side::gradients, worker.plan.shared_weights(bucket)));
  co_yield elements_of(gather(worker, Side::expert_gradients, worker.plan.expert_weights(bucket)));
}

}  // namespace

Generator<Step> reduce_gradients(const Worker& worker, std::uint32_t bucket) {
  co_yield elements_of(reduce(worker, Side::gradients, worker.plan.shared_weights(bucket)));
  co_yield elements_of(reduce(worker, Side::expert_gradients, worker.plan.expert_weights(bucket)));
}

Generator<Step> update_weights(const Worker& worker) {
  const Plan& plan = worker.plan;
  for (const std::uint32_t bucket : plan.buckets_ready(worker.stage())) {
    const double shared = plan.shared_weights(bucket), experts = plan.expert_weights(bucket);
    // Their norm, of the share, and zeros for the next step, all of them.
    const double shards = plan.sharded ? plan.gradients.count : 1.0;
    if (plan.elementwise) co_yield swept((shared + experts) * (1.0 + 1.0 / shards) * plan.gradient_precision);
    co_yield update(plan, shared, plan.gradients);
    if (experts > 0.0) co_yield update(plan, experts, plan.expert_gradients);
  }
}

Generator<Step> gather_weights(const Worker& worker) {
  const Plan& plan = worker.plan;
  if (!plan.sharded || plan.gather_in_passes) co_return;
  for (const std::uint32_t bucket : plan.buckets_ready(worker.stage())) co_yield elements_of(gather(worker, bucket));
}

Generator<Step> gradient_stream(const Worker& worker) {
  const Plan& plan = worker.plan;
  const Rank computing = plan.rank(worker.gpu);
  for (std::uint32_t chunk = 0; plan.gather_in_passes && chunk < plan.schedule.chunks; ++chunk) {
    for (const std::uint32_t bucket : plan.buckets(worker.stage(), chunk)) co_yield elements_of(gather(worker, bucket));
    co_yield send(computing, Bytes{}, weights_tag);
  }
  for (const std::uint32_t bucket : plan.buckets_ready(worker.stage())) {
    co_yield recv(computing, Bytes{}, ready_tag);
    co_yield elements_of(reduce_gradients(worker, bucket));
  }
  co_yield send(computing, Bytes{}, done_tag);
}

}  // namespace orrery::training
