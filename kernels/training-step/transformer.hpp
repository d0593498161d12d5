/// A transformer as matrix products and weights: computation and size of one layer, before any division.
///
///   one layer, n tokens, forward      flops                  of
///     input of attention              2 n h^2 (1 + 2 g)      queries, keys, values
///     scores                          4 n s h                queries times keys, scores times values: all s positions
///     output of attention             2 n h^2
///     feed-forward                    2 w k n h f            w matrices of h x f, of k experts to a token
///   logits                            2 n h V
///   backward                          twice the forward
///
///   h, f, V  1  hidden size, feed-forward size, vocabulary     s  1  sequence length
///   g        1  key-value heads / heads                        w  1  2; 3 where the feed-forward is gated
///   k        1  experts per token; 1 without experts           l  1  layers
///
/// With g = 1, f = 4 h, w = 2 and k = 1, and every layer's forward repeated before its backward, a step on B sequences
/// is
///
///   F = 96 B s l h^2 (1 + s / (6 h) + V / (16 l h))
///
/// Source   Narayanan et al., Efficient large-scale language model training on GPU clusters using Megatron-LM, SC 2021,
///          equation 3; Shazeer, arXiv:2002.05202 (gated); Ainslie et al., arXiv:2305.13245 (key-value heads)
/// Valid    matrix products alone: norms, activations, dropout and routers are left out, as in the source
/// Differs  scores count all positions, also where a causal mask hides half of them, as in the source; half of them
///          with `causal`, where the kernels that compute them leave the others out
/// Checked  tests/unit/kernels/training-step_test.cpp
#pragma once

#include <cstdint>

#include "sim/core/parameters.hpp"
#include "sim/core/units.hpp"

namespace orrery::training {

/// C += A B with A of m x k and B of k x n.
struct Product {
  double m = 0.0, n = 0.0, k = 0.0;

  Flops flops() const { return Flops(2.0 * m * n * k); }
};

struct Transformer {
  std::uint32_t layers = 0, experts = 0;  ///< `experts`: of each layer; 0: one feed-forward for all tokens
  double hidden = 0.0, heads = 0.0, kv_share = 1.0, feed_forward = 0.0, vocabulary = 0.0, sequence = 0.0;
  double matrices = 2.0;  ///< w
  double seen = 1.0;      ///< share of positions in a score: half under a causal mask
  double experts_per_token = 1.0;

  explicit Transformer(const Parameters& parameters);

  // For one of `parts` parts, into which tensor parallelism cuts heads, feed-forward and vocabulary.
  Product attention_input(double tokens, double parts) const;
  Product scores(double tokens, double positions, double parts) const;
  Product attention_output(double tokens, double parts) const;
  Product feed_forward_of(double tokens, double parts) const;  ///< of one expert's tokens, or of all
  Product feed_forward_in(double tokens, double parts) const;  ///< of those matrices, all but the last
  Product feed_forward_out(double tokens, double parts) const;
  Product logits(double tokens, double parts) const;

  double attention_weights() const { return hidden * hidden * (2.0 + 2.0 * kv_share); }
  double feed_forward_weights() const { return matrices * hidden * feed_forward; }  ///< of one expert
  double embedding_weights() const { return vocabulary * hidden; }                  ///< the same number for the logits
  double weights() const;                                                           ///< of the whole model

  /// Forward and backward of `sequences` sequences, nothing repeated: the "model flops" of papers.
  Flops step_flops(double sequences) const;
};

}  // namespace orrery::training
