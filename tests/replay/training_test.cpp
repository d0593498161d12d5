// Training steps beside closed forms: bubbles of pipelines, and what overlaps because the program lets it. Flops are
// seconds here; messages are what the cluster says.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "play.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::near;

namespace {

/// Messages take milliseconds beside stages of minutes, so much that their rounding is no time.
Cluster ideal(std::uint32_t ranks) {
  Cluster cluster = test::a_rank_per_node(ranks);
  cluster.network().bandwidth = BytesPerSecond{1e3};
  cluster.network().latency = Seconds{};
  return cluster;
}

test::Words words_of(const test::Words& more) {
  test::Words words{{"layers", "8"},     {"hidden", "2"},   {"heads", "2"},
                    {"vocabulary", "1"}, {"sequence", "2"}, {"batch", "8"}};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Of one layer and micro-batch, forward; and of the logits.
constexpr double s = 2, h = 2, layer = 24 * s * h * h + 4 * s * s * h, logits = 2 * s * h;

double forward_backward(const Cluster& cluster, const test::Words& more) {
  const auto program = test::make_kernel("training-step", words_of(more), cluster.layout.ranks());
  return test::play(cluster, *program).phase_time("forward-backward").si();
}

}  // namespace

TEST_SUITE("replay/training") {
  TEST_CASE("A pipeline that runs 1F1B waits for p - 1 micro-batches of its slowest stage") {
    // Stages are alike but for the logits of the last, 1 part in 28 of a layer: it is never idle once it has begun.
    for (const double p : {2.0, 4.0, 8.0}) {
      const auto ranks = static_cast<std::uint32_t>(p);
      const double stage = 3.0 * layer * 8.0 / p, m = 8.0;
      const double took = forward_backward(ideal(ranks), {{"pipeline", std::to_string(ranks)}});
      // Fill and drain: p - 1 stages forward and backward; between them the last stage, with its logits.
      // A message of s h elements of two bytes to each of them.
      const double messages = 2.0 * (p - 1.0) * 2.0 * s * h / 1e3;
      CHECK(took == near((p - 1.0) * stage + m * (stage + 3.0 * logits) + messages, 1e-9));
    }
  }

  TEST_CASE("Messages of tensor-parallel GPUs vanish behind the products beside them") {
    const test::Words apart{{"tensor", "2"}, {"sequence-parallel", "true"},   {"allreduce", "lr"},
                            {"data", "1"},   {"reduce-scatter", "ompi_ring"}, {"allgather", "NTSLR"}};
    test::Words beside = apart;
    beside.emplace_back("tensor-overlap", "true");
    const double products = 8.0 * 3.0 * (8.0 * layer + logits) / 2.0;
    // A gather or scatter sends half of s h values of two bytes: two at the embedding, two at the logits, where three
    // allreduces of s numbers of four bytes come to two messages of half of them each.
    const double one = s * h / 1e3, ends = 8.0 * (4.0 * one + 3.0 * 2.0 * s * 2.0 / 1e3);
    CHECK(forward_backward(ideal(2), beside) == near(products + ends, 1e-9));
    CHECK(forward_backward(ideal(2), apart) == near(products + ends + 8.0 * 8.0 * 8.0 * one, 1e-9));
  }

  TEST_CASE("The collectives of a training step are named by what is divided") {
    const Cluster cluster = ideal(8);
    const auto program =
        test::make_kernel("training-step", words_of({{"tensor", "2"}, {"experts", "2"}, {"expert", "2"}}), 8);
    std::set<std::string> names;
    for (const auto& record : test::play(cluster, *program).collectives) names.insert(record.name);
    CHECK(names == std::set<std::string>{"expert", "expert gradients", "gradients", "tensor"});
  }

  TEST_CASE("The bubble of an interleaved pipeline is a v-th of that of 1F1B") {
    for (const double v : {2.0, 4.0}) {
      const double p = 2.0, stage = 3.0 * layer * 4.0, m = 8.0;
      const double took = forward_backward(
          ideal(2), {{"pipeline", "2"}, {"schedule", "interleaved"}, {"chunks", std::to_string(static_cast<int>(v))}});
      const double without_logits = took - m * 3.0 * logits;
      CHECK(without_logits / (m * stage) - 1.0 == near((p - 1.0) / (v * m), 2e-2));
    }
  }

  TEST_CASE("Keys and values on their way take no time while scores are computed and all of it otherwise") {
    const double n = s / 2.0, keys = 2.0 * n * h * 2.0;
    const double computing = 8.0 * (3.0 * 8.0 * (24 * n * h * h + 4 * n * s * h) + 3.0 * 2.0 * n * h);
    Cluster cluster = test::a_rank_per_node(2);
    const double scores = 4.0 * n * n * h;
    cluster.network().latency = Seconds{0.5 * scores};
    cluster.network().bandwidth = BytesPerSecond{keys / (0.25 * scores)};
    // Forward and backward the keys are here before the scores against the block at hand are done. Gradients of the
    // first block travel while the second one is computed; those of the second go home, and that is waited for.
    const double home = 0.75 * scores;
    CHECK(forward_backward(cluster, {{"context", "2"}}) == near(computing + 8.0 * 8.0 * home, 1e-9));
  }

  TEST_CASE("A gradient stream hides all gradients but those of the first layer behind the backward pass") {
    const double forward = 8.0 * layer + logits, weights = 12.0 * h * h;
    for (const bool stream : {false, true}) {
      Cluster cluster(2);
      for (const std::uint32_t node : {0u, 1u})
        for (int i = 0; i < (stream ? 2 : 1); ++i) cluster.place({node});
      cluster.network().bandwidth = BytesPerSecond{4.0 * weights / (0.5 * layer)};  // a bucket: half a layer forward
      cluster.network().latency = Seconds{1e-3};
      const auto program = test::make_kernel(
          "training-step",
          words_of({{"batch", "2"}, {"allreduce", "rdb"}, {"gradient-stream", stream ? "true" : "false"}}),
          stream ? 4 : 2);
      const auto run = test::play(cluster, *program);
      const double bucket = 0.5 * layer + 1e-3, embedding = 0.5 * layer * h / weights;
      const double update = 12.0 * (8.0 * weights + 2.0 * h);
      const double exposed = stream ? bucket + embedding : 8.0 * bucket + 2.0 * embedding;
      const double signals = stream ? 2e-6 : 0.0;  // ready, done: through the node's memory
      CHECK(run.makespan.si() == near(3.0 * forward + exposed + signals + update, 1e-9));
    }
  }
}
