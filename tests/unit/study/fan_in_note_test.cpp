#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

/// Of a gather whose root takes what 7 ranks send, at two sizes.
std::vector<std::string> notes_on_the_buffer(const std::string& platform_changes) {
  const std::string text = "source: test\nplatform: {name: " + std::string(ORRERY_SOURCE_DIR) +
                           "/platforms/fermi.yaml" + platform_changes +
                           "}\nnetwork: ethernet\nengine: flow\nlayout: {ranks: 8, per-node: 1}\n"
                           "kernel: {name: collective, operation: gather, algorithm: ompi_basic_linear}\n"
                           "sweep: {kernel.message: [1KiB, 4KiB]}\n";
  const Scenario scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
  auto notes = study::run_scenario(scenario, {.jobs = 1, .progress = false}).result.notes;
  std::erase_if(notes, [](const std::string& note) { return note.find("receive-buffer") == std::string::npos; });
  return notes;
}

}  // namespace

TEST_SUITE("app/fan-in") {
  TEST_CASE("A run says once where eager messages overflowed a port and of which point") {
    const auto notes = notes_on_the_buffer(", networks: {ethernet: {receive-buffer: 4KiB}}");
    REQUIRE(notes.size() == 1);
    CAPTURE(notes[0]);
    CHECK(notes[0].starts_with("the incoming NIC of xeon12-0 had eager messages of 7 senders under way to it at "));
    CHECK(notes[0].find(" us, 28 KiB in all: more than its 'receive-buffer' of 4 KiB. A real switch drops or stalls "
                        "messages there, and fluid sharing does neither: the time may be too short (worst of all "
                        "points: message 4KiB)") != std::string::npos);
  }

  TEST_CASE("A run whose platform states no buffer says nothing of it") { CHECK(notes_on_the_buffer("").empty()); }
}
