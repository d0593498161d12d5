#include "sim/core/setting_quantity.hpp"
#include "sim/show/summary/numeric_settings.hpp"

#include <doctest/doctest.h>

#include "sample_result.hpp"
#include "sim/show/result/json.hpp"
#include "sim/show/tables/csv.hpp"

namespace orrery::show {

namespace {

std::vector<std::string> columns_of(const std::vector<SettingValues>& settings) {
  std::vector<std::string> columns;
  for (const auto& setting : numeric_settings(settings)) columns.push_back(setting.column);
  return columns;
}

}  // namespace

TEST_SUITE("report/numeric_settings") {
  TEST_CASE("A setting whose values all have units of one dimension gets a column that ends in its unit") {
    CHECK(columns_of({{"kernel.message", {"64B", "16KiB", "4 MiB"}},
                      {"platform.networks.fabric.bandwidth", {"100Gbps", "12.5GB/s"}},
                      {"platform.networks.fabric.latency", {"1us", ""}},
                      {"platform.node-types.cpu.core-speed", {"40Gflop/s"}},
                      {"partition.accuracy", {"2.5%", "10%"}}}) ==
          std::vector<std::string>{"kernel.message_B", "platform.networks.fabric.bandwidth_B_per_s",
                                   "platform.networks.fabric.latency_s",
                                   "platform.node-types.cpu.core-speed_flop_per_s", "partition.accuracy_fraction"});
  }

  TEST_CASE("Plain numbers and words and mixtures of dimensions get no second column") {
    CHECK(columns_of({{"kernel.blocks", {"64", "128"}},
                      {"network", {"infiniband"}},
                      {"mixed", {"64B", "2us"}},
                      {"some", {"0", "5%"}},
                      {"none", {""}}})
              .empty());
  }

  TEST_CASE("Quantities are read in SI units") {
    CHECK(quantity_of("64KiB") == 65536.0);
    CHECK(quantity_of("2us") == 2e-6);
    CHECK(quantity_of("5%") == 0.05);
    CHECK(quantity_of("100Gbps") == 12.5e9);
    CHECK_FALSE(quantity_of("128"));
    CHECK_FALSE(quantity_of("M10"));
  }

  TEST_CASE("The CSV tables and result.json have the numbers beside the words") {
    ScenarioResult result;
    for (const char* message : {"64B", "8KiB"}) {
      PointResult point;
      point.id = "p";
      point.settings = {{"network", "infiniband"}, {"kernel.message", message}};
      point.run.collectives = {
          {Operation::bcast, "", "ring", 4, Bytes(64), 1, Seconds(1.0), Seconds(1.0), Seconds(0.0), 3, 1}};
      result.points.push_back(point);
    }
    for (const std::string& text : {to_csv(result), collectives_csv(result)}) {
      CHECK(text.starts_with("point,setting.network,setting.kernel.message,setting.kernel.message_B,"));
      CHECK(text.find("\np,infiniband,8KiB,8192,") != std::string::npos);
    }
    CHECK(to_json(result).find(R"("quantities":{"kernel.message_B":8192.0})") != std::string::npos);
  }
}

}  // namespace orrery::show
