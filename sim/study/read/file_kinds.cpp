#include "sim/study/read/file_kinds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/config/dist2.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/load.hpp"

namespace orrery {

Catalogue<FileKind>& file_kinds() {
  static Catalogue<FileKind> catalogue("kind of file");
  return catalogue;
}

namespace {

const FileKind* kind_by_extension(const std::string& path) {
  for (const auto& [name, kind] : file_kinds().entries())
    if (!kind.extension.empty() && path.ends_with(kind.extension)) return &kind;
  return nullptr;
}

const FileKind* kind_by_keys(const config::Section& root) {
  for (const auto& [name, kind] : file_kinds().entries())
    if (!kind.section.empty() && root.has(kind.section) && root.value(kind.section).is_section()) return &kind;
  for (const auto& [name, kind] : file_kinds().entries())
    if (std::ranges::any_of(kind.keys, [&](const std::string& key) { return root.has(key); })) return &kind;
  return nullptr;
}

}  // namespace

const FileKind& kind_of(const std::string& path) {
  if (const FileKind* kind = kind_by_extension(path)) return *kind;
  const std::string text = config::read_file(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{')  // else all of it may be one section
    config::require_format(text, path, "a platform, layout, scenario, lab, parameters or a partition",
                           {"platform", "layout", "scenario", "lab", "parameters", "yaml"});
  if (const FileKind* kind = kind_by_keys(config::read_yaml(path).root())) return *kind;
  std::vector<std::string> known;
  for (const auto& [name, kind] : file_kinds().entries()) known.push_back(kind.summary);
  throw InputError("{}: is not a kind of file Orrery knows ({}). Is a key misspelt?",
                   config::read_yaml(path).root().where(), fmt::join(known, "; "));
}

void require_scenario_kind(const std::string& path) {
  config::refuse_other_format(config::read_file(path), path, "a scenario", {"scenario", "yaml"});
}

namespace {

std::string check_platform(const std::string& path) {
  const Platform platform = load_platform(path);
  const auto assumed = std::ranges::count_if(
      platform.provenance, [](const Provenance& parameter) { return parameter.source.starts_with("assumed"); });
  std::string notes;
  for (const NodeType& type : platform.node_types)
    for (const std::string& note : type.fabric.notes) notes += "\n  " + note;
  return fmt::format("platform '{}', {} nodes, {} network{}, {} parameters ({} assumed){}", platform.name,
                     platform.nodes(), platform.networks.size(), platform.networks.size() == 1 ? "" : "s",
                     platform.provenance.size(), assumed, notes);
}

/// Places every row when the table names its platform.
std::string check_layouts(const std::string& path) {
  const LayoutTable table = load_layouts(path);
  if (table.platform.empty())
    return fmt::format("layouts '{}', {} rows (no 'platform' to place them on)", table.name, table.rows.size());
  const Platform platform = load_platform_named(table.platform, path + ": 'platform'");
  for (const auto& row : table.rows) build_layout(platform, row);
  return fmt::format("layouts '{}', {} rows, all fit '{}'", table.name, table.rows.size(), platform.name);
}

std::string check_partition(const std::string& path) {
  const config::Dist2 dist2 = config::read_dist2(path);
  return fmt::format("partition of {} rectangles", dist2.processes.size());
}

std::string check_parameters(const std::string& path) {
  const auto sets = config::read_parameter_file(path);
  if (sets.empty()) throw InputError("{}: has no model's parameters. Create it again with 'orrery calibrate'?", path);
  std::vector<std::string> names;
  names.reserve(sets.size());
  for (const auto& set : sets) names.push_back(set.model);
  return fmt::format("parameters of {} on {} of '{}'", fmt::join(names, ", "), sets.front().network,
                     sets.front().platform);
}

const bool parameters_entered = file_kinds().add({.name = "parameters",
                                                  .summary = "a parameter file has 'models' with a section for each",
                                                  .section = "models",
                                                  .check = check_parameters});
const bool platform_entered = file_kinds().add(
    {.name = "platform", .summary = "a platform has 'node-types'", .keys = {"node-types"}, .check = check_platform});
const bool layouts_entered = file_kinds().add(
    {.name = "layout", .summary = "a layout table has 'rows'", .keys = {"rows"}, .check = check_layouts});
const bool partition_entered = file_kinds().add(
    {.name = "partition", .summary = "a partition ends in .2dist", .extension = ".2dist", .check = check_partition});

}  // namespace

}  // namespace orrery
