/// One step of training a transformer on many GPUs: data, tensor, pipeline, expert and context parallelism.
///
/// Source   Narayanan et al., SC 2021 (pipelines, flops); Shoeybi et al., arXiv:1909.08053 (tensor); Korthikanti et
///          al., arXiv:2205.05198 (sequence parallelism, recomputation); Liu, Zaharia & Abbeel, arXiv:2310.01889 (rings
///          of keys and values); Lepikhin et al., arXiv:2006.16668 (experts); Rajbhandari et al., SC 2020 (sharded
///          optimizer); NVIDIA, Transformer Engine 2.x, userbuffers (messages beside products); Megatron-LM
///          (embedding and loss in the split of the pipeline, deferred gradients of the embedding)
/// Valid    matrix products and the update of weights take time on a GPU; with `elementwise` what moves much memory too
/// Checked  tests/unit/kernels/training-step_test.cpp, tests/unit/kernels/training-overlap_test.cpp,
///          tests/replay/training_test.cpp, tests/contract/every_kernel_test.cpp
#include <algorithm>

#include "kernels/training-step/steps.hpp"

namespace orrery::training_step_kernel {

namespace {

using namespace training;

constexpr const char* page =
    R"(A model of l layers is divided among T x C x D x P GPUs: tensor, context, data, pipeline; experts among E of the D.
n = micro-batch * sequence / C tokens are in one micro-batch on a GPU, a = n * hidden * precision are its activations.

  step of a micro-batch                  message             with             times
  receive, send activations              a / T or a          next stage       1 forward, 1 backward, each way
  allreduce                              a                   T                2 a layer, forward and backward
  or allgather and reduce-scatter        a                   T                with 'sequence-parallel': 2 of each
  keys and values round a ring           2 g a / T           C                C - 1 a layer; backward also their gradients, C
  alltoallv of tokens to experts, back   by load             E                2 a layer, forward and backward
  dgemm                                  -                   -                attention, scores, feed-forward, logits

  end of a step                          message             with
  allreduce, or reduce-scatter           weights * gradient- C D; experts'
                                         precision           C D / E          1 a layer
  daxpy (Adam)                           -                   -                1 a layer
  allgather ('sharded-optimizer')        weights * product-  C D, C D / E     1 a layer
                                         precision

'tensor-overlap': messages of T go beside the products next to them, which are then steps of their collective:
  forward   gather ring, 1/T of the product a step (input of attention, of the feed-forward); scatter ring (output of both)
  backward  gather ring (gradient by the output's weights), product; gather in bulk beside the gradient of the input, scatter
            in bulk beside that of its weights
'product-precision' 1B is FP8: gathers of T and of weights carry it; scores and logits stay in 'precision' and are charged
precision / product-precision of their flops, as tensor cores take so many bits at a time: the compute model's rate of a
dgemm is that of products with weights. 'elementwise': norms, sums around blocks, turned queries and keys, activations, the
loss, the gradients' norm and zeros, by bytes read and written, as daxpy at 12 flops for 30 bytes (Adam's).
'ends-as-layers': chunks have (l + 2) / (P v) layers, the first and the last one less, for the embedding and the loss.

Messages between stages are a / T with 'sequence-parallel'. Receives are posted one pass ahead, sends are waited for two
passes later, keys and values travel while scores are computed: what overlaps follows from the program and the machine.
With 'gradient-stream' each GPU has two ranks ('layout: {gpus: 8, per-gpu: 2}'): 2 i computes, 2 i + 1 sums the gradients of a
layer as soon as its last micro-batch is through, as a second stream of a GPU does; without it they are summed after all
passes; with 'gather-in-passes' it also gathers the weights of each chunk before its first pass. Phases: 'forward-backward'
of the ranks that compute, 'gradients' what they then wait for, 'update'. Flops and weights:
kernels/training-step/transformer.hpp. Left out: routers, transposes and scales of FP8, loading data, writing checkpoints.)";

constexpr std::uint32_t sends_kept = 2;  ///< in each direction
constexpr RequestId input_request(std::uint32_t i) { return RequestId{4 + i % 2}; }
constexpr RequestId output_request(bool backward, std::uint32_t k) {
  return RequestId{6 + (backward ? sends_kept : 0) + k % sends_kept};
}
constexpr std::uint32_t first_ready_request = 1u << 20;

class TrainingStep final : public Program {
 public:
  explicit TrainingStep(const KernelInput& input) : plan_(input) {}

  std::string name() const override { return "training-step"; }
  std::uint32_t ranks() const override { return plan_.gpus * plan_.streams; }
  Bytes memory(Rank me) const override { return plan_.stream(me) == 0 ? plan_.memory(plan_.gpu(me)) : Bytes{}; }

  Generator<Step> steps(Rank me) const override {
    const Worker worker{plan_, plan_.gpu(me), plan_.stream(me)};
    for (std::uint32_t k = 0; k < plan_.steps; ++k) {
      co_yield iteration(k);
      co_yield phase("forward-backward");
      if (worker.stream == 0)
        co_yield elements_of(computing(worker));
      else
        co_yield elements_of(reducing(worker));
    }
  }

 private:
  Generator<Step> computing(const Worker& worker) const {
    co_yield elements_of(all_passes(worker));
    const auto& buckets = plan_.buckets_ready(worker.stage());
    const auto ready = static_cast<std::uint32_t>(buckets.size());
    if (buckets.back() == plan_.logits_bucket()) {
      co_yield elements_of(deferred_logits(worker));
      if (plan_.streams > 1) co_yield gradients_ready(worker, ready - 1);
    }
    co_yield phase("gradients");
    if (plan_.streams == 1) {
      for (const std::uint32_t bucket : buckets) co_yield elements_of(reduce_gradients(worker, bucket));
    } else {
      co_yield wait_all(RequestId{first_ready_request}, ready);
      co_yield recv(plan_.rank(worker.gpu, 1), Bytes{}, done_tag);
    }
    co_yield phase("update");
    co_yield elements_of(update_weights(worker));
    co_yield elements_of(gather_weights(worker));
  }

  static Generator<Step> reducing(const Worker& worker) {
    co_yield phase("gradient stream");
    co_yield elements_of(gradient_stream(worker));
  }

  /// Each pass while the input of the next one is on its way, and the output of the one before.
  Generator<Step> all_passes(const Worker& worker) const {
    const Schedule& schedule = plan_.schedule;
    const std::uint32_t stage = worker.stage(), passes = schedule.passes();
    std::uint32_t sent[2] = {0, 0};
    for (std::uint32_t i = 0; i < passes; ++i) {
      const Pass pass = schedule.pass(stage, i);
      if (i == 0 && schedule.receives(stage, pass)) co_yield input(worker, pass, 0);
      if (schedule.receives(stage, pass)) co_yield wait(input_request(i));
      if (i + 1 < passes) {
        const Pass next = schedule.pass(stage, i + 1);
        if (schedule.receives(stage, next)) co_yield input(worker, next, i + 1);
      }
      if (pass.backward)
        co_yield elements_of(backward(worker, pass));
      else
        co_yield elements_of(forward(worker, pass));
      if (!schedule.sends(stage, pass)) continue;
      std::uint32_t& k = sent[pass.backward ? 1 : 0];
      if (k >= sends_kept) co_yield wait(output_request(pass.backward, k));
      co_yield output(worker, pass, k);
      ++k;
    }
    co_yield wait_all(output_request(false, 0), 2 * sends_kept);
  }

  Bytes between_stages() const {
    return plan_.activations(plan_.tokens()) / (plan_.sequence_parallel ? plan_.parts() : 1.0);
  }
  Rank neighbour(const Worker& worker, bool further) const {
    return plan_.rank(plan_.pipeline.further(worker.gpu, further ? 1 : plan_.pipeline.count - 1));
  }
  Step input(const Worker& worker, const Pass& pass, std::uint32_t i) const {
    return irecv(neighbour(worker, pass.backward), between_stages(), pass.backward ? backward_tag : forward_tag,
                 input_request(i));
  }
  Step output(const Worker& worker, const Pass& pass, std::uint32_t k) const {
    return isend(neighbour(worker, !pass.backward), between_stages(), pass.backward ? backward_tag : forward_tag,
                 output_request(pass.backward, k));
  }

  Step gradients_ready(const Worker& worker, std::uint32_t place) const {
    return isend(plan_.rank(worker.gpu, 1), Bytes{}, ready_tag, RequestId{first_ready_request + place});
  }

  Generator<Step> forward(const Worker& worker, Pass pass) const {
    const std::uint32_t stage = worker.stage();
    const Layers mine = plan_.layers(stage, pass.chunk);
    if (plan_.gather_in_passes && pass.micro_batch == 0) co_yield recv(plan_.rank(worker.gpu, 1), Bytes{}, weights_tag);
    if (plan_.schedule.is_first(stage, pass)) co_yield elements_of(embedding(worker, Direction::forward));
    for (std::uint32_t i = 0; i < mine.count; ++i)
      co_yield elements_of(layer(worker, mine.first + i, Direction::forward));
    if (plan_.schedule.is_last(stage, pass)) co_yield elements_of(logits(worker, Direction::forward));
  }

  Generator<Step> backward(const Worker& worker, Pass pass) const {
    const std::uint32_t stage = worker.stage(), before = plan_.ready_before(stage, pass.chunk);
    const Layers mine = plan_.layers(stage, pass.chunk);
    const bool complete = plan_.streams > 1 && pass.micro_batch + 1 == plan_.schedule.micro_batches;
    const bool deferred = pass.micro_batch + plan_.deferred >= plan_.schedule.micro_batches;
    if (plan_.schedule.is_last(stage, pass)) co_yield elements_of(logits(worker, Direction::backward, deferred));
    for (std::uint32_t i = mine.count; i-- > 0;) {
      co_yield elements_of(recomputed(worker, mine.first + i));
      co_yield elements_of(layer(worker, mine.first + i, Direction::backward));
      if (mine.first + i == 0) co_yield elements_of(embedding(worker, Direction::backward));
      if (complete) co_yield gradients_ready(worker, before + mine.count - 1 - i);
    }
  }

  Plan plan_;
};

std::vector<Key> parameters() {
  const auto count = [](const char* name, std::int64_t fallback, const char* about, double least) {
    return count_key(name, fallback, about, least, 1e9);
  };
  return {
      count("layers", 32, "l: layers of the model", 1),
      count("hidden", 4096, "h: hidden size", 1),
      count("heads", 32, "attention heads", 1),
      count("kv-heads", 0, "heads of keys and values (0: as 'heads')", 0),
      count("feed-forward", 0, "f: feed-forward size (0: 4 h)", 0),
      flag_key("causal", false, "true: skip the scores that a causal mask hides (half of them)"),
      flag_key("elementwise", false,
               "true: norms, activations, sums and the gradient norm take time, by the bytes that they move"),
      flag_key("gated", false, "true: three feed-forward matrices instead of two (SwiGLU)"),
      count("vocabulary", 51200, "V: vocabulary size", 1),
      count("sequence", 2048, "s: sequence length", 1),
      count_key("experts", 0, "experts per layer (0: one feed-forward for all tokens)", 0, 1e6),
      count("experts-per-token", 2, "experts per token", 1),
      number_key("expert-skew", 0, "z: load of the i-th expert is proportional to i^-z (0: equal)", 0, 10),
      count("seed", 1, "seed of the load order of experts in each layer", 0),
      count("batch", 512, "sequences per step, over all pipelines", 1),
      count("micro-batch", 1, "sequences per micro-batch", 1),
      count("steps", 1, "training steps", 1),
      count("tensor", 1, "T: GPUs per matrix (tensor parallelism)", 1),
      count("context", 1, "C: GPUs per sequence (context parallelism)", 1),
      count("pipeline", 1, "P: pipeline stages", 1),
      count("data", 0, "D: data-parallel pipelines (0: from the ranks)", 0),
      count("expert", 1, "E: of the D pipelines, those that share the experts", 1),
      flag_key("sequence-parallel", false,
               "true: tensor-parallel GPUs also divide the operations between matrix products"),
      flag_key("tensor-overlap", false,
               "true: overlap tensor-parallel messages with the adjacent products, in chunks or in bulk"),
      word_key("schedule", "1f1b", "order of passes", {"1f1b", "interleaved"}),
      count("chunks", 2, "v: interleaved chunks of layers per stage", 2),
      flag_key("ends-as-layers", false, "true: embedding and loss each count as a layer in the division of layers"),
      count_key("deferred-micro-batches", 0,
                "number of last micro-batches whose logit weight gradients wait until the passes end", 0, 1e9),
      word_key("recompute", "none", "recomputation in the backward pass: nothing, the scores, or every layer",
               words_of(recompute_words)),
      flag_key("sharded-optimizer", false,
               "true: each data-parallel GPU updates its share of the weights (ZeRO stage 1)"),
      flag_key("gradient-stream", false, "true: a second rank per GPU sums gradients during the backward pass"),
      flag_key("gather-in-passes", false,
               "true: it also gathers weights during the first forward passes, not after the update"),
      bytes_key("precision", 2, "bytes per weight and activation", 1, 8),
      bytes_key("product-precision", 0,
                "bytes per value in products with weights and in gathers (0B: 'precision'; 1B: FP8)", 0, 8),
      bytes_key("gradient-precision", 4, "bytes per summed gradient", 1, 8),
      word_key("allreduce", "openmpi", "algorithm or selector"),
      word_key("allgather", "openmpi", "algorithm or selector"),
      word_key("reduce-scatter", "openmpi", "algorithm or selector"),
      word_key("alltoall", "openmpi", "algorithm or selector, for tokens to experts"),
  };
}

/// What training programs print; flops are the model's, whatever is computed twice.
std::vector<Metric> metrics(const Parameters& parameters, const RunResult& run) {
  const double seconds = run.makespan.si() / static_cast<double>(parameters.integer("steps"));
  if (!(seconds > 0.0)) return {};
  const Transformer model(parameters);
  const auto batch = static_cast<double>(parameters.integer("batch"));
  return {{"step", seconds, "s"},
          {"tokens/s", batch * model.sequence / seconds, "tokens/s"},
          {"model Tflop/s", model.step_flops(batch).si() / seconds / 1e12, "Tflop/s"}};
}

const bool entered = kernels().add({
    .name = "training-step",
    .summary = "one step of training a transformer: data, tensor, pipeline, expert and context parallelism",
    .source = "Narayanan et al., SC 2021; Shoeybi et al. 2019; Korthikanti et al. 2022; Liu et al. 2023",
    .page = page,
    .parameters = parameters(),
    .communication_phase = "forward-backward",
    .works = {Work::dgemm, Work::daxpy},
    .small = {{"layers", "4"},
              {"hidden", "64"},
              {"heads", "4"},
              {"vocabulary", "128"},
              {"sequence", "32"},
              {"pipeline", "2"},
              {"batch", "12"}},
    .metrics = metrics,
    .make = [](const KernelInput& input) { return std::make_unique<TrainingStep>(input); },
});

}  // namespace

}  // namespace orrery::training_step_kernel
