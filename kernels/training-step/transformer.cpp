#include "kernels/training-step/transformer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery::training {

Transformer::Transformer(const Parameters& parameters)
    : layers(static_cast<std::uint32_t>(parameters.integer("layers"))),
      experts(static_cast<std::uint32_t>(parameters.integer("experts"))),
      hidden(static_cast<double>(parameters.integer("hidden"))),
      heads(static_cast<double>(parameters.integer("heads"))),
      feed_forward(static_cast<double>(parameters.integer("feed-forward"))),
      vocabulary(static_cast<double>(parameters.integer("vocabulary"))),
      sequence(static_cast<double>(parameters.integer("sequence"))),
      matrices(parameters.boolean("gated") ? 3.0 : 2.0),
      seen(parameters.boolean("causal") ? 0.5 : 1.0) {
  if (const std::int64_t kv_heads = parameters.integer("kv-heads"); kv_heads > 0) {
    kv_share = static_cast<double>(kv_heads) / heads;
    if (kv_share > 1.0)
      throw InputError("training-step: 'kv-heads' is {}, of {} heads (at most as many). Choose {}?", kv_heads, heads,
                       heads);
  }
  if (feed_forward <= 0.0) feed_forward = 4.0 * hidden;
  if (experts == 0) return;
  const std::int64_t chosen = parameters.integer("experts-per-token");
  if (chosen > experts)
    throw InputError("training-step: 'experts-per-token' is {}, of {} experts (at most as many). Choose {}?", chosen,
                     experts, std::min(2u, experts));
  experts_per_token = static_cast<double>(chosen);
}

Product Transformer::attention_input(double tokens, double parts) const {
  return {tokens, hidden * (1.0 + 2.0 * kv_share) / parts, hidden};
}
Product Transformer::scores(double tokens, double positions, double parts) const {
  return {tokens, 2.0 * seen * positions, hidden / parts};
}
Product Transformer::attention_output(double tokens, double parts) const { return {tokens, hidden, hidden / parts}; }
Product Transformer::feed_forward_of(double tokens, double parts) const {
  return {tokens, matrices * feed_forward / parts, hidden};
}
Product Transformer::feed_forward_in(double tokens, double parts) const {
  return {tokens, (matrices - 1.0) * feed_forward / parts, hidden};
}
Product Transformer::feed_forward_out(double tokens, double parts) const {
  return {tokens, hidden, feed_forward / parts};
}
Product Transformer::logits(double tokens, double parts) const { return {tokens, vocabulary / parts, hidden}; }

double Transformer::weights() const {
  const double sets = std::max(1.0, static_cast<double>(experts));
  return layers * (attention_weights() + sets * feed_forward_weights()) + 2.0 * embedding_weights();
}

Flops Transformer::step_flops(double sequences) const {
  const double tokens = sequences * sequence;
  const Flops layer = attention_input(tokens, 1.0).flops() + scores(tokens, sequence, 1.0).flops() +
                      attention_output(tokens, 1.0).flops() + feed_forward_of(tokens * experts_per_token, 1.0).flops();
  return 3.0 * (static_cast<double>(layers) * layer + logits(tokens, 1.0).flops());
}

}  // namespace orrery::training
