// What happens to gradients: a bucket for each layer is summed over all that hold its weights once its last micro-batch
// is through, by the GPU's only rank after all passes, or by its gradient stream meanwhile.
#include <cmath>

#include "kernels/training-step/steps.hpp"

namespace orrery::training {

namespace {

constexpr double update_flops = 12.0;  ///< of Adam, for each weight
constexpr Bytes states{12.0};          ///< weight, mean and variance in single precision, read and written

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
  return collectives::allgatherv(worker.call(side, plan.allgather),
                                 collectives::Shares::balanced(members, whole(weights)));
}

Step update(const Plan& plan, double weights, const Axis& shards) {
  const double mine = plan.sharded ? weights / shards.count : weights;
  return compute(Work::daxpy, Flops(update_flops * mine), {mine, 0.0, 0.0},
                 mine * (2.0 * states + plan.gradient_precision + plan.precision));
}

std::uint32_t layers_of_stage(const Plan& plan) { return plan.layers_of_chunk() * plan.schedule.chunks; }

}  // namespace

std::uint32_t layer_ready(const Plan& plan, std::uint32_t stage, std::uint32_t i) {
  const std::uint32_t layers = plan.layers_of_chunk(), chunk = plan.schedule.chunks - 1 - i / layers;
  return plan.first_layer(stage, chunk) + layers - 1 - i % layers;
}

Generator<Step> reduce_gradients(const Worker& worker, std::uint32_t number) {
  co_yield elements_of(reduce(worker, Side::gradients, worker.plan.shared_weights(number)));
  co_yield elements_of(reduce(worker, Side::expert_gradients, worker.plan.expert_weights()));
}

Generator<Step> update_weights(const Worker& worker) {
  const Plan& plan = worker.plan;
  for (std::uint32_t i = 0; i < layers_of_stage(plan); ++i) {
    const std::uint32_t number = layer_ready(plan, worker.stage(), i);
    co_yield update(plan, plan.shared_weights(number), plan.gradients);
    if (plan.model.experts > 0) co_yield update(plan, plan.expert_weights(), plan.expert_gradients);
  }
}

Generator<Step> gather_weights(const Worker& worker) {
  const Plan& plan = worker.plan;
  if (!plan.sharded) co_return;
  for (std::uint32_t i = 0; i < layers_of_stage(plan); ++i) {
    const std::uint32_t number = layer_ready(plan, worker.stage(), i);
    co_yield elements_of(gather(worker, Side::gradients, plan.shared_weights(number)));
    co_yield elements_of(gather(worker, Side::expert_gradients, plan.expert_weights()));
  }
}

Generator<Step> gradient_stream(const Worker& worker) {
  const Plan& plan = worker.plan;
  const Rank computing = plan.rank(worker.gpu);
  for (std::uint32_t i = 0; i < layers_of_stage(plan); ++i) {
    co_yield recv(computing, Bytes{}, ready_tag);
    co_yield elements_of(reduce_gradients(worker, layer_ready(plan, worker.stage(), i)));
  }
  co_yield send(computing, Bytes{}, done_tag);
}

}  // namespace orrery::training
