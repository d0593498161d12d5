// What was built of a platform's networks, as `show platform` prints it: counted from the routes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platforms/built_network.hpp"
#include "sim/cli/pages/platform_page.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

namespace {

using show::Column;

/// "leaf switches"; "1 leaf switch" keeps its name.
std::string several(std::string name, std::uint32_t count) {
  if (count == 1) return name;
  if (name == "medium") return "media";
  return name + (name.ends_with("ch") ? "es" : "s");
}

std::string switches_text(const BuiltNetwork::Kind& kind) {
  std::string text = fmt::format("{} {}", kind.switches, several(kind.name, kind.switches));
  if (kind.with_adapters > 0 && kind.with_adapters < kind.switches)
    text += fmt::format(", {} with nodes", kind.with_adapters);
  return text;
}

std::string cables_text(const BuiltNetwork& network, const BuiltNetwork::Cables& cables) {
  const auto& to = network.kinds[cables.to];
  const bool global = cables.sort == ResourceKind::global_link;
  return fmt::format("{}{} {} {}", cables.count, global ? " global" : "", cables.from == cables.to ? "between" : "to",
                     several(to.name, 2));
}

/// "2:1"; "0.5:1 to 2:1" where switches differ.
std::string ratio_text(const BuiltNetwork::Cables& cables) {
  if (!cables.least) return "-";
  const std::string least = fmt::format("{:.3g}:1", *cables.least), most = fmt::format("{:.3g}:1", *cables.most);
  return least == most ? most : least + " to " + most;
}

}  // namespace

std::string rails_text(const BuiltNetwork& network) {
  const auto& leaves = network.leaves_of_rail;
  if (leaves.empty()) return "";
  std::string text;
  for (std::size_t first = 0; first < leaves.size();) {
    std::size_t last = first;
    while (last + 1 < leaves.size() && leaves[last + 1] == leaves[first]) ++last;
    const std::string of =
        first == last ? fmt::format("of rail {}", first) : fmt::format("of each of rails {} to {}", first, last);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", leaves[first], of);
    first = last + 1;
  }
  return "each rail has switches of its own: " + text;
}

std::string built_table(std::span<const Network> networks, const Platform& platform, std::size_t width) {
  std::vector<Column> columns;
  for (const char* header :
       {"network as built", "switches", "adapters", "cables", "together, each way", "oversubscription"})
    columns.push_back({"", header, columns.size() == 2 || columns.size() > 3, {}});
  const auto add_row = [&](const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back({cells[c]});
  };
  for (const Network& network : networks) {
    const BuiltNetwork found = built(*build_routes(platform, network));
    std::string name = network.name;
    for (std::uint32_t k = 0; k < found.kinds.size(); ++k) {
      const auto& kind = found.kinds[k];
      std::string switches = switches_text(kind), adapters = kind.adapters > 0 ? std::to_string(kind.adapters) : "-";
      for (const auto& cables : found.cables)
        if (cables.from == k)
          add_row({std::exchange(name, ""), std::exchange(switches, ""), std::exchange(adapters, ""),
                   cables_text(found, cables), to_text(cables.bandwidth), ratio_text(cables)});
      if (!switches.empty()) add_row({std::exchange(name, ""), switches, adapters, "-", "-", "-"});
    }
  }
  return show::render(columns, 1, width, false);
}

}  // namespace orrery::cli
