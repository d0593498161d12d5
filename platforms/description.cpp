#include "platforms/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

double PiecewiseLinear::operator()(Bytes m) const {
  if (points_.empty()) return 0.0;
  const double x = m.si();
  if (x <= points_.front().first) return points_.front().second;
  const auto above = std::ranges::upper_bound(points_, x, {}, &std::pair<double, double>::first);
  const auto& [x0, y0] = *std::prev(above);
  if (above == points_.end()) return y0 + slope_after_ * (x - x0);
  return y0 + (above->second - y0) * (x - x0) / (above->first - x0);
}

template <class T, int before>
T PiecewiseConstant<T, before>::operator()(Bytes m) const {
  const auto above = std::ranges::upper_bound(steps_, m.si(), {}, &std::pair<double, T>::first);
  return above == steps_.begin() ? T(before) : std::prev(above)->second;
}
template class PiecewiseConstant<double, 1>;
template class PiecewiseConstant<PerSecond, 0>;

std::string messages_text(const PiecewiseRate& rate) {
  const auto shortest = rate(Bytes{});
  std::string text = shortest > PerSecond{} ? to_text(shortest) + " messages" : "any number of messages";
  for (const auto& [from, value] : rate.steps())
    if (from > 0.0) text += fmt::format(", from {} on {}", to_text(Bytes(from)), to_text(value));
  return text;
}

std::uint32_t Platform::nodes() const { return std::accumulate(node_counts.begin(), node_counts.end(), 0u); }

std::uint32_t Platform::type_of(NodeId node) const {
  std::size_t first = 0;
  for (std::uint32_t type = 0; type < node_counts.size(); ++type) {
    first += node_counts[type];
    if (index(node) < first) return type;
  }
  throw DomainError("platform '{}' has {} nodes; node {} does not exist", name, nodes(), index(node));
}

NodeId Platform::first_node_of(std::uint32_t type) const {
  return NodeId{std::accumulate(node_counts.begin(), node_counts.begin() + type, 0u)};
}

std::string Platform::node_name(NodeId node) const {
  const std::uint32_t type = type_of(node);
  return node_types[type].name + "-" + std::to_string(index(node) - index(first_node_of(type)));
}

const Network& Platform::network(const std::string& wanted, const std::string& where) const {
  const auto found = std::ranges::find(networks, wanted, &Network::name);
  if (found != networks.end()) return *found;
  std::vector<std::string> known;
  for (const auto& network : networks) known.push_back(network.name);
  throw InputError("{}: platform '{}' has no network '{}'{}", where, name, wanted, known_names(wanted, known));
}

}  // namespace orrery
