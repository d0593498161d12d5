#include "sim/app/smpi_export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>

#include "platforms/routes.hpp"
#include "sim/config/files.hpp"
#include "sim/core/error.hpp"

namespace orrery::app {

namespace {

constexpr double host_speed = 1e9;                       // flop/s of every exported host
constexpr int any_source = -555, any_tag_number = -444;  // SMPI's MPI_ANY_SOURCE and MPI_ANY_TAG
constexpr std::uint32_t routed_nodes_max = 512;

int peer_number(Rank rank) { return rank == any_rank ? any_source : static_cast<int>(index(rank)); }
int tag_number(Tag tag) { return tag == any_tag ? any_tag_number : static_cast<int>(index(tag)); }

/// Writes the lines of one rank.
class TraceWriter {
 public:
  TraceWriter(const Program& program, Rank rank, const ComputeModel& compute)
      : program_(program), rank_(rank), compute_(compute) {}

  std::string write() {
    line("init");
    auto steps = program_.steps(rank_);
    while (const Step* step = steps.next()) std::visit([this](const auto& s) { write(s); }, *step);
    line("finalize");
    return std::move(text_);
  }

 private:
  struct Open {
    int from, to, tag;
  };
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), "{} ", index(rank_));
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  void require_world(Communicator communicator) const {
    if (communicator == world) return;
    throw InputError(
        fmt::format("smpi-ti: '{}' uses communicator {} (a point-to-point trace knows only the world). "
                    "Export another kernel?",
                    program_.name(), static_cast<std::uint32_t>(communicator)));
  }
  static long long bytes(Bytes m) { return std::llround(m.si()); }

  void write(const Compute& step) {
    line("compute {:.17g}", compute_.sampled_time(step, rank_, computes_++).si() * host_speed);
  }
  void write(const ComputeUntil& step) { write(step.compute); }
  void write(const Send& step) {
    if (step.repeat > 1)
      throw InputError(
          fmt::format("smpi-ti: '{}' sends trains of {} messages (a trace knows single ones). Export it "
                      "without collapsed exchanges?",
                      program_.name(), step.repeat));
    transfer("send", step.to, step.tag, step.message, step.communicator);
  }
  void write(const Recv& step) { transfer("recv", step.from, step.tag, step.message, step.communicator); }
  void write(const Isend& step) {
    transfer("isend", step.send.to, step.send.tag, step.send.message, step.send.communicator);
    open_[step.request] = {static_cast<int>(index(rank_)), peer_number(step.send.to), tag_number(step.send.tag)};
  }
  void write(const Irecv& step) {
    transfer("irecv", step.recv.from, step.recv.tag, step.recv.message, step.recv.communicator);
    open_[step.request] = {peer_number(step.recv.from), static_cast<int>(index(rank_)), tag_number(step.recv.tag)};
  }
  void write(const Wait& step) { wait_from(open_.find(step.request)); }
  void write(const WaitAll& step) {
    const auto first = open_.lower_bound(step.first);
    const bool to_the_end = step.count > ~static_cast<std::uint32_t>(step.first);
    const auto last =
        to_the_end ? open_.end() : open_.lower_bound(RequestId{static_cast<std::uint32_t>(step.first) + step.count});
    if (first == open_.begin() && last == open_.end()) {
      if (!open_.empty()) line("waitall {}", open_.size());
      open_.clear();
      return;
    }
    for (auto at = first; at != last;) wait_from(at++);
  }
  void write(const IdealBarrier&) { line("barrier"); }
  void write(const PhaseMark&) {}
  void write(const IterationMark&) {}
  void write(const StageMark&) {}
  void write(const Probe&) {}  // to a trace nothing was found

  void transfer(const char* call, Rank peer, Tag tag, Bytes m, Communicator communicator) {
    require_world(communicator);
    line("{} {} {} {}", call, peer_number(peer), tag_number(tag), bytes(m));
  }
  void wait_from(std::map<RequestId, Open>::iterator at) {
    if (at == open_.end()) return;
    line("wait {} {} {}", at->second.from, at->second.to, at->second.tag);
    open_.erase(at);
  }

  const Program& program_;
  Rank rank_;
  const ComputeModel& compute_;
  std::uint64_t computes_ = 0;  ///< as the engines count them
  std::string text_;
  std::map<RequestId, Open> open_;
};

/// SMPI's piecewise form: 'from:offset:slope' joined by ';'.
std::string smpi_function(const PiecewiseLinear& function) {
  const auto& points = function.points();
  if (points.empty()) return "0:0:0";
  std::string text = fmt::format("0:{:.17g}:0", points.front().second);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto& [x, y] = points[i];
    const bool last = i + 1 == points.size();
    const double slope = last ? function.slope_after() : (points[i + 1].second - y) / (points[i + 1].first - x);
    if (last && slope == 0.0 && i == 0) continue;
    text += fmt::format(";{:.17g}:{:.17g}:{:.17g}", x, y - slope * x, slope);
  }
  return text;
}

std::string star_xml(std::uint32_t nodes, const Network& network) {
  return fmt::format(
      "  <cluster id=\"cluster\" prefix=\"node-\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{:.17g}Bps\" "
      "lat=\"{:.17g}s\" sharing_policy=\"SPLITDUPLEX\"/>\n",
      nodes - 1, network.bandwidth.si(), network.latency.si() / 2.0);
}

std::string routed_xml(const Platform& platform, const Network& network) {
  if (platform.nodes() > routed_nodes_max)
    throw InputError(
        fmt::format("simgrid-xml: platform '{}' has {} nodes (at most {} unless the topology is a star: "
                    "each pair's route is written). Export a smaller platform?",
                    platform.name, platform.nodes(), routed_nodes_max));
  const auto routes = build_routes(platform, network);
  std::string text = "  <zone id=\"cluster\" routing=\"Full\">\n";
  for (std::uint32_t n = 0; n < platform.nodes(); ++n)
    text += fmt::format("    <host id=\"node-{}\" speed=\"1Gf\"/>\n", n);
  for (std::uint32_t id = 0; id < routes->links(); ++id) {
    const Link link = routes->link(LinkId{id});
    text += fmt::format("    <link id=\"{}\" bandwidth=\"{:.17g}Bps\" latency=\"{:.17g}s\"/>\n", id,
                        link.bandwidth.si(), link.latency.si());
  }
  for (std::uint32_t from = 0; from < platform.nodes(); ++from)
    for (std::uint32_t to = 0; to < platform.nodes(); ++to) {
      if (from == to) continue;
      text += fmt::format("    <route src=\"node-{}\" dst=\"node-{}\" symmetrical=\"NO\">", from, to);
      for (const LinkId id : routes->route(NodeId{from}, NodeId{to}))
        text += fmt::format("<link_ctn id=\"{}\"/>", index(id));
      text += "</route>\n";
    }
  return text + "  </zone>\n";
}

}  // namespace

std::string smpi_trace(const Program& program, Rank rank, const ComputeModel& compute) {
  return TraceWriter(program, rank, compute).write();
}

std::string simgrid_xml(const Platform& platform, const Network& network) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n" +
         (std::holds_alternative<StarTopology>(network.topology) ? star_xml(platform.nodes(), network)
                                                                 : routed_xml(platform, network)) +
         "</platform>\n";
}

std::string smpi_options(const Network& network) {
  const ChannelProperties& protocol = network.protocol;
  // Thresholds: SMPI compares with <, as we do, and takes integers.
  const auto threshold = [](Bytes m) { return static_cast<long long>(std::min(m.si(), 2147483647.0)); };
  return fmt::format(
      "--cfg=network/model:CM02 --cfg=network/weight-S:0 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e18 "
      "--cfg=network/latency-factor:1 --cfg=network/bandwidth-factor:1 "
      "--cfg=smpi/async-small-thresh:{} --cfg=smpi/send-is-detached-thresh:{} "
      "--cfg=smpi/os:\"{}\" --cfg=smpi/ois:\"{}\" --cfg=smpi/or:\"{}\"",
      threshold(protocol.eager), threshold(protocol.detach), smpi_function(protocol.send_overhead),
      smpi_function(protocol.isend_overhead), smpi_function(protocol.receive_overhead));
}

std::vector<std::string> smpi_differences(const Platform& platform, const Network& network) {
  std::vector<std::string> differences;
  const ChannelProperties& protocol = network.protocol;
  if (protocol.copies[0] + protocol.copies[1] > 0)
    differences.push_back(fmt::format("network '{}' copies {} + {} times per message; SMPI does not", network.name,
                                      protocol.copies[0], protocol.copies[1]));
  if (protocol.handshake > 0)
    differences.push_back(fmt::format("a rendezvous starts after {} {}; SMPI starts it at once", protocol.handshake,
                                      protocol.handshake == 1 ? "latency" : "latencies"));
  if (!protocol.latency_factor.steps().empty() || !protocol.bandwidth_factor.steps().empty())
    differences.push_back("latency and bandwidth change with the message size; CM02 takes one factor for all sizes");
  differences.push_back("SMPI sends an envelope of 16 B with each message");
  differences.push_back("an unexpected message is copied once more; SMPI does not copy");
  if (!std::holds_alternative<StarTopology>(network.topology))
    differences.push_back("CM02 shares a link by latency: flows over routes of unequal latency get unequal shares");
  for (const NodeType& type : platform.node_types)
    if (type.cores() > 1) {
      differences.push_back("ranks of one node talk over SMPI's loopback, not through shared memory");
      break;
    }
  return differences;
}

void write_smpi_export(const std::string& folder, const Program& program, const Layout& layout,
                       const ComputeModel& compute, const Platform& platform, const Network& network) {
  std::string index_of_traces, hosts;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const std::string file = fmt::format("{}/rank-{}.txt", folder, rank);
    config::write_file(file, smpi_trace(program, Rank{rank}, compute));
    index_of_traces += file + "\n";
    hosts += fmt::format("node-{}\n", index(layout.of(Rank{rank}).node));
  }
  config::write_file(folder + "/index.txt", index_of_traces);
  config::write_file(folder + "/hostfile.txt", hosts);
  config::write_file(folder + "/platform.xml", simgrid_xml(platform, network));
}

}  // namespace orrery::app
