#include "models/taulop/parameters.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/core/error.hpp"
#include "tests/unit/models/taulop/support.hpp"

namespace orrery::test {

using namespace taulop;

namespace {

/// Two sizes, two concurrencies: T(m, 1) = 1 s at 10 B, 3 s at 20 B; twice that for two.
TransmissionTable small() { return {"small", {10_B, 20_B}, {{1_s, 3_s}, {2_s, 6_s}}}; }

ChannelTable channel(std::vector<Seconds> overhead, std::vector<std::vector<Seconds>> transfer) {
  return {"channel", {10_B, 20_B}, std::move(overhead), std::move(transfer)};
}

}  // namespace

TEST_SUITE("models/taulop/parameters") {
  TEST_CASE("A transmission time is interpolated linearly between the measured sizes") {
    CHECK(small().time(15_B, 1) == 2_s);
    CHECK(small().time(20_B, 2) == 6_s);
  }

  TEST_CASE("A message below the first measured size costs as much as the first") {
    CHECK(small().time(0_B, 1) == 1_s);
  }

  TEST_CASE("A message above the last measured size pays for the last and for the rest again") {
    CHECK(small().time(55_B, 1) == 3_s + 3_s + 2_s);
    CHECK(small().time(40_B, 1) == 6_s);
  }

  TEST_CASE("A transmission is its overhead and its transfers and the transfers have an inverse") {
    const TransmissionTable table{"t", {10_B, 20_B}, {{5_s, 9_s}}, {1_s, 3_s}};  // X = 4 s, 6 s
    CHECK(table.overhead(15_B) == 2_s);
    CHECK(table.overhead(5_B) == 1_s);
    CHECK(table.transfer_time(15_B, 1) == 5_s);
    CHECK(table.transfer_time(5_B, 1) == 2_s);  // in proportion below the first size
    CHECK(table.transfer_time(0_B, 1) == 0_s);
    CHECK(table.transfer_time(30_B, 1) == 6_s + 4_s);  // no second overhead above the last
    for (const auto m : {1_B, 5_B, 10_B, 13_B, 20_B, 25_B, 30_B, 47_B})
      CHECK(std::abs(table.transferred(table.transfer_time(m, 1), 1) / m - 1.0) < 1e-12);
    CHECK(table.without_overhead().time(20_B, 1) == 6_s);
    CHECK(table.without_overhead().overhead(20_B) == 0_s);
  }

  TEST_CASE("Transfers that fall in a measured row are levelled and free ones carry without bound") {
    const TransmissionTable falling{"t", {10_B, 20_B, 30_B}, {{5_s, 4_s, 6_s}}};
    CHECK(falling.time(20_B, 1) == 4_s);
    CHECK(falling.transfer_time(20_B, 1) == 5_s);
    CHECK(falling.transferred(5_s, 1) == 20_B);
    const TransmissionTable all_overhead{"t", {10_B}, {{1_s}}, {1_s}};
    CHECK(all_overhead.transfer_time(1000_B, 1) == 0_s);
    CHECK(all_overhead.transferred(0_s, 1) > Bytes(1e300));
  }

  TEST_CASE("More concurrent transfers than were measured cost as many as were measured") {
    CHECK(small().time(10_B, 9) == 2_s);
    CHECK(small().concurrency_max() == 2);
  }

  TEST_CASE("The bytes carried in a time invert the transmission time and round up") {
    CHECK(small().bytes(2_s, 1) == 15_B);
    CHECK(small().bytes(Seconds(2.01), 1) == 16_B);
    CHECK(small().bytes(8_s, 1) == 55_B);
  }

  TEST_CASE("A time below the least transmission carries one byte or none when it is 100 times shorter") {
    CHECK(small().bytes(Seconds(0.5), 1) == 1_B);
    CHECK(small().bytes(Seconds(0.009), 1) == 0_B);
  }

  TEST_CASE("Equation 1 of Rico-Gallego et al pays the overhead once and two transfers through memory") {
    CHECK(shared_memory_transmission(channel({1_s, 1_s}, {{2_s, 4_s}})).time(10_B, 1) == 5_s);
  }

  TEST_CASE("Equation 2 of Rico-Gallego et al adds a transfer through the memory of each end to the network's") {
    const auto shared = channel({9_s, 9_s}, {{1_s, 2_s}, {3_s, 6_s}});
    const auto network = channel({1_s, 1_s}, {{10_s, 20_s}, {20_s, 40_s}});
    const auto table = buffered_transmission(network, shared, shared);
    CHECK(table.time(10_B, 1) == 13_s);
    CHECK(table.time(20_B, 2) == 53_s);
  }

  TEST_CASE("Equation 3 of Rico-Gallego et al leaves memory out where the network reads and writes it directly") {
    CHECK(rdma_transmission(channel({1_s, 1_s}, {{10_s, 20_s}})).time(20_B, 1) == 21_s);
  }

  TEST_CASE("Memory measured at other sizes than the network is read on a straight line") {
    ChannelTable shared{"memory", {5_B, 25_B}, {0_s, 0_s}, {{1_s, 5_s}}};
    CHECK(buffered_transmission(channel({0_s, 0_s}, {{10_s, 20_s}}), shared, shared).time(10_B, 1) == 14_s);
  }

  TEST_CASE("A measured table that breaks the bounds of tau-Lop is reported and used") {
    const auto table = channel({1_s, 1_s}, {{1_s, 2_s}, {3_s, Seconds(-1)}});
    const auto found = bound_violations(table);
    REQUIRE(found.size() == 3);
    CHECK(found[0] == "channel: 1 values break L(m,tau) > 0, first L(20 B, 2) = -1 s; used as they are");
    CHECK(found[1] == "channel: 1 values break L(m,tau) >= L(m,1), first L(20 B, 2) = -1 s; used as they are");
    CHECK(found[2] == "channel: 1 values break L(m,tau) <= tau L(m,1), first L(10 B, 2) = 3 s; used as they are");
    CHECK(rdma_transmission(channel({1_s, 1_s}, {{1_s, 2_s}, {3_s, 1_s}})).time(10_B, 2) == 4_s);
  }

  TEST_CASE("The synthetic platforms keep the bounds of tau-Lop") {
    for (const auto* name : {"SHM", "IB", "TCP"}) CHECK(bound_violations(synthetic_channel(name, true)).empty());
  }

  TEST_CASE("A table whose longest message costs nothing is refused") {
    CHECK_THROWS_WITH_AS(TransmissionTable("net", {10_B}, {{0_s}}),
                         "net: a message of 10 B takes 0 s at tau = 1 (the last size needs more than 0 s)", InputError);
  }

  TEST_CASE("A table whose sizes do not ascend is refused") {
    CHECK_THROWS_WITH_AS(TransmissionTable("net", {10_B, 10_B}, {{1_s, 1_s}}),
                         "net: the message sizes do not ascend from a size above 0 B", InputError);
  }

  TEST_CASE("A table with a missing value is refused") {
    CHECK_THROWS_WITH_AS(
        rdma_transmission(channel({1_s}, {{1_s, 2_s}})),
        "channel: the table is not rectangular (each of its 2 sizes needs o and L(m,1)...L(m,K), K >= 1)", InputError);
    CHECK_THROWS_WITH_AS(TransmissionTable("net", {}, {}),
                         "net: the table is empty (it needs one size and one concurrency at least)", InputError);
    CHECK_THROWS_WITH_AS(TransmissionTable("net", {10_B}, {{1_s, 2_s}}), "net: 2 times for 1 message sizes at tau = 1",
                         InputError);
  }
}

}  // namespace orrery::test
