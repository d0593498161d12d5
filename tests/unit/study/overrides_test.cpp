#include "sim/study/read/overrides.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

const char* const file_text = "network: infiniband\nkernel: {name: summa, blocks: 64}\nlayout: {table: t, row: M1}\n";

/// The paths of the axes that a sweep over network and layout.row keeps, with their numbers of values.
std::string axes_after(const std::vector<std::string>& overrides) {
  const auto sweep = config::parse_yaml("network: [infiniband, ethernet]\nlayout.row: [M1, M2, M3]\n", "sweep");
  std::vector<Axis> axes;
  for (const auto& [path, value] : sweep.root().items()) axes.push_back({path, value.list()});
  const auto document = apply_overrides(config::parse_yaml(file_text, "s.yaml"), overrides);
  std::string text;
  for (const auto& axis : apply_overrides(axes, document, overrides))
    text += axis.path + ":" + std::to_string(axis.values.size()) + " ";
  return text;
}

}  // namespace

TEST_SUITE("scenario/overrides") {
  TEST_CASE("A value set on the command line takes the axis of its name out of the sweep") {
    CHECK(axes_after({}) == "network:2 layout.row:3 ");
    CHECK(axes_after({"network=ethernet"}) == "layout.row:3 ");
    CHECK(axes_after({"network=ethernet", "layout.row=M7"}).empty());
  }

  TEST_CASE("A list set on the command line replaces an axis of the sweep or makes one") {
    CHECK(axes_after({"layout.row=[M1, M2]"}) == "network:2 layout.row:2 ");
    CHECK(axes_after({"kernel.blocks=[64, 128, 256]"}) == "network:2 layout.row:3 kernel.blocks:3 ");
    CHECK(axes_after({"models=[hockney, loggp]"}) == "network:2 layout.row:3 ");
  }

  TEST_CASE("A value set on the command line that the sweep would overwrite is refused with the axis to set instead") {
    CHECK_THROWS_WITH_AS(
        axes_after({"layout={table: t, row: M9}"}),
        "--set layout: 'layout.row' is a sweep axis and would overwrite this value (only the whole axis "
        "can be set). Write --set 'layout.row=...'?",
        InputError);
    CHECK(axes_after({"layout={table: t, row: M9}", "layout.row=M9"}) == "network:2 ");
  }

  TEST_CASE("A sweep of more points than the limit is refused with their number before any is made") {
    std::string values = "0";
    for (int i = 1; i < 400; ++i) values += "," + std::to_string(i);
    const auto axes_of = [](const std::string& text) { return read_sweep(config::parse_yaml(text, "s.yaml").root()); };
    const std::string two = "sweep: {kernel.a: [" + values + "], kernel.b: [" + values + "]";
    CHECK_THROWS_WITH_AS(refuse_too_many_points(axes_of(two + "}\n")),
                         "s.yaml:1:20: the sweep has 400 x 400 = 160000 points (at most 100000). Shorten an axis, or "
                         "write several scenarios?",
                         InputError);
    CHECK_NOTHROW(refuse_too_many_points(
        axes_of("sweep: {kernel.a: [" + values + "], kernel.b: [" + values.substr(0, values.find(",250")) + "]}\n")));
    CHECK_NOTHROW(refuse_too_many_points({}));
  }

  TEST_CASE("An override with an empty list or no value is refused instead of leaving no points") {
    CHECK_THROWS_WITH_AS(axes_after({"kernel=[]"}), "--set kernel: axis 'kernel' is empty. List its values?",
                         InputError);
    CHECK_THROWS_WITH_AS(axes_after({"network=[]"}), "--set network: axis 'network' is empty. List its values?",
                         InputError);
    CHECK_THROWS_WITH_AS(axes_after({"network="}), "--set network: '' is no value. Write '--set network=...'?",
                         InputError);
    CHECK_THROWS_WITH_AS(axes_after({"network=null"}), "--set network: 'null' is no value. Write '--set network=...'?",
                         InputError);
  }

  TEST_CASE("A key that is none of a scenario's own is refused with the path that it may have") {
    const auto refusal = [](const std::string& override) {
      try {
        apply_overrides(config::parse_yaml(file_text, "s.yaml"), {override});
      } catch (const InputError& error) {
        return std::string(error.what());
      }
      return std::string();
    };
    CHECK(refusal("taper=1") ==
          "--set taper: a scenario has no 'taper' of its own (paths name what it is of). Write '--set "
          "platform.networks.infiniband.topology.taper=1'?");
    CHECK(refusal("blocks=128") ==
          "--set blocks: a scenario has no 'blocks' of its own (paths name what it is of). Write '--set "
          "kernel.blocks=128'?");
    CHECK(refusal("per-node=4") ==
          "--set per-node: a scenario has no 'per-node' of its own (paths name what it is of). Write '--set "
          "layout.per-node=4'?");
    CHECK(refusal("colour=red").empty());  // nothing is called so: the reader lists what a scenario has
  }

  TEST_CASE("An override without a value is refused with an example") {
    CHECK_THROWS_WITH_AS(axes_after({"network"}), "--set: 'network' is not 'name=value'. Write '--set network=...'?",
                         InputError);
  }
}
