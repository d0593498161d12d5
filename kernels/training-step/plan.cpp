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
      gradient_precision(input.parameters.bytes("gradient-precision")),
      sequence_parallel(input.parameters.boolean("sequence-parallel")),
      sharded(input.parameters.boolean("sharded-optimizer")),
      allreduce(choice_of(input.parameters, "allreduce")),
      allgather(choice_of(input.parameters, "allgather")),
      reduce_scatter(choice_of(input.parameters, "reduce-scatter")),
      alltoall(choice_of(input.parameters, "alltoall")) {
  recompute = meaning_of(recompute_words, input.parameters.text("recompute")).value();
  divide(input.parameters, input.ranks);
  make_schedule(input.parameters);
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
    throw InputError(
        fmt::format("training-step: {} {} cannot be divided by {} ({}). Choose a multiple?", whole, of, parts, by));
}

/// The grid of GPUs; replicas follow from the ranks unless 'data' says how many data-parallel pipelines there are.
void Plan::divide(const Parameters& parameters, std::uint32_t ranks) {
  if (ranks % streams != 0)
    throw InputError(fmt::format(
        "training-step: {} ranks with 'gradient-stream' (two to a GPU: layout {{gpus: 8, per-gpu: 2}}). Add one?",
        ranks));
  gpus = ranks / streams;
  const std::uint32_t t = count_of(parameters, "tensor"), e = count_of(parameters, "expert"),
                      c = count_of(parameters, "context"), p = count_of(parameters, "pipeline");
  const std::uint64_t model_gpus = std::uint64_t{t} * c * p;
  std::uint64_t data = count_of(parameters, "data");
  if (data == 0) data = std::max<std::uint64_t>(1, gpus / model_gpus);
  if (model_gpus * data != gpus)
    throw InputError(
        fmt::format("training-step: 'tensor' {} x 'context' {} x 'pipeline' {} x 'data' {} are {} GPUs, of {} (all of "
                    "them). Choose factors of {}, or place {} ranks?",
                    t, c, p, data, model_gpus * data, gpus, gpus, model_gpus * data * streams));
  const auto pipelines = static_cast<std::uint32_t>(data);
  if (model.experts == 0 && e > 1)
    throw InputError(
        fmt::format("training-step: 'expert' is {}, but there are no experts ('experts' is 0). Remove it?", e));
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
  require_whole(model.layers, "layers", p * chunks, interleaved ? "'pipeline' times 'chunks'" : "'pipeline'");
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

double Plan::shared_weights(std::uint32_t layer) const {
  double weights = model.attention_weights();
  if (model.experts == 0) weights += model.feed_forward_weights();
  if (layer == 0) weights += model.embedding_weights();
  if (layer + 1 == model.layers) weights += model.embedding_weights();
  return weights / parts();
}

double Plan::expert_weights() const {
  if (model.experts == 0) return 0.0;
  const double experts_here = static_cast<double>(model.experts) / expert.count;
  return experts_here * model.feed_forward_weights() / parts();
}

Bytes Plan::memory(std::uint32_t gpu) const {
  constexpr double states = 12.0;  // weight, mean and variance of Adam in single precision
  const auto of_layer = [&](std::uint32_t layer) {
    const auto held = [&](double weights, const Axis& shards) {
      return weights * (precision + gradient_precision + Bytes(states / (sharded ? shards.count : 1)));
    };
    return held(shared_weights(layer), gradients) + held(expert_weights(), expert_gradients);
  };
  Bytes bytes;
  const std::uint32_t layers = layers_of_chunk(), mine = stage(gpu);
  for (std::uint32_t chunk = 0; chunk < schedule.chunks; ++chunk)
    for (std::uint32_t i = 0; i < layers; ++i) bytes += of_layer(first_layer(mine, chunk) + i);
  const double under_way = schedule.under_way(mine);
  return bytes + under_way * layers * activations(tokens()) / (sequence_parallel ? parts() : 1.0);
}

}  // namespace orrery::training
