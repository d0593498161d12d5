#include "sim/study/read/platform_changes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/study/read/overrides.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

const std::string fermi_file = ORRERY_SOURCE_DIR "/platforms/fermi.yaml";

PlatformSpec spec_of(const std::string& yaml) {
  return read_platform_spec(config::parse_yaml(yaml, "s.yaml").root().value("platform"));
}

Platform changed(const std::string& yaml) { return load_changed_platform(fermi_file, spec_of(yaml)); }

Scenario scenario_with(const std::vector<std::string>& overrides) {
  return parse_scenario(
      config::parse_yaml("source: x\nplatform: fermi\nnetwork: ethernet\nlayout: {ranks: 2}\nkernel: {name: ring}\n",
                         "s.yaml"),
      "s.yaml", overrides);
}

}  // namespace

TEST_SUITE("scenario/platform_changes") {
  TEST_CASE("A platform by name alone is the file as it is") {
    const auto platform = changed("platform: fermi");
    CHECK(platform.name == "fermi");
    CHECK(platform.network("ethernet", "test").bandwidth == BytesPerSecond(0.9415e9 / 8));
  }

  TEST_CASE("A changed parameter of a platform is in its name and is said to be assumed") {
    const auto platform = changed("platform: {name: fermi, networks: {ethernet: {bandwidth: 10Gbps}}}");
    CHECK(platform.name == "fermi with networks.ethernet.bandwidth=10Gbps");
    CHECK(platform.network("ethernet", "test").bandwidth == BytesPerSecond(10e9 / 8));
    const auto parameter =
        std::ranges::find(platform.provenance, "networks.ethernet.bandwidth", &Provenance::parameter);
    REQUIRE(parameter != platform.provenance.end());
    CHECK(parameter->source == "assumed: changed by the scenario");
  }

  TEST_CASE("A parameter that is a list is changed as a whole") {
    const auto platform =
        changed("platform: {name: fermi, networks: {ethernet: {topology: {kind: torus, dimensions: [4, 4]}}}}");
    CHECK(platform.name ==
          "fermi with networks.ethernet.topology.kind=torus, networks.ethernet.topology.dimensions=[4, 4]");
    CHECK(std::get<TorusTopology>(platform.network("ethernet", "test").topology).dimensions ==
          std::vector<std::uint32_t>{4, 4});
  }

  TEST_CASE("A change of what a platform does not have is refused with what it has") {
    CHECK_THROWS_WITH_AS(changed("platform: {name: fermi, networks: {ethernot: {bandwidth: 10Gbps}}}"),
                         "s.yaml:1:58: platform 'fermi' has no section 'networks.ethernot' (known: ethernet, "
                         "infiniband). Did you mean 'ethernet'?",
                         InputError);
  }

  TEST_CASE("Adapters of a type of nodes are set on a platform whose types are alike") {
    const Network network =
        changed("platform: {name: fermi, networks: {infiniband: {nic: {xeon8: {bandwidth: 10Gbps}}}}}")
            .network("infiniband", "test");
    CHECK(network.nic(NodeId{0}).bandwidth == network.bandwidth);
    CHECK(network.nic(NodeId{15}).bandwidth.si() == 1.25e9);
    CHECK_THROWS_WITH_AS(changed("platform: {name: fermi, node-types: {xeon9: {count: 2}}}"),
                         doctest::Contains("platform 'fermi' has no section 'node-types.xeon9' (known: xeon12, xeon8). "
                                           "Did you mean 'xeon"),
                         InputError);
  }

  TEST_CASE("Routing and striping and affinity are set on a platform that states none") {
    const Network network =
        changed(
            "platform: {name: fermi, networks: {infiniband: {adapters: 2, routing: {kind: split, paths: 3}, "
            "striping: {from: 1MiB, over: 2}, affinity: {socket-0: [1, 0]}}}}")
            .network("infiniband", "test");
    CHECK(network.routing.kind == Routing::Kind::split);
    CHECK(network.routing.paths == 3);
    CHECK(network.adapters.stripe_over == 2);
    CHECK(network.adapters.stripe_from == 1_MiB);
    CHECK(network.adapters.affinity.at(0).at(0) == std::vector<std::uint32_t>{1, 0});
  }

  TEST_CASE("A topology of another kind is refused where keys of the old one stay") {
    const auto spec =
        spec_of("platform: {name: ampere40, networks: {infiniband: {topology: {kind: torus, dimensions: [8, 5]}}}}");
    CHECK_THROWS_WITH_AS(
        load_changed_platform(ORRERY_SOURCE_DIR "/platforms/ampere40.yaml", spec),
        doctest::Contains("'down' is of kind fat-tree, and 'kind' is torus. Write a platform file with "
                          "'kind: torus' (a change leaves the file's other keys)?"),
        InputError);
  }

  TEST_CASE("What a changed network may not say is refused with the line of the scenario") {
    const auto refused = [](const std::string& network, const std::string& problem) {
      CHECK_THROWS_WITH_AS(changed("platform: {name: fermi, networks: {infiniband:\n  " + network + "}}"),
                           ("s.yaml:2:" + problem).c_str(), InputError);
    };
    refused("{routing: {kind: ecmp}}", "20: 'kind' is 'ecmp' (known: adaptive, deterministic, hash, split, valiant).");
    refused("{routing: hash}", "13: 'routing' is 'hash' (keys and values expected). Write for example '{kind: hash}'?");
    refused("{routing: {paths: 3}}", "21: 'routing' has no 'kind' (required). Add 'kind: ...'?");
    refused("{striping: {from: 1MiB, over: 2}}",
            "33: 'over' is 2, but a node of 'xeon12' has 1 adapter on network 'infiniband'. Stripe over adapters that "
            "'adapters' adds?");
    refused("{affinity: {socket-0: 1}}",
            "25: 'socket-0' is '1' but a node of 'xeon12' has one adapter on this network (number 0). Add 'adapters'?");
    refused("{topology: {kind: torus, dimensions: [2, 4]}}",
            "40: network 'infiniband' has 8 places, but the platform has 16 nodes (each needs a place). Enlarge its "
            "topology?");
    refused(
        "{adapters: 2, topology: {kind: fat-tree, down: [4, 4], up: [1, 2]}}",
        "50: network 'infiniband' has 16 places, but the platform has 32 adapters (each needs a place). Enlarge its "
        "topology, or use fewer adapters?");
    refused("{routin: {kind: hash}}",
            "19: platform 'fermi' has no section 'networks.infiniband.routin' (known: affinity, aggregation, nic, power, protocol, "
            "routing, "
            "striping, topology). Did you mean 'routing'?");
  }

  TEST_CASE("A sweep over whole sections names its points by what they say") {
    const std::string rails = "platform.networks.infiniband.";
    const auto values = [](const Scenario& scenario) {
      std::vector<std::string> texts;
      for (const auto& point : scenario.points) texts.push_back(point.settings.at(0).second);
      return texts;
    };
    using Texts = std::vector<std::string>;
    CHECK(values(scenario_with({rails + "routing.kind=[deterministic, hash]"})) == Texts{"deterministic", "hash"});
    CHECK(values(scenario_with({rails + "routing=[{}, {kind: hash}, {kind: adaptive, paths: 8}]"})) ==
          Texts{"{}", "hash", "adaptive paths=8"});
    CHECK(values(scenario_with({rails + "affinity=[{socket-0: [0, 1]}, {socket-0: [1, 0]}]"})) ==
          Texts{"socket-0=[0, 1]", "socket-0=[1, 0]"});
    CHECK(scenario_with({rails + "affinity.socket-0=[1, 0]"}).points.size() == 1);
  }

  TEST_CASE("A parameter of the platform is set on the command line as one of the scenario is") {
    const auto one = scenario_with({"platform.networks.ethernet.bandwidth=10Gbps"});
    REQUIRE(one.points.size() == 1);
    CHECK(one.points[0].platform.name == "fermi");
    CHECK(one.points[0].platform.label() == " with networks.ethernet.bandwidth=10Gbps");
    CHECK(one.points[0].flat.at("platform") == "fermi");
    const auto swept = scenario_with({"platform.networks.ethernet.bandwidth=[1Gbps, 10Gbps]"});
    REQUIRE(swept.points.size() == 2);
    CHECK(swept.points[1].settings == Settings{{"platform.networks.ethernet.bandwidth", "10Gbps"}});
    CHECK(swept.points[1].platform.label() == " with networks.ethernet.bandwidth=10Gbps");
  }

  TEST_CASE("A list is one value of a parameter that is a list and a list of lists sweeps over it") {
    const std::string path = "platform.networks.ethernet.topology.dimensions";
    CHECK(scenario_with({path + "=[4, 4]"}).points.size() == 1);
    const auto swept = scenario_with({path + "=[[4, 4], [2, 8], [16]]"});
    REQUIRE(swept.points.size() == 3);
    CHECK(swept.points[1].settings == Settings{{path, "[2, 8]"}});
    CHECK(swept.points[1].platform.label() == " with networks.ethernet.topology.dimensions=[2, 8]");
  }

  TEST_CASE("A change without the platform's name is refused") {
    CHECK_THROWS_WITH_AS(spec_of("platform: {networks: {ethernet: {bandwidth: 10Gbps}}}"),
                         "s.yaml:1:11: 'platform' has no 'name' (required). Add 'name: ...'?", InputError);
  }
}
