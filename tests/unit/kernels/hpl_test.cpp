// Messages, bytes and work of HPL against closed forms, with shares of the matrix counted one block at a time.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <bit>
#include <functional>
#include <map>

#include "kernels/hpl/steps.hpp"
#include "sim/core/error.hpp"
#include "sim/core/recorder.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using orrery::test::make_kernel;
using orrery::test::Words;
using test::near;

namespace {

struct Grid {
  std::uint32_t n, nb, p, q;

  Words words(const Words& more = {}) const {
    Words all{{"order", std::to_string(n)},
              {"block", std::to_string(nb)},
              {"p", std::to_string(p)},
              {"q", std::to_string(q)}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::unique_ptr<Program> program(const Words& more = {}) const { return make_kernel("hpl", words(more), p * q); }
  std::uint32_t panels() const { return (n + nb - 1) / nb; }
  std::uint32_t width(std::uint32_t k) const { return std::min(nb, n - k * nb); }
  /// Of columns (or rows) first .. last - 1, those that process i of `count` owns.
  std::uint32_t owned(std::uint32_t first, std::uint32_t last, std::uint32_t i, std::uint32_t count) const {
    std::uint32_t result = 0;
    for (std::uint32_t x = first; x < last; ++x) result += x / nb % count == i;
    return result;
  }
  /// Columns that process column c still has to update with panel k, the right-hand side among them.
  std::uint32_t to_update(std::uint32_t k, std::uint32_t c) const { return owned(k * nb + width(k), n + 1, c, q); }
};

const std::vector<Grid> grids{{29, 4, 1, 1}, {29, 4, 2, 2}, {29, 4, 4, 2}, {32, 4, 3, 4}, {40, 8, 5, 3},
                              {45, 8, 7, 1}, {37, 5, 1, 6}, {64, 8, 8, 3}, {50, 7, 6, 2}, {33, 4, 11, 2}};

struct Sum {
  double messages = 0.0, bytes = 0.0;
  bool operator==(const Sum&) const = default;
};

/// Messages of all ranks whose tag is in [from, to); trains count one by one.
Sum messages(const Program& program, Tag from, Tag to) {
  Sum sum;
  for (const auto& steps : record(program).steps)
    for (const Step& step : steps) {
      const Send* sent = std::get_if<Send>(&step);
      if (const auto* isend = std::get_if<Isend>(&step)) sent = &isend->send;
      if (sent == nullptr || sent->tag < from || sent->tag >= to) continue;
      sum.messages += sent->repeat;
      sum.bytes += sent->repeat * sent->message.si();
    }
  return sum;
}
Sum messages(const Program& program, Tag tag) {
  return messages(program, tag, Tag{static_cast<std::uint32_t>(tag) + 1});
}
Sum panel_messages(const Program& program) { return messages(program, Tag{16}, any_tag); }

double flops(const Program& program, const std::function<bool(Work)>& counts) {
  double sum = 0.0;
  for (const auto& steps : record(program).steps)
    for (const Step& step : steps)
      if (const auto* work = std::get_if<Compute>(&step))
        if (counts(work->work)) sum += work->flops.si();
  return sum;
}

double log2_of(std::uint32_t power) { return std::countr_zero(power); }

/// Sum over panels of what one panel costs.
Sum over_panels(const Grid& grid, const std::function<Sum(std::uint32_t k)>& of_panel) {
  Sum sum;
  for (std::uint32_t k = 0; k < grid.panels(); ++k) {
    const Sum one = of_panel(k);
    sum.messages += one.messages;
    sum.bytes += one.bytes;
  }
  return sum;
}

/// The bytes of one broadcast in process row r.
double panel_bytes(const Grid& grid, std::uint32_t k, std::uint32_t r) {
  const double jb = grid.width(k), below = grid.owned(k * grid.nb + grid.width(k), grid.n, r, grid.p);
  return 8.0 * (below * jb + jb * jb + jb + 1.0);
}

}  // namespace

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
        const hpl::Place place(plan, Rank{r});
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
    const hpl::Place place(plan, Rank{0});
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
      const hpl::Place place(plan, Rank{0}), elsewhere(plan, Rank{4}), seeded(other, Rank{0});
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
    const hpl::Place place(plan, Rank{0});
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
