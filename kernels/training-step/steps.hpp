/// The parts of a training step as nested generators. Private to the kernel `training-step`.
///
/// What a part is given by reference lives in the coroutine that nests it.
#pragma once

#include "kernels/training-step/plan.hpp"
#include "sim/core/generator.hpp"

namespace orrery::training {

constexpr Tag forward_tag{1}, backward_tag{2}, keys_tag{3}, keys_gradient_tag{4}, ready_tag{5}, done_tag{6};

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

/// How often a forward product is done: once, in a backward pass twice (for the gradients of both factors).
enum class Direction : std::uint8_t { forward, backward };

// layer.cpp
Generator<Step> layer(const Worker& worker, std::uint32_t number, Direction direction);
/// What stands before the first layer and after the last.
Generator<Step> embedding(const Worker& worker, Direction direction);
Generator<Step> logits(const Worker& worker, Direction direction);
/// Forward activations that were not kept, once more.
Generator<Step> recomputed(const Worker& worker, std::uint32_t number);

// gradients.cpp
/// Sums the gradients of a layer over all that hold its weights, as soon as its last micro-batch is through.
Generator<Step> reduce_gradients(const Worker& worker, std::uint32_t number);
/// Layers of a stage in the order in which their gradients are ready: the i-th.
std::uint32_t layer_ready(const Plan& plan, std::uint32_t stage, std::uint32_t i);
/// Updates the weights; where each has a share of them, all are gathered by `worker`.
Generator<Step> update_weights(const Worker& worker);
Generator<Step> gather_weights(const Worker& worker);
/// All that the gradient stream of a GPU does in one step.
Generator<Step> gradient_stream(const Worker& worker);

}  // namespace orrery::training
