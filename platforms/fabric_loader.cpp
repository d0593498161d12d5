#include "platforms/fabric_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "platforms/fabric.hpp"
#include "platforms/fabric_ways.hpp"
#include "platforms/fields.hpp"
#include "platforms/node_elements.hpp"

namespace orrery {

namespace {

using config::Value;

constexpr std::uint32_t cables_max = 4096;

/// One of each for each of the longer list, the shorter one's in equal runs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> paired(const std::vector<std::uint32_t>& a,
                                                            const std::vector<std::uint32_t>& b, const Value& where) {
  const std::size_t most = std::max(a.size(), b.size()), least = std::min(a.size(), b.size());
  if (most % least != 0)
    where.refuse(Refusal("{} and {} elements (the one is divided evenly among the other). Name {} and {}?", a.size(),
                         b.size(), a.size(), a.size()));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < most; ++i) pairs.emplace_back(a[i * a.size() / most], b[i * b.size() / most]);
  return pairs;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs between_of(const config::Section& section, const char* key, const std::vector<Value>& ends,
                 NodeElements& elements) {
  if (ends.size() != 2) section.refuse(key, Refusal("{} ends (two). Write '{}: [gpus, nvswitch]'?", ends.size(), key));
  const auto first = elements.of(ends[0], true), second = elements.of(ends[1], true);
  Pairs pairs;
  if (key == std::string_view("each"))
    for (const std::uint32_t a : first)
      for (const std::uint32_t b : second) pairs.emplace_back(a, b);
  else
    pairs = paired(first, second, ends[1]);
  for (const auto& [a, b] : pairs)
    if (a == b) ends[1].refuse("a cable to itself. Name another end?");
  return pairs;
}

Pairs ends_of(const ParameterReader& cable, NodeElements& elements) {
  const auto& section = cable.section();
  const auto among = section.optional("among");
  const auto between = section.optional_list("between"), each = section.optional_list("each");
  if (int{among.has_value()} + int{!between.empty()} + int{!each.empty()} != 1)
    section.refuse("between", "a cable has one of 'between', 'each' and 'among'. Write 'between: [gpus, nvswitch]'?");
  if (!between.empty()) return between_of(section, "between", between, elements);
  if (!each.empty()) return between_of(section, "each", each, elements);
  const auto all = elements.of(*among, true);
  if (all.size() < 2) among->refuse("a single element (each is joined to each). Name several elements?");
  Pairs pairs;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = i + 1; k < all.size(); ++k) pairs.emplace_back(all[i], all[k]);
  return pairs;
}

constexpr char one_shared_switch[] =
    "several nodes share one switch, at the second end of 'between'. Write 'between: [gpus, nvswitch]'?";

/// The switches that several nodes share.
void read_span(const ParameterReader& cable, const Pairs& pairs, NodeType& type, std::vector<std::uint32_t>& shared) {
  const std::uint32_t span = cable.count("spans");
  if (span < 2) return;
  const bool switches =
      std::ranges::all_of(pairs, [&](const auto& pair) { return pair.second >= type.sockets + type.gpus.size(); });
  if (!switches || (type.fabric.span > 1 && type.fabric.span != span))
    cable.section().refuse("spans", one_shared_switch);
  type.fabric.span = span;
  for (const auto& pair : pairs) shared.push_back(pair.second);
}

/// A line that divides GPUs among switches of their own links.
struct Divided {
  config::Section section;
  std::vector<std::uint32_t> gpus;
  std::vector<std::string> switches;  ///< [gpus]
};

void note_divided(const config::Section& section, Pairs pairs, const Fabric::Cable& cable, const NodeType& type,
                  std::vector<Divided>& all) {
  const std::uint32_t first = type.sockets + static_cast<std::uint32_t>(type.gpus.size());
  for (auto& [one, other] : pairs)
    if (one > other) std::swap(one, other);  // switches are numbered after GPUs
  const bool gpus = std::ranges::all_of(pairs, [&](const auto& pair) {
    return pair.first >= type.sockets && pair.first < first && pair.second >= first;
  });
  const bool several = pairs.front().second != pairs.back().second;
  if (cable.kind == ResourceKind::pcie || !gpus || !several || section.has("each")) return;
  Divided line{section, {}, {}};
  for (const auto& pair : pairs) {
    line.gpus.push_back(pair.first);
    line.switches.push_back(element_name(type, pair.second));
  }
  all.push_back(std::move(line));
}

/// GPUs of one line are joined without PCI Express: else their switches were meant to be for all of them.
void require_joined(const std::vector<Divided>& divided, const NodeType& type) {
  const FabricRoutes routes(type);
  for (const Divided& line : divided)
    for (std::size_t i = 1; i < line.gpus.size(); ++i)
      if (!routes.by_own_links(line.gpus[0], line.gpus[i]))
        line.section.refuse(
            "between",
            Refusal("{} and {} of '{}' hang on '{}' and '{}', which nothing but PCI Express or sockets joins "
                    "('between' divides GPUs among switches). Write 'each' for 'between', for GPUs that hang on "
                    "all of them?",
                    routes.words(line.gpus[0]), routes.words(line.gpus[i]), type.name, line.switches[0],
                    line.switches[i]));
}

void require_reached(const ParameterReader& parameters, const NodeType& type) {
  const FabricRoutes routes(type);
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu)
    if (!routes.joined(routes.gpu(gpu), routes.home(routes.gpu(gpu))))
      parameters.section().refuse("fabric",
                                  Refusal("no cable joins GPU {} of '{}' to a socket (its rank holds a core). "
                                          "Add one, or 'link-bandwidth' to the GPU?",
                                          gpu, type.name));
}

/// A GPU that the fabric does not join to a socket has its own link there. Another's is not used, which a note says.
void add_own_links(NodeType& type) {
  const FabricRoutes routes(type);
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  std::vector<std::uint32_t> unused;
  for (std::uint32_t g = 0; g < gpus; ++g) {
    const Gpu& gpu = type.gpus[g];
    if (gpu.link_bandwidth == BytesPerSecond{}) continue;
    if (routes.joined(routes.gpu(g), routes.home(routes.gpu(g))))
      unused.push_back(g);
    else
      type.fabric.cables.push_back({ResourceKind::pcie,
                                    static_cast<std::uint32_t>(std::uint64_t{g} * type.sockets / gpus),
                                    type.sockets + g, gpu.link_bandwidth, gpu.link_latency});
  }
  if (!unused.empty())
    type.fabric.notes.push_back(
        fmt::format("'link-bandwidth' of {} of '{}' is not used: 'fabric' joins {} to a socket",
                    unused.size() == 1 ? fmt::format("GPU {}", unused.front()) : fmt::format("{} GPUs", unused.size()),
                    type.name, unused.size() == 1 ? "it" : "them"));
}

}  // namespace

void load_fabric(const ParameterReader& parameters, NodeType& type) {
  NodeElements elements(type);
  std::vector<std::uint32_t> shared;
  std::vector<Divided> divided;
  for (const Value& item : parameters.section().optional_list("fabric")) {
    const ParameterReader cable = parameters.inside(item);
    const auto pairs = ends_of(cable, elements);
    Fabric::Cable made;
    cable.read(cable_fields(), made);
    read_span(cable, pairs, type, shared);
    cable.finish();
    note_divided(cable.section(), pairs, made, type, divided);
    for (const auto& pair : pairs) {
      std::tie(made.from, made.to) = pair;
      type.fabric.cables.push_back(made);
    }
    if (type.fabric.cables.size() > cables_max)
      item.refuse(
          Refusal("so that a node has {} cables (at most {}). Use fewer?", type.fabric.cables.size(), cables_max));
  }
  if (!type.fabric.described()) return;
  Refusal problem = join_cables(type);
  if (problem.empty()) problem = join_switches(type, shared);
  if (!problem.empty()) parameters.section().refuse("fabric", problem);
  if (std::ranges::any_of(shared, [&](std::uint32_t s) { return s != shared.front(); }))
    parameters.section().refuse("fabric", one_shared_switch);
  if (!shared.empty()) type.fabric.shared = shared.front();
  require_joined(divided, type);
  add_own_links(type);
  require_reached(parameters, type);
}

}  // namespace orrery
