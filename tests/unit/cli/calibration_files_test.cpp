#include "sim/cli/pages/calibration_files.hpp"

#include <doctest/doctest.h>

#include "models/taulop/calibration.hpp"
#include "sim/cli/pages/model_page.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

ModelParameters taulop(const Platform& platform) {
  ModelParameters parameters{
      .model = "taulop", .platform = platform.name, .network = "wire", .origin = "hand", .tables = {}};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    auto table = test::table("channel", platform, pair, {"message_B", "overhead_s", "L1_s", "L2_s", "L3_s"},
                             {64, 5e-7, 1e-8, 2e-8, 3e-8});
    table.labels["tau_measured"] = "2";
    parameters.tables.push_back(table);
  }
  return parameters;
}

}  // namespace

TEST_SUITE("app/calibration_files") {
  TEST_CASE("Text tables of TauLop lie in a folder per type of node and name RDMA networks IB") {
    Platform platform = test::two_types();
    const auto files = cli::taulop_text_tables(taulop(platform), platform, platform.networks[0]);
    REQUIRE(files.size() == 4);
    CHECK(files[0].first == "big/SHM.txt");
    CHECK(files[1].first == "small/SHM.txt");
    CHECK(files[2].first == "big/IB.txt");
    CHECK(files[0].second ==
          "#m\t1\n#tau\t3\n#shared-memory big, seconds, measured by hand; tau beyond 2 extrapolated\n"
          "#m\to(m)\tL(m,1)\tL(m,2)\tL(m,3)\n64\t5e-07\t1e-08\t2e-08\t3e-08\n");
    platform.networks[0].protocol.copies = {1, 1};
    platform.node_counts = {2, 0};
    const auto one = cli::taulop_text_tables(taulop(platform), platform, platform.networks[0]);
    REQUIRE(one.size() == 2);
    CHECK(one[1].first == "TCP.txt");
  }
  TEST_CASE("A calibration notes extrapolated concurrency and negative transfers") {
    const Platform platform = test::two_types(2, 0);
    auto parameters = taulop(platform);
    parameters.tables[1].rows[0][2] = -1e-9;
    const auto notes = cli::calibration_notes({parameters});
    REQUIRE(notes.size() == 3);
    CHECK(notes[0] ==
          "taulop: shared-memory big: measured up to 2 transmissions at once (one core each); 3 to 3 are extrapolated");
    CHECK(notes[2] ==
          "taulop: network big: 1 value below 0: the copies at the ends alone take longer than the whole transmission, "
          "so they overlap with it; the model's T is still what was measured");
  }
  TEST_CASE("Curves of a calibration are one drawing with a chart per table or model") {
    const Platform platform = test::two_types();
    ModelParameters hockney{.model = "hockney", .platform = "p", .network = "wire", .origin = "hand", .tables = {}};
    for (const auto& pair : channel_pairs(platform, platform.networks.front()))
      hockney.tables.push_back(test::table("pair", platform, pair,
                                           {"alpha_s", "beta_s_per_B", "message_min_B", "message_max_B"},
                                           {1e-6, 1e-9, 1, 4096}));
    const auto* entry = &models().at("hockney", "test");
    const std::string svg = cli::calibration_svg({entry, entry}, {hockney, taulop(platform)}, platform,
                                                   {.sizes = {1_B, 4096_B}}, {"hand", {}});
    std::size_t charts = 0;
    for (auto at = svg.find(">message (B)<"); at != std::string::npos; at = svg.find(">message (B)<", at + 1)) ++charts;
    CHECK(charts == 1 + 5);
    CHECK(svg.find("hockney: one message alone") != std::string::npos);
    CHECK(svg.find("tau-Lop: transfer time L(m, tau), network big,small") != std::string::npos);
  }
  TEST_CASE("The page of a model shows its formula its parameters what it assumes and its source") {
    const std::string page = cli::model_page(models().at("loggp", "test"));
    CHECK(page.starts_with("loggp: one latency, overhead, gap and gap per byte for the whole cluster\n\nT(m) = o + "));
    CHECK(page.find("overhead_s            s    o, at each end") != std::string::npos);
    CHECK(page.find("Assumes\n  - all nodes and channels are alike") != std::string::npos);
    CHECK(page.find("Source: Alexandrov, Ionescu, Schauser & Scheiman, SPAA 1995") != std::string::npos);
  }
}
