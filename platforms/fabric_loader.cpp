#include "platforms/fabric_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "platforms/fabric.hpp"
#include "platforms/keys.hpp"
#include "sim/config/keys.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Value;

constexpr std::uint32_t switches_max = 64, adapters_max = 64, cables_max = 4096;

struct Range {
  std::string stem;  ///< "plx-", or the whole name where it has no number
  std::uint32_t first = 0, last = 0;
  bool numbered = false;
};

/// "plx-0..3", "gpu-2" or "nvswitch".
Range range_of(const std::string& text, const Value& where) {
  const auto dots = text.find("..");
  const std::string first = text.substr(0, dots);
  const auto digits = first.find_last_not_of("0123456789") + 1;
  Range range{first.substr(0, digits)};
  const auto number = [&](const std::string& from, std::uint32_t& into) {
    const auto [end, status] = std::from_chars(from.data(), from.data() + from.size(), into);
    return !from.empty() && status == std::errc() && end == from.data() + from.size() && into < 4096;
  };
  range.numbered = number(first.substr(digits), range.first);
  range.last = range.first;
  const bool plain = !range.stem.empty() && std::ranges::all_of(range.stem, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
  const bool whole = dots == std::string::npos || (range.numbered && number(text.substr(dots + 2), range.last));
  if (!plain || !whole || range.last < range.first || (digits < first.size() && !range.numbered))
    where.refuse("no element of a node (socket-0, gpus, plx-0..3). Write 'plx-0..3'?");
  return range;
}

/// Numbers of the elements that a text names; switches that are new are added where that is allowed.
class Elements {
 public:
  explicit Elements(NodeType& type) : type_(type), gpus_(static_cast<std::uint32_t>(type.gpus.size())) {}

  std::vector<std::uint32_t> of(const Value& value, bool may_add) { return of(value.text(), value, may_add); }

  std::vector<std::uint32_t> of(const std::string& text, const Value& value, bool may_add) {
    std::vector<std::uint32_t> found;
    if (text == "sockets" || text == "gpus") {
      const std::uint32_t first = text == "gpus" ? type_.sockets : 0, count = text == "gpus" ? gpus_ : type_.sockets;
      if (count == 0) value.refuse(fmt::format("but '{}' has no GPUs. Add them under 'gpus'?", type_.name));
      for (std::uint32_t i = 0; i < count; ++i) found.push_back(first + i);
      return found;
    }
    const Range range = range_of(text, value);
    for (std::uint32_t i = range.first; i <= range.last; ++i) found.push_back(element(range, i, value, may_add));
    return found;
  }

 private:
  std::uint32_t element(const Range& range, std::uint32_t number, const Value& value, bool may_add) {
    if (range.stem == "socket-" && range.numbered) return existing("sockets", number, type_.sockets, 0, value);
    if (range.stem == "gpu-" && range.numbered) return existing("GPUs", number, gpus_, type_.sockets, value);
    const std::string name = range.numbered ? fmt::format("{}{}", range.stem, number) : range.stem;
    auto& switches = type_.fabric.switches;
    auto known = std::ranges::find(switches, name);
    if (known == switches.end()) {
      if (!may_add) {
        std::vector<std::string> names{"socket-0"};
        for (std::uint32_t e = 1; e < type_.sockets + gpus_; ++e) names.push_back(element_name(type_, e));
        names.insert(names.end(), switches.begin(), switches.end());
        throw InputError(
            fmt::format("{}: '{}' has no element '{}'{}", value.where(), type_.name, name, known_names(name, names)));
      }
      if (switches.size() == switches_max)
        value.refuse(fmt::format("one switch more than a node may have ({}). Use fewer?", switches_max));
      known = switches.insert(switches.end(), name);
    }
    return type_.sockets + gpus_ + static_cast<std::uint32_t>(known - switches.begin());
  }

  std::uint32_t existing(const char* what, std::uint32_t number, std::uint32_t count, std::uint32_t first,
                         const Value& value) const {
    if (number < count) return first + number;
    if (count == 0)
      value.refuse(fmt::format("but '{}' has no {}. Add them, or name another element?", type_.name, what));
    value.refuse(fmt::format("but '{}' has {} {} (0..{}). Name one of them?", type_.name, count, what, count - 1));
  }

  NodeType& type_;
  std::uint32_t gpus_;
};

/// One of each for each of the longer list, the shorter one's in equal runs.
std::vector<std::pair<std::uint32_t, std::uint32_t>> paired(const std::vector<std::uint32_t>& a,
                                                            const std::vector<std::uint32_t>& b, const Value& where) {
  const std::size_t most = std::max(a.size(), b.size()), least = std::min(a.size(), b.size());
  if (most % least != 0)
    where.refuse(fmt::format("{} and {} elements (the one is divided evenly among the other). Name {} and {}?",
                             a.size(), b.size(), a.size(), a.size()));
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < most; ++i) pairs.emplace_back(a[i * a.size() / most], b[i * b.size() / most]);
  return pairs;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_of(const Figures& cable, Elements& elements) {
  const auto& section = cable.section();
  const auto among = section.optional("among");
  const auto between = section.optional_list("between");
  if (among.has_value() == !between.empty())
    section.refuse("between", "a cable has either 'between' or 'among'. Write 'between: [gpus, nvswitch]'?");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (among) {
    const auto all = elements.of(*among, true);
    if (all.size() < 2) among->refuse("a single element (each is joined to each). Write 'between', or name several?");
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = i + 1; k < all.size(); ++k) pairs.emplace_back(all[i], all[k]);
  } else {
    if (between.size() != 2)
      section.refuse("between", fmt::format("{} ends (two). Write 'between: [gpus, nvswitch]'?", between.size()));
    const auto first = elements.of(between[0], true), second = elements.of(between[1], true);
    pairs = paired(first, second, between[1]);
    for (const auto& [a, b] : pairs)
      if (a == b) between[1].refuse("a cable to itself. Name another end?");
  }
  return pairs;
}

void read_span(const Figures& cable, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
               NodeType& type) {
  const std::uint32_t span = cable.count("spans");
  if (span < 2) return;
  const std::uint32_t shared = pairs.front().second;
  const bool one = std::ranges::all_of(pairs, [&](const auto& pair) { return pair.second == shared; });
  if (!one || shared < type.sockets + type.gpus.size() || type.fabric.span > 1)
    cable.section().refuse(
        "spans", "several nodes share one switch, at the second end of 'between'. Write 'between: [gpus, nvswitch]'?");
  type.fabric.span = span;
  type.fabric.shared = shared;
}

void require_reached(const Figures& figures, const NodeType& type) {
  const FabricRoutes routes(type);
  for (std::uint32_t gpu = 0; gpu < type.gpus.size(); ++gpu)
    if (!routes.joined(routes.gpu(gpu), routes.home(routes.gpu(gpu))))
      figures.section().refuse("fabric",
                               fmt::format("no cable joins GPU {} of '{}' to a socket (its rank holds a core). "
                                           "Add one, or 'link-bandwidth' to the GPU?",
                                           gpu, type.name));
}

}  // namespace

void load_fabric(const Figures& figures, NodeType& type) {
  constexpr ResourceKind kinds[] = {ResourceKind::pcie, ResourceKind::nvlink, ResourceKind::infinity_fabric,
                                    ResourceKind::upi};
  Elements elements(type);
  for (const Value& item : figures.section().optional_list("fabric")) {
    const Figures cable = figures.inside(item);
    const auto pairs = ends_of(cable, elements);
    const ResourceKind kind = kinds[cable.section().choice("link")];
    const BytesPerSecond bandwidth = cable.bandwidth("bandwidth");
    const Seconds latency = cable.seconds("latency");
    read_span(cable, pairs, type);
    cable.finish();
    for (const auto& [from, to] : pairs) type.fabric.cables.push_back({kind, from, to, bandwidth, latency});
    if (type.fabric.cables.size() > cables_max)
      item.refuse(
          fmt::format("so that a node has {} cables (at most {}). Use fewer?", type.fabric.cables.size(), cables_max));
  }
  if (!type.fabric.described()) return;
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  for (std::uint32_t g = 0; g < gpus; ++g)
    if (const Gpu& gpu = type.gpus[g]; gpu.link_bandwidth > BytesPerSecond{})
      type.fabric.cables.push_back({ResourceKind::pcie,
                                    static_cast<std::uint32_t>(std::uint64_t{g} * type.sockets / gpus),
                                    type.sockets + g, gpu.link_bandwidth, gpu.link_latency});
  require_reached(figures, type);
}

namespace {

/// `2`, `plx-0..3` or a list of elements: where each adapter is.
std::vector<std::uint32_t> adapters_at(const Value& value, const NodeType& type) {
  NodeType copy = type;
  Elements elements(copy);
  std::vector<std::uint32_t> at;
  if (value.is_list()) {
    for (const Value& item : value.list())
      for (const std::uint32_t element : elements.of(item.written(), item, false)) at.push_back(element);
  } else if (const std::string text = value.written(); text.find_first_not_of("0123456789") == std::string::npos) {
    const auto count = static_cast<std::uint32_t>(value.integer(1, adapters_max));
    for (std::uint32_t i = 0; i < count; ++i) at.push_back(i * type.sockets / count);
  } else {
    at = elements.of(text, value, false);
  }
  if (at.empty() || at.size() > adapters_max)
    value.refuse(fmt::format("{} adapters (1..{}). Name where each is, as 'plx-0..3'?", at.size(), adapters_max));
  return at;
}

void require_reachable(const Value& value, const NodeType& type, const std::vector<std::uint32_t>& at) {
  if (!type.fabric.described()) return;
  const FabricRoutes routes(type);
  for (std::size_t k = 0; k < at.size(); ++k)
    for (std::uint32_t e = 0; e < type.sockets + type.gpus.size(); ++e)
      if (!routes.joined(e, at[k]))
        throw InputError(
            fmt::format("{}: no cable joins {} of '{}' to '{}', where adapter {} is. Add one to its "
                        "'fabric'?",
                        value.where(), routes.words(e), type.name, element_name(type, at[k]), k));
}

void load_places(const Figures& figures, const Platform& platform, Network& network) {
  const auto place = [&](const Value& its, std::size_t t) {
    network.adapters.at[t] = adapters_at(its, platform.node_types[t]);
    require_reachable(its, platform.node_types[t], network.adapters.at[t]);
  };
  network.adapters.at.assign(platform.node_types.size(), {0});
  const Value value = figures.section().value("adapters");
  if (!value.is_section() || value.section(config::anything()).has("value")) {
    const Value of_all = figures.figure("adapters");
    for (std::size_t t = 0; t < platform.node_types.size(); ++t) place(of_all, t);
    return;
  }
  std::vector<std::string> names;
  for (const NodeType& type : platform.node_types) names.push_back(type.name);
  const Figures by_type = figures.inside(value);
  for (const auto& [name, its] : by_type.section().items()) {
    if (name == "source" || name == "assumed") continue;
    const auto found = std::ranges::find(names, name);
    if (found == names.end())
      throw InputError(fmt::format("{}: unknown node type '{}'{}", its.where(), name, known_names(name, names)));
    place(by_type.figure(name), static_cast<std::size_t>(found - names.begin()));
  }
}

void load_affinity(const Figures& affinity, const Platform& platform, Network& network) {
  auto& of_types = network.adapters.affinity;
  of_types.resize(platform.node_types.size());
  for (const auto& [name, value] : affinity.section().items()) {
    if (name == "source" || name == "assumed") continue;
    std::vector<std::uint32_t> order;
    for (const Value& item : value.is_list() ? value.list() : std::vector<Value>{value})
      order.push_back(static_cast<std::uint32_t>(item.integer()));
    bool known = false;
    for (std::uint32_t t = 0; t < platform.node_types.size(); ++t) {
      NodeType type = platform.node_types[t];
      for (const std::uint32_t adapter : order)
        if (adapter >= network.adapters.of_type(t))
          value.refuse(fmt::format("but a node of '{}' has {} adapters on this network (from 0). Name one of them?",
                                   type.name, network.adapters.of_type(t)));
      Elements elements(type);
      for (const std::uint32_t element : elements.of(name, value, false)) of_types[t][element] = order;
      known = true;
    }
    if (!known || order.empty()) value.refuse("without adapters. Write 'socket-0: 0'?");
  }
}

}  // namespace

void load_adapters(const Figures& figures, const Platform& platform, Network& network) {
  if (figures.has("adapters")) load_places(figures, platform, network);
  if (figures.has("affinity")) {
    const Figures affinity = figures.inside("affinity");
    load_affinity(affinity, platform, network);
    affinity.finish();
  }
  if (figures.has("message-rate")) network.adapters.message_rate = figures.figure("message-rate").rate();
  if (!figures.has("striping")) return;
  const Figures striping = figures.inside("striping");
  network.adapters.stripe_from = striping.bytes("from");
  network.adapters.stripe_over = striping.count("over");
  striping.finish();
  for (std::uint32_t t = 0; t < platform.node_types.size(); ++t)
    if (network.adapters.stripe_over > network.adapters.of_type(t))
      striping.section().refuse(
          "over", fmt::format("'over' is {}, but a node of '{}' has {} {} on network '{}'. Stripe over {}?",
                              network.adapters.stripe_over, platform.node_types[t].name, network.adapters.of_type(t),
                              network.adapters.of_type(t) == 1 ? "adapter" : "adapters", network.name,
                              network.adapters.of_type(t) == 1 ? "adapters that 'adapters' adds"
                                                               : std::to_string(network.adapters.of_type(t))));
}

Routing load_routing(const Figures& figures) {
  Routing routing;
  if (!figures.has("routing")) return routing;
  const Figures section = figures.inside("routing");
  routing.kind = static_cast<Routing::Kind>(section.section().choice("kind"));
  routing.paths = section.count("paths");
  routing.seed = section.count("seed");
  section.finish();
  return routing;
}

}  // namespace orrery
