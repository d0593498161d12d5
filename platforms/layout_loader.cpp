/// Layout files and rows, read; layouts.cpp places them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <sstream>

#include "platforms/host_files.hpp"
#include "platforms/keys.hpp"
#include "platforms/layout_fields.hpp"
#include "platforms/layouts.hpp"
#include "platforms/setups.hpp"
#include "sim/config/csv.hpp"
#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using config::Section;
using config::Value;

LayoutRow::Nodes read_place(const Section& section) {
  LayoutRow::Nodes nodes;
  nodes.where = section.where();
  config::read_fields(section, place_fields(), nodes);
  section.finish();
  return nodes;
}

/// "5" or "0-7".
void add_nodes(const Value& value, NodeChoice& choice) {
  const std::string text = value.text();
  const char *at = text.data(), *const end = text.data() + text.size();
  std::uint32_t first = 0;
  const auto [dash, status] = std::from_chars(at, end, first);
  std::uint32_t last = first;
  bool good = status == std::errc();
  if (good && dash != end) {
    const auto [stop, its_status] = std::from_chars(dash + 1, end, last);
    good = *dash == '-' && its_status == std::errc() && stop == end;
  }
  if (!good || last < first || last >= 1u << 22) value.refuse("(the number of a node, or a range). Write '0-7'?");
  choice.places.push_back({choice.listed.size(), value.where()});
  for (std::uint32_t node = first; node <= last; ++node) choice.listed.push_back(NodeId{node});
}

/// "5", "0-7", or a name as host lists have it.
void add_listed(const Value& value, bool ranks_stated, NodeChoice& choice) {
  const std::string text = value.text();
  if (text.empty() || (text.front() >= '0' && text.front() <= '9') || text.front() == '-') return add_nodes(value, choice);
  choice.of_ranks = !ranks_stated;
  add_hosts(text, value.where(), choice);
}

/// Nodes of a CSV file, found beside the file that names it: numbers in a column 'node', or names in a column 'node',
/// 'xname' or 'allocation', as batch systems write them down; or of a host file or list, which also says the node of
/// each rank unless the layout does.
void add_nodes_of_file(const Value& value, bool ranks_stated, NodeChoice& choice) {
  const std::string where = value.where(), name = value.text();
  std::filesystem::path file(name);
  if (const auto beside = std::filesystem::path(where.substr(0, where.find(':'))).parent_path() / file;
      file.is_relative() && config::is_there(beside))
    file = beside;
  const bool there = config::is_there(file);
  if (!there && is_host_list(name)) {
    choice.of_ranks = !ranks_stated;
    return add_hosts(name, where, choice);
  }
  if (!there)
    throw InputError(
        "{}: 'node-list' names a file '{}' that does not exist (sought here and beside the file that names it). "
        "Correct the name, or write '[{}]'?",
        where, shown(name), name.find_first_not_of("0123456789-") == std::string::npos ? shown(name) : "0-7");
  const std::string content = config::read_file(file.string());
  config::refuse_other_format(content, file.string(), "a list of nodes",
                              {"csv", "rankfile", "openmpi-hosts", "slurm-hosts", "lsf-hosts", "counted-hosts", "host-names"});
  if (!is_node_table(content)) {
    choice.of_ranks = !ranks_stated;
    return add_hosts_of_file(content, file.string(), choice);
  }
  const DataTable table = config::parse_csv(content, file.string());
  const char* column = "node";
  for (const char* other : {"allocation", "xname", "node"})
    if (table.has(other)) column = other;
  if (!table.has(column))
    throw InputError("{}: no column 'node', 'xname' or 'allocation'{}", table.name,
                     present_names(column, table.columns));
  const auto is_number = [&](const DataTable::Row& row) {
    const auto text = table.text(row, column);
    return !text || std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
  };
  const bool named = std::ranges::none_of(table.rows, is_number);
  for (const DataTable::Row& row : table.rows) {
    choice.places.push_back({choice.listed.size() + choice.named.size(), row.where});
    if (named) {
      choice.named.push_back(*table.text(row, column));
      continue;
    }
    const auto number = table.whole(row, column, (1u << 22) - 1);
    if (!number)
      throw InputError("{}: no '{}' (the number of a node). Write it, or remove the row?", row.where, column);
    const NodeId node{*number};
    if (std::ranges::find(choice.listed, node) == choice.listed.end())
      choice.listed.push_back(node);  // a line for each rank is as well
  }
}

void read_node_list(const Section& section, NodeChoice& choice) {
  const auto list = section.optional("node-list");
  if (!list) return;
  if (!choice.type.empty()) section.refuse("type", "'type' and 'node-list' both choose the nodes. Remove one?");
  const bool ranks_stated =
      std::ranges::any_of(std::array{"per-node", "order", "gpus"}, [&](const char* key) { return section.has(key); });
  if (choice.order != NodeOrder::contiguous)
    section.refuse("node-list", "'node-list' and 'placement' both choose the nodes. Remove one?");
  if (list->is_list())
    for (const Value& item : list->list()) add_listed(item, ranks_stated, choice);
  else
    add_nodes_of_file(*list, ranks_stated, choice);
  if (choice.listed.empty() && choice.named.empty()) list->refuse("without nodes. Write '[0-7]'?");
}

/// Keys of ranks that are spread have no meaning in a row that places each.
void refuse_spreading(const Section& section, const LayoutRow& row) {
  for (const char* key : {"placement", "type", "node-list"})
    if (section.has(key))
      section.refuse(key, Refusal("'{}' chooses nodes for ranks that are spread; this row places them itself. "
                                  "Remove it?",
                                  key));
  for (const char* key : {"per-node", "cores", "gpus", "per-gpu", "sockets", "order", "seed"})
    if (section.has(key) && !(row.taken && key == std::string_view("order")))
      section.refuse(key, Refusal("'{}' is of ranks that are spread; this row places them itself. Remove it?", key));
}

}  // namespace

LayoutRow load_layout_row(const Section& section, const std::string& name) {
  LayoutRow row;
  row.name = name;
  row.where = section.where();
  if (section.has("configuration")) {
    row.configuration = section.text("configuration");
    row.where = section.where("configuration");
    for (const auto& [key, value] : section.items())
      if (key != "configuration")
        section.refuse(
            key, Refusal("row '{}' has '{}' beside 'configuration' (which places every rank). Remove one?", name, key));
    return row;
  }
  const auto place = section.optional_list("place");
  const auto setup = section.optional("setup");
  if (setup && !place.empty())
    section.refuse("setup", Refusal("row '{}' has both 'setup' and 'place' (only one is allowed). Remove one?", name));
  if (setup) {
    row.place = parse_setup(setup->text(), setup->where());
    LayoutRow::Spread stated;
    config::read_fields(section, spread_fields(), stated);
    row.taken = LayoutRow::Taken{stated.ranks, stated.round_robin};
  }
  for (const Value& item : place) row.place.push_back(read_place(item.section()));
  if (row.place.empty() && section.has("place"))
    section.refuse(
        "place", Refusal("row '{}' has 'place' without a node type (at least one). Add one, or remove 'place'?", name));
  if (row.place.empty()) {
    row.spread = LayoutRow::Spread{};
    config::read_fields(section, spread_fields(), *row.spread);
    if (row.spread->gpus == 0 && section.has("per-gpu"))
      section.refuse("per-gpu", "'per-gpu' is of ranks on GPUs ('gpus' is 0). Add 'gpus'?");
    read_node_list(section, row.spread->nodes);
    if (row.spread->round_robin && row.spread->gpus > 0)
      section.refuse("order", "'order: round-robin' deals out ranks on cores ('gpus' is 0). Remove 'gpus'?");
  } else {
    if (const auto ranks = section.optional_integer("ranks"); ranks && !setup)
      row.expected_ranks = static_cast<std::uint32_t>(*ranks);
    refuse_spreading(section, row);
  }
  section.finish();
  return row;
}

LayoutTable load_layouts(const config::Document& document) {
  const Section file = document.root(layout_keys());
  LayoutTable table;
  table.name = file.text("name");
  table.source = file.text("source");
  table.platform = file.optional_text("platform").value_or("");
  const Section rows = file.section("rows");
  for (const auto& [name, value] : rows.items()) table.rows.push_back(load_layout_row(value.section(), name));
  if (table.rows.empty()) file.refuse("rows", "'rows' has no row (at least one). Add one?");
  file.finish();
  return table;
}

LayoutTable load_layouts(const std::string& path) {
  config::refuse_other_format(config::read_file(path), path, "a table of layouts", {"layout", "yaml"});
  return load_layouts(config::read_yaml(path));
}

}  // namespace orrery
