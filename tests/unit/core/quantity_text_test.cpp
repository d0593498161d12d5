#include "sim/core/quantity_text.hpp"

#include <doctest/doctest.h>

#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

TEST_SUITE("core/quantity text") {
  TEST_CASE("Every dimension reads its units into SI") {
    CHECK(*parse_quantity("1.3us", Dimension::time).si == near(1.3e-6));
    CHECK(*parse_quantity("100Gbps", Dimension::bandwidth).si == 12.5e9);
    CHECK(*parse_quantity("12.5 GB/s", Dimension::bandwidth).si == 12.5e9);
    CHECK(*parse_quantity("32KiB", Dimension::data).si == 32768.0);
    CHECK(*parse_quantity("10.6Gflop/s", Dimension::speed).si == 10.6e9);
    CHECK(*parse_quantity("0.5", Dimension::scalar).si == 0.5);
  }
  TEST_CASE("A number without a unit that is far too great or small for the usual one is taken in the plain unit") {
    const auto proposed = [](const char* text, Dimension dimension) {
      const std::string problem = parse_quantity(text, dimension).problem.text();
      return problem.substr(problem.find("Write"));
    };
    CHECK(proposed("1e9", Dimension::speed) == "Write '1e9flop/s'?");
    CHECK(proposed("2", Dimension::speed) == "Write '2Gflop/s'?");
    CHECK(proposed("12500000000", Dimension::bandwidth) == "Write '12500000000B/s'?");
    CHECK(proposed("100", Dimension::bandwidth) == "Write '100Gbps' or '100GB/s'?");
    CHECK(proposed("2e-6", Dimension::time) == "Write '2e-6s'?");
    CHECK(proposed("0", Dimension::time) == "Write '0us'?");
    CHECK(proposed("1e-10", Dimension::time_per_byte) == "Write '1e-10s/B'?");
  }

  TEST_CASE("A latency without a unit is refused with a remedy") {
    CHECK(parse_quantity("1.2", Dimension::time).problem.text() ==
          "without a unit (ns, us, ms, s, min, h). Write '1.2us'?");
  }
  TEST_CASE("An unknown unit is refused with the nearest known one") {
    CHECK(parse_quantity("12Gbit", Dimension::bandwidth).problem.text() ==
          "with unknown unit 'Gbit' (B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bps, kbps, Mbps, Gbps, Tbps). "
          "Write '12Gbps'?");
  }
  TEST_CASE("A shorthand for several units is refused with each of them") {
    const auto remedy = [](const char* text, Dimension dimension) {
      const std::string problem = parse_quantity(text, dimension).problem.text();
      return problem.substr(problem.rfind("Write"));
    };
    CHECK(parse_quantity("1G", Dimension::data).problem.text() ==
          "with unknown unit 'G' (B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, PB, EB). Write '1GiB' or '1GB'?");
    CHECK(remedy("64k", Dimension::data) == "Write '64KiB' or '64kB'?");
    CHECK(remedy("10Gb/s", Dimension::bandwidth) == "Write '10Gbps' or '10GB/s'?");
    CHECK(remedy("10G", Dimension::bandwidth) == "Write '10GB/s' or '10GiB/s' or '10Gbps'?");
    CHECK(remedy("200Gpbs", Dimension::bandwidth) == "Write '200Gbps'?");
    CHECK(remedy("2G", Dimension::speed) == "Write '2Gflop/s'?");
    CHECK(remedy("5m", Dimension::time) == "Write '5ms' or '5min'?");
    CHECK(remedy("5US", Dimension::time) == "Write '5us'?");
    CHECK(remedy("100gbps", Dimension::bandwidth) == "Write '100Gbps'?");
    CHECK(remedy("200gbit", Dimension::bandwidth) == "Write '200Gbps'?");
    CHECK(remedy("4GB/s", Dimension::time_per_byte) == "Write '0.25ns/B'?");
    CHECK(remedy("5parsec", Dimension::time) == "Write for example '1.5us'?");
    CHECK(remedy("700w", Dimension::power) == "Write '700W'?");
  }
  TEST_CASE("What is suggested lies inside the range") {
    const auto remedy = [](const char* text, Dimension dimension, const ValueRange& range) {
      return parse_quantity(text, dimension, range).problem.remedy;
    };
    CHECK(remedy("-3", Dimension::power, {0.0, 1e9}) == "Write for example '1.5W'?");
    CHECK(remedy("-3", Dimension::power, {-1e9, 1e9}) == "Write '-3W'?");
    CHECK(remedy("5", Dimension::time, {10.0, 20.0}) == "Write for example '10s'?");
    CHECK(remedy("2GB", Dimension::scalar, {1.0, 64.0, true}) == "Write for example '1'?");
    CHECK(remedy("50%", Dimension::scalar, {0.0, 1.0}) == "Write '0.5'?");
    CHECK(remedy("400", Dimension::bandwidth, {0.0, 1e11}) == "Write '400Gbps'?");
    CHECK(parse_quantity("5ms", Dimension::time, {10.0, 20.0}).si.has_value());  // the caller refuses it
  }
  TEST_CASE("Both letters for micro are read") {
    CHECK(*parse_quantity("5\u00b5s", Dimension::time).si == *parse_quantity("5us", Dimension::time).si);
    CHECK(*parse_quantity("5 \u03bcs", Dimension::time).si == *parse_quantity("5us", Dimension::time).si);
  }
  TEST_CASE("Words and infinities are not numbers") {
    CHECK_FALSE(parse_quantity("fast", Dimension::bandwidth).si);
    CHECK_FALSE(parse_quantity("inf", Dimension::scalar).si);
    CHECK_FALSE(parse_quantity("nan", Dimension::scalar).si);
    CHECK_FALSE(parse_quantity("", Dimension::time).si);
    CHECK_FALSE(parse_quantity("1e308GB/s", Dimension::bandwidth).si);  // in B/s infinite
    CHECK(parse_quantity("1e308GB/s", Dimension::bandwidth).problem.text() ==
          "which is more than a number can hold. Write fewer digits?");
    CHECK(parse_quantity("1e299GB/s", Dimension::bandwidth).si);
  }
  TEST_CASE("Quantities print in their most readable unit") {
    CHECK(to_text(1.3_us) == "1.3 us");
    CHECK(to_text(64_KiB) == "64 KiB");
    CHECK(to_text(Bytes(1536)) == "1.5 KiB");
    CHECK(to_text(Bytes(1e6)) == "1 MB");  // a size that is none of the powers of two is said in decimals
    CHECK(to_text(Bytes(1448)) == "1.448 kB");
    CHECK(to_text(Bytes(1e18)) == "1 EB");
    CHECK(to_text(12.5_GBps) == "12.5 GB/s");
    CHECK(to_text(Seconds(0.0)) == "0 s");
    CHECK(to_text(Seconds(90.0)) == "90 s");
  }
}
