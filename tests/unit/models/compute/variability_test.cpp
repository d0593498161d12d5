#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr int draws = 200'000;

struct Moments {
  double mean = 0.0, deviation = 0.0, least = 1e300;
};

Moments moments(const ComputeModel& model, const Compute& work, std::uint32_t rank) {
  Moments result;
  double squares = 0.0;
  for (int i = 0; i < draws; ++i) {
    const double t = model.sampled_time(work, Rank{rank}, static_cast<std::uint64_t>(i)).si();
    result.mean += t / draws;
    squares += t * t / draws;
    result.least = std::min(result.least, t);
  }
  result.deviation = std::sqrt(squares - result.mean * result.mean);
  return result;
}

const Compute one_second{Work::dgemm, Flops(50e9), {}};

}  // namespace

TEST_SUITE("models/compute/variability") {
  TEST_CASE("Half-normal noise keeps the mean and the deviation and has a floor") {
    const auto model = compute_model("constant", "", {{"noise", "0.05"}});
    const Moments seen = moments(*model, one_second, 0);
    CHECK(seconds(*model, one_second, 0) == near(1.0, 1e-12));
    // Standard error of the mean 0.05 / sqrt(draws) = 1.1e-4, of the deviation about the same: five of them.
    CHECK(seen.mean == near(1.0, 6e-4));
    CHECK(seen.deviation == near(0.05, Absolute{6e-4}));
    const double floor = 1.0 - 0.05 * std::sqrt(2 / M_PI) / std::sqrt(1 - 2 / M_PI);
    CHECK(seen.least >= floor);
    CHECK(seen.least == near(floor, 1e-4));
    CHECK(model->description().ends_with("; varies: noise 0.05, seed 1, day 0"));
  }

  TEST_CASE("A step draws the same time whenever and in whatever order it is asked for") {
    const auto a = compute_model("constant", "", {{"noise", "0.1"}, {"seed", "7"}});
    const auto b = compute_model("constant", "", {{"noise", "0.1"}, {"seed", "7"}});
    std::vector<double> forth, back;
    for (std::uint64_t k = 0; k < 50; ++k) forth.push_back(a->sampled_time(one_second, Rank{2}, k).si());
    for (std::uint64_t k = 50; k-- > 0;) back.push_back(b->sampled_time(one_second, Rank{2}, k).si());
    std::ranges::reverse(back);
    CHECK(forth == back);
    CHECK(forth[0] != forth[1]);
    CHECK(forth[0] != 3 * a->sampled_time(one_second, Rank{0}, 0).si());
    const auto other = compute_model("constant", "", {{"noise", "0.1"}, {"seed", "8"}});
    CHECK(forth[0] != other->sampled_time(one_second, Rank{2}, 0).si());
  }

  TEST_CASE("Streams of ranks and successive steps are not correlated") {
    const auto model = compute_model("constant", "", {{"noise", "0.1"}});
    double ranks = 0.0, steps = 0.0;
    const auto deviation = [&](std::uint32_t rank, int k) {
      return (model->sampled_time(one_second, Rank{rank}, static_cast<std::uint64_t>(k)).si() /
                  seconds(*model, one_second, rank) -
              1.0) /
             0.1;
    };
    for (int k = 0; k < draws; ++k) {
      ranks += deviation(0, k) * deviation(2, k) / draws;
      steps += deviation(0, k) * deviation(0, k + 1) / draws;
    }
    CHECK(std::abs(ranks) < 5 / std::sqrt(draws));
    CHECK(std::abs(steps) < 5 / std::sqrt(draws));
  }

  TEST_CASE("Hosts differ with the stated spread and ranks of one host agree") {
    Layout layout{"many", {}};
    for (std::uint32_t rank = 0; rank < 20'000; ++rank)
      layout.placements.push_back({.host = HostId{rank / 2}, .cores = 1});
    const auto model = compute_model("constant", "", {{"host-spread", "0.04"}}, layout);
    double mean = 0.0, squares = 0.0;
    for (std::uint32_t rank = 0; rank < 20'000; rank += 2) {
      const double t = seconds(*model, one_second, rank) / 5.0;
      CHECK(t == seconds(*model, one_second, rank + 1) / 5.0);
      CHECK(t == model->sampled_time(one_second, Rank{rank}, 3).si() / 5.0);
      mean += t / 10'000;
      squares += t * t / 10'000;
    }
    CHECK(mean == near(1.0, 5 * 0.04 / 100));
    CHECK(std::sqrt(squares - mean * mean) == near(0.04, 0.05));
  }

  TEST_CASE("Another day changes good days and noise and leaves the spread between hosts") {
    const auto time = [&](const ComputeSettings& settings) {
      return seconds(*compute_model("constant", "", settings), one_second, 0);
    };
    CHECK(time({{"host-spread", "0.04"}}) == time({{"host-spread", "0.04"}, {"day", "3"}}));
    CHECK(time({{"day-spread", "0.04"}}) != time({{"day-spread", "0.04"}, {"day", "3"}}));
    const auto monday = compute_model("constant", "", {{"noise", "0.1"}});
    const auto tuesday = compute_model("constant", "", {{"noise", "0.1"}, {"day", "1"}});
    CHECK(monday->sampled_time(one_second, Rank{0}, 0) != tuesday->sampled_time(one_second, Rank{0}, 0));
  }

  TEST_CASE("Spread in the parameters applies before the stated one and can be switched off") {
    const std::string csv = "work,MNK_s,MNK_sd_s,one_sd_s,day_spread\ndgemm,1e-9,1e-10,2e-8,0.01\nfft,0,,,\n";
    const Compute gemm{Work::dgemm, Flops(2e3), {10, 10, 10}};  // 1 us, sigma 0.1 us + 0.02 us
    const auto model = compute_model("polynomial", csv, {{"noise", "0.5"}});
    const double mean = seconds(*model, gemm, 1);
    CHECK(mean != 1e-6);  // the day
    CHECK(mean == near(1e-6, 0.03));
    CHECK(moments(*model, gemm, 1).deviation == near(0.12 * mean, 0.01));
    const Compute other{Work::stencil, Flops(500e9), {}};  // not in the parameters: the stated noise
    CHECK(moments(*model, other, 1).deviation == near(0.5, 0.01));
    const auto quiet = compute_model("polynomial", csv, {{"measured-spread", "false"}});
    CHECK(quiet->sampled_time(gemm, Rank{1}, 5).si() == near(1e-6, 1e-12));
  }
}
