/// Layout files and rows, read; layouts.cpp places them.
#include <fmt/format.h>

#include <charconv>

#include "platforms/layouts.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Section;
using config::Value;

constexpr std::int64_t ranks_max = 1 << 24;
constexpr std::int64_t nodes_max = 1 << 22;
constexpr std::int64_t cores_max = 4096;

std::uint32_t count(const Value& value, std::int64_t min, std::int64_t max) {
  return static_cast<std::uint32_t>(value.integer(min, max));
}

std::uint32_t count_or(const Section& section, std::string_view key, std::uint32_t fallback, std::int64_t min,
                       std::int64_t max) {
  const auto value = section.optional(key);
  return value ? count(*value, min, max) : fallback;
}

/// `processes: {c6: 3, gpu: 1}`.
void read_expected(const Section& processes, LayoutRow& row) {
  for (const auto& [key, value] : processes.items()) {
    std::uint32_t cores = 0;
    if (key != "gpu") {
      const bool counted = key.starts_with('c');
      const char* const last = key.data() + key.size();
      const auto [end, status] = std::from_chars(key.data() + (counted ? 1 : 0), last, cores);
      if (!counted || status != std::errc() || end != last || cores == 0)
        value.refuse("under an unknown key ('c<cores>' or 'gpu'). Write 'c6'?");
    }
    row.expected[cores] = count(value, 0, ranks_max);
  }
}

LayoutRow::Nodes read_place(const Section& section) {
  LayoutRow::Nodes nodes;
  nodes.where = section.where();
  nodes.type = section.text("type");
  nodes.nodes = count_or(section, "nodes", 1, 1, nodes_max);
  nodes.gpus = count_or(section, "gpus", 0, 0, cores_max);
  for (const Value& cores : section.optional_list("processes")) nodes.processes.push_back(count(cores, 1, cores_max));
  section.finish();
  return nodes;
}

}  // namespace

LayoutRow load_layout_row(const Section& section, const std::string& name) {
  LayoutRow row;
  row.name = name;
  row.where = section.where();
  const auto nodes = section.optional_section("nodes");
  const auto place = section.optional_list("place");
  if (nodes && !place.empty())
    section.refuse("place",
                   fmt::format("row '{}' has both 'nodes' and 'place' (only one is allowed). Remove one?", name));
  if (nodes) {
    row.mapped = true;
    for (const auto& [type, value] : nodes->items())
      row.place.push_back({type, value.where(), count(value, 0, nodes_max), {}, 0});
    if (const auto processes = section.optional_section("processes")) read_expected(*processes, row);
  }
  for (const Value& item : place) row.place.push_back(read_place(item.section()));
  if (const char* key = nodes ? "nodes" : "place"; row.place.empty() && section.has(key))
    section.refuse(key, fmt::format("row '{0}' has '{1}' without a node type (at least one). Add one, or remove '{1}'?",
                                    name, key));
  if (row.place.empty()) {
    row.spread =
        LayoutRow::Spread{count_or(section, "ranks", 0, 0, ranks_max), count_or(section, "per-node", 0, 0, ranks_max),
                          count_or(section, "cores", 1, 1, cores_max), count_or(section, "gpus", 0, 0, cores_max)};
    const std::string sockets = section.optional_text("sockets").value_or("fill");
    if (sockets != "fill" && sockets != "alternate")
      section.refuse("sockets", fmt::format("'sockets' is '{}'{}", sockets,
                                            known_names(sockets, std::vector<std::string>{"alternate", "fill"})));
    row.spread->alternate = sockets == "alternate";
  } else if (const auto ranks = section.optional_integer("ranks", 1, ranks_max)) {
    row.expected_ranks = static_cast<std::uint32_t>(*ranks);
  }
  section.finish();
  return row;
}

LayoutTable load_layouts(const config::Document& document) {
  const Section file = document.root();
  LayoutTable table;
  table.name = file.text("name");
  table.source = file.text("source");
  table.platform = file.optional_text("platform").value_or("");
  std::vector<std::uint32_t> gpus_of_node{0};
  if (const auto mapping = file.optional_section("mapping")) {
    mapping->choice("cpu", {"one-process-per-socket"});
    if (const auto cycle = mapping->optional("gpus-of-node")) {
      gpus_of_node.clear();
      for (const Value& gpus : cycle->list()) gpus_of_node.push_back(count(gpus, 0, cores_max));
      if (gpus_of_node.empty()) cycle->refuse("without numbers. Write '[0]'?");
    }
    mapping->finish();
  }
  const Section rows = file.section("rows");
  for (const auto& [name, value] : rows.items()) {
    table.rows.push_back(load_layout_row(value.section(), name));
    table.rows.back().gpus_of_node = gpus_of_node;
  }
  if (table.rows.empty()) file.refuse("rows", "'rows' has no row (at least one). Add one?");
  file.finish();
  return table;
}

LayoutTable load_layouts(const std::string& path) { return load_layouts(config::read_yaml(path)); }

}  // namespace orrery
