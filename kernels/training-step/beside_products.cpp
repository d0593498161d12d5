// Messages of tensor-parallel GPUs in parallel with the adjacent products, as in Transformer Engine's userbuffers: ring
// exchanges of chunks, each while another chunk is multiplied, and bulk collectives in parallel with a product that
// does not need them. Products are steps of the collective here, so its time includes both.
#include "kernels/collectives/beside.hpp"
#include "kernels/training-step/steps.hpp"

namespace orrery::training {

namespace {

constexpr std::uint32_t first_request = 16;
constexpr RequestId in(std::uint32_t i) { return RequestId{first_request + 2 * i}; }
constexpr RequestId out(std::uint32_t i) { return RequestId{first_request + 2 * i + 1}; }

CollectiveCall marked(const Worker& worker, Operation operation, const char* algorithm, Bytes bytes) {
  const collectives::Call call = worker.call(Side::tensor, {});
  return {.operation = operation, .algorithm = algorithm, .bytes = bytes, .group = call.group, .name = call.name};
}

Step multiplied(const Product& product, double share = 1.0) {
  return compute(Work::dgemm, share * product.flops(), {share * product.m, product.n, product.k});
}

/// Everyone's contributions to the rows of this part, read and summed.
Step summed(const Plan& plan, Bytes chunk) { return swept((plan.parts() + 1.0) * chunk); }

/// With each other part at once: `chunk` to it and from it.
Generator<Step> exchange_with_all(const Worker& worker, Bytes chunk) {
  const Plan& plan = worker.plan;
  const Tag tag = worker.call(Side::tensor, {}).tag;
  for (std::uint32_t i = 1; i < plan.tensor.count; ++i) {
    co_yield irecv(plan.rank(plan.tensor.further(worker.gpu, plan.tensor.count - i)), chunk, tag, in(i));
    co_yield isend(plan.rank(plan.tensor.further(worker.gpu, i)), chunk, tag, out(i));
  }
}

}  // namespace

Generator<Step> gather_ring(const Worker& worker, Product product) {
  const Plan& plan = worker.plan;
  const std::uint32_t parts = plan.tensor.count;
  const Bytes all = plan.operands(plan.tokens()), chunk = all / plan.parts();
  const Tag tag = worker.call(Side::tensor, {}).tag;
  const CollectiveCall call = marked(worker, Operation::allgatherv, collectives::ring_beside, all);
  const Rank next = plan.rank(plan.tensor.further(worker.gpu, 1)),
             previous = plan.rank(plan.tensor.further(worker.gpu, parts - 1));
  co_yield collective_begin(call);
  for (std::uint32_t i = 0; i < parts; ++i) {
    if (i + 1 < parts) {
      co_yield irecv(previous, chunk, tag, in(0));
      co_yield isend(next, chunk, tag, out(0));
    }
    co_yield multiplied(product, 1.0 / parts);
    if (i + 1 < parts) co_yield wait_all(in(0), 2);
  }
  co_yield collective_end();
}

Generator<Step> scatter_ring(const Worker& worker, Product product) {
  const Plan& plan = worker.plan;
  const std::uint32_t parts = plan.tensor.count;
  const Bytes all = plan.activations(plan.tokens()), chunk = all / plan.parts();
  const Tag tag = worker.call(Side::tensor, {}).tag;
  const CollectiveCall call = marked(worker, Operation::reduce_scatter, collectives::ring_beside, all);
  co_yield collective_begin(call);
  for (std::uint32_t i = 1; i < parts; ++i) {
    co_yield irecv(plan.rank(plan.tensor.further(worker.gpu, i)), chunk, tag, in(i));
    co_yield multiplied(product, 1.0 / parts);
    co_yield isend(plan.rank(plan.tensor.further(worker.gpu, parts - i)), chunk, tag, out(i));
  }
  co_yield multiplied(product, 1.0 / parts);
  co_yield wait_all(in(0), 2 * plan.tensor.count);
  if (plan.elementwise) co_yield summed(plan, chunk);
  co_yield collective_end();
}

Generator<Step> gather_beside(const Worker& worker, Product product) {
  const Plan& plan = worker.plan;
  const Bytes all = plan.operands(plan.tokens());
  const CollectiveCall call = marked(worker, Operation::allgatherv, collectives::bulk_beside, all);
  co_yield collective_begin(call);
  co_yield elements_of(exchange_with_all(worker, all / plan.parts()));
  co_yield multiplied(product);
  co_yield wait_all(in(0), 2 * plan.tensor.count);
  co_yield collective_end();
}

Generator<Step> scatter_beside(const Worker& worker, Product product) {
  const Plan& plan = worker.plan;
  const Bytes all = plan.activations(plan.tokens()), chunk = all / plan.parts();
  const CollectiveCall call = marked(worker, Operation::reduce_scatter, collectives::bulk_beside, all);
  co_yield collective_begin(call);
  co_yield elements_of(exchange_with_all(worker, chunk));
  co_yield multiplied(product);
  co_yield wait_all(in(0), 2 * plan.tensor.count);
  if (plan.elementwise) co_yield summed(plan, chunk);
  co_yield collective_end();
}

}  // namespace orrery::training
