// What a training step overlaps and how it is divided unevenly: flops and bytes stay those of the step without.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "kernels/collectives/beside.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

// l, h, V, s of the model below; B sequences.
constexpr double l = 6, h = 64, V = 256, s = 32, B = 16, weights = l * 12.0 * h * h + 2.0 * V * h;
constexpr double layer = 24.0 * s * h * h + 4.0 * s * s * h, logits = 2.0 * s * h * V;

Words step_of(const Words& more) {
  Words words{{"layers", "6"},     {"hidden", "64"},       {"heads", "8"},
              {"sequence", "32"},  {"vocabulary", "256"},  {"batch", "16"},
              {"allreduce", "lr"}, {"allgather", "NTSLR"}, {"reduce-scatter", "ompi_ring"}};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Done {
  std::map<std::uint32_t, double> products;
  double all_products = 0.0, swept = 0.0;
  std::map<std::string, std::uint64_t> collectives;
  std::map<std::uint32_t, double> sent;  ///< by tag: 7 signals, 8 tensor, 11 gradients
};

Done done_by(const Words& more, std::uint32_t ranks) {
  Done done;
  const auto program = make_kernel("training-step", step_of(more), ranks);
  const Recording recording = record(*program);
  for (std::uint32_t rank = 0; rank < recording.ranks(); ++rank)
    for (const Step& step : recording.steps[rank]) {
      const auto* work = std::get_if<Compute>(&step);
      if (work == nullptr) continue;
      if (work->work == Work::dgemm) {
        REQUIRE(work->flops.si() == near(2.0 * work->shape[0] * work->shape[1] * work->shape[2]));
        done.products[rank] += work->flops.si();
        done.all_products += work->flops.si();
      } else {
        done.swept += work->traffic.si();
      }
    }
  const MatchedRun run = match_messages(recording, SendEnds::received);
  REQUIRE(run.defect == "");
  for (const auto& message : run.messages) done.sent[static_cast<std::uint32_t>(message.tag)] += message.size.si();
  return done;
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

TEST_SUITE("kernels/training-step/overlap") {
  TEST_CASE("Messages beside products leave the products as they are and gather the input once more backward") {
    const Words apart{{"tensor", "4"}, {"sequence-parallel", "true"}};
    Words beside = apart;
    beside.emplace_back("tensor-overlap", "true");
    const Done one = done_by(apart, 4), other = done_by(beside, 4);
    for (std::uint32_t rank = 0; rank < 4; ++rank) CHECK(other.products.at(rank) == near(one.products.at(rank)));
    const double a = s * h * 2.0;  // a gather or a scatter among four: three times a
    CHECK(other.sent.at(8) - one.sent.at(8) == near(B * l * 2.0 * 3.0 * a));
  }

  TEST_CASE("In FP8 gathers carry a byte a value and what is no product with weights takes twice as long") {
    const Words words{{"tensor", "4"}, {"sequence-parallel", "true"}, {"tensor-overlap", "true"}};
    Words fp8 = words;
    fp8.emplace_back("product-precision", "1B");
    const Done one = done_by(words, 4), other = done_by(fp8, 4);
    const double a = s * h * 2.0;
    // Six gathers a layer; those of embedding and logits stay.
    CHECK(one.sent.at(8) - other.sent.at(8) == near(B * l * 6.0 * 3.0 * a / 2.0));
    CHECK(other.all_products - one.all_products == near(3.0 * B * (l * 4.0 * s * s * h + logits)));
  }

  TEST_CASE("Under a causal mask scores take half") {
    CHECK(done_by({}, 2).all_products - done_by({{"causal", "true"}}, 2).all_products ==
          near(3.0 * B * l * 2.0 * s * s * h));
  }

  TEST_CASE("Embedding and loss as layers leave the first and the last chunk one layer less") {
    const Done done = done_by(
        {{"pipeline", "2"}, {"data", "1"}, {"schedule", "interleaved"}, {"chunks", "2"}, {"ends-as-layers", "true"}},
        2);
    CHECK(done.products.at(0) == near(3.0 * B * 3.0 * layer));
    CHECK(done.products.at(1) == near(3.0 * B * (3.0 * layer + logits)));
    const Done uneven = done_by({{"pipeline", "4"}, {"data", "1"}, {"ends-as-layers", "true"}}, 4);
    CHECK(uneven.products.at(0) == near(3.0 * B * layer));
    CHECK(uneven.products.at(1) == near(3.0 * B * 2.0 * layer));
    CHECK(uneven.products.at(3) == near(3.0 * B * (layer + logits)));
  }

  TEST_CASE("Weights are gathered in the passes or after them and no byte more is sent") {
    const Words words{{"pipeline", "2"}, {"sharded-optimizer", "true"}, {"gradient-stream", "true"}};
    Words passes = words;
    passes.emplace_back("gather-in-passes", "true");
    const Done after = done_by(words, 8), during = done_by(passes, 8);
    CHECK(after.sent.at(11) == near(weights * (4.0 + 2.0)));
    CHECK(during.sent.at(11) == near(after.sent.at(11)));
    Words fp8 = passes;
    fp8.emplace_back("product-precision", "1B");
    CHECK(done_by(fp8, 8).sent.at(11) == near(weights * (4.0 + 1.0)));
  }

  TEST_CASE("Deferred gradients of the logits take the same products and are summed as well") {
    for (const char* stream : {"false", "true"}) {
      const Words words{{"pipeline", "2"}, {"sharded-optimizer", "true"}, {"gradient-stream", stream}};
      const std::uint32_t ranks = stream[0] == 't' ? 8 : 4;
      Words deferred = words;
      deferred.emplace_back("deferred-micro-batches", "3");
      const Done at_once = done_by(words, ranks), later = done_by(deferred, ranks);
      CHECK(later.all_products == near(at_once.all_products));
      CHECK(later.sent.at(11) == near(at_once.sent.at(11)));
    }
  }

  TEST_CASE("What is no product is charged by the bytes that it reads and writes") {
    const Done without = done_by({}, 1), with = done_by({{"elementwise", "true"}}, 1);
    // Norms and sums: 2 (2 + 3) h a token; queries and keys turned: 4 h; activation: read and written, f = 4 h.
    const double forward = s * (2.0 * 5.0 * h + 4.0 * h + 2.0 * 4.0 * h) * 2.0;
    const double of_logits = 4.0 * s * V * 2.0;
    CHECK(with.all_products == near(without.all_products));
    CHECK(with.swept - without.swept == near(B * (3.0 * l * forward + of_logits) + weights * 2.0 * 4.0));
  }

  TEST_CASE("Parameters that rest on each other are refused alone") {
    CHECK(refusal({{"tensor-overlap", "true"}, {"tensor", "2"}}, 2) ==
          "training-step: 'tensor-overlap' overlaps gathers and scatters ('sequence-parallel' is false). Set "
          "'sequence-parallel'?");
    CHECK(refusal({{"tensor-overlap", "true"}, {"tensor", "2"}, {"sequence-parallel", "true"}, {"experts", "2"}}, 2) ==
          "training-step: 'tensor-overlap' knows one feed-forward for all tokens ('experts' is not 0). Remove one of "
          "the two?");
    CHECK(refusal({{"gather-in-passes", "true"}}, 2) ==
          "training-step: 'gather-in-passes' needs 'gradient-stream' and 'sharded-optimizer'. Set both?");
    CHECK(refusal({{"product-precision", "4B"}}, 1) ==
          "training-step: 'product-precision' is greater than 'precision' (of all that is no product with weights). "
          "Leave it out?");
    CHECK(refusal({{"product-precision", "0.01B"}}, 1) ==
          "training-step: 'product-precision' is less than half a byte a value (0B: that of 'precision'). Write '1B'?");
    CHECK(refusal({{"deferred-micro-batches", "1"}}, 1) ==
          "training-step: 'deferred-micro-batches' fills the bubble of a pipeline ('pipeline' is 1). Remove it?");
    CHECK(refusal({{"ends-as-layers", "true"}, {"pipeline", "3"}, {"data", "1"}}, 3) ==
          "training-step: 8 layers, embedding and loss among them, cannot be divided by 3 ('pipeline'). Choose a "
          "multiple?");
    CHECK(
        refusal({{"ends-as-layers", "true"}, {"pipeline", "8"}, {"data", "1"}}, 8) ==
        "training-step: 'ends-as-layers' leaves no layer to the first of 8 chunks (8 layers, embedding and loss among "
        "them; two to a chunk at least). Choose fewer?");
  }

  TEST_CASE("A collective whose steps are also products is no collective of a library") {
    CHECK(collectives::is_beside({.algorithm = collectives::ring_beside}));
    CHECK(collectives::is_beside({.algorithm = collectives::bulk_beside}));
    CHECK(!collectives::is_beside({.algorithm = "NTSLR"}));
  }
}
