// Messages, bytes and work of HPL against closed forms: the matrix, its panels and its end.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>

#include "hpl_grid.hpp"
#include "kernels/hpl/steps.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using orrery::test::make_kernel;
using orrery::test::Words;
using test::near;
using namespace orrery::test::hpl;

TEST_SUITE("kernels/hpl") {
  TEST_CASE("Shares of HPL's matrix are those of dealing its blocks one by one") {
    for (std::uint32_t n = 0; n < 40; ++n)
      for (std::uint32_t processes = 1; processes < 7; ++processes) {
        const Grid grid{n, 4, processes, 1};
        std::uint32_t before = 0;
        for (std::uint32_t i = 0; i < processes; ++i) {
          CHECK(hpl::numroc(n, 4, i, processes) == grid.owned(0, n, i, processes));
          CHECK(hpl::numroc_before(n, 4, i, processes) == before);
          before += grid.owned(0, n, i, processes);
        }
        CHECK(before == n);
      }
  }

  TEST_CASE("HPL's columns from each panel on are those of dealing them one by one") {
    for (const Grid& grid : grids) {
      const auto parameters = test::kernel_parameters("hpl", grid.words());
      const hpl::Plan plan(parameters, grid.p * grid.q);
      for (std::uint32_t r = 0; r < grid.p * grid.q; ++r) {
        const hpl::GridPosition place(plan, Rank{r});
        CHECK(place.at(place.row, place.column) == Rank{r});
        for (std::uint32_t k = 0; k <= grid.panels(); ++k) {
          INFO("N=" << grid.n << " k=" << k);
          const std::uint32_t first = std::min(k * grid.nb, grid.n);
          CHECK(hpl::columns_from(place, k) == grid.owned(first, grid.n + 1, place.column, grid.q));
        }
      }
    }
  }

  TEST_CASE("HPL receives every message that it sends on any grid with any option") {
    const std::vector<Words> options{{{"bcast", "1ring"}, {"swap", "bin-exch"}},
                                     {{"bcast", "1ringM"}, {"swap", "long"}},
                                     {{"bcast", "2ring"}, {"swap", "mix"}, {"threshold", "6"}},
                                     {{"bcast", "2ringM"}, {"swap", "bin-exch"}, {"mapping", "column"}},
                                     {{"bcast", "long"}, {"swap", "mix"}},
                                     {{"bcast", "longM"}, {"swap", "long"}, {"collapse-pivots", "true"}}};
    for (const Grid& grid : grids)
      for (const Words& option : options)
        for (const char* depth : {"0", "1", "2", "5"}) {
          Words words = option;
          words.emplace_back("depth", depth);
          const auto program = grid.program(words);
          INFO(grid.p << " x " << grid.q << " N=" << grid.n << " depth " << depth << " " << option[0].second);
          const Recording recording = record(*program);
          CHECK(match_messages(recording, SendEnds::posted).defect == "");
          CHECK(match_messages(recording, SendEnds::received).defect == "");
        }
  }

  TEST_CASE("HPL exchanges pivots in P log2 P messages per column on a power of two") {
    for (const Grid& grid : grids) {
      if (!std::has_single_bit(grid.p)) continue;
      const double p = grid.p, stages = log2_of(grid.p);
      const Sum expected = over_panels(grid, [&](std::uint32_t k) {
        const double jb = grid.width(k);
        return Sum{jb * p * stages, jb * (p * stages * 8.0 * (jb + 4.0) + (p - 1.0) * 8.0 * jb)};
      });
      CHECK(messages(*grid.program(), hpl::pivot_tag) == expected);
      CHECK(messages(*grid.program({{"depth", "1"}}), hpl::pivot_tag) == expected);
    }
  }

  TEST_CASE("HPL's pivot exchange serves process rows beyond a power of two before and after") {
    for (const Grid& grid : grids) {
      if (std::has_single_bit(grid.p)) continue;
      const double power = std::bit_floor(grid.p), beyond = grid.p - power, stages = log2_of(std::bit_floor(grid.p));
      const Sum expected = over_panels(grid, [&](std::uint32_t k) {
        const double jb = grid.width(k), c = 8.0 * (jb + 4.0), row = 8.0 * jb;
        const double count = power * stages + 3.0 * beyond;
        return Sum{jb * count, jb * (power * stages * c + (power - 1.0) * row + 2.0 * beyond * c + beyond * row)};
      });
      CHECK(messages(*grid.program(), hpl::pivot_tag) == expected);
    }
  }

  TEST_CASE("Collapsed pivot exchanges of HPL stand for the same messages and bytes and work") {
    for (const Grid& grid : grids)
      for (const char* pfact : {"left", "crout", "right"}) {
        const auto each = grid.program({{"pfact", pfact}, {"rfact", "right"}});
        const auto collapsed = grid.program({{"pfact", pfact}, {"rfact", "right"}, {"collapse-pivots", "true"}});
        CHECK(messages(*collapsed, hpl::pivot_tag) == messages(*each, hpl::pivot_tag));
        const auto all = [](Work) { return true; };
        CHECK(flops(*collapsed, all) == near(flops(*each, all), 1e-12));
      }
  }

  TEST_CASE("HPL gathers two rows of a panel per column and scatters one where its diagonal block is") {
    const auto rows = [](const Program& program) {
      double sum = 0.0;
      for (const auto& steps : record(program).steps)
        for (const Step& step : steps)
          if (const auto* work = std::get_if<Compute>(&step); work != nullptr && work->work == Work::dlaswp02n)
            sum += work->shape[0];
      return sum;
    };
    const Grid one{96, 8, 1, 1}, four{96, 8, 4, 1};
    CHECK(rows(*one.program()) == 3.0 * 96.0);
    CHECK(rows(*one.program({{"copy-rows", "false"}})) == 0.0);
    // Swaps gather rows too; what the panels add is one candidate of every row with a part of the matrix, and two more.
    double expected = 0.0;
    for (std::uint32_t column = 0; column < 96; ++column) {
      expected += 2.0;
      for (std::uint32_t r = 0; r < 4; ++r) expected += four.owned(column, 96, r, 4) > 0;
    }
    CHECK(rows(*four.program()) - rows(*four.program({{"copy-rows", "false"}})) == expected);
    const Words collapsed{{"collapse-pivots", "true"}};
    CHECK(rows(*four.program(collapsed)) == rows(*four.program()));
  }

  TEST_CASE("HPL's back substitution sends each block up its column and its product to the next column") {
    for (const Grid& grid : grids) {
      const double blocks = grid.panels();
      CHECK(messages(*grid.program(), hpl::solution_tag).messages == (blocks - 1.0) * (grid.p - 1.0));
      CHECK(messages(*grid.program(), hpl::last_tag).messages == grid.p - 1.0);
      double partial = 0.0;
      for (std::uint32_t k = 1; grid.q > 1 && k < grid.panels(); ++k)
        partial += 8.0 * std::min(k * grid.nb, (grid.q - 1) * grid.nb);  // over all process rows
      CHECK(messages(*grid.program(), hpl::partial_tag).bytes == partial);
    }
  }

  TEST_CASE("HPL on one process does the operations that it reports") {
    const Grid grid{512, 32, 1, 1};
    const double n = grid.n, reported = 2.0 / 3.0 * n * n * n + 1.5 * n * n;
    for (const char* pfact : {"left", "crout", "right"})
      for (const char* rfact : {"left", "crout", "right"}) {
        const double done = flops(*grid.program({{"pfact", pfact}, {"rfact", rfact}}), [](Work) { return true; });
        CHECK(done == near(reported, 0.005));
      }
  }

  TEST_CASE("The processes of a column of HPL search each row below the diagonal once between them") {
    const auto searched = [](Work work) { return work == Work::idamax; };
    const double alone = flops(*Grid{64, 8, 1, 1}.program(), searched);
    CHECK(alone > 0.0);
    for (const std::uint32_t p : {2u, 3u, 4u, 8u})
      CHECK(flops(*Grid{64, 8, p, 1}.program(), searched) == near(alone, 1e-12));
  }

  TEST_CASE("HPL multiplies each block of what is left once on any grid and depth") {
    for (const Grid& grid : grids) {
      double expected = 0.0;
      for (std::uint32_t k = 0; k < grid.panels(); ++k) {
        const double jb = grid.width(k), left = grid.n - (k * grid.nb + jb);
        expected += 2.0 * jb * left * (left + 1.0);
      }
      for (const char* depth : {"0", "1", "3"}) {
        const auto program = grid.program({{"depth", depth}, {"nbmin", "64"}});  // no dgemm within panels
        CHECK(flops(*program, [](Work work) { return work == Work::dgemm; }) == near(expected));
      }
    }
  }

  TEST_CASE("A process of HPL passes a panel on as soon as it finds it") {
    const Grid grid{256, 16, 2, 4};
    const auto program = grid.program({{"depth", "1"}, {"swap", "bin-exch"}});
    // Rank 2 of the first process row has panel 1 (of column 1) from rank 1 and hands it to rank 3.
    const auto order_after = [&](std::uint32_t answers_no) {
      auto steps = program->steps(Rank{2});
      std::uint32_t products = 0, probes_seen = 0;
      while (const Step* step = steps.next()) {
        const auto* asked = std::get_if<Probe>(step);
        if (asked != nullptr && asked->tag == Tag{17}) *asked->found = probes_seen++ == answers_no;
        if (const auto* work = std::get_if<Compute>(step); work != nullptr && probes_seen > 0)
          products += work->work == Work::dgemm;
        if (const auto* sent = std::get_if<Send>(step); sent != nullptr && sent->tag == Tag{17}) {
          CHECK(sent->to == Rank{3});
          return products;
        }
      }
      return 1000u;
    };
    CHECK(order_after(0) == 0);    // before its swap
    CHECK(order_after(1) == 0);    // after packing
    CHECK(order_after(6) == 2);    // after two parts of its update
    CHECK(order_after(999) == 4);  // after all of it: 64 columns less those of panel 0
  }

  TEST_CASE("HPL refuses a grid that does not have the ranks of the run") {
    CHECK_THROWS_WITH_AS((make_kernel("hpl", {{"p", "3"}, {"q", "4"}}, 16)),
                         "hpl: a grid of 3 x 4 has 12 processes, the run has 16 ranks (they must agree). Set 'p' and "
                         "'q' to divisors of 16?",
                         InputError);
    CHECK_THROWS_WITH_AS((make_kernel("hpl", {{"p", "3"}}, 16)),
                         "hpl: a grid of 3 x 5 has 15 processes, the run has 16 ranks (they must agree). Set 'p' and "
                         "'q' to divisors of 16?",
                         InputError);
  }

  TEST_CASE("HPL makes its grid as square as the ranks allow") {
    const auto grid = [](std::uint32_t ranks) {
      const hpl::Plan plan(test::kernel_parameters("hpl", {}), ranks);
      return fmt::format("{} x {}", plan.p, plan.q);
    };
    CHECK(grid(1) == "1 x 1");
    CHECK(grid(12) == "3 x 4");
    CHECK(grid(13) == "1 x 13");
    CHECK(grid(1024) == "32 x 32");
  }

  TEST_CASE("The ranks of HPL hold the matrix and its right-hand side once between them") {
    const auto& hpl = kernels().at("hpl", "test");
    Parameters parameters(hpl.parameters);
    parameters.set("order", "1001", "test");
    parameters.set("block", "64", "test");
    const auto program = hpl.make({parameters, 6});
    Bytes held;
    for (std::uint32_t r = 0; r < 6; ++r) held += program->memory(Rank{r});
    CHECK(held == Bytes(8.0 * 1001 * 1002));
  }

  TEST_CASE("HPL states the Gflop/s that its own program prints for this order and wall time") {
    const auto& hpl = kernels().at("hpl", "test");
    Parameters parameters(hpl.parameters);
    parameters.set("order", "50000", "test");
    RunResult run;
    CHECK(hpl.metrics(parameters, run).empty());
    run.makespan = Seconds(6.5);
    const auto metrics = hpl.metrics(parameters, run);
    REQUIRE(metrics.size() == 1);
    CHECK(metrics[0].name == "Gflop/s");
    CHECK(metrics[0].unit == "Gflop/s");
    // 2/3 (5e4)^3 + 3/2 (5e4)^2 = 8.3333333333e13 + 3.75e9 flops
    CHECK(metrics[0].value == near((83333.333333333333 + 3.75) / 6.5));
  }
}
