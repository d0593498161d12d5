#include "sim/show/charts/network_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/core/quantity_text.hpp"

namespace orrery::show {

namespace {

std::string up_to(std::uint32_t fewest, std::uint32_t most) {
  return fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
}

std::string square_note(const NetworkOutline& outline) {
  std::uint32_t most = 0, fewest_adapters = ~0u, most_adapters = 0;
  std::uint64_t drawn = 0;
  for (const auto& cell : outline.cells) {
    const std::uint32_t each = cell.adapters / std::max(1u, cell.count);
    most = std::max(most, cell.count);
    fewest_adapters = std::min(fewest_adapters, each);
    most_adapters = std::max(most_adapters, each);
    drawn += cell.count;
  }
  std::string text = most > 1 ? fmt::format("a square stands for up to {} nodes", most) : "a square is a node";
  if (drawn > outline.nodes && outline.rails > 0)
    return text + fmt::format(", with {} of {} {} adapters; a node is drawn under the leaf switches of all its rails",
                              up_to(fewest_adapters, most_adapters), most > 1 ? "their" : "its", outline.rails);
  if (most_adapters > 1)
    text += fmt::format("{} {} adapters{}", most > 1 ? ", with" : " with its", up_to(fewest_adapters, most_adapters),
                        most > 1 ? " each" : "");
  return drawn > outline.nodes ? text + "; one with adapters on several switches is drawn at each" : text;
}

/// Where a box is more than one switch and its label does not say so.
std::optional<std::string> box_note(const NetworkOutline& outline) {
  const auto most = std::ranges::max_element(outline.places, {}, &NetworkOutline::SwitchGroup::switches);
  if (outline.form == NetworkForm::levels || most == outline.places.end() || most->switches == 1) return std::nullopt;
  return outline.form == NetworkForm::torus
             ? fmt::format("a box is {} neighbouring routers, its squares are their nodes", most->switches)
             : fmt::format("a box is {} switches", most->switches);
}

std::optional<std::string> line_note(const NetworkOutline& outline) {
  std::uint32_t fewest = ~0u, most = 0;
  std::optional<double> each;
  bool alike = true;
  for (const auto& cables : outline.cables) {
    if (cables.from == cables.to || cables.count == 0) continue;
    fewest = std::min(fewest, cables.count);
    most = std::max(most, cables.count);
    const double bandwidth = cables.bandwidth.si() / cables.count;
    alike = alike && std::abs(bandwidth - each.value_or(bandwidth)) <= 1e-6 * bandwidth;
    each = bandwidth;
  }
  if (!each) return std::nullopt;
  const std::string count = most == 1 ? "a cable" : fmt::format("{} cables", up_to(fewest, most));
  return "a line is " + count + (alike ? fmt::format(" of {} each way", to_text(BytesPerSecond(*each))) : "");
}

std::optional<std::string> layer_note(const NetworkOutline& outline) {
  if (outline.form != NetworkForm::torus || outline.dimensions.size() < 3) return std::nullopt;
  return "a layer is the first two dimensions; above it is its place in the others, a diagonal is a cable to another";
}

}  // namespace

std::string cell_words(const NetworkOutline::Cell& cell) {
  if (cell.count == 1) return fmt::format("node {}", cell.first);
  if (cell.count == cell.last - cell.first + 1) return fmt::format("nodes {} to {}", cell.first, cell.last);
  return fmt::format("{} nodes from {} to {}", cell.count, cell.first, cell.last);
}

std::vector<std::string> drawing_notes(const NetworkOutline& outline) {
  std::vector<std::string> notes{square_note(outline)};
  for (auto&& note : {box_note(outline), line_note(outline), layer_note(outline)})
    if (note) notes.push_back(*note);
  return notes;
}

}  // namespace orrery::show
