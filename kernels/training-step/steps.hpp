/// The parts of a training step as nested generators. Private to the kernel `training-step`.
///
/// Arguments passed by reference live in the coroutine that nests the part.
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

/// Memory-bound work, in the flops of Adam: 12 for 30 bytes, so that one rate of the compute model covers all.
constexpr double swept_flops_per_byte = 12.0 / 30.0;
inline Step swept(Bytes traffic) {
  return compute(Work::daxpy, Flops(swept_flops_per_byte * traffic.si()), {}, traffic);
}

/// Number of times a forward product is computed: once; in a backward pass twice (for the gradients of both factors).
enum class Direction : std::uint8_t { forward, backward };

// layer.cpp
Generator<Step> layer(const Worker& worker, std::uint32_t number, Direction direction);
/// The parts before the first layer and after the last.
Generator<Step> embedding(const Worker& worker, Direction direction);
/// `deferred`: a backward pass postpones the gradient of the weights.
Generator<Step> logits(const Worker& worker, Direction direction, bool deferred = false);
Generator<Step> deferred_logits(const Worker& worker);
/// Recomputes forward activations that were not kept.
Generator<Step> recomputed(const Worker& worker, std::uint32_t number);

// beside_products.cpp: messages of tensor-parallel GPUs in parallel with the adjacent products.
/// Each part's rows go around a ring while those already here are multiplied.
Generator<Step> gather_ring(const Worker& worker, Product product);
/// Rows of another part are multiplied, and sent while the next are multiplied; sums are taken at the end.
Generator<Step> scatter_ring(const Worker& worker, Product product);
/// All parts' rows arrive, or leave, while something else is multiplied.
Generator<Step> gather_beside(const Worker& worker, Product product);
Generator<Step> scatter_beside(const Worker& worker, Product product);

// gradients.cpp: by buckets of the plan.
/// Sums the gradients of a bucket over all GPUs with its weights, after its last micro-batch.
Generator<Step> reduce_gradients(const Worker& worker, std::uint32_t bucket);
/// Updates the weights; if each GPU has a share of them, `worker` gathers all, unless the stream does so.
Generator<Step> update_weights(const Worker& worker);
Generator<Step> gather_weights(const Worker& worker);
/// All work of a GPU's gradient stream in one step.
Generator<Step> gradient_stream(const Worker& worker);

}  // namespace orrery::training
