#include "kernels/training-step/plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "sim/core/error.hpp"

namespace orrery::training {

namespace {

std::uint32_t count_of(const Parameters& parameters, const char* name) {
  return static_cast<std::uint32_t>(parameters.integer(name));
}

collectives::Choice choice_of(const Parameters& parameters, const std::string& name) {
  return {parameters.text(name), fmt::format("training-step: '{}'", name)};
}

}  // namespace

Plan::Plan(const KernelInput& input)
    : model(input.parameters),
      streams(input.parameters.boolean("gradient-stream") ? 2 : 1),
      micro_batch(static_cast<double>(input.parameters.integer("micro-batch"))),
      steps(count_of(input.parameters, "steps")),
      precision(input.parameters.bytes("precision")),
      product_precision(input.parameters.bytes("product-precision")),
      gradient_precision(input.parameters.bytes("gradient-precision")),
      sequence_parallel(input.parameters.boolean("sequence-parallel")),
      sharded(input.parameters.boolean("sharded-optimizer")),
      tensor_overlap(input.parameters.boolean("tensor-overlap")),
      elementwise(input.parameters.boolean("elementwise")),
      ends_as_layers(input.parameters.boolean("ends-as-layers")),
      gather_in_passes(input.parameters.boolean("gather-in-passes")),
      allreduce(choice_of(input.parameters, "allreduce")),
      allgather(choice_of(input.parameters, "allgather")),
      reduce_scatter(choice_of(input.parameters, "reduce-scatter")),
      alltoall(choice_of(input.parameters, "alltoall")) {
  recompute = meaning_of(recompute_words, input.parameters.text("recompute")).value();
  if (product_precision == Bytes{}) product_precision = precision;
  divide(input.parameters, input.ranks);
  require_shared_gpus(input.layout);
  make_schedule(input.parameters);
  deferred = std::min(count_of(input.parameters, "deferred-micro-batches"), schedule.micro_batches);
  require_together(input.parameters);
  for (std::uint32_t stage = 0; stage < pipeline.count; ++stage) {
    auto& ready = ready_.emplace_back();
    for (std::uint32_t chunk = schedule.chunks; chunk-- > 0;) {
      const Layers mine = layers(stage, chunk);
      for (std::uint32_t i = mine.count; i-- > 0;) ready.push_back(mine.first + i);
    }
    if (deferred > 0 && stage + 1 == pipeline.count) ready.push_back(logits_bucket());
  }
  if (model.experts > 0) {
    const double shared = sequence_parallel ? parts() : 1.0;  // tensor-parallel GPUs then have tokens of their own
    loads = ExpertLoads(model.layers, model.experts, expert.count,
                        static_cast<std::uint64_t>(std::llround(tokens() / shared)),
                        {model.experts_per_token, input.parameters.number("expert-skew"),
                         static_cast<std::uint64_t>(input.parameters.integer("seed"))});
  }
  for (std::size_t side = 0; side < sides; ++side) {
    const Axis& along = axis(static_cast<Side>(side));
    if (along.count == 1) continue;
    auto& nodes = nodes_[side];
    nodes.resize(gpus / along.count);
    const auto reduces = side >= static_cast<std::size_t>(Side::gradients);
    for (std::uint32_t g = 0; g < gpus; ++g)
      if (along.place(g) == 0) {
        const Group group = call(static_cast<Side>(side), g, reduces ? streams - 1 : 0).group;
        nodes[along.group(g)] = collectives::nodes_of(group, input.layout);
      }
  }
}

void Plan::require_whole(double whole, const char* of, std::uint32_t parts, const char* by) const {
  if (std::fmod(whole, parts) != 0.0)
    throw InputError("training-step: {} {} cannot be divided by {} ({}). Choose a multiple?", whole, of, parts, by);
}

/// The grid of GPUs; replicas follow from the ranks unless 'data' says how many data-parallel pipelines there are.
void Plan::divide(const Parameters& parameters, std::uint32_t ranks) {
  if (ranks % streams != 0)
    throw InputError(
        "training-step: {} ranks with 'gradient-stream' (two to a GPU: layout {{gpus: 8, per-gpu: 2}}). Add one?",
        ranks);
  gpus = ranks / streams;
  const std::uint32_t t = count_of(parameters, "tensor"), e = count_of(parameters, "expert"),
                      c = count_of(parameters, "context"), p = count_of(parameters, "pipeline");
  const std::uint64_t model_gpus = std::uint64_t{t} * c * p;
  std::uint64_t data = count_of(parameters, "data");
  if (data == 0) data = std::max<std::uint64_t>(1, gpus / model_gpus);
  if (model_gpus * data != gpus)
    throw InputError(
        "training-step: 'tensor' {} x 'context' {} x 'pipeline' {} x 'data' {} are {} GPUs, of {} (all of "
        "them). Choose factors of {}, or place {} ranks?",
        t, c, p, data, model_gpus * data, gpus, gpus, model_gpus * data * streams);
  const auto pipelines = static_cast<std::uint32_t>(data);
  if (model.experts == 0 && e > 1)
    throw InputError("training-step: 'expert' is {}, but there are no experts ('experts' is 0). Remove it?", e);
  if (e > 1) require_whole(model.experts, "experts", e, "'expert'");
  require_whole(pipelines, "data-parallel pipelines", e, "'expert'");
  require_whole(model.heads, "heads", t, "'tensor'");
  require_whole(model.sequence, "positions of 'sequence'", c, "'context'");
  tensor = {1, t};
  expert = {t, e};
  context = {t * e, c};
  gradients = {t, c * pipelines};
  expert_gradients = {t * e, c * pipelines / e};
  pipeline = {t * c * pipelines, p};
}

/// A gradient stream works on the GPU whose gradients it sums, and no other ranks share one.
void Plan::require_shared_gpus(const Layout* layout) const {
  if (layout == nullptr) return;
  for (std::uint32_t g = 1; g < gpus && streams == 1; ++g)
    if (layout->of(rank(g)).gpu && layout->of(rank(g)).host == layout->of(rank(g - 1)).host)
      throw InputError(
          "training-step: ranks {} and {} share a GPU, and 'gradient-stream' is false (each rank is a GPU "
          "of its own). Set 'gradient-stream: true', or 'per-gpu: 1' in the layout?",
          g - 1, g);
  if (streams == 1) return;
  for (std::uint32_t g = 0; g < gpus; ++g) {
    const Placement &computes = layout->of(rank(g)), &sums = layout->of(rank(g, 1));
    if ((!computes.gpu && !sums.gpu) || computes.host == sums.host) continue;
    throw InputError(
        "training-step: 'gradient-stream' is true, but ranks {} and {} are on two GPUs (of two ranks of a "
        "GPU one computes and one sums gradients). Write 'per-gpu: 2' in the layout?",
        index(rank(g)), index(rank(g, 1)));
  }
}

void Plan::make_schedule(const Parameters& parameters) {
  const bool interleaved = parameters.text("schedule") == "interleaved";
  const std::uint32_t chunks = interleaved ? count_of(parameters, "chunks") : 1, p = pipeline.count;
  if (interleaved && p < 2)
    throw InputError("training-step: 'schedule' is interleaved, but 'pipeline' is 1 (2 at least). Choose 1f1b?");
  const auto batch = static_cast<double>(parameters.integer("batch"));
  const std::uint32_t pipelines = gradients.count / context.count;
  require_whole(batch, "sequences of 'batch'", pipelines, "data-parallel pipelines");
  require_whole(batch / pipelines, "sequences of a pipeline", static_cast<std::uint32_t>(micro_batch), "'micro-batch'");
  schedule = {p, static_cast<std::uint32_t>(batch / pipelines / micro_batch), chunks};
  if (interleaved)
    require_whole(schedule.micro_batches, "micro-batches", p, "'pipeline', as 'schedule' is interleaved");
  const char* by = interleaved ? "'pipeline' times 'chunks'" : "'pipeline'";
  if (!ends_as_layers) return require_whole(model.layers, "layers", p * chunks, by);
  require_whole(model.layers + 2.0, "layers, embedding and loss among them,", p * chunks, by);
  if (model.layers + 2 < 2 * p * chunks)
    throw InputError(
        "training-step: 'ends-as-layers' leaves no layer to the first of {} chunks ({} layers, embedding "
        "and loss among them; two to a chunk at least). Choose fewer?",
        p * chunks, model.layers + 2);
}

/// Parameters that rest on each other.
void Plan::require_together(const Parameters& parameters) const {
  const auto refuse = [](const char* what, const char* needs, const char* advice) {
    throw InputError("training-step: '{}' {}. {}?", what, needs, advice);
  };
  if (tensor_overlap && !sequence_parallel)
    refuse("tensor-overlap", "overlaps gathers and scatters ('sequence-parallel' is false)", "Set 'sequence-parallel'");
  if (tensor_overlap && model.experts > 0)
    refuse("tensor-overlap", "knows one feed-forward for all tokens ('experts' is not 0)", "Remove one of the two");
  if (gather_in_passes && (streams == 1 || !sharded))
    refuse("gather-in-passes", "needs 'gradient-stream' and 'sharded-optimizer'", "Set both");
  if (product_precision > precision)
    refuse("product-precision", "is greater than 'precision' (of all that is no product with weights)", "Leave it out");
  if (product_precision < Bytes{0.5})
    refuse("product-precision", "is less than half a byte a value (0B: that of 'precision')", "Write '1B'");
  if (parameters.integer("deferred-micro-batches") > 0 && pipeline.count == 1)
    refuse("deferred-micro-batches", "fills the bubble of a pipeline ('pipeline' is 1)", "Remove it");
}

Layers Plan::layers(std::uint32_t stage, std::uint32_t chunk) const {
  const std::uint32_t number = chunk * pipeline.count + stage, chunks = pipeline.count * schedule.chunks;
  if (!ends_as_layers) {
    const std::uint32_t count = model.layers / chunks;
    return {number * count, count};
  }
  const std::uint32_t count = (model.layers + 2) / chunks;  // the embedding is layer -1
  Layers mine{number * count, count};
  if (number > 0)
    --mine.first;
  else
    --mine.count;
  if (number + 1 == chunks) --mine.count;
  return mine;
}

std::vector<std::uint32_t> Plan::buckets(std::uint32_t stage, std::uint32_t chunk) const {
  const Layers mine = layers(stage, chunk);
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < mine.count; ++i) all.push_back(mine.first + i);
  if (deferred > 0 && stage + 1 == pipeline.count && chunk + 1 == schedule.chunks) all.push_back(logits_bucket());
  return all;
}

std::uint32_t Plan::ready_before(std::uint32_t stage, std::uint32_t chunk) const {
  std::uint32_t before = 0;
  for (std::uint32_t later = chunk + 1; later < schedule.chunks; ++later) before += layers(stage, later).count;
  return before;
}

const Axis& Plan::axis(Side side) const {
  const Axis* axes[sides] = {&tensor, &expert, &context, &gradients, &expert_gradients};
  return *axes[static_cast<std::size_t>(side)];
}

collectives::Call Plan::call(Side side, std::uint32_t gpu, std::uint32_t stream) const {
  constexpr std::uint32_t first_tag = 8, first_request = 16;
  static constexpr const char* names[sides] = {"tensor", "expert", "context", "gradients", "expert gradients"};
  const Axis& along = axis(side);
  const auto number = static_cast<std::uint32_t>(side);
  collectives::Call call;
  call.group =
      Group::strided(rank(along.first(gpu), stream), along.stride * streams, along.count, Communicator{number + 1});
  call.me = rank(gpu, stream);
  call.tag = Tag{first_tag + number};
  call.first_request = RequestId{first_request};
  call.element = precision;
  call.name = names[number];
  if (!nodes_[number].empty()) call.nodes = nodes_[number][along.group(gpu)];
  return call;
}

double Plan::shared_weights(std::uint32_t bucket) const {
  if (bucket == logits_bucket()) return model.embedding_weights() / parts();
  double weights = model.attention_weights();
  if (model.experts == 0) weights += model.feed_forward_weights();
  if (bucket == 0) weights += model.embedding_weights();
  if (bucket + 1 == model.layers && deferred == 0) weights += model.embedding_weights();
  return weights / parts();
}

double Plan::expert_weights(std::uint32_t bucket) const {
  if (model.experts == 0 || bucket == logits_bucket()) return 0.0;
  const double experts_here = static_cast<double>(model.experts) / expert.count;
  return experts_here * model.feed_forward_weights() / parts();
}

Bytes Plan::memory(std::uint32_t gpu) const {
  constexpr double states = 12.0;  // weight, mean and variance of Adam in single precision
  const auto held = [&](double weights, const Axis& shards) {
    return weights * (product_precision + gradient_precision + Bytes(states / (sharded ? shards.count : 1)));
  };
  Bytes bytes;
  const std::uint32_t mine = stage(gpu);
  for (const std::uint32_t bucket : buckets_ready(mine))
    bytes += held(shared_weights(bucket), gradients) + held(expert_weights(bucket), expert_gradients);
  std::uint32_t most = 0;
  for (std::uint32_t chunk = 0; chunk < schedule.chunks; ++chunk) most = std::max(most, layers(mine, chunk).count);
  const double under_way = schedule.under_way(mine);
  return bytes + under_way * most * activations(tokens()) / (sequence_parallel ? parts() : 1.0);
}

}  // namespace orrery::training
