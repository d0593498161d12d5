/// The order of a pipeline stage's forward and backward passes of micro-batches.
///
///   1F1B         w = min(m, p - 1 - i) forward passes first, then one forward and one backward in turn, then the rest
///   interleaved  each stage has v chunks of layers; w = 2 (p - 1 - i) + (v - 1) p, all of them if m = p; p
///                micro-batches go through a chunk before the next chunk has its turn, backward from the last chunk on
///
///   bubble       (p - 1) / m of the ideal time, interleaved (p - 1) / (v m), where messages take no time
///
///   p  stages, i = 0 .. p - 1       m  micro-batches       v  chunks to a stage (1F1B: 1)
///
/// Source   Narayanan et al., SC 2021, sections 2.2.1 and 2.2.2; orders of Megatron-LM's schedules
/// Valid    interleaved: m a multiple of p, p >= 2
/// Checked  tests/unit/kernels/training-step_test.cpp (order), tests/replay/training_test.cpp (bubble)
#pragma once

#include <cstdint>

namespace orrery::training {

struct Pass {
  bool backward = false;
  std::uint32_t chunk = 0, micro_batch = 0;

  bool operator==(const Pass&) const = default;
};

struct Schedule {
  std::uint32_t stages = 1, micro_batches = 1, chunks = 1;

  std::uint32_t passes() const { return 2 * micro_batches * chunks; }
  /// The i-th pass of a stage.
  Pass pass(std::uint32_t stage, std::uint32_t i) const;
  /// Maximum number of forward passes whose backward pass is still to come.
  std::uint32_t under_way(std::uint32_t stage) const;

  // Source and target of the activations of a forward pass; backward gradients take the reverse route.
  bool is_first(std::uint32_t stage, const Pass& pass) const { return stage == 0 && pass.chunk == 0; }
  bool is_last(std::uint32_t stage, const Pass& pass) const { return stage + 1 == stages && pass.chunk + 1 == chunks; }
  bool receives(std::uint32_t stage, const Pass& pass) const {
    return pass.backward ? !is_last(stage, pass) : !is_first(stage, pass);
  }
  bool sends(std::uint32_t stage, const Pass& pass) const {
    return pass.backward ? !is_first(stage, pass) : !is_last(stage, pass);
  }

 private:
  std::uint32_t forward_first(std::uint32_t stage) const;
};

}  // namespace orrery::training
