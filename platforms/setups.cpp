#include "platforms/setups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <sstream>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t setup_nodes_max = 1 << 22, cores_max = 4096;

/// "2x4:lxpara" or "2x4"; nothing where it is neither.
std::optional<LayoutRow::Nodes> machines_of(const std::string& word, const std::string& where) {
  const std::size_t colon = std::min(word.find(':'), word.size());
  const char* const last = word.data() + colon;
  LayoutRow::Nodes nodes{.where = where};
  std::uint32_t cores = 0;
  const auto [by, of_nodes] = std::from_chars(word.data(), last, nodes.nodes);
  if (of_nodes != std::errc() || by == last || *by != 'x') return {};
  const auto [end, of_cores] = std::from_chars(by + 1, last, cores);
  if (of_cores != std::errc() || end != last || colon + 1 == word.size()) return {};
  if (nodes.nodes < 1 || nodes.nodes > setup_nodes_max || cores < 1 || cores > cores_max) return {};
  nodes.processes.assign(cores, 1);
  if (colon < word.size()) nodes.type = word.substr(colon + 1);
  return nodes;
}

}  // namespace

std::vector<LayoutRow::Nodes> parse_setup(const std::string& text, const std::string& where) {
  std::vector<LayoutRow::Nodes> place;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    auto machines = machines_of(word, where);
    if (!machines)
      throw InputError(
          "{}: setup '{}' has '{}' (nodes x cores of each, then the type of node: 2x4:mynode; "
          "up to {} nodes of {} cores). Write '2x4:mynode'?",
          where, text, word, setup_nodes_max, cores_max);
    place.push_back(std::move(*machines));
  }
  if (place.empty())
    throw InputError("{}: setup '{}' has no nodes (nodes x cores of each). Write '2x4:mynode'?", where, text);
  return place;
}

bool is_setup(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  return digits != std::string::npos && digits > 0 && digits + 1 < text.size() && text[digits] == 'x' &&
         text[digits + 1] >= '0' && text[digits + 1] <= '9';
}

Layout in_turn(Layout layout) {
  std::vector<std::uint32_t> round;
  for (std::size_t r = 0, first = 0; r < layout.placements.size(); ++r) {
    if (layout.placements[r].node != layout.placements[first].node) first = r;
    round.push_back(static_cast<std::uint32_t>(r - first));
  }
  std::vector<std::size_t> order(layout.placements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return round[r]; });
  std::vector<Placement> placements;
  placements.reserve(order.size());
  for (const std::size_t r : order) placements.push_back(layout.placements[r]);
  layout.placements = std::move(placements);
  return layout;
}

Layout taken_of(Layout layout, const LayoutRow& row) {
  if (row.taken->round_robin) layout = in_turn(std::move(layout));
  if (row.taken->ranks > layout.ranks())
    throw InputError("{}: {} ranks of a setup of {} processes (at most all of them). Add nodes to 'setup'?", row.where,
                     row.taken->ranks, layout.ranks());
  if (row.taken->ranks > 0) layout.placements.resize(row.taken->ranks);
  return layout;
}

}  // namespace orrery
