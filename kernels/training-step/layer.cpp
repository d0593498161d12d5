// One layer of the model on one GPU, forward or backward: its matrix products, between the messages that tensor,
// context and expert parallelism need. A backward pass takes the same way as a forward one: what was gathered is
// reduced and scattered, what was reduced and scattered is gathered, and an allreduce stands at the other end of its
// block.
#include "kernels/training-step/steps.hpp"

namespace orrery::training {

namespace {

constexpr RequestId keys_in{0}, keys_out{1}, gradients_in{2}, gradients_out{3};

Step product(const Product& product, Direction direction) {
  const double times = direction == Direction::forward ? 1.0 : 2.0;
  return compute(Work::dgemm, times * product.flops(), {times * product.m, product.n, product.k});
}

/// Before a block of matrices that are cut: with sequence parallelism each part has its own tokens, and needs all.
Generator<Step> gather(const Worker& worker, Bytes activations) {
  const Plan& plan = worker.plan;
  if (!plan.sequence_parallel || plan.tensor.count == 1) return {};
  return collectives::allgather(worker.call(Side::tensor, plan.allgather), activations / plan.parts());
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
    co_yield product(block, direction);
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
  co_yield elements_of(gather(worker, plan.activations(tokens)));
  if (direction == Direction::forward)
    co_yield product(plan.model.attention_input(tokens, parts), direction);
  else
    co_yield product(plan.model.attention_output(tokens, parts), direction);
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
  co_yield elements_of(gather(worker, plan.activations(tokens)));
  co_yield product(plan.model.feed_forward_of(tokens, plan.parts()), direction);
  co_yield elements_of(combine(worker, plan.activations(tokens)));
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
  co_yield elements_of(gather(worker, plan.activations(tokens)));
  co_yield product(plan.model.feed_forward_of(tokens, plan.parts()), direction);
  co_yield elements_of(combine(worker, plan.activations(tokens)));
  co_yield elements_of(exchange_tokens(worker, number, true));
}

}  // namespace

Generator<Step> layer(const Worker& worker, std::uint32_t number, Direction direction) {
  if (direction == Direction::forward) co_yield elements_of(attention(worker, direction));
  if (worker.plan.model.experts > 0)
    co_yield elements_of(experts(worker, number, direction));
  else
    co_yield elements_of(feed_forward(worker, direction));
  if (direction == Direction::backward) co_yield elements_of(attention(worker, direction));
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
Generator<Step> logits(const Worker& worker, Direction direction) {
  const Plan& plan = worker.plan;
  const Bytes activations = plan.activations(plan.tokens());
  if (direction == Direction::forward) co_yield elements_of(gather(worker, activations));
  co_yield product(plan.model.logits(plan.tokens(), plan.parts()), direction);
  if (direction == Direction::backward) {
    co_yield elements_of(combine(worker, activations));
    co_return;
  }
  if (plan.tensor.count == 1) co_return;
  constexpr Bytes of_token{4.0};
  for (int agreed = 0; agreed < 3; ++agreed)
    co_yield elements_of(collectives::allreduce(worker.call(Side::tensor, plan.allreduce), plan.tokens() * of_token));
}

}  // namespace orrery::training
