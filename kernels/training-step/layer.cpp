// One layer of the model on one GPU, forward or backward: its matrix products, between or in parallel with the messages
// of tensor, context and expert parallelism. A backward pass has the same steps in reverse roles: a gather becomes a
// reduce-scatter, a reduce-scatter becomes a gather, and an allreduce is at the other end of its block. In parallel
// with products, the input is gathered once more backward, for the gradients of the weights.
#include "kernels/training-step/steps.hpp"

namespace orrery::training {

namespace {

constexpr RequestId keys_in{0}, keys_out{1}, gradients_in{2}, gradients_out{3};

/// `times`: of the same shape, one after another, or in as many bits more.
Step products(const Product& product, double times) {
  return compute(Work::dgemm, times * product.flops(), {times * product.m, product.n, product.k});
}
Step product(const Product& product, Direction direction) {
  return products(product, direction == Direction::forward ? 1.0 : 2.0);
}

/// What is not a product, by the values that it reads and writes; backward it takes twice as many.
Generator<Step> elementwise(const Worker& worker, double values, Direction direction) {
  const Plan& plan = worker.plan;
  if (plan.elementwise) co_yield swept((direction == Direction::forward ? 1.0 : 2.0) * values * plan.precision);
}

double values_between(const Plan& plan) {
  return plan.tokens() * plan.model.hidden / (plan.sequence_parallel ? plan.parts() : 1.0);
}
/// A norm reads and writes its input; a sum with what went past a block reads two and writes one.
Generator<Step> norm(const Worker& worker, Direction direction) {
  return elementwise(worker, 2.0 * values_between(worker.plan), direction);
}
Generator<Step> residual(const Worker& worker, Direction direction) {
  return elementwise(worker, 3.0 * values_between(worker.plan), direction);
}
/// Queries and keys are turned by their positions.
Generator<Step> turned(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const double values = plan.tokens() * plan.model.hidden * (1.0 + plan.model.kv_share) / plan.parts();
  return elementwise(worker, 2.0 * values, direction);
}
/// Reads the output of the matrices but the last, writes the input of that.
Generator<Step> activation(const Worker& worker, double tokens, Direction direction) {
  const Plan& plan = worker.plan;
  return elementwise(worker, plan.model.matrices * tokens * plan.model.feed_forward / plan.parts(), direction);
}

/// Before a block of matrices that are cut: with sequence parallelism each part has its own tokens, and needs all.
Generator<Step> gather(const Worker& worker, Bytes values) {
  const Plan& plan = worker.plan;
  if (!plan.sequence_parallel || plan.tensor.count == 1) return {};
  return collectives::allgather(worker.call(Side::tensor, plan.allgather), values / plan.parts());
}

/// After it: the parts' contributions are summed, and each keeps all tokens or its own.
Generator<Step> combine(const Worker& worker, Bytes activations) {
  const Plan& plan = worker.plan;
  if (plan.tensor.count == 1) return {};
  if (!plan.sequence_parallel) return collectives::allreduce(worker.call(Side::tensor, plan.allreduce), activations);
  const auto elements = static_cast<std::uint64_t>(activations / plan.precision);
  return collectives::reduce_scatter(worker.call(Side::tensor, plan.reduce_scatter),
                                     collectives::Shares::balanced(plan.tensor.count, elements));
}

/// Keys and values go round the ring of those who share a sequence while scores against the block at hand are computed;
/// backward their gradients follow them, and go one step further: home.
Generator<Step> scores(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const std::uint32_t blocks = plan.context.count;
  const Bytes keys = 2.0 * plan.model.kv_share * plan.activations(plan.tokens()) / plan.parts();
  const Product block =
      plan.model.scores(plan.tokens(), plan.model.sequence / static_cast<double>(blocks), plan.parts());
  const Rank next = plan.rank(plan.context.further(worker.gpu, 1));
  const Rank previous = plan.rank(plan.context.further(worker.gpu, blocks - 1));
  const bool backward = direction == Direction::backward && blocks > 1;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    const bool passes_on = i + 1 < blocks;
    if (passes_on) {
      co_yield irecv(previous, keys, keys_tag, keys_in);
      co_yield isend(next, keys, keys_tag, keys_out);
    }
    co_yield products(block, (direction == Direction::forward ? 1.0 : 2.0) * plan.wide());
    if (backward) {
      if (i > 0) co_yield wait_all(gradients_in, 2);
      co_yield irecv(previous, keys, keys_gradient_tag, gradients_in);
      co_yield isend(next, keys, keys_gradient_tag, gradients_out);
    }
    if (passes_on) co_yield wait_all(keys_in, 2);
  }
  if (backward) co_yield wait_all(gradients_in, 2);
}

Generator<Step> attention(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const double tokens = plan.tokens(), parts = plan.parts();
  co_yield elements_of(gather(worker, plan.operands(tokens)));
  if (direction == Direction::forward)
    co_yield product(plan.model.attention_input(tokens, parts), direction);
  else
    co_yield product(plan.model.attention_output(tokens, parts), direction);
  co_yield elements_of(turned(worker, direction));
  co_yield elements_of(scores(worker, direction));
  if (direction == Direction::forward)
    co_yield product(plan.model.attention_output(tokens, parts), direction);
  else
    co_yield product(plan.model.attention_input(tokens, parts), direction);
  co_yield elements_of(combine(worker, plan.activations(tokens)));
}

Generator<Step> feed_forward(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const double tokens = plan.tokens();
  co_yield elements_of(gather(worker, plan.operands(tokens)));
  co_yield product(plan.model.feed_forward_of(tokens, plan.parts()), direction);
  co_yield elements_of(activation(worker, tokens, direction));
  co_yield elements_of(combine(worker, plan.activations(tokens)));
}

Generator<Step> attention_beside(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const double tokens = plan.tokens(), parts = plan.parts();
  const Product input = plan.model.attention_input(tokens, parts), output = plan.model.attention_output(tokens, parts);
  if (direction == Direction::forward) {
    co_yield elements_of(gather_ring(worker, input));
    co_yield elements_of(turned(worker, direction));
    co_yield elements_of(scores(worker, direction));
    co_yield elements_of(scatter_ring(worker, output));
    co_return;
  }
  co_yield elements_of(gather_ring(worker, output));
  co_yield product(output, Direction::forward);  // the gradient of its weights
  co_yield elements_of(scores(worker, direction));
  co_yield elements_of(turned(worker, direction));
  co_yield elements_of(gather_beside(worker, input));
  co_yield elements_of(scatter_beside(worker, input));
}

Generator<Step> feed_forward_beside(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const double tokens = plan.tokens(), parts = plan.parts();
  const Product input = plan.model.feed_forward_in(tokens, parts), output = plan.model.feed_forward_out(tokens, parts);
  if (direction == Direction::forward) {
    co_yield elements_of(gather_ring(worker, input));
    co_yield elements_of(activation(worker, tokens, direction));
    co_yield elements_of(scatter_ring(worker, output));
    co_return;
  }
  co_yield elements_of(gather_ring(worker, output));
  co_yield product(output, Direction::forward);  // the gradient of its weights
  co_yield elements_of(activation(worker, tokens, direction));
  co_yield elements_of(gather_beside(worker, input));
  co_yield elements_of(scatter_beside(worker, input));
}

/// Tokens from and to the members of a group that has all experts; `back`: from the experts to where they belong.
Generator<Step> exchange_tokens(const Worker& worker, std::uint32_t number, bool back) {
  const Plan& plan = worker.plan;
  collectives::Call call = worker.call(Side::expert, plan.alltoall);
  call.element = plan.activations(1.0);
  const ExpertLoads* loads = &plan.loads;
  const auto pairs = collectives::PairSizes::of(
      [loads, number, back](Member from, Member to) { return loads->tokens(number, back ? from : to); });
  return collectives::alltoallv(call, pairs);
}

/// A feed-forward of experts: each token goes to those it has chosen and comes back.
Generator<Step> experts(const Worker& worker, std::uint32_t number, Direction direction) {
  const Plan& plan = worker.plan;
  const double shards = plan.sequence_parallel ? plan.parts() : 1.0;
  const double tokens =
      shards * plan.expert.count * static_cast<double>(plan.loads.tokens(number, plan.expert.place(worker.gpu)));
  co_yield elements_of(exchange_tokens(worker, number, false));
  co_yield elements_of(gather(worker, plan.operands(tokens)));
  co_yield product(plan.model.feed_forward_of(tokens, plan.parts()), direction);
  co_yield elements_of(activation(worker, tokens, direction));
  co_yield elements_of(combine(worker, plan.activations(tokens)));
  co_yield elements_of(exchange_tokens(worker, number, true));
}

}  // namespace

Generator<Step> layer(const Worker& worker, std::uint32_t number, Direction direction) {
  const bool beside = worker.plan.tensor_overlap && worker.plan.tensor.count > 1;
  for (const bool first : {true, false}) {
    co_yield elements_of(norm(worker, direction));
    if (first == (direction == Direction::forward)) {
      if (beside)
        co_yield elements_of(attention_beside(worker, direction));
      else
        co_yield elements_of(attention(worker, direction));
    } else if (worker.plan.model.experts > 0) {
      co_yield elements_of(experts(worker, number, direction));
    } else if (beside) {
      co_yield elements_of(feed_forward_beside(worker, direction));
    } else {
      co_yield elements_of(feed_forward(worker, direction));
    }
    co_yield elements_of(residual(worker, direction));
  }
}

Generator<Step> recomputed(const Worker& worker, std::uint32_t number) {
  switch (worker.plan.recompute) {
    case Recompute::none:
      break;
    case Recompute::selective:
      return scores(worker, Direction::forward);
    case Recompute::full:
      return layer(worker, number, Direction::forward);
  }
  return {};
}

/// The table is cut by words of the vocabulary: what a part does not have is zero until it is summed.
Generator<Step> embedding(const Worker& worker, Direction direction) {
  const Bytes activations = worker.plan.activations(worker.plan.tokens());
  if (direction == Direction::forward) return combine(worker, activations);
  return gather(worker, activations);
}

/// Of each token the greatest logit, the sum of exponentials and the logit of the right word are agreed on.
Generator<Step> logits(const Worker& worker, Direction direction, bool deferred) {
  const Plan& plan = worker.plan;
  const Product whole = plan.model.logits(plan.tokens(), plan.parts());
  const Bytes activations = plan.activations(plan.tokens());
  if (direction == Direction::backward) {
    co_yield products(whole, (deferred ? 1.0 : 2.0) * plan.wide());
    co_yield elements_of(combine(worker, activations));
    co_return;
  }
  co_yield elements_of(gather(worker, activations));
  co_yield products(whole, plan.wide());
  // Read for the greatest and for the sum, and once more for gradients that take their place.
  co_yield elements_of(elementwise(worker, 4.0 * whole.m * whole.n, direction));
  if (plan.tensor.count == 1) co_return;
  constexpr Bytes of_token{4.0};
  for (int agreed = 0; agreed < 3; ++agreed)
    co_yield elements_of(collectives::allreduce(worker.call(Side::tensor, plan.allreduce), plan.tokens() * of_token));
}

Generator<Step> deferred_logits(const Worker& worker) {
  const Plan& plan = worker.plan;
  const Product whole = plan.model.logits(plan.tokens(), plan.parts());
  for (std::uint32_t i = 0; i < plan.deferred; ++i) co_yield products(whole, plan.wide());
}

}  // namespace orrery::training
