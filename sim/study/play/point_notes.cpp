#include "sim/study/play/point_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "kernels/collectives/algorithm.hpp"
#include "platforms/energy.hpp"
#include "platforms/routes.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/study/play/job_results.hpp"
#include "sim/study/play/unreceived_note.hpp"

namespace orrery::study {

void PointNotes::add(const std::string& what, const std::string& sentence, const PointResult& point) {
  Found& found = found_.try_emplace(what, Found{sentence, show::point_label(point)}).first->second;
  if (std::exchange(found.last, &point) != &point) found.points += 1;  // jobs of a point may say the same
}

namespace {

bool reads_a_vowel(std::string_view word) { return std::string_view("aeiou").find(word.front()) != word.npos; }

}  // namespace

/// A setting of the kernel names an algorithm of the operation that was played, and another one was played.
void PointNotes::see_algorithms(const PointResult& point, const LoadedPoint& loaded) {
  const auto settings = loaded.parameters.rendered();
  const auto named = [&](const std::string& algorithm) {
    return std::ranges::find(settings, algorithm, &std::pair<std::string, std::string>::second) != settings.end();
  };
  for (const CollectiveRecord& record : point.run.collectives) {
    if (static_cast<std::size_t>(record.operation) >= collectives::planned_operations || named(record.algorithm))
      continue;
    const auto& known = collectives::algorithms(record.operation);
    const auto is_of = [&](const std::string& setting) {
      return setting == "algorithm" || setting == "collectives" ||
             setting.find(operation_name(record.operation)) != std::string::npos;
    };
    for (const auto& [setting, value] : settings)
      if (is_of(setting) && known.contains(value))
        add(fmt::format("{} {} {}", operation_name(record.operation), value, record.algorithm),
            fmt::format(
                "'{}' is '{}', but {} {} of {} on {} ranks was played as '{}', which does what '{}' cannot do there",
                setting, value, reads_a_vowel(operation_name(record.operation)) ? "an" : "a",
                operation_name(record.operation), to_text(record.bytes), record.ranks, record.algorithm, value),
            point);
  }
}

/// Nobody named a partitioner, and the one that is taken gave ranks unequal parts.
void PointNotes::see_partition(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec) {
  if (!loaded.partition || !spec.partition || !spec.partition->assumed) return;
  std::vector<double> areas;
  for (const auto& part : loaded.partition->rectangles) areas.push_back(static_cast<double>(part.area()));
  const auto [least, most] = std::ranges::minmax_element(areas);
  if (areas.empty() || *least == 0.0 || *most <= 1.25 * *least) return;
  add("partition",
      fmt::format("the work is divided by the speeds of the ranks ({}, as no partitioner is named): rank {} has {:.3g} "
                  "times the work of rank {}. For equal parts: even-grid",
                  spec.partition->algorithm, most - areas.begin(), *most / *least, least - areas.begin()),
      point);
}

namespace {

/// [ranks] the least rank that a rank talks with, over others too.
std::vector<std::uint32_t> groups_of(const std::vector<std::vector<Traffic>>& traffic) {
  std::vector<std::uint32_t> group(traffic.size());
  std::iota(group.begin(), group.end(), 0u);
  const auto root = [&](std::uint32_t rank) {
    while (group[rank] != rank) rank = group[rank] = group[group[rank]];
    return rank;
  };
  for (std::uint32_t from = 0; from < traffic.size(); ++from)
    for (std::uint32_t to = 0; to < traffic.size(); ++to)
      if (const std::uint32_t a = root(from), b = root(to); traffic[from][to].messages > 0)
        group[std::max(a, b)] = std::min(a, b);
  for (std::uint32_t rank = 0; rank < traffic.size(); ++rank) group[rank] = root(rank);
  return group;
}

/// Every link that a message from node to node may take, by whatever adapters its ranks use.
std::vector<LinkId> links_between(const Routes& routes, const LoadedPoint& point, const Placement& from,
                                  const Placement& to) {
  const auto& at = point.network->adapters.at;
  const auto adapters = [&](const Placement& of) { return at.empty() ? std::size_t{1} : at[of.node_type].size(); };
  std::vector<LinkId> links;
  for (std::uint32_t a = 0; a < adapters(from); ++a)
    for (std::uint32_t b = 0; b < adapters(to); ++b)
      routes.append_route(routes.adapter(from.node, a), routes.adapter(to.node, b), links);
  return links;
}

/// How many groups of ranks have messages on the network of which no two share a node or a link; 0 where some do.
std::size_t groups_apart(const std::vector<std::vector<Traffic>>& traffic, const LoadedPoint& point) {
  if (traffic.empty()) return 0;
  const auto group = groups_of(traffic);
  const auto routes = build_routes(*point.platform, *point.network);
  std::map<NodeId, std::uint32_t> of_node;
  std::map<LinkId, std::uint32_t> of_link;
  std::set<std::pair<NodeId, NodeId>> seen;
  std::set<std::uint32_t> apart;
  for (std::uint32_t from = 0; from < traffic.size(); ++from) {
    const NodeId node = point.layout.of(Rank{from}).node;
    if (of_node.try_emplace(node, group[from]).first->second != group[from]) return 0;
    for (std::uint32_t to = 0; to < traffic.size(); ++to) {
      if (traffic[from][to].messages == 0 || point.layout.same_node(Rank{from}, Rank{to})) continue;
      apart.insert(group[from]);
      const Placement &mine = point.layout.of(Rank{from}), &other = point.layout.of(Rank{to});
      if (!seen.emplace(node, other.node).second) continue;
      if (routes->share_fabric(node, other.node)) return 0;
      for (const LinkId link : links_between(*routes, point, mine, other))
        if (of_link.try_emplace(link, group[from]).first->second != group[from]) return 0;
    }
  }
  return apart.size();
}

}  // namespace

/// Ranks that talk in groups, of which one might be there to disturb another.
void PointNotes::see_groups(const PointResult& point, const LoadedPoint& loaded) {
  constexpr std::size_t points_max = 16;
  const Network& network = *loaded.network;
  const bool one_way = network.routing.kind == Routing::Kind::deterministic;
  if (!one_way || point.traffic_group != 1 || ++groups_looked_at_ > points_max) return;
  if (const std::size_t groups = groups_apart(point.traffic, loaded); groups > 1)
    add("groups",
        fmt::format("ranks talk in {} groups that share no node and no link: none of them can slow another", groups),
        point);
}

/// More ranks than cores, which is seldom meant.
void PointNotes::see_cores(const PointResult& point, const LoadedPoint& loaded) {
  if (loaded.platform->processors > 0) return;
  std::map<HostId, std::uint32_t> asked;
  const Placement* crowded = nullptr;
  for (const Placement& place : loaded.layout.placements) {
    if (place.gpu) continue;
    asked[place.host] += place.cores;
    const auto owned = [&](const Placement& of) { return loaded.platform->node_types[of.node_type].cores_per_socket; };
    if (asked[place.host] <= owned(place)) continue;
    if (crowded == nullptr ||
        std::uint64_t{asked[place.host]} * owned(*crowded) > std::uint64_t{asked[crowded->host]} * owned(place))
      crowded = &place;
  }
  if (crowded == nullptr) return;
  add("cores",
      fmt::format("ranks outnumber cores: those on socket {} of {} ask for {} cores, and it has {}. They take turns",
                  crowded->socket_of_node, loaded.platform->node_name(crowded->node), asked[crowded->host],
                  loaded.platform->node_types[crowded->node_type].cores_per_socket),
      point);
}

/// Power caps that make computation take longer, each by how much.
void PointNotes::see_caps(const PointResult& point, const LoadedPoint& loaded) {
  const std::vector<double> factors = slowed_by_caps(*loaded.platform, loaded.layout);
  std::map<std::uint32_t, std::pair<double, double>> of_type;  // least and most of its nodes: how many times as long
  for (std::size_t rank = 0; rank < factors.size(); ++rank) {
    auto& [least, most] =
        of_type.try_emplace(loaded.layout.placements[rank].node_type, factors[rank], factors[rank]).first->second;
    least = std::min(least, factors[rank]);
    most = std::max(most, factors[rank]);
  }
  for (const auto& [type, range] : of_type) {
    const std::string least = fmt::format("{:.3g}", range.first), most = fmt::format("{:.3g}", range.second);
    if (most == "1") continue;
    const std::string sentence = fmt::format(
        "the power cap of '{}', {}, makes computation take {} times as long{}", loaded.platform->node_types[type].name,
        to_text(*loaded.platform->node_types[type].power_cap), least == most ? most : least + " to " + most,
        loaded.of_jobs.size() > 1 ? ", as if all jobs on a node ran all the time" : "");
    add(sentence, sentence, point);
  }
}

/// Collectives are of whole elements.
void PointNotes::see_rounding(const PointResult& point, const LoadedPoint& loaded) {
  if (loaded.kernel != "collective" || loaded.parameters.text("operation") == "barrier" ||
      !loaded.parameters.text("weights").empty())
    return;
  const Bytes message = loaded.parameters.bytes("message"), element = loaded.parameters.bytes("element");
  const Bytes played = std::round(message / element) * element;
  if (played == message) return;
  add("rounding",
      fmt::format("a message of {} is played as {}: collectives are of whole elements, and 'element' is {}",
                  to_text(message), to_text(played), to_text(element)),
      point);
}

namespace {

/// Who the step sends how much to, or receives from; nothing of other steps.
std::optional<std::pair<Rank, Bytes>> message_of(const Step& step) {
  if (const auto* send = std::get_if<Send>(&step)) return std::pair(send->to, send->message);
  if (const auto* isend = std::get_if<Isend>(&step)) return std::pair(isend->send.to, isend->send.message);
  if (const auto* recv = std::get_if<Recv>(&step)) return std::pair(recv->from, recv->message);
  if (const auto* irecv = std::get_if<Irecv>(&step)) return std::pair(irecv->recv.from, irecv->recv.message);
  return std::nullopt;
}

/// Whether a rank's first steps are the same in two programs, message by message.
bool same_messages(const Program& a, const Program& b, Rank rank) {
  constexpr std::size_t steps_max = 20'000;
  auto of_a = a.steps(rank), of_b = b.steps(rank);
  for (std::size_t i = 0; i < steps_max; ++i) {
    const Step *one = of_a.next(), *other = of_b.next();
    if (one == nullptr || other == nullptr) return one == other;
    if (one->index() != other->index() || message_of(*one) != message_of(*other)) return false;
  }
  return true;
}

}  // namespace

/// Algorithms without a pipeline send what they send.
void PointNotes::see_segment(const PointResult& point, const LoadedPoint& loaded) {
  if (loaded.kernel != "collective" || loaded.parameters.bytes("segment") == Bytes{}) return;
  Parameters without = loaded.parameters;
  without.set("segment", "0B", "segment");
  const auto& kernel = kernels().at(loaded.kernel, "kernel");
  const auto program = kernel.make(
      {.parameters = without, .ranks = loaded.layout.ranks(), .partition = loaded.partition, .layout = &loaded.layout});
  const std::uint32_t ranks = loaded.layout.ranks();
  for (const std::uint32_t rank : {0u, 1u, ranks / 2, ranks - 1})
    if (rank < ranks && !same_messages(*loaded.program, *program, Rank{rank})) return;
  std::string played = loaded.parameters.text("algorithm");
  for (const CollectiveRecord& record : point.run.collectives) played = record.algorithm;
  add("segment " + played,
      fmt::format("'segment' is {} and has no effect: '{}' sends the same messages without it",
                  to_text(loaded.parameters.bytes("segment")), played),
      point);
}

/// Settings that this point does not need, though another kernel or layout would.
void PointNotes::see_unused(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec) {
  const auto& placements = loaded.layout.placements;
  const auto& row = spec.layout.own;
  if (row && row->spread && row->spread->cores > 1 && std::ranges::all_of(placements, &Placement::gpu))
    add("unused cores", fmt::format("'cores' is {} and has no effect: all ranks are on GPUs", row->spread->cores),
        point);
}

/// Ranks on cores that took nodes with GPUs because those come first in the platform's file.
void PointNotes::see_nodes(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec) {
  const auto& row = spec.layout.own;
  const bool chosen = !row || !row->spread || !row->spread->nodes.type.empty() || !row->spread->nodes.listed.empty() ||
                      !row->spread->nodes.named.empty() || row->spread->nodes.order != NodeOrder::contiguous;
  const auto& types = loaded.platform->node_types;
  const auto plain = std::ranges::find_if(types, [](const NodeType& type) { return type.gpus.empty(); });
  if (chosen || plain == types.end()) return;
  for (const Placement& place : loaded.layout.placements)
    if (place.gpu) return;
  for (const Placement& place : loaded.layout.placements)
    if (const NodeType& type = types[place.node_type]; !type.gpus.empty())
      return add(
          "nodes",
          fmt::format("ranks on cores are on nodes of '{}', which have GPUs and come first in '{}'. Those of '{}' "
                      "have none: '--type {}' or 'layout: {{type: {}}}' takes them",
                      type.name, loaded.platform->name, plain->name, plain->name, plain->name),
          point);
}

namespace {

/// Whether ranks share cores that they keep while they wait.
bool keep_shared_cores(const LoadedPoint& point) {
  std::map<HostId, std::uint32_t> asked;
  for (const Placement& place : point.layout.placements) {
    const NodeType& type = point.platform->node_types[place.node_type];
    if (place.gpu || type.waiting != Waiting::polls) continue;
    if ((asked[place.host] += place.cores) > type.cores_per_socket) return true;
  }
  return false;
}

}  // namespace

/// What the platform says of progress and waiting, and models of phases do not know.
void PointNotes::see_unmodelled(const PointResult& point, const LoadedPoint& loaded) {
  if (point.predictions.empty()) return;
  if (loaded.network->protocol.progress == MessageProgress::in_calls)
    add("progress",
        fmt::format("messages of at least {} move in MPI calls of their ranks alone ('progress: in-calls' of network "
                    "'{}'): models let them move while ranks compute",
                    to_text(loaded.network->protocol.eager), loaded.network->name),
        point);
  if (keep_shared_cores(loaded))
    add("waiting",
        fmt::format("ranks of '{}' that wait keep the cores they share ('waiting: polls'): models know nothing of it",
                    loaded.platform->name),
        point);
}

void PointNotes::see(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec) {
  ++seen_;
  see_caps(point, loaded);
  if (const std::string sentence = unreceived_sentence(point.run.unreceived); !sentence.empty())
    add("unreceived", sentence, point);
  if (!spec.jobs.empty()) return see_jobs(point, loaded, spec);
  see_algorithms(point, loaded);
  see_trace(point, loaded);
  see_library(point, loaded);
  see_fabric(point, loaded);
  see_cores(point, loaded);
  see_groups(point, loaded);
  see_unmodelled(point, loaded);
  see_nodes(point, loaded, spec);
  see_partition(point, loaded, spec);
  see_unused(point, loaded, spec);
  see_rounding(point, loaded);
  see_segment(point, loaded);
  see_what_if(point, loaded);
}

/// What holds of each job as of a program of its own, and jobs that cannot slow each other.
void PointNotes::see_jobs(const PointResult& point, const LoadedPoint& loaded, const PointSpec& spec) {
  see_cores(point, loaded);
  for (std::size_t j = 0; j < loaded.of_jobs.size(); ++j) {
    see_fabric(point, *loaded.of_jobs[j]);
    see_nodes(point, *loaded.of_jobs[j], *spec.jobs[j].point);
    see_partition(point, *loaded.of_jobs[j], *spec.jobs[j].point);
    see_unused(point, *loaded.of_jobs[j], *spec.jobs[j].point);
    see_rounding(point, *loaded.of_jobs[j]);
    see_segment(point, *loaded.of_jobs[j]);
    see_trace(point, *loaded.of_jobs[j]);
  }
  for (const std::string& sentence : notes_of_jobs(point.run, loaded, spec)) add(sentence, sentence, point);
}

std::vector<std::string> PointNotes::notes() const {
  std::vector<std::string> notes;
  for (const auto& [what, found] : found_)
    notes.push_back(found.sentence +
                    (seen_ == 1 ? "" : fmt::format(" ({}; {} of {} points)", found.first, found.points, seen_)));
  return notes;
}

}  // namespace orrery::study
