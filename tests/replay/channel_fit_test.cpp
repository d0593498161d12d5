// A network's properties found again in what its own simulation measured.
#include "models/channel/channel_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

#include "models/calibration_process.hpp"
#include "models/channel/inside_fit.hpp"
#include "platforms/loader.hpp"
#include "sim/cli/pages/fit_page.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/fit_campaign.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/calibration_platform.hpp"
#include "validation/commands/campaign.hpp"

using namespace orrery;
using test::Absolute;
using test::near;

namespace {

/// Two speeds behind a switch that stores and forwards; rendezvous from 64 KiB on. A core copies at this rate: within a
/// node, and what comes before its receive, which the benchmark of overheads cannot tell from one.
Platform cluster(double copies = 1e13) {
  Platform platform = test::two_types();
  for (auto& type : platform.node_types) {
    type.copy_bandwidth = type.memory_bandwidth = BytesPerSecond(copies);
    type.shared_memory.copies = {1, 0};
    type.shared_memory_latency = Seconds(5e-6);
    type.shared_memory.send_overhead = type.shared_memory.receive_overhead = PiecewiseLinear(10e-6);
    type.shared_memory.eager = type.shared_memory.detach = Bytes(1e9);
  }
  Network& network = platform.networks.front();
  network.bandwidth = BytesPerSecond(12.5e6);
  network.latency = Seconds(250e-6);
  network.nics.assign(4, {network.bandwidth, network.latency});
  for (const std::size_t node : {2u, 3u}) network.nics[node] = {BytesPerSecond(6.25e6), Seconds(400e-6)};
  ChannelProperties& protocol = network.protocol;
  protocol.discipline = Discipline::fifo;
  protocol.frame = Bytes(1448);
  protocol.frame_header = Bytes(90);
  protocol.acknowledgement = 0.03;
  protocol.send_overhead = protocol.isend_overhead = PiecewiseLinear(20e-6);
  protocol.receive_overhead = PiecewiseLinear(30e-6);
  protocol.handshake = 2;
  protocol.unexpected_copy = BytesPerSecond(1e13);
  return platform;
}

ChannelFit fit_of(const Platform& platform) {
  const Network& network = platform.networks.front();
  const auto measured = study::measure(channel_plan(platform, platform.networks.front(), cli::benchmark_sizes()),
                                       platform, network, {.engine = make_flow_engine});
  return fit_channel(platform, network, measured.series);
}

/// One node of four cores; messages from 8 KiB on have three times the latency.
Platform one_node(double memory) {
  Platform platform = test::two_types();
  platform.node_types.resize(1);
  platform.node_counts = {1};
  NodeType& type = platform.node_types.front();
  type.copy_bandwidth = BytesPerSecond(5e9);
  type.memory_bandwidth = BytesPerSecond(memory);
  type.shared_memory_latency = Seconds(4e-6);
  ChannelProperties& protocol = type.shared_memory;
  protocol.copies = {1, 0};
  protocol.send_overhead = protocol.isend_overhead = PiecewiseLinear(1e-6);
  protocol.receive_overhead = PiecewiseLinear(2e-6);
  protocol.eager = protocol.detach = Bytes(1e9);
  protocol.latency_factor = PiecewiseFactor({{0.0, 1.0}, {8192.0, 3.0}});
  return platform;
}

std::vector<Measurement> measured_on(const Platform& platform) {
  auto sizes = cli::benchmark_sizes();
  for (const double size : {1048576.0, 4194304.0}) sizes.emplace_back(size);
  return study::measure(inside_plan(platform, platform.networks.front(), sizes), platform, platform.networks.front(),
                        {.engine = make_flow_engine})
      .series;
}

}  // namespace

TEST_SUITE("replay/channel fit") {
  TEST_CASE("The fit finds the rates and latencies and overheads that a network was simulated with") {
    const ChannelFit fit = fit_of(cluster());
    REQUIRE(fit.types.size() == 2);
    CHECK(fit.types[0].bandwidth.si() == near(12.5e6, 1e-3));
    CHECK(fit.types[1].bandwidth.si() == near(6.25e6, 1e-3));
    CHECK(fit.types[0].latency.si() == near(250e-6, 0.01));
    CHECK(fit.types[1].latency.si() == near(400e-6, 0.01));
    for (const auto& [m, time] : fit.send_overhead) CHECK(time.si() == near(20e-6, 0.01));
    for (const auto& [m, time] : fit.receive_overhead) CHECK(time.si() == near(30e-6, 0.01));
    for (const auto& [m, factor] : fit.latency_factor) CHECK(factor == near(1.0, 0.02));
  }

  TEST_CASE("The fit finds the threshold and the handshake and the frame and the acknowledgements") {
    const ChannelFit fit = fit_of(cluster());
    CHECK(fit.eager == 64_KiB);
    CHECK(fit.handshake == 2);
    CHECK(fit.frame.si() == near(1448.0, 0.1));
    CHECK(fit.acknowledgement == near(0.03, 0.35));  // which of two messages waits for which is not the fit's to know
  }

  TEST_CASE("Inside a node the fit finds overheads and the rate of the copy") {
    const ChannelFit fit = fit_of(cluster(1e9));
    REQUIRE(fit.shared_memory.size() == 2);
    CHECK(fit.shared_memory[0].latency.si() == near(5e-6, 0.05));
    CHECK(fit.shared_memory[0].send_overhead.si() == near(10e-6, 0.01));
    CHECK(fit.shared_memory[0].copy_bandwidth.si() == near(1e9, 0.02));
  }

  TEST_CASE("The fit finds the header of a message where the port paces a burst of single bytes") {
    Platform platform = cluster();
    ChannelProperties& protocol = platform.networks.front().protocol;
    protocol.send_overhead = protocol.isend_overhead = protocol.receive_overhead = PiecewiseLinear(2e-6);
    protocol.message_header = Bytes(26);
    for (auto& type : platform.node_types)  // what processors pace: a burst inside a node
      type.shared_memory.send_overhead = type.shared_memory.receive_overhead = PiecewiseLinear(2e-6);
    const Network& network = platform.networks.front();
    auto plan = channel_plan(platform, platform.networks.front(), cli::benchmark_sizes());
    std::ranges::move(process_plan(platform, network), std::back_inserter(plan));
    const auto measured = study::measure(plan, platform, network, {.engine = make_flow_engine});
    platform.networks.front().protocol.message_header = {};
    CHECK(fit_channel(platform, network, measured.series).message_header == Bytes(26));
    CHECK(fit_of(cluster()).message_header == Bytes(0));  // not measured there
  }

  TEST_CASE("Copies that wait for the memory of a node show in a ring of several at once") {
    Platform platform = cluster(1e9);
    const Network& network = platform.networks.front();
    for (auto& type : platform.node_types) type.memory_bandwidth = BytesPerSecond(1.5e9);
    auto plan = channel_plan(platform, platform.networks.front(), cli::benchmark_sizes());
    const auto node = cores_in_order(platform, {NodeId{0}, NodeId{0}, NodeId{0}, NodeId{0}});
    const ChannelPair inside{ChannelKind::shared_memory, 0, 0};
    plan.push_back({series_name("ring", platform, inside),
                    "ring",
                    {{"sizes", sizes_text(cli::benchmark_sizes())}, {"concurrency", "2,4"}, {"directions", "1"}},
                    node});
    const auto measured = study::measure(plan, platform, network, {.engine = make_flow_engine});
    const ChannelFit fit = fit_channel(platform, network, measured.series);
    CHECK(fit.shared_memory[0].copy_bandwidth.si() == near(1e9, 0.02));
    CHECK(fit.shared_memory[0].concurrency == 4);
    CHECK(fit.shared_memory[0].memory_bandwidth.si() == near(1.5e9, 0.02));
    CHECK(fit.shared_memory[1].memory_bandwidth == BytesPerSecond{});  // no ring was measured there
  }

  TEST_CASE("Work of the switch and lateness of starts are taken as they were measured") {
    const Platform platform = cluster();
    auto measured = study::measure(channel_plan(platform, platform.networks.front(), cli::benchmark_sizes()), platform,
                                   platform.networks.front(), {.engine = make_flow_engine})
                        .series;
    measured.push_back({.id = "forwarding", .times = {{Bytes(1), Seconds(40e-6)}}});
    measured.push_back({.id = "forwarding/burst=64", .times = {{Bytes(1), Seconds(12e-6)}}});
    measured.push_back({.id = "start-skew", .times = {{Bytes(0), Seconds(60e-6)}}});
    const ChannelFit fit = fit_channel(platform, platform.networks.front(), measured);
    CHECK(fit.forwarding == Seconds(40e-6));
    CHECK(fit.forwarding_next == Seconds(12e-6));
    CHECK(fit.start_skew == Seconds(60e-6));
  }
  TEST_CASE("A platform fitted to a campaign says what it was and is written with what was found") {
    Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/lab.yaml");
    Platform really = platform;
    really.networks.front().latency = Seconds(400e-6);
    really.networks.front().nics.assign(really.networks.front().nics.size(), {BytesPerSecond(12.5e6), Seconds(400e-6)});
    const auto measured = study::measure(channel_plan(really, really.networks.front(), cli::benchmark_sizes()), really,
                                         really.networks.front(), {.engine = make_flow_engine});
    const auto fit = study::fit_campaign(platform, platform.networks.front(), measured.series, "measured: here");
    const auto latency = std::ranges::find(fit.parameters, "latency", &study::FittedParameter::name);
    REQUIRE(latency != fit.parameters.end());
    CHECK(latency->before == "250 us");
    CHECK(*latency->before_si == near(250e-6));
    CHECK(*latency->fitted_si == near(400e-6, 0.02));
    const auto copies = std::ranges::find(fit.parameters, "protocol.copies", &study::FittedParameter::name);
    REQUIRE(copies != fit.parameters.end());
    CHECK(copies->before == "[1, 1]");
    CHECK_FALSE(fit.search.has_value());
    CHECK(fit.points.size() == cli::benchmark_sizes().size());
    const Platform written = load_platform(config::parse_yaml(fit.file_text, "fitted.yaml"), "fitted.yaml");
    CHECK(written.networks.front().latency.si() == near(*latency->fitted_si, 1e-5));
    CHECK(written.networks.front().protocol.eager == 64_KiB);
    CHECK(fit.file_text.find("source: \"measured: here\"") != std::string::npos);
    // The same table and JSON as of a search, without what only that can say.
    const std::string text = cli::fit_text(fit), json = cli::fit_json(fit);
    CHECK(text.find("\nlatency ") != std::string::npos);
    CHECK(text.find("10 % larger") == std::string::npos);
    CHECK(text.find("points held out, one at a time, lie ") != std::string::npos);
    CHECK(text.find("\nfitted ") != std::string::npos);
    CHECK(json.find("\"parameter\": \"protocol.eager\"") != std::string::npos);
    CHECK(json.find("\"error\"") == std::string::npos);
  }

  TEST_CASE("A network without two nodes of one type cannot be fitted") {
    const Platform lonely = test::two_types(1, 1);
    CHECK_THROWS_WITH_AS(
        fit_channel(lonely, lonely.networks.front(), {}),
        "calibrate: no two nodes of one type are on network 'wire' of platform 'two-types'. Add a node?", InputError);
  }

  TEST_CASE("The inside of a node is found with its copies and its factor by size") {
    const Platform platform = one_node(1e13);
    const InsideFit fit = fit_inside(platform, platform.networks.front(), measured_on(platform));
    CHECK(fit.node.copy_bandwidth.si() == near(5e9, 0.02));
    CHECK(fit.node.send_overhead.si() == near(1e-6, 0.3));  // a send is a copy too
    CHECK((fit.node.latency + fit.node.send_overhead + fit.node.receive_overhead).si() == near(7e-6, 0.02));
    CHECK_FALSE(fit.overheads_cut);
    CHECK(fit.node.memory_bandwidth == BytesPerSecond{});
    CHECK(fit.node.concurrency == 4);
    for (const auto& [from, factor] : fit.latency_factor)
      if (from < Bytes(4096.0) || (from > Bytes(8192.0) && from < Bytes(1e5)))
        CHECK(factor == near(from < Bytes(4096.0) ? 1.0 : 3.0, 0.1));
  }

  TEST_CASE("Copies at once inside a node share what the memory carries") {
    const Platform platform = one_node(8e9);
    const InsideFit fit = fit_inside(platform, platform.networks.front(), measured_on(platform));
    CHECK(fit.node.memory_bandwidth.si() == near(8e9, 0.02));
  }

  TEST_CASE("Where each socket has its own memory the node has as much as what its first one shows times the sockets") {
    for (const std::uint32_t first : {2u, 3u}) {  // of the four copies at once
      Platform platform = one_node(9e9);
      NodeType& type = platform.node_types.front();
      type.sockets = 2;
      type.cores_per_socket = first;
      type.numa_domain = NumaDomain::socket;
      const InsideFit fit = fit_inside(platform, platform.networks.front(), measured_on(platform));
      CHECK(fit.node.concurrency == 4);
      CHECK(fit.node.memory_bandwidth.si() == near(9e9, 0.02));
    }
  }

  TEST_CASE("Overheads that are longer than a message are cut and the ping-pong is met") {
    const Platform platform = one_node(1e13);
    auto measured = measured_on(platform);
    for (auto& series : measured)
      if (series.id.ends_with("/receive")) series.times.front().second = Seconds(30e-6);
    const InsideFit fit = fit_inside(platform, platform.networks.front(), measured);
    CHECK(fit.overheads_cut);
    CHECK((fit.node.latency + fit.node.send_overhead + fit.node.receive_overhead).si() == near(7e-6, 0.02));
    CHECK(fit.node.latency.si() == near(0.7e-6, 0.02));
  }

  TEST_CASE("The inside of a node with one core cannot be fitted") {
    Platform platform = one_node(1e13);
    platform.node_types.front().sockets = platform.node_types.front().cores_per_socket = 1;
    CHECK_THROWS_WITH_AS(fit_inside(platform, platform.networks.front(), {}),
                         "calibrate: platform 'two-types' is not of one type of node with two cores or more, whose "
                         "inside is fitted alone. Leave one type?",
                         InputError);
  }
}
