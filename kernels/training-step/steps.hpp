/// The parts of a training step as nested generators. Private to the kernel `training-step`.
///
/// What a part is given by reference lives in the coroutine that nests it.
#pragma once

#include "kernels/training-step/plan.hpp"
#include "sim/core/generator.hpp"

namespace orrery::training {

constexpr Tag forward_tag{1}, backward_tag{2}, keys_tag{3}, keys_gradient_tag{4}, ready_tag{5}, done_tag{6},
    weights_tag{7};

/// One rank of the plan.
struct Worker {
  const Plan& plan;
  std::uint32_t gpu = 0, stream = 0;

  Rank me() const { return plan.rank(gpu, stream); }
  std::uint32_t stage() const { return plan.stage(gpu); }
  collectives::Call call(Side side, const collectives::Choice& algorithm) const {
    collectives::Call made = plan.call(side, gpu, stream);
    made.algorithm = algorithm;
    return made;
  }
};

/// Work that sweeps memory, in the flops of Adam: 12 for 30 bytes, so that one rate of the compute model does for all.
constexpr double swept_flops_per_byte = 12.0 / 30.0;
inline Step swept(Bytes traffic) {
  return compute(Work::daxpy, Flops(swept_flops_per_byte * traffic.si()), {}, traffic);
}

/// How often a forward product is done: once, in a backward pass twice (for the gradients of both factors).
enum class Direction : std::uint8_t { forward, backward };

// layer.cpp
Generator<Step> layer(const Worker& worker, std::uint32_t number, Direction direction);
/// What stands before the first layer and after the last.
Generator<Step> embedding(const Worker& worker, Direction direction);
/// `deferred`: a backward pass leaves the weights' gradient for later.
Generator<Step> logits(const Worker& worker, Direction direction, bool deferred = false);
Generator<Step> deferred_logits(const Worker& worker);
/// Forward activations that were not kept, once more.
Generator<Step> recomputed(const Worker& worker, std::uint32_t number);

// beside_products.cpp: messages of tensor-parallel GPUs beside the products next to them.
/// Each part's rows go round a ring while those that are here are multiplied.
Generator<Step> gather_ring(const Worker& worker, Product product);
/// Rows of another part are multiplied and sent there while the next are; sums are taken at the end.
Generator<Step> scatter_ring(const Worker& worker, Product product);
/// All parts' rows come, or go, while something else is multiplied.
Generator<Step> gather_beside(const Worker& worker, Product product);
Generator<Step> scatter_beside(const Worker& worker, Product product);

// gradients.cpp: by buckets of the plan.
/// Sums the gradients of a bucket over all that hold its weights, as soon as its last micro-batch is through.
Generator<Step> reduce_gradients(const Worker& worker, std::uint32_t bucket);
/// Updates the weights; where each has a share of them, all are gathered by `worker`, unless the stream does so.
Generator<Step> update_weights(const Worker& worker);
Generator<Step> gather_weights(const Worker& worker);
/// All that the gradient stream of a GPU does in one step.
Generator<Step> gradient_stream(const Worker& worker);

}  // namespace orrery::training
