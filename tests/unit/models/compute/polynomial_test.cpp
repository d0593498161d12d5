#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("models/compute/polynomial") {
  TEST_CASE("Every term of the polynomial counts") {
    const auto model = compute_model("polynomial",
                                     "MNK_s,MMN_s,MN_s,MK_s,NK_s,M_s,N_s,K_s,one_s,flop_s,byte_s\n"
                                     "1,2,3,4,5,6,7,8,9,10,11\n");
    const Compute work{Work::dgemm, Flops(100), {2, 3, 5}, Bytes(1000)};
    const double terms = 1 * 30 + 2 * 12 + 3 * 6 + 4 * 10 + 5 * 15 + 6 * 2 + 7 * 3 + 8 * 5 + 9 + 10 * 100 + 11 * 1000;
    CHECK(seconds(*model, work, 1) == near(terms));      // the GPU: parameters of a whole GPU
    CHECK(seconds(*model, work, 0) == near(terms / 5));  // five cores
    CHECK(model->description() == "polynomial: coefficients of 'f.csv' for all work; other work at peak speed");
  }

  TEST_CASE("Kinds of work without coefficients run at peak speed") {
    const auto model = compute_model("polynomial", "work,MMN_s\ndtrsm,1e-9\n");
    CHECK(seconds(*model, {Work::dtrsm, Flops(7), {10, 20, 0}}, 2) == near(1e-9 * 10 * 10 * 20 / 3));
    CHECK(seconds(*model, {Work::dgemm, Flops(24e9), {}}, 2) == near(1.0));
    CHECK(model->description() == "polynomial: coefficients of 'f.csv' for dtrsm; other work at peak speed");
  }

  TEST_CASE("Without per-host every host of a type has the mean of the rows of its type") {
    const std::string csv = "type,node,work,MNK_s\nsmall,0,dgemm,1e-9\nsmall,1,dgemm,3e-9\nbig,,dgemm,9e-9\n";
    const Compute work{Work::dgemm, Flops(2e3), {10, 10, 10}};
    CHECK(seconds(*compute_model("polynomial", csv), work, 2) == near(3e-6 / 3));
    const auto mean = compute_model("polynomial", csv, {{"per-host", "false"}});
    CHECK(seconds(*mean, work, 2) == near(2e-6 / 3));
    CHECK(seconds(*mean, work, 1) == near(9e-6));
    CHECK(mean->description() ==
          "polynomial: 3 rows of 'f.csv' for dgemm, mean over the hosts of a type; other work at peak speed");
  }

  TEST_CASE("Two rows about the same work are refused and so is one without a coefficient") {
    CHECK_THROWS_WITH_AS(compute_model("polynomial", "work,MNK_s\ndgemm,1e-9\ndgemm,2e-9\n"),
                         "f.csv:3: is about the same ranks and work as f.csv:2 (one row for each). Remove one?",
                         InputError);
    CHECK_THROWS_WITH_AS(compute_model("polynomial", "work,MNK_s\ndgemm,\n"),
                         "f.csv:2: no coefficient (at least one of MNK_s, MN_s ... one_s, flop_s). Add 'flop_s'?",
                         InputError);
  }

  TEST_CASE("Terms of a standard deviation may be negative and their sum never is") {
    const Compute small{Work::dgemm, Flops(2), {1, 1, 1}}, large{Work::dgemm, Flops(2e3), {10, 10, 10}};
    const auto model = compute_model("polynomial", "one_s,MNK_sd_s,one_sd_s\n1,1e-3,-1e-2\n");
    CHECK(model->sampled_time(small, Rank{1}, 0) == Seconds(1.0));
    CHECK(model->sampled_time(small, Rank{1}, 1) == Seconds(1.0));
    CHECK(model->sampled_time(large, Rank{1}, 0) != model->sampled_time(large, Rank{1}, 1));
  }

  TEST_CASE("The parameters of Dahu with hot nodes know them and that narrow products take longer") {
    Platform platform = compute_platform();
    platform.node_types.resize(1);
    platform.node_types[0].gpus.clear();
    platform.node_counts = {32};
    Layout layout{"dahu", {}};
    for (std::uint32_t cpu = 0; cpu < 64; ++cpu)
      layout.placements.push_back(
          {.node = NodeId{cpu / 2}, .host = HostId{cpu}, .cores = 1, .gpu = false, .socket_of_node = cpu % 2});
    const auto& entry = compute_models().at("polynomial", "test");
    Parameters settings(compute_parameters(entry));
    settings.set("measured-spread", "false", "test");
    const auto per_product = [&](const char* file, std::uint32_t cpu, double n) {
      const DataTable table = config::read_csv(fmt::format(ORRERY_SOURCE_DIR "/platforms/compute/{}.csv", file));
      const auto model = make_compute_model(entry, {platform, layout, settings, &table});
      return seconds(*model, Compute{Work::dgemm, Flops(2.0 * 1500 * n * 128), {1500, n, 128}}, cpu) / (1500 * n * 128);
    };
    for (std::uint32_t cpu = 24; cpu < 32; ++cpu) CHECK(per_product("dahu-hot", cpu, 1500) > 7.4e-11);
    for (std::uint32_t cpu = 50; cpu < 64; ++cpu) CHECK(per_product("dahu-hot", cpu, 1500) < 7.4e-11);
    for (const char* file : {"dahu-hot", "dahu-2020"})
      for (const std::uint32_t cpu : {0u, 7u, 63u})
        CHECK(per_product(file, cpu, 128) > 1.03 * per_product(file, cpu, 1500));
    CHECK(per_product("dahu-2020", 30, 1500) < 7.6e-11);
  }

  TEST_CASE(
      "The shipped parameters of Dahu reach 27 Gflop per second and core on average with 3.4 percent between CPUs") {
    Platform platform = compute_platform();
    platform.node_types.resize(1);
    platform.node_types[0].gpus.clear();
    platform.node_counts = {32};
    Layout layout{"dahu", {}};
    for (std::uint32_t cpu = 0; cpu < 64; ++cpu)
      layout.placements.push_back(
          {.node = NodeId{cpu / 2}, .host = HostId{cpu}, .cores = 1, .gpu = false, .socket_of_node = cpu % 2});
    const DataTable table = config::read_csv(ORRERY_SOURCE_DIR "/platforms/compute/dahu.csv");
    const auto& entry = compute_models().at("polynomial", "test");
    Parameters settings(compute_parameters(entry));
    const auto model = make_compute_model(entry, {platform, layout, settings, &table});
    settings.set("measured-spread", "false", "test");
    const auto exact = make_compute_model(entry, {platform, layout, settings, &table});
    const Compute work{Work::dgemm, Flops(2.0 * 2048 * 2048 * 2048), {2048, 2048, 2048}};
    double sum = 0.0, squares = 0.0;
    for (std::uint32_t rank = 0; rank < 64; ++rank) {
      const double speed = work.flops.si() / seconds(*exact, work, rank) / 1e9;
      sum += speed;
      squares += speed * speed;
    }
    CHECK(sum / 64 == near(26.99, 0.005));
    CHECK(std::sqrt(squares / 64 - sum * sum / 64 / 64) / (sum / 64) == near(0.0338, 0.05));
    CHECK(seconds(*exact, {Work::dtrsm, Flops(1), {128, 1000, 0}}, 5) == near(5.4455e-11 * 128 * 128 * 1000));
    CHECK(model->description().ends_with("varies: spread as measured, seed 1, day 0"));
  }
}
