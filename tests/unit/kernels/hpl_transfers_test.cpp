// How HPL passes panels along process rows and rows along process columns, against closed forms.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <map>

#include "hpl_grid.hpp"
#include "kernels/hpl/steps.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using namespace orrery::test::hpl;

TEST_SUITE("kernels/hpl") {
  TEST_CASE("HPL's ring broadcasts send each panel Q - 1 times along every process row") {
    for (const Grid& grid : grids)
      for (const char* ring : {"1ring", "1ringM", "2ring", "2ringM"})
        for (const char* depth : {"0", "1"}) {
          const Sum expected = over_panels(grid, [&](std::uint32_t k) {
            Sum sum;
            for (std::uint32_t r = 0; r < grid.p; ++r) sum.bytes += (grid.q - 1.0) * panel_bytes(grid, k, r);
            sum.messages = grid.p * (grid.q - 1.0);
            return sum;
          });
          CHECK(panel_messages(*grid.program({{"bcast", ring}, {"depth", depth}})) == expected);
        }
  }

  TEST_CASE("The hops of HPL's rings are those of its figures for eight processes") {
    const auto targets = [](hpl::Broadcast broadcast) {
      std::string text;
      for (std::uint32_t d = 0; d < 8; ++d) {
        const hpl::Hops ring = hpl::hops(broadcast, d, 8);
        for (std::uint32_t i = 0; i < ring.count; ++i) {
          text += fmt::format("{}{}>{}", text.empty() ? "" : " ", d, ring.targets[i]);
          CHECK(hpl::hops(broadcast, ring.targets[i], 8).source == d);
        }
      }
      return text;
    };
    CHECK(targets(hpl::Broadcast::ring) == "0>1 1>2 2>3 3>4 4>5 5>6 6>7");
    CHECK(targets(hpl::Broadcast::ring_modified) == "0>1 0>2 2>3 3>4 4>5 5>6 6>7");
    CHECK(targets(hpl::Broadcast::two_rings) == "0>1 0>4 1>2 2>3 4>5 5>6 6>7");
    CHECK(targets(hpl::Broadcast::two_rings_modified) == "0>1 0>2 0>4 2>3 4>5 5>6 6>7");
  }

  TEST_CASE("HPL's long broadcasts scatter each panel and roll its pieces through all who take part") {
    for (const Grid& grid : grids) {
      if (grid.q == 1) continue;
      const double q = grid.q, p = grid.p;
      CHECK(panel_messages(*grid.program({{"bcast", "long"}})).messages == grid.panels() * p * (q - 1.0) * (1.0 + q));
      const double modified = q == 2.0 ? 1.0 : 1.0 + (q - 2.0) + (q - 1.0) * (q - 2.0);
      CHECK(panel_messages(*grid.program({{"bcast", "longM"}})).messages == grid.panels() * p * modified);
    }
    // One process row: in the roll everybody gets all but its own piece, which is L over all; the scatter of
    // four equal pieces sends two and twice one.
    const Grid grid{16, 4, 1, 4};
    double expected = 0.0;
    for (std::uint32_t k = 0; k < grid.panels(); ++k) {
      const double total = panel_bytes(grid, k, 0), piece = 8.0 * std::floor(total / 8.0 / 4.0);
      const double last = total - 3.0 * piece;
      expected += 3.0 * total + (piece + last) + piece + last;
    }
    CHECK(panel_messages(*grid.program({{"bcast", "long"}})).bytes == expected);
  }

  TEST_CASE("HPL's binary exchange carries U to each process row once and twice beyond a power of two") {
    for (const Grid& grid : grids) {
      if (grid.p == 1) continue;
      const std::uint32_t beyond = grid.p - std::bit_floor(grid.p);
      double us = 0.0, found = 0.0, rows = 0.0;
      std::map<double, double> u_sizes;  // bytes of U -> how many are due
      for (std::uint32_t k = 0; k < grid.panels(); ++k)
        for (std::uint32_t c = 0; c < grid.q; ++c)
          if (const double n = grid.to_update(k, c); n > 0.0) {
            us += grid.p - 1.0 + beyond;
            u_sizes[8.0 * grid.width(k) * n] += grid.p - 1.0 + beyond;
          }
      const auto program = grid.program({{"swap", "bin-exch"}});
      for (const auto& steps : record(*program).steps)
        for (const Step& step : steps)
          if (const auto* sent = std::get_if<Send>(&step); sent != nullptr && sent->tag == hpl::swap_tag)
            found += 1.0, rows += sent->message.si();
      double u_bytes = 0.0;
      for (const auto& [bytes, count] : u_sizes) u_bytes += bytes * count;
      INFO(grid.p << " x " << grid.q);
      CHECK(found >= us);
      CHECK(rows >= u_bytes);
      // W: at most one message for each of the other halves of the P log2 P exchanges, of at most jb rows.
      const double exchanges = std::bit_floor(grid.p) * log2_of(std::bit_floor(grid.p)) + 3.0 * beyond;
      CHECK(found <= us / (grid.p - 1.0 + beyond) * exchanges);
    }
  }

  TEST_CASE("A group of process rows in HPL's swap holds the pivots expected of its rows") {
    const Grid grid{4096, 32, 8, 1};
    const hpl::Plan plan(test::kernel_parameters("hpl", grid.words({{"pivots", "expected"}})), 8);
    const hpl::GridPosition place(plan, Rank{0});
    const hpl::PivotRows pivots(place, hpl::Panel(place, 5));
    CHECK(pivots.in_group(0, 8) == 28);  // of 32 pivots 1/8 are expected where U already is
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d < 8; ++d) sum += pivots.in_group(d, 1);
    CHECK(sum == 28);
    CHECK(pivots.in_group(4, 4) == 16);
  }

  TEST_CASE("HPL's random pivots lie where their rows are and agree between processes and spread as even draws do") {
    const Grid grid{32768, 32, 6, 1};
    const hpl::Plan plan(test::kernel_parameters("hpl", grid.words()), 6);
    const auto other_seed = test::kernel_parameters("hpl", grid.words({{"pivot-seed", "2"}}));
    const hpl::Plan other(other_seed, 6);
    std::vector<double> sum(6), squares(6);
    double differ = 0.0;
    const std::uint32_t panels = grid.panels() / 2;  // the later half has fewer rows, and more draws come up twice
    for (std::uint32_t k = 0; k < panels; ++k) {
      const hpl::GridPosition place(plan, Rank{0}), elsewhere(plan, Rank{4}), seeded(other, Rank{0});
      const hpl::PivotRows pivots(place, hpl::Panel(place, k));
      const hpl::PivotRows same(elsewhere, hpl::Panel(elsewhere, k)), differing(seeded, hpl::Panel(seeded, k));
      CHECK(pivots.in_group(0, 4) ==
            pivots.at(0) + pivots.at(1) + pivots.at(2) + pivots.at(3) + pivots.at(4) + pivots.at(5));
      CHECK(pivots.at(0) == 0);
      for (std::uint32_t d = 0; d < 6; ++d) {
        CHECK(pivots.at(d) == same.at(d));
        differ += pivots.at(d) != differing.at(d);
        sum[d] += pivots.at(d);
        squares[d] += pivots.at(d) * pivots.at(d);
      }
    }
    CHECK(differ > panels);
    for (std::uint32_t d = 1; d < 6; ++d) {  // 32 draws, each in a sixth of the rows: variance 32 (1/6) (5/6)
      const double mean = sum[d] / panels, variance = squares[d] / panels - mean * mean;
      CHECK(mean == near(32.0 / 6.0, 0.05));
      CHECK(variance == near(32.0 * 5.0 / 36.0, 0.2));
    }
    // The last panel has no rows but its own.
    const hpl::GridPosition place(plan, Rank{0});
    CHECK(hpl::PivotRows(place, hpl::Panel(place, grid.panels() - 1)).in_group(0, 4) == 0);
  }

  TEST_CASE("HPL's spread-roll sends P - 1 pieces of U and rolls all but its own piece past each process row") {
    for (const Grid& grid : grids) {
      if (grid.p == 1 || grid.nb < grid.p || grid.n % grid.nb != 0) continue;  // every piece has a row
      Sum expected;
      double least_bytes = 0.0;
      for (std::uint32_t k = 0; k < grid.panels(); ++k)
        for (std::uint32_t c = 0; c < grid.q; ++c)
          if (const double n = grid.to_update(k, c); n > 0.0) {
            expected.messages += (grid.p - 1.0) * (grid.p + 1.0);
            least_bytes += (grid.p - 1.0) * 8.0 * grid.width(k) * n;  // the roll alone
          }
      const Sum found = messages(*grid.program({{"swap", "long"}}), hpl::swap_tag);
      CHECK(found.messages == expected.messages);
      CHECK(found.bytes > least_bytes);
      CHECK(found.bytes < least_bytes * (1.0 + std::log2(2.0 * grid.p)));
    }
  }

  TEST_CASE("HPL's mix rolls wide swaps and exchanges narrow ones") {
    const Grid grid{64, 8, 4, 2};
    const auto sum = [&](const char* swap, const char* threshold) {
      return messages(*grid.program({{"swap", swap}, {"threshold", threshold}}), hpl::swap_tag);
    };
    CHECK(sum("mix", "0") == sum("long", "64"));
    CHECK(sum("mix", "100") == sum("bin-exch", "64"));
    CHECK(sum("mix", "16").messages < sum("long", "64").messages);
    CHECK(sum("mix", "16").messages > sum("bin-exch", "64").messages);
  }
}
