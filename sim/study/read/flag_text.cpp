#include "sim/study/read/flag_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>

#include "platforms/setups.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/load.hpp"

namespace orrery {

NameAndValue name_and_value(const std::string& text, const std::string& flag) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw InputError("{0}: '{1}' is not 'name=value'. Write '{0} {1}=...'?", flag, text);
  if (equals == 0) throw InputError("{0}: '{1}' is not 'name=value'. Write '{0} name{1}'?", flag, text);
  return {text.substr(0, equals), text.substr(equals + 1)};
}

ModelSpec model_from(const std::string& text, const std::string& flag) {
  std::istringstream words(text);
  ModelSpec model{{.name = {}, .where = flag, .settings = {}}};
  words >> model.name;
  const std::vector<std::string> settings{std::istream_iterator<std::string>(words), {}};
  model.settings = settings_from(settings, flag);
  look_up(model);
  return model;
}

std::vector<NamedSpec::Setting> settings_from(const std::vector<std::string>& texts, const std::string& flag) {
  std::vector<NamedSpec::Setting> settings;
  for (const auto& text : texts) {
    auto [name, value] = name_and_value(text, flag);
    if (std::ranges::find(settings, name, &NamedSpec::Setting::name) != settings.end())
      throw InputError("{}: '{}' is given twice (once each). Leave one out?", flag, name);
    settings.push_back({std::move(name), std::move(value), flag});
  }
  return settings;
}

LayoutSpec layout_from(const std::string& text, const std::string& flag) {
  if (is_setup(text)) {
    LayoutRow row{.name = text, .where = flag};
    row.place = parse_setup(text, flag);
    return {.table = {}, .row = {}, .own = std::move(row), .where = flag};
  }
  const auto colon = text.rfind(':');
  std::error_code ignored;
  if (colon != std::string::npos && !std::filesystem::exists(text, ignored))
    return {.table = text.substr(0, colon), .row = text.substr(colon + 1), .own = {}, .where = flag};
  const LayoutTable table = load_layouts_named(text, flag);
  if (table.rows.size() == 1) return {.table = text, .row = table.rows.front().name, .own = {}, .where = flag};
  std::vector<std::string> rows;
  for (const auto& row : table.rows) rows.push_back(row.name);
  throw InputError(
      "{0}: '{1}' has {2} rows and none is named (TABLE:ROW; known rows: {3}). Write '{0} "
      "{1}:{4}'?",
      flag, text, rows.size(), fmt::join(rows, ", "), rows.front());
}

namespace {

/// Those that --node-list names: numbers, or a file that a layout could name.
NodeChoice nodes_listed(const LayoutFlags& flags) {
  const bool numbers = flags.node_list.find_first_not_of("0123456789-,") == std::string::npos;
  const auto text = [](int number) { return std::to_string(number); };
  auto document = config::parse_yaml("name: flags\nsource: flags\nrows: {flags: {}}\n", "--node-list")
                      .with("rows.flags.node-list",
                            numbers ? "[" + flags.node_list + "]" : "\"" + flags.node_list + "\"", "--node-list");
  if (flags.ranks > 0) document = document.with("rows.flags.ranks", text(flags.ranks), "--ranks");
  if (flags.per_node > 0) document = document.with("rows.flags.per-node", text(flags.per_node), "--per-node");
  if (flags.gpus > 0) document = document.with("rows.flags.gpus", text(flags.gpus), "--gpus");
  if (flags.order == "round-robin") document = document.with("rows.flags.order", flags.order, "--order");
  return load_layouts(document).rows.front().spread->nodes;
}

/// Which nodes ranks are spread over.
void choose_nodes(const LayoutFlags& flags, LayoutRow::Spread& spread) {
  if (!flags.node_list.empty()) {
    if (!flags.type.empty() || flags.nodes > 0)
      throw InputError("--node-list: {} is given too (both choose the nodes). Remove one?",
                       flags.nodes > 0 ? "--nodes" : "--type");
    spread.nodes = nodes_listed(flags);
    return;
  }
  spread.nodes.type = flags.type;
  spread.nodes.most = static_cast<std::uint32_t>(flags.nodes);
}

}  // namespace

LayoutSpec layout_from(const LayoutFlags& flags) {
  const struct {
    const char* flag;
    int value, least, usual;
  } numbers[] = {{"--ranks", flags.ranks, 0, 0},
                 {"--per-node", flags.per_node, 0, 0},
                 {"--cores", flags.cores, 1, 1},
                 {"--gpus", flags.gpus, 0, 0},
                 {"--nodes", flags.nodes, 0, 0}};
  for (const auto& [flag, value, least, usual] : numbers) {
    if (value < least)
      throw InputError("{0}: '{1}' is less than {2} ({2} or more). Write '{0} {2}'?", flag, value, least);
    if (!flags.layout.empty() && value != usual)
      throw InputError("{0}: --layout is given too (it says how many ranks run where). Remove {0}?", flag);
  }
  for (const auto& [flag, text] : {std::pair{"--type", flags.type}, std::pair{"--node-list", flags.node_list}})
    if (!flags.layout.empty() && !text.empty())
      throw InputError("{0}: --layout is given too (it says how many ranks run where). Remove {0}?", flag);
  const bool round_robin = flags.order == "round-robin";
  if (round_robin && !flags.layout.empty())
    throw InputError("--order: --layout is given too (it says how many ranks run where). Remove --order?");
  if (round_robin && flags.gpus > 0)
    throw InputError("--order: 'round-robin' deals out ranks on cores ('--gpus 0'). Remove --gpus?");
  if (!flags.layout.empty()) return layout_from(flags.layout, "--layout");
  const auto natural = [](int n) { return static_cast<std::uint32_t>(n); };
  LayoutRow row{.name = {}, .where = flags.gpus == 0 ? "--ranks" : flags.ranks == 0 ? "--gpus" : "--ranks with --gpus"};
  row.spread =
      LayoutRow::Spread{natural(flags.ranks), natural(flags.per_node), natural(flags.cores), natural(flags.gpus)};
  row.spread->round_robin = round_robin;
  choose_nodes(flags, *row.spread);
  row.name = row.spread->name();
  return {.table = {}, .row = {}, .own = std::move(row), .where = "--layout"};
}

}  // namespace orrery
