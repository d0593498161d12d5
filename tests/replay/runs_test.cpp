// Runs as wholes: same bits, names of engines, interruptions, errors (play.hpp).
#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/error.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/wire_format.hpp"

using namespace orrery;
using test::a_rank_per_node;
using test::Cluster;
using test::compute_for;
using test::play;

namespace {

constexpr double m = 1e6;

}  // namespace

TEST_SUITE("replay/runs") {
  TEST_CASE("Two runs of one program give the same bits") {
    Cluster cluster(3, 8);
    cluster.options.tight_precision = false;
    for (std::uint32_t i = 0; i < 24; ++i) cluster.place({i / 8});
    cluster.shared().copies = {1, 1};
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      for (std::uint32_t k = 0; k < 10; ++k) {
        co_yield compute_for(1e-4 * ((i * 7919 + k * 104729) % 97));
        for (std::uint32_t d = 1; d <= 3; ++d) {
          co_yield irecv(Rank{(i + 24 - d * 5) % 24}, Bytes{1e5 * d}, Tag{d}, RequestId{2 * d});
          co_yield isend(Rank{(i + d * 5) % 24}, Bytes{1e5 * d}, Tag{d}, RequestId{2 * d + 1});
        }
        co_yield wait_all();
      }
    };
    RunResult first = play(cluster, steps), second = play(cluster, steps);
    first.wall_s = second.wall_s = 0.0;
    CHECK(first.messages == 720);
    CHECK(engine::to_bytes(first) == engine::to_bytes(second));
  }

  TEST_CASE("The result names the engine and the options that change numbers") {
    Cluster cluster = a_rank_per_node(1);
    const auto steps = [](Rank) -> Generator<Step> { co_yield compute_for(1.0); };
    const std::string tight = play(cluster, steps).engine;
    cluster.options.tight_precision = false;
    const std::string usual = play(cluster, steps).engine;
    CHECK(tight == usual + (with_simgrid ? ", tight precision" : ""));  // the flow engine is always exact
    CHECK(usual.starts_with(with_simgrid ? "simgrid " : "flow"));
    CHECK(usual.find(',') == std::string::npos);
  }

  TEST_CASE("A run whose progress callback says no is interrupted") {
    Cluster cluster = a_rank_per_node(2);
    cluster.options.progress = [](double, std::uint64_t messages) { return messages < 100; };
    const auto endless = [](Rank me) -> Generator<Step> {
      const Rank other{1 - static_cast<std::uint32_t>(me)};
      while (true) {
        co_yield isend(other, Bytes{m}, Tag{0}, RequestId{0});
        co_yield recv(other, Bytes{m}, Tag{0});
        co_yield wait(RequestId{0});
      }
    };
    // The clock of the wall decides when the question is asked: how far the run was is not reproducible.
    CHECK_THROWS_WITH_AS(play(cluster, endless), doctest::Contains("interrupted: the simulation had reached t="),
                         Interrupted);
  }

  TEST_CASE("An error inside a program ends the run with that error") {
    const auto steps = [](Rank me) -> Generator<Step> {
      co_yield compute_for(1.0);
      if (me == Rank{1}) throw DomainError("kernel: 7 lies outside 1..6");
    };
    CHECK_THROWS_WITH_AS(play(a_rank_per_node(2), steps), "kernel: 7 lies outside 1..6", DomainError);
  }
}
