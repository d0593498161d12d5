#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/loader.hpp"
#include "platforms/simgrid_import.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/simgrid_files.hpp"

using namespace orrery;
using test::near;

namespace {

ImportedPlatform with(const std::string& properties, bool smpi_factors = false) {
  return parse_simgrid_xml(
      test::simgrid_file("<config>" + properties +
                         "</config>\n<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='1GBps' "
                         "lat='5us' loopback_bw='5GBps'/>\n"),
      "p.xml", {smpi_factors});
}
ChannelProperties protocol(const ImportedPlatform& imported) {
  INFO(imported.yaml);
  return load_platform(config::parse_yaml(imported.yaml, "p.yaml"), "p.yaml").networks.front().protocol;
}
std::string prop(const std::string& id, const std::string& value) {
  return "<prop id='" + id + "' value='" + value + "'/>";
}

}  // namespace

TEST_SUITE("platforms/simgrid protocol") {
  TEST_CASE("SMPI's factors are written when asked for and missed aloud when not") {
    const ChannelProperties channel = protocol(with("", true));
    CHECK(channel.latency_factor(Bytes(100.0)) == near(2.01467));
    CHECK(channel.latency_factor(Bytes(1000.0)) == near(1.9503));
    CHECK(channel.latency_factor(Bytes(65472.0)) == near(3.48845));  // SMPI's thresholds are exclusive
    CHECK(channel.latency_factor(Bytes(65473.0)) == near(11.6436));
    CHECK(channel.wire_efficiency(Bytes(1000.0)) == near(0.341987));
    CHECK(channel.wire_efficiency(Bytes(6000.0)) == near(1.0));  // 1.087 in SMPI
    const ImportedPlatform without = with("");
    CHECK(protocol(without).latency_factor(Bytes(100.0)) == near(1.0));
    CHECK(without.notes.front() ==
          "SMPI multiplies latencies by 1.6 to 11.6 and bandwidths by 0.34 to 1.09, by the size of the message: left "
          "out, so short messages take half of SMPI's time (import with --smpi-factors to have them, or give smpirun "
          "'--cfg=smpi/bw-factor:1 --cfg=smpi/lat-factor:1')");
  }

  TEST_CASE("A calibration in the file becomes the protocol") {
    const ImportedPlatform imported =
        with(prop("smpi/os", "0:1e-6:1e-9;1000:5e-6:0") + prop("smpi/or", "0:2e-6:0;500:0:2e-9") +
             prop("smpi/bw-factor", "1000:0.5;0:0.8") + prop("smpi/lat-factor", "3") +
             prop("smpi/send-is-detached-thresh", "4096") + prop("smpi/wtime", "1e-7"));
    const ChannelProperties channel = protocol(imported);
    CHECK(channel.send_overhead(Bytes(0.0)) == near(1e-6));
    CHECK(channel.send_overhead(Bytes(1000.0)) == near(2e-6));
    CHECK(channel.send_overhead(Bytes(1001.0)) == near(5e-6));
    CHECK(channel.isend_overhead(Bytes(1000.0)) == near(0.0));
    CHECK(channel.receive_overhead(Bytes(100.0)) == near(2e-6));
    CHECK(channel.receive_overhead(Bytes(10000.0)) == near(2e-5));
    CHECK(channel.wire_efficiency(Bytes(1000.0)) == near(0.8));
    CHECK(channel.wire_efficiency(Bytes(1001.0)) == near(0.5));
    CHECK(channel.latency_factor(Bytes(7.0)) == near(3.0));
    CHECK(channel.eager.si() == near(4096.0));
    CHECK(imported.notes == std::vector<std::string>{"1 x <config> 'smpi/wtime' is left out (a cost of SMPI: write it "
                                                     "into 'protocol' where that has a key for it) (first in line 4)"});
  }

  TEST_CASE("A calibration that cannot be read is refused with its line") {
    CHECK_THROWS_WITH_AS(with(prop("smpi/os", "0:fast")),
                         "p.xml:4: <config> smpi/os is '0:fast' ('size:offset:slope' joined by ';'). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(with(prop("smpi/bw-factor", "0:1:2")),
                         "p.xml:4: <config> smpi/bw-factor is '0:1:2' ('size:factor' joined by ';'). Correct it?",
                         InputError);
  }
}
