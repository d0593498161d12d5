/// The division of a training step: the part of the model and the data of each GPU, and the groups.
///
///   GPU = t + T (e + E (c + C (r + R p)))
///
///   t < T  tensor     part of every matrix            e < E  expert    experts of each layer, and data of its own
///   c < C  context    part of every sequence          r < R  replica   data of its own:  E R data-parallel pipelines
///   p < P  pipeline   stage of the layers
///
/// so that GPUs that communicate most are nearest. Groups are GPUs that differ in one coordinate; gradients are summed
/// over all GPUs with the same weights: over e, c and r together, those of experts over c and r. Each GPU has one rank,
/// or two: one computes and takes part in all other messages; the other, its gradient stream, reduces gradients in
/// parallel.
///
/// Source   Megatron-LM, order of the groups ("tp-ep-cp-dp-pp")
/// Checked  tests/unit/kernels/training-step_test.cpp
#pragma once

#include <string>
#include <vector>

#include "kernels/collectives/collective.hpp"
#include "kernels/kernel.hpp"
#include "kernels/training-step/expert_loads.hpp"
#include "kernels/training-step/schedule.hpp"
#include "kernels/training-step/transformer.hpp"
#include "sim/core/words.hpp"

namespace orrery::training {

enum class Recompute : std::uint8_t { none, selective, full };
inline constexpr Word<Recompute> recompute_words[] = {
    {"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}};

/// GPUs that differ in one coordinate: `count` of them, `stride` apart.
struct Axis {
  std::uint32_t stride = 1, count = 1;

  std::uint32_t place(std::uint32_t gpu) const { return gpu / stride % count; }
  std::uint32_t first(std::uint32_t gpu) const { return gpu - place(gpu) * stride; }
  /// Number of its group among all groups.
  std::uint32_t group(std::uint32_t gpu) const { return gpu % stride + gpu / (stride * count) * stride; }
  /// The GPU that is `steps` further on the ring of its group.
  std::uint32_t further(std::uint32_t gpu, std::uint32_t steps) const {
    return first(gpu) + (place(gpu) + steps) % count * stride;
  }
};

enum class Side : std::uint8_t { tensor, expert, context, gradients, expert_gradients };
inline constexpr std::size_t sides = 5;

/// Consecutive layers.
struct Layers {
  std::uint32_t first = 0, count = 0;
};

struct Plan {
  Transformer model;
  std::uint32_t gpus = 1, streams = 1;  ///< `streams`: ranks of each GPU
  Axis tensor, expert, context, pipeline, gradients, expert_gradients;
  Schedule schedule;
  double micro_batch = 1.0;  ///< sequences
  std::uint32_t steps = 1;
  Bytes precision, product_precision, gradient_precision;
  bool sequence_parallel = false, sharded = false, tensor_overlap = false, elementwise = false;
  bool ends_as_layers = false;    ///< embedding and loss count as a layer each
  bool gather_in_passes = false;  ///< weights, by the gradient stream
  std::uint32_t deferred = 0;     ///< last micro-batches whose weight gradients of the logits are postponed to the end
  Recompute recompute = Recompute::none;
  ExpertLoads loads;
  collectives::Choice allreduce, allgather, reduce_scatter, alltoall;

  /// Throws InputError "training-step: ..." if the ranks cannot be divided in this way.
  explicit Plan(const KernelInput& input);

  Rank rank(std::uint32_t gpu, std::uint32_t stream = 0) const { return Rank{gpu * streams + stream}; }
  std::uint32_t gpu(Rank rank) const { return static_cast<std::uint32_t>(rank) / streams; }
  std::uint32_t stream(Rank rank) const { return static_cast<std::uint32_t>(rank) % streams; }
  std::uint32_t stage(std::uint32_t gpu) const { return pipeline.place(gpu); }
  const Axis& axis(Side side) const;
  collectives::Call call(Side side, std::uint32_t gpu, std::uint32_t stream) const;

  double parts() const { return tensor.count; }
  /// Of one micro-batch on one GPU.
  double tokens() const { return micro_batch * model.sequence / context.count; }
  Bytes activations(double of_tokens) const { return of_tokens * model.hidden * precision; }
  Bytes operands(double of_tokens) const { return of_tokens * model.hidden * product_precision; }
  /// Flops of products that stay in `precision`, as flops of those with weights: time is proportional to bits.
  double wide() const { return precision / product_precision; }
  Layers layers(std::uint32_t stage, std::uint32_t chunk) const;

  /// Units of reduction, update and gathering: a layer, including the embedding in the first and the logits in the
  /// last; postponed logits are a separate bucket, numbered after the layers.
  std::uint32_t logits_bucket() const { return model.layers; }
  /// Of a chunk, in the order of forward passes.
  std::vector<std::uint32_t> buckets(std::uint32_t stage, std::uint32_t chunk) const;
  /// Of a stage, in the order in which their gradients are ready.
  const std::vector<std::uint32_t>& buckets_ready(std::uint32_t stage) const { return ready_[stage]; }
  /// Number of those before the first of this chunk.
  std::uint32_t ready_before(std::uint32_t stage, std::uint32_t chunk) const;

  // A GPU's weights in a bucket: those shared by all data, and those of its experts.
  double shared_weights(std::uint32_t bucket) const;
  double expert_weights(std::uint32_t bucket) const;
  /// Weights, gradients and states of the optimizer, and the input of each layer for the micro-batches in flight.
  Bytes memory(std::uint32_t gpu) const;

 private:
  void divide(const Parameters& parameters, std::uint32_t ranks);
  void require_shared_gpus(const Layout* layout) const;
  void make_schedule(const Parameters& parameters);
  void require_whole(double whole, const char* of, std::uint32_t parts, const char* by) const;

  void require_together(const Parameters& parameters) const;

  std::vector<collectives::Nodes> nodes_[sides];   ///< [groups] nodes of the members of each group
  std::vector<std::vector<std::uint32_t>> ready_;  ///< [stages]
};

}  // namespace orrery::training
