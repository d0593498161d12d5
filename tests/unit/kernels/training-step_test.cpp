#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "kernels/training-step/expert_loads.hpp"
#include "kernels/training-step/schedule.hpp"
#include "kernels/training-step/transformer.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

// l, h, V, s of the model below; B sequences.
constexpr double l = 8, h = 64, V = 256, s = 32, B = 16;

Words step_of(const Words& more) {
  Words words{{"layers", "8"},    {"hidden", "64"}, {"heads", "8"},     {"vocabulary", "256"},
              {"sequence", "32"}, {"batch", "16"},  {"allreduce", "lr"}};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Done {
  double products = 0.0, updates = 0.0;
  std::map<std::uint32_t, double> products_of;
};

Done done_by(const Program& program) {
  Done done;
  const Recording recording = record(program);
  for (std::uint32_t rank = 0; rank < recording.ranks(); ++rank)
    for (const Step& step : recording.steps[rank]) {
      const auto* work = std::get_if<Compute>(&step);
      if (work == nullptr) continue;
      (work->work == Work::dgemm ? done.products : done.updates) += work->flops.si();
      if (work->work == Work::dgemm) done.products_of[rank] += work->flops.si();
      if (work->work == Work::dgemm)
        REQUIRE(work->flops.si() == near(2.0 * work->shape[0] * work->shape[1] * work->shape[2]));
    }
  return done;
}

/// Bytes sent in messages with this tag: 1, 2 between stages; 3, 4 keys and values; 8 tensor, 9 expert, 11 gradients.
double sent_with(const Program& program, std::uint32_t tag) {
  double bytes = 0.0;
  const MatchedRun run = match_messages(record(program), SendEnds::received);
  REQUIRE(run.defect == "");
  for (const auto& message : run.messages)
    if (message.tag == Tag{tag}) bytes += message.size.si();
  return bytes;
}

std::string refusal(const Words& more, std::uint32_t ranks) {
  try {
    static_cast<void>(make_kernel("training-step", step_of(more), ranks));
  } catch (const InputError& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("kernels/training-step") {
  TEST_CASE("A step that recomputes every layer costs the flops of Narayanan et al. however it is divided") {
    const double papers = 96.0 * B * s * l * h * h * (1.0 + s / (6.0 * h) + V / (16.0 * l * h));
    const std::vector<std::pair<Words, std::uint32_t>> divisions{
        {{}, 1},
        {{{"tensor", "4"}}, 4},
        {{{"tensor", "2"}, {"sequence-parallel", "true"}}, 8},
        {{{"pipeline", "4"}}, 8},
        {{{"pipeline", "2"}, {"schedule", "interleaved"}, {"chunks", "4"}}, 4},
        {{{"context", "4"}, {"tensor", "2"}}, 16},
        {{{"tensor", "2"}, {"context", "2"}, {"pipeline", "2"}}, 32}};
    for (const auto& [words, ranks] : divisions) {
      Words all = words;
      all.emplace_back("recompute", "full");
      CHECK(done_by(*make_kernel("training-step", step_of(all), ranks)).products == near(papers));
    }
  }

  TEST_CASE("Without recomputation a layer costs three quarters and with the scores alone so much more") {
    const double layers = 72.0 * B * s * l * h * h * (1.0 + s / (6.0 * h)), logits = 6.0 * B * s * h * V;
    CHECK(done_by(*make_kernel("training-step", step_of({}), 2)).products == near(layers + logits));
    CHECK(done_by(*make_kernel("training-step", step_of({{"recompute", "selective"}}), 2)).products ==
          near(layers + logits + 4.0 * B * s * s * h * l));
    const training::Transformer model(kernel_parameters("training-step", step_of({})));
    CHECK(model.step_flops(B).si() == near(layers + logits));
  }

  TEST_CASE("A model of 70 billion parameters has its 70.6 billion weights") {
    const training::Transformer model(kernel_parameters("training-step", {{"layers", "80"},
                                                                          {"hidden", "8192"},
                                                                          {"heads", "64"},
                                                                          {"kv-heads", "8"},
                                                                          {"feed-forward", "28672"},
                                                                          {"gated", "true"},
                                                                          {"vocabulary", "128256"}}));
    CHECK(model.weights() == near(80.0 * (8192.0 * 8192.0 * 2.25 + 3.0 * 8192.0 * 28672.0) + 2.0 * 128256.0 * 8192.0));
    CHECK(model.weights() > 70.5e9);
    CHECK(model.weights() < 70.6e9);
  }

  TEST_CASE("Tensor parallelism sums the activations of a micro-batch twice a layer in each direction") {
    const double a = s * h * 2.0;   // bytes of a micro-batch
    const double ring = 2.0 * 3.0;  // of four ranks together, times the vector
    const double of_logits = 3.0 * s * 4.0;
    const auto whole = make_kernel("training-step", step_of({{"tensor", "4"}}), 4);
    CHECK(sent_with(*whole, 8) == near(B * ring * (4.0 * l * a + 2.0 * a + of_logits)));
    const auto cut = make_kernel(
        "training-step",
        step_of(
            {{"tensor", "4"}, {"sequence-parallel", "true"}, {"allgather", "NTSLR"}, {"reduce-scatter", "ompi_ring"}}),
        4);
    // A gather and a scatter carry half of an allreduce each; the embedding has one of each, the logits two.
    CHECK(sent_with(*cut, 8) == near(B * (3.0 * (8.0 * l * a + 4.0 * a) + ring * of_logits)));
  }

  TEST_CASE("Stages of a pipeline pass on each micro-batch once in each direction") {
    const double a = s * h * 2.0;
    for (const char* chunks : {"2", "4"}) {
      const auto one = make_kernel("training-step", step_of({{"pipeline", "2"}, {"micro-batch", "2"}}), 2);
      CHECK(sent_with(*one, 1) == near(B * a));
      CHECK(sent_with(*one, 2) == near(B * a));
      const auto several = make_kernel(
          "training-step", step_of({{"pipeline", "2"}, {"schedule", "interleaved"}, {"chunks", chunks}}), 2);
      CHECK(sent_with(*several, 1) == near(B * a * (2.0 * std::stod(chunks) - 1.0)));
      CHECK(sent_with(*several, 2) == near(B * a * (2.0 * std::stod(chunks) - 1.0)));
    }
  }

  TEST_CASE("Keys and values go round once forward and with their gradients once more backward") {
    const double keys = 2.0 * (s / 4.0) * h * 2.0 * (2.0 / 8.0);  // of two of eight heads
    const auto program = make_kernel("training-step", step_of({{"context", "4"}, {"kv-heads", "2"}}), 4);
    CHECK(sent_with(*program, 3) == near(B * l * 4.0 * keys * (3.0 + 3.0)));
    CHECK(sent_with(*program, 4) == near(B * l * 4.0 * keys * 4.0));
  }

  TEST_CASE("Gradients are summed once by each way of summing them") {
    const double weights = l * 12.0 * h * h + 2.0 * V * h;
    for (const char* stream : {"false", "true"}) {
      const std::uint32_t ranks = stream[0] == 't' ? 8 : 4;
      const auto summed = make_kernel("training-step", step_of({{"gradient-stream", stream}}), ranks);
      CHECK(sent_with(*summed, 11) == near(weights * 4.0 * 2.0 * 3.0));
      const auto sharded = make_kernel("training-step",
                                       step_of({{"gradient-stream", stream},
                                                {"sharded-optimizer", "true"},
                                                {"allgather", "NTSLR"},
                                                {"reduce-scatter", "ompi_ring"}}),
                                       ranks);
      CHECK(sent_with(*sharded, 11) == near(weights * (4.0 + 2.0) * 3.0));
      CHECK(done_by(*summed).updates == near(12.0 * weights * 4.0));
      CHECK(done_by(*sharded).updates == near(12.0 * weights));
    }
  }

  TEST_CASE("Experts that are alike get the same tokens and nobody computes more than others") {
    const Words words{{"experts", "8"}, {"expert", "4"}, {"alltoall", "pair"}};
    const auto program = make_kernel("training-step", step_of(words), 4);
    // Two experts to a token: 4 exchanges a layer and micro-batch, of which a fourth stays.
    CHECK(sent_with(*program, 9) == near(4.0 * l * B * s * 2.0 * h * 2.0 * 0.75));
    const Done done = done_by(*program);
    for (const auto& [rank, flops] : done.products_of) CHECK(flops == near(done.products / 4.0));
    Words skewed = words;
    skewed.emplace_back("expert-skew", "1");
    const Done uneven = done_by(*make_kernel("training-step", step_of(skewed), 4));
    CHECK(uneven.products == near(done.products));
    CHECK(uneven.products_of.at(0) != near(done.products / 4.0));
  }

  TEST_CASE("Popular experts get what a power law says but never more than every token") {
    double harmonic = 0.0;
    for (int i = 1; i <= 16; ++i) harmonic += 1.0 / i;
    auto shares = training::expert_shares(16, 2.0, 1.0, 7);
    CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == near(1.0));
    std::ranges::sort(shares, std::greater{});
    for (std::size_t i = 0; i < 16; ++i) CHECK(shares[i] == near(1.0 / (static_cast<double>(i) + 1.0) / harmonic));
    auto steep = training::expert_shares(16, 2.0, 3.0, 7);
    CHECK(std::accumulate(steep.begin(), steep.end(), 0.0) == near(1.0));
    std::ranges::sort(steep, std::greater{});
    CHECK(steep[0] == near(0.5));
    CHECK(steep[1] / steep[2] == near(27.0 / 8.0));
    CHECK(training::expert_shares(16, 2.0, 1.0, 8) != training::expert_shares(16, 2.0, 1.0, 7));
    const training::ExpertLoads loads(5, 16, 4, 1001, {2.0, 1.2, 3});
    for (std::uint32_t layer = 0; layer < 5; ++layer) {
      std::uint64_t tokens = 0;
      for (std::uint32_t to = 0; to < 4; ++to) tokens += loads.tokens(layer, to);
      CHECK(tokens == 2002);
    }
  }

  TEST_CASE("A stage passes every micro-batch once in each direction and forward first") {
    for (const std::uint32_t stages : {1u, 2u, 4u})
      for (const std::uint32_t chunks : {1u, 2u, 3u})
        for (const std::uint32_t rounds : {1u, 2u, 5u}) {
          const training::Schedule schedule{stages, stages * rounds, chunks};
          for (std::uint32_t stage = 0; stage < stages; ++stage) {
            std::set<std::pair<std::uint32_t, std::uint32_t>> forward, backward;
            std::uint32_t most = 0;
            for (std::uint32_t i = 0; i < schedule.passes(); ++i) {
              const auto pass = schedule.pass(stage, i);
              const std::pair which{pass.chunk, pass.micro_batch};
              CHECK((pass.backward ? backward : forward).insert(which).second);
              if (pass.backward) CHECK(forward.contains(which));
              most = std::max(most, static_cast<std::uint32_t>(forward.size() - backward.size()));
            }
            CHECK(forward.size() == stages * rounds * chunks);
            CHECK(backward.size() == forward.size());
            CHECK(most == schedule.under_way(stage));
          }
        }
    const training::Schedule schedule{4, 8, 1};
    CHECK(schedule.pass(3, 1) == training::Pass{true, 0, 0});
    CHECK(schedule.pass(0, 3) == training::Pass{false, 0, 3});
    CHECK(schedule.pass(0, 4) == training::Pass{true, 0, 0});
    CHECK(schedule.under_way(0) == 4);
  }

  TEST_CASE("Pipelines of any length finish without buffered sends") {
    for (const char* stages : {"2", "4", "8"})
      for (const char* batch : {"8", "16", "40"})
        for (const char* schedule : {"1f1b", "interleaved"})
          for (const char* stream : {"false", "true"}) {
            const Words words{{"layers", "32"},
                              {"hidden", "8"},
                              {"heads", "1"},
                              {"vocabulary", "2"},
                              {"sequence", "2"},
                              {"batch", batch},
                              {"pipeline", stages},
                              {"data", "1"},
                              {"schedule", schedule},
                              {"chunks", stages[0] == '8' ? "4" : "2"},
                              {"gradient-stream", stream}};
            const std::uint32_t ranks = static_cast<std::uint32_t>(std::stoul(stages)) * (stream[0] == 't' ? 2 : 1);
            INFO(stages << " " << batch << " " << schedule);
            CHECK(match_messages(record(*make_kernel("training-step", words, ranks)), SendEnds::received).defect == "");
          }
  }

  TEST_CASE("A GPU holds weights and gradients and the optimizer's states and what passes need") {
    const auto whole = make_kernel("training-step", step_of({}), 1);
    const double weights = l * 12.0 * h * h + 2.0 * V * h, a = s * h * 2.0;
    CHECK(whole->memory(Rank{0}).si() == near(18.0 * weights + l * a));
    const auto sharded = make_kernel("training-step", step_of({{"sharded-optimizer", "true"}}), 4);
    CHECK(sharded->memory(Rank{0}).si() == near((6.0 + 12.0 / 4.0) * weights + l * a));
    const auto staged = make_kernel("training-step", step_of({{"pipeline", "4"}}), 4);
    CHECK(staged->memory(Rank{1}).si() == near(18.0 * 2.0 * 12.0 * h * h + 3.0 * 2.0 * a));
  }

  TEST_CASE("A step that cannot be divided so is refused with what to change") {
    CHECK(refusal({{"tensor", "3"}}, 4) ==
          "training-step: 'tensor' 3 x 'context' 1 x 'pipeline' 1 x 'data' 1 are 3 GPUs, of 4 (all of them). Choose "
          "factors of 4, or place 3 ranks?");
    CHECK(refusal({{"tensor", "3"}}, 3) ==
          "training-step: 8 heads cannot be divided by 3 ('tensor'). Choose a multiple?");
    CHECK(refusal({{"pipeline", "3"}, {"batch", "15"}}, 3) ==
          "training-step: 8 layers cannot be divided by 3 ('pipeline'). Choose a multiple?");
    CHECK(
        refusal({}, 3) ==
        "training-step: 16 sequences of 'batch' cannot be divided by 3 (data-parallel pipelines). Choose a multiple?");
    CHECK(refusal({{"schedule", "interleaved"}}, 2) ==
          "training-step: 'schedule' is interleaved, but 'pipeline' is 1 (2 at least). Choose 1f1b?");
    CHECK(refusal({{"schedule", "interleaved"}, {"pipeline", "2"}, {"micro-batch", "16"}}, 2) ==
          "training-step: 1 micro-batches cannot be divided by 2 ('pipeline', as 'schedule' is interleaved). Choose a "
          "multiple?");
    CHECK(refusal({{"expert", "2"}}, 2) ==
          "training-step: 'expert' is 2, but there are no experts ('experts' is 0). Remove it?");
    CHECK(refusal({{"experts", "1"}}, 1) ==
          "training-step: 'experts-per-token' is 2, of 1 experts (at most as many). Choose 1?");
    CHECK(refusal({{"kv-heads", "9"}}, 1) == "training-step: 'kv-heads' is 9, of 8 heads (at most as many). Choose 8?");
    CHECK(refusal({{"gradient-stream", "true"}}, 3) ==
          "training-step: 3 ranks with 'gradient-stream' (two to a GPU: layout {gpus: 8, per-gpu: 2}). Add one?");
  }

  TEST_CASE("A gradient stream shares its GPU and no ranks share one without it") {
    const auto on = [](bool stream, std::uint32_t per_gpu) -> std::string {
      Layout layout;
      for (std::uint32_t r = 0; r < 4; ++r)
        layout.placements.push_back({.host = HostId{r / per_gpu}, .gpu = true, .socket_of_node = r / per_gpu});
      try {
        const Words words = step_of({{"gradient-stream", stream ? "true" : "false"}});
        static_cast<void>(
            kernels()
                .at("training-step", "test")
                .make({.parameters = kernel_parameters("training-step", words), .ranks = 4, .layout = &layout}));
      } catch (const InputError& error) {
        return error.what();
      }
      return "";
    };
    CHECK(on(true, 2).empty());
    CHECK(on(false, 1).empty());
    CHECK(on(true, 1) ==
          "training-step: 'gradient-stream' is true, but ranks 0 and 1 are on two GPUs (of two ranks of a GPU one "
          "computes and one sums gradients). Write 'per-gpu: 2' in the layout?");
    CHECK(on(false, 2) ==
          "training-step: ranks 0 and 1 share a GPU, and 'gradient-stream' is false (each rank is a GPU of its own). "
          "Set 'gradient-stream: true', or 'per-gpu: 1' in the layout?");
  }
}
