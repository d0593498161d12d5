// What a platform states beyond plain nodes on one network each: the inside of nodes, adapters, routing, local work.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "platforms/sharing.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

namespace {

using show::Column;

/// "plx" of "plx-3"; the name itself where it has no number.
std::string family(const std::string& name) {
  const auto end = name.find_last_not_of("0123456789");
  return end + 1 < name.size() && end != std::string::npos && name[end] == '-' ? name.substr(0, end) : name;
}

/// What a row calls the end of a cable: "sockets", "GPUs", "cx-0..7", "nvswitch".
std::string end_words(const NodeType& type, std::uint32_t element) {
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  if (element < type.sockets) return type.sockets == 1 ? "socket" : "sockets";
  if (element < type.sockets + gpus) return gpus == 1 ? "GPU" : "GPUs";
  const auto& switches = type.fabric.switches;
  const std::string& name = switches[element - type.sockets - gpus];
  const auto alike = [&](const std::string& other) { return family(other) == family(name); };
  const auto count = std::ranges::count_if(switches, alike);
  return count == 1 ? name : fmt::format("{}-0..{}", family(name), count - 1);
}

void append(std::string& text, const std::string& part) { text += (text.empty() ? "" : "; ") + part; }

std::string work_words(const LocalRates& work) {
  std::string text;
  const auto rate = [&](const char* what, BytesPerSecond value) {
    if (value > BytesPerSecond{}) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, to_text(value));
  };
  rate("reducing", work.reduction);
  rate("copying", work.copy);
  if (work.cached_reduction > work.reduction || work.cached_copy > work.copy) {
    const std::string shared =
        work.shared_cache > Bytes{} ? fmt::format(", a socket's ranks together {}", to_text(work.shared_cache)) : "";
    rate(fmt::format("in caches (to {}{}) reducing", to_text(work.cache), shared).c_str(), work.cached_reduction);
    rate("copying there", work.cached_copy);
  }
  rate("new memory", work.fresh_memory);
  rate("new memory of the heap", work.heap_memory);
  const auto time = [&](const char* what, Seconds value) {
    if (value > Seconds{}) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, to_text(value));
  };
  time("registering a block of it", work.registration);
  time("a datatype", work.datatype);
  time("a block of a datatype", work.datatype_block);
  time("a count of allgatherv and alltoallv", work.count);
  return text;
}

std::string type_words(const NodeType& type) {
  std::string text;
  const Fabric& fabric = type.fabric;
  if (fabric.span > 1)
    append(text, fmt::format("{} consecutive nodes share '{}'", fabric.span, element_name(type, fabric.shared)));
  if (type.numa_domains() > 1)
    append(text, fmt::format("each socket has a memory of its own, which copies {}", to_text(type.domain_bandwidth())));
  if (const std::string work = work_words(type.local_work); !work.empty()) append(text, "a core's own work: " + work);
  if (type.gpus.empty()) return text;
  const Gpu& gpu = type.gpus.front();
  if (!fabric.described())
    append(text, fmt::format("each GPU is joined to its socket by {} each way, {}", to_text(gpu.link_bandwidth),
                             to_text(gpu.link_latency)));
  if (const std::string work = work_words(gpu.local_work); !work.empty()) append(text, "a GPU's own work: " + work);
  if (type.gpu_messages && type.gpu_messages->multicast) append(text, "a switch that reduces and multicasts");
  for (const std::string& note : fabric.notes) append(text, note);
  return text;
}

std::string routing_words(const Routing& routing) {
  switch (routing.kind) {
    case Routing::Kind::deterministic:
      break;
    case Routing::Kind::hash:
      return "routing hash: a shortest way drawn for each pair of ranks";
    case Routing::Kind::split:
      return fmt::format("routing split: each message over {} shortest ways", routing.paths);
    case Routing::Kind::valiant:
      return fmt::format("routing valiant: each message over a place in between, of {}", routing.paths);
    case Routing::Kind::adaptive:
      return fmt::format("routing adaptive: each message takes the least loaded of {} ways", routing.paths);
  }
  return "";
}

std::string adapter_words(const Platform& platform, const Network& network) {
  std::string text;
  for (std::uint32_t type = 0; type < network.adapters.at.size(); ++type) {
    const auto& at = network.adapters.at[type];
    if (at.empty()) continue;
    const std::string places = adapter_places(platform.node_types[type], at);
    const std::string of = network.adapters.at.size() > 1 ? " of " + platform.node_types[type].name : "";
    append(text, fmt::format("{} {} to a node{}{}{}", at.size(), at.size() == 1 ? "adapter" : "adapters", of,
                             places.empty() ? "" : ": ", places));
  }
  return text;
}

std::string fabric_table(const Platform& platform, std::size_t width) {
  std::vector<Column> columns;
  for (const char* header : {"inside of a node", "links", "of", "between", "each way", "latency"})
    columns.push_back({"", header, columns.size() == 1 || columns.size() > 3, {}});
  for (const NodeType& type : platform.node_types) {
    std::string name = type.name;
    for (const FabricRow& row : fabric_rows(type)) {
      const std::string cells[] = {std::exchange(name, ""),      std::to_string(row.cables),
                                   resource_words(row.kind).one, row.between,
                                   to_text(row.bandwidth),       to_text(row.latency)};
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back({cells[c]});
    }
  }
  return columns[0].cells.empty() ? "" : show::render(columns, 1, width, false) + "\n";
}

}  // namespace

std::string network_words(const Platform& platform, const Network& network) {
  std::string text = adapter_words(platform, network);
  const Adapters& adapters = network.adapters;
  const BuiltNetwork found = built(*build_routes(platform, network));
  if (found.joined < found.nodes) append(text, fmt::format("{} of {} nodes are on it", found.joined, found.nodes));
  if (const std::string rails = rails_text(found); !rails.empty()) append(text, rails);
  if (const auto* tree = std::get_if<FatTreeTopology>(&network.topology))
    for (std::size_t l = 1; l < tree->parallel.size(); ++l)
      if (tree->parallel[l] > 1)
        append(text, fmt::format("{} cables between a {} and each switch above", tree->parallel[l],
                                 l == 1 ? "leaf" : fmt::format("switch of level {}", l)));
  for (const std::string& fact : sharing_facts(network)) append(text, fact);
  if (const std::string routing = routing_words(network.routing); !routing.empty()) append(text, routing);
  if (adapters.stripe_over > 1)
    append(text, fmt::format("messages of {} and longer are striped over {} adapters", to_text(adapters.stripe_from),
                             adapters.stripe_over));
  if (adapters.rated()) append(text, "an adapter takes " + messages_text(adapters.message_rate));
  if (adapters.send_queues > 0)
    append(text, fmt::format("an adapter sends from {} queues, a message at a time from each", adapters.send_queues));
  if (network.aggregation)
    append(text, fmt::format("switches reduce and multicast{}, {} more each way",
                             network.aggregation->bandwidth > BytesPerSecond{}
                                 ? fmt::format(" at up to {}", to_text(network.aggregation->bandwidth))
                                 : "",
                             to_text(network.aggregation->latency)));
  const ChannelProperties& protocol = network.protocol;
  if (protocol.pair_bandwidth > BytesPerSecond{})
    append(text, fmt::format("two ranks have {} together{}", to_text(protocol.pair_bandwidth),
                             protocol.pair_from > Bytes{} ? " for messages from " + to_text(protocol.pair_from) : ""));
  if (!protocol.block_overhead.points().empty())
    append(text, fmt::format("shares of collectives of {} and more take at least {} more each", to_text(protocol.eager),
                             to_text(Seconds(protocol.block_overhead(protocol.eager)))));
  if (protocol.gpu_direct) append(text, "adapters reach GPUs directly");
  return text;
}

std::vector<FabricRow> fabric_rows(const NodeType& type) {
  std::vector<FabricRow> rows;
  for (const auto& cable : type.fabric.cables) {
    const std::string from = end_words(type, cable.from), to = end_words(type, cable.to);
    FabricRow row{cable.kind, 1, from == to ? from : fmt::format("{} - {}", from, to), cable.bandwidth, cable.latency};
    const auto same = std::ranges::find_if(rows, [&](const FabricRow& other) {
      return other.kind == row.kind && other.between == row.between && other.bandwidth == row.bandwidth &&
             other.latency == row.latency;
    });
    if (same == rows.end())
      rows.push_back(std::move(row));
    else
      same->cables += 1;
  }
  return rows;
}

std::string adapter_places(const NodeType& type, const std::vector<std::uint32_t>& at) {
  std::vector<std::pair<std::string, std::uint32_t>> places;
  bool alike = true;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::string name = element_name(type, at[k]);
    alike = alike && name == fmt::format("{}-{}", family(element_name(type, at[0])), k);
    const auto known = std::ranges::find(places, name, &std::pair<std::string, std::uint32_t>::first);
    if (known == places.end())
      places.emplace_back(name, 1);
    else
      known->second += 1;
  }
  if (at.size() == 1) return places.front().first;
  if (alike) return fmt::format("{}-0..{}", family(places.front().first), at.size() - 1);
  const bool as_many = std::ranges::all_of(places, [&](const auto& place) { return place.second == places[0].second; });
  const auto in_order = [&](std::size_t i) {
    return places[i].first == fmt::format("{}-{}", family(places[0].first), i);
  };
  bool numbered = as_many && places.size() > 2;
  for (std::size_t i = 0; numbered && i < places.size(); ++i) numbered = in_order(i);
  if (numbered)
    return fmt::format("{} at each of {}-0..{}", places[0].second, family(places[0].first), places.size() - 1);
  std::string text;
  for (const auto& [name, count] : places) text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", count, name);
  return text;
}

std::string stated_text(const Platform& platform, std::size_t terminal_width) {
  const std::size_t width = std::min(terminal_width, show::prose_width_max);
  std::string text = fabric_table(platform, terminal_width), paragraphs;
  const auto add = [&](const std::string& name, const std::string& words) {
    if (!words.empty()) paragraphs += show::wrapped(name + ": " + words, width, "  ");
  };
  for (const NodeType& type : platform.node_types) add(type.name, type_words(type));
  for (const Network& network : platform.networks) add(network.name, network_words(platform, network));
  return text + paragraphs + (paragraphs.empty() ? "" : "\n");
}

}  // namespace orrery::cli
