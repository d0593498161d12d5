#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <variant>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/fft") {
  TEST_CASE("The six-step transform is three all-to-alls of blocks of 16 N over P squared") {
    for (const std::uint32_t p : {2u, 4u, 8u}) {
      const auto all = totals(*make_kernel("fft", {{"nx", "32"}, {"ny", "16"}, {"nz", "64"}, {"alltoall", "pair"}}, p));
      const double n = 32 * 16 * 64;
      CHECK(all.messages == 3 * p * (p - 1));
      for (const auto& [pair, bytes] : all.between) CHECK(bytes == 3 * 16 * n / p / p);
      for (const auto& [rank, bytes] : all.sent) CHECK(bytes == 3 * 16 * (n / p) * (1 - 1.0 / p));
      // 5 N log2 N, and two twiddle factors of 6 flops a point.
      CHECK(all.flops == near(5 * n * std::log2(n) + 12 * n));
    }
  }

  TEST_CASE("A power of two is split in sides as HPCC does") {
    // N = 2^10 on 8 ranks: log2 nz = max(3, 11 / 3) = 3, log2 nx = max(3, 8 / 2) = 4, log2 ny = 3.
    const auto program = make_kernel("fft", {{"log2-points", "10"}}, 8);
    const auto steps = record(*program).steps[3];
    std::vector<double> lengths;
    for (const Step& step : steps)
      if (const auto* work = std::get_if<Compute>(&step); work != nullptr && work->work == Work::fft)
        lengths.push_back(work->shape[0]);
    CHECK(lengths == std::vector<double>{8, 128});
    CHECK(totals(*program).bytes == 3 * 16 * 1024 * (1 - 1.0 / 8));
  }

  TEST_CASE("Slabs exchange once and once more unless the result stays transposed") {
    const Words sides{{"form", "slab"}, {"nx", "16"}, {"ny", "24"}, {"nz", "10"}};
    Words transposed = sides, real = sides;
    transposed.emplace_back("transposed", "true");
    real.emplace_back("data", "real");
    const double n = 16 * 24 * 10;
    const auto all = totals(*make_kernel("fft", sides, 4));
    CHECK(all.bytes == 2 * 16 * n * 3 / 4);
    CHECK(all.flops == near(5 * n * std::log2(n)));
    CHECK(totals(*make_kernel("fft", transposed, 4)).bytes == 16 * n * 3 / 4);
    CHECK(totals(*make_kernel("fft", real, 4)).bytes == 2 * 16 * (16.0 * 24 * 6) * 3 / 4);
  }

  TEST_CASE("Pencils exchange among the rows and then the columns of the grid of ranks") {
    const Words sides{{"form", "pencil"}, {"process-grid", "2x3"}, {"nx", "12"}, {"ny", "18"},
                      {"nz", "24"},       {"transposed", "true"}};
    const auto all = totals(*make_kernel("fft", sides, 6));
    const double n = 12 * 18 * 24, p = 6;
    CHECK(all.messages == 6 * 1 + 6 * 2);
    CHECK(all.between.at({0, 3}) == 16 * n / (p * 2));  // rank = p1 P2 + p2: 0 and 3 differ in p1
    CHECK(all.between.at({0, 1}) == 16 * n / (p * 3));
    CHECK_FALSE(all.between.contains({0, 4}));
    for (const auto& [rank, bytes] : all.sent)
      CHECK(bytes == near(16 * (n / p) * (1 - 0.5) + 16 * (n / p) * (1 - 1.0 / 3)));
    CHECK(all.flops == near(5 * n * std::log2(n)));
  }

  TEST_CASE("The inverse of a pencil transform sends and computes what the transform did") {
    Words words{{"form", "pencil"}, {"process-grid", "2x3"}, {"nx", "12"},           {"ny", "18"},
                {"nz", "24"},       {"data", "real"},        {"transposed", "true"}, {"alltoall", "pair"}};
    const auto there = totals(*make_kernel("fft", words, 6));
    words.emplace_back("back", "true");
    const auto both = totals(*make_kernel("fft", words, 6));
    CHECK(both.messages == 2 * there.messages);
    CHECK(both.bytes == 2 * there.bytes);
    CHECK(both.flops == near(2 * there.flops));
    // Seven of twelve points along x are kept: 12 real ones of 2.5 flops, then complex ones of 5.
    const double others = 18 * 24;
    CHECK(there.flops == near(2.5 * 12 * others * std::log2(12.0) + 5 * 7 * others * std::log2(others)));
  }

  TEST_CASE("Packing copies all points before each all-to-all of pencils and after it") {
    Words words{{"form", "pencil"}, {"process-grid", "2x2"}, {"nx", "8"},     {"ny", "8"},
                {"nz", "8"},        {"transposed", "true"},  {"back", "true"}};
    const auto bytes_of = [](const Words& all) {
      std::map<Work, double> bytes;
      for (const auto& steps : record(*make_kernel("fft", all, 4)).steps)
        for (const Step& step : steps)
          if (const auto* work = std::get_if<Compute>(&step)) bytes[work->work] += work->traffic.si();
      return bytes;
    };
    CHECK_FALSE(bytes_of(words).contains(Work::copy));
    const double sweep = 2 * 16 * 512.0;
    CHECK(bytes_of(words).at(Work::fft) == near(6 * sweep));
    words.emplace_back("packed", "true");
    CHECK(bytes_of(words).at(Work::copy) == near(8 * sweep));
    words.emplace_back("data", "real");  // five of eight points along x; transforms along x read or write real ones
    CHECK(bytes_of(words).at(Work::copy) == near(8 * sweep * 5 / 8));
    CHECK(bytes_of(words).at(Work::fft) == near(4 * sweep * 5 / 8 + 2 * sweep / 2));
  }

  TEST_CASE("Packed copies of the inverse are those of the transform in the other order") {
    const Words words{
        {"form", "pencil"}, {"process-grid", "3x2"}, {"weights", "1 2 3"}, {"nx", "12"},           {"ny", "10"},
        {"nz", "24"},       {"weights-2", "1 3"},    {"packed", "true"},   {"transposed", "true"}, {"back", "true"}};
    bool uneven = false;
    for (const auto& steps : record(*make_kernel("fft", words, 6)).steps) {
      std::vector<double> copied;
      for (const Step& step : steps)
        if (const auto* work = std::get_if<Compute>(&step); work != nullptr && work->work == Work::copy)
          copied.push_back(work->traffic.si());
      copied.resize(8);  // of the first transform: before and after each of four all-to-alls
      for (std::size_t i = 0; i < 4; ++i) CHECK(copied[i] == copied[7 - i]);
      uneven = uneven || copied[2] != copied[3];
    }
    CHECK(uneven);
  }

  TEST_CASE("All-to-alls of a transform copy between buffers where the platform says what that costs") {
    constexpr std::uint32_t p = 4;
    Layout layout;
    for (std::uint32_t r = 0; r < p; ++r)
      layout.placements.push_back({NodeId{r}, HostId{r}, 0, 1, false, 0, {.copy = true}});
    for (const char* form : {"six-step", "slab", "pencil"}) {
      KernelInput input{kernel_parameters("fft", {{"form", form}, {"nx", "16"}, {"ny", "16"}, {"nz", "16"}}), p};
      input.layout = &layout;
      const auto program = kernels().at("fft", "test").make(input);
      const auto recorded = record(*program);
      double copied = 0.0;
      for (const Step& step : recorded.steps[1])
        if (const auto* work = std::get_if<Compute>(&step); work != nullptr && work->work == Work::buffer_copy)
          copied += work->traffic.si();
      CAPTURE(form);
      CHECK(copied > 0.0);
      input.layout = nullptr;
      CHECK(totals(*kernels().at("fft", "test").make(input)).bytes == totals(*program).bytes);
    }
  }

  TEST_CASE("Unequal shares give each pair the points they have in common") {
    const auto all = totals(*make_kernel(
        "fft", {{"nx", "12"}, {"ny", "5"}, {"nz", "24"}, {"weights", "1 2 3"}, {"transposed", "true"}}, 3));
    // z: 4, 8, 12; x: 2, 4, 6. There from z to x, back from x to z.
    CHECK(all.between.at({0, 2}) == 16 * 5 * (4 * 6 + 2 * 12));
    CHECK(all.between.at({2, 1}) == 16 * 5 * (12 * 4 + 6 * 8));
    const double n = 12 * 5 * 24;
    CHECK(all.flops == near(5 * n * std::log2(n) + 12 * n));
    CHECK(all.computed.at(2) == near(3 * all.computed.at(0)));
  }

  TEST_CASE("A rank of a transform in slabs holds its planes twice") {
    const auto program =
        make_kernel("fft", {{"nx", "12"}, {"ny", "5"}, {"nz", "24"}, {"form", "slab"}, {"weights", "1 2 3"}}, 3);
    CHECK(program->memory(Rank{0}).si() == 2.0 * 16 * 2 * 5 * 24);
    CHECK(program->memory(Rank{2}).si() == 2.0 * 16 * 6 * 5 * 24);
  }

  TEST_CASE("Transforms that cannot be are refused") {
    CHECK_THROWS_WITH_AS(make_kernel("fft", {{"nx", "4"}}, 8),
                         "fft: 8 ranks share nx = 4 (no more ranks than planes in form 'six-step'). Enlarge 'nx'?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("fft", {{"data", "real"}}, 4),
                         "fft: 'data' is 'real' in form 'six-step' (slab and pencil know it). Choose 'slab'?",
                         InputError);
    CHECK_THROWS_WITH_AS(make_kernel("fft", {{"log2-points", "10"}}, 6),
                         "fft: 'log2-points' on 6 ranks (a power of two). Give 'nx', 'ny' and 'nz'?", InputError);
    CHECK_THROWS_WITH_AS(make_kernel("fft", {{"log2-points", "3"}}, 8),
                         "fft: 'log2-points' is 3 on 8 ranks (at least 6). Write '6'?", InputError);
    CHECK_THROWS_WITH_AS(make_kernel("fft", {{"weights-2", "1 1"}}, 2),
                         "fft: 'weights-2' cuts along P2 (form 'pencil' has it). Remove it?", InputError);
  }
}
