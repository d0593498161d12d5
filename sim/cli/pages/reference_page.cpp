#include "sim/cli/pages/reference_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "platforms/keys.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/lab/lab.hpp"
#include "sim/study/read/keys.hpp"

namespace orrery::cli {

using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Shape;

const std::vector<FileReference>& file_references() {
  static const std::vector<FileReference> files{{"platform", &platform_keys()},
                                                {"layout", &layout_keys()},
                                                {"scenario", &scenario_keys()},
                                                {"lab", &lab::lab_keys()}};
  return files;
}

namespace {

void collect(const Mapping& mapping, std::vector<const Mapping*>& into) {
  if (&mapping == &config::anything() || std::ranges::find(into, &mapping) != into.end()) return;
  into.push_back(&mapping);
  if (mapping.shared != nullptr && mapping.shared->name.starts_with('<')) collect(*mapping.shared, into);
  for (const Key& key : mapping.keys)
    if (key.inside != nullptr) collect(*key.inside, into);
}

std::string range_text(const Key& key) {
  switch (key.kind) {
    case KeyKind::work:
      return fmt::format("{:g}..{:g} flop", key.least, key.most);
    case KeyKind::integer:
      return fmt::format("{:.0f}..{:.0f}", key.least, key.most);
    case KeyKind::number:
      return fmt::format("{:g}..{:g}", key.least, key.most);
    case KeyKind::share:
      return fmt::format("{:g}%..{:g}%", 100.0 * key.least, 100.0 * key.most);
    case KeyKind::time:
      return fmt::format("{}..{}", to_text(Seconds(key.least)), to_text(Seconds(key.most)));
    case KeyKind::data:
      return fmt::format("{}..{}", to_text(Bytes(key.least)), to_text(Bytes(key.most)));
    case KeyKind::bandwidth:
      return fmt::format("{}..{}", to_text(BytesPerSecond(key.least)), to_text(BytesPerSecond(key.most)));
    case KeyKind::speed:
      return fmt::format("{}..{}", to_text(FlopsPerSecond(key.least)), to_text(FlopsPerSecond(key.most)));
    case KeyKind::time_per_byte:
      return fmt::format("{:g}..{:g} s/B", key.least, key.most);
    case KeyKind::rate:
      return fmt::format("{}..{}", to_text(PerSecond(key.least)), to_text(PerSecond(key.most)));
    case KeyKind::power:
      return fmt::format("{}..{}", to_text(Watts(key.least)), to_text(Watts(key.most)));
    default:
      return "";
  }
}

std::string one_text(const Key& key) {
  switch (key.kind) {
    case KeyKind::text:
      return "text";
    case KeyKind::word:
      return fmt::format("{}", fmt::join(key.choices, ", "));
    case KeyKind::boolean:
      return "true, false";
    case KeyKind::integer:
      return "whole number, " + range_text(key);
    case KeyKind::number:
      return "number, " + range_text(key);
    case KeyKind::share:
      return "percentage, " + range_text(key);
    case KeyKind::time:
      return "time, " + range_text(key);
    case KeyKind::data:
      return "data, " + range_text(key);
    case KeyKind::bandwidth:
      return "bandwidth, " + range_text(key);
    case KeyKind::speed:
      return "speed, " + range_text(key);
    case KeyKind::work:
      return "work, " + range_text(key);
    case KeyKind::time_per_byte:
      return "time per byte, " + range_text(key);
    case KeyKind::rate:
      return "rate, " + range_text(key);
    case KeyKind::power:
      return "power, " + range_text(key);
    case KeyKind::section:
      return "keys";
    case KeyKind::any:
      return "any value";
  }
  return "";
}

std::string inside_text(const Key& key) {
  return key.inside == nullptr || key.inside == &config::anything() ? "" : fmt::format(" of '{}'", key.inside->name);
}

std::string default_of(const Key& key) {
  if (key.any_name()) return "";
  if (key.required()) return "required";
  return key.fallback.empty() ? key.absent : key.fallback;
}

std::string title_of(const FileReference& file, const Mapping& mapping) {
  return mapping.name.empty() ? file.kind + " file" : mapping.name;
}

/// Dimensions that occur in a file, with their units.
const std::vector<std::pair<std::string, Dimension>>& dimensions() {
  static const std::vector<std::pair<std::string, Dimension>> all{{"time", Dimension::time},
                                                                  {"data", Dimension::data},
                                                                  {"bandwidth", Dimension::bandwidth},
                                                                  {"speed", Dimension::speed},
                                                                  {"time per byte", Dimension::time_per_byte},
                                                                  {"rate", Dimension::rate},
                                                                  {"power", Dimension::power}};
  return all;
}

constexpr const char* preface =
    "Every quantity needs a unit; a bare number is refused. Unknown keys are refused, with a list of the known ones. "
    "'<name>' stands for a name you choose, '[]' for an item of a list.";

std::string key_text(const Key& key, std::size_t column, std::size_t width) {
  const std::string usual = default_of(key);
  const std::string indent(column, ' ');
  std::string takes = takes_text(key);
  if (!usual.empty()) takes += key.required() ? "; required" : fmt::format("; default: {}", usual);
  std::string about = key.about;
  if (!key.example.empty()) about += fmt::format(" (as in {}: {})", key.name, key.example);
  return show::wrapped(fmt::format("  {:{}}  {}", key.name, column - 4, takes), width, indent) +
         show::wrapped(indent + about, width, indent);
}

}  // namespace

std::vector<const Mapping*> mappings_of(const Mapping& root) {
  std::vector<const Mapping*> mappings;
  collect(root, mappings);
  return mappings;
}

std::string takes_text(const Key& key) {
  const std::string one = one_text(key), inside = inside_text(key);
  if (key.shape == Shape::either) return fmt::format("{}, or a list{}", one, inside);
  const bool section = key.kind == KeyKind::section;
  if (key.shape == Shape::list)
    return section ? "list" + inside : fmt::format("list, each {}{}", one, inside.empty() ? "" : " or keys" + inside);
  return section ? one + inside : one + (inside.empty() ? "" : ", or keys" + inside);
}

std::string key_lines(const std::vector<Key>& keys) {
  std::size_t name_width = 0, usual_width = 0;
  for (const Key& key : keys) {
    name_width = std::max(name_width, key.name.size());
    usual_width = std::max(usual_width, key.fallback.size());
  }
  std::string lines;
  for (const Key& key : keys) {
    std::string takes = takes_text(key);
    for (const auto& [mode, usual] : key.fallback_of) takes += fmt::format("; {}: {}", mode, usual);
    lines +=
        fmt::format("  {:<{}}  {:>{}}  {} ({})\n", key.name, name_width, key.fallback, usual_width, key.about, takes);
  }
  return lines.empty() ? "  none\n" : lines;
}

std::string reference_text(const FileReference& file, std::size_t width) {
  std::string text = show::wrapped(preface, width, "");
  for (const Mapping* mapping : mappings_of(*file.root)) {
    std::size_t column = 0;
    for (const Key& key : mapping->keys) column = std::max(column, key.name.size());
    text += fmt::format("\n{}\n", title_of(file, *mapping));
    text += show::wrapped(mapping->about, width, "");
    for (const Key& key : mapping->keys) text += key_text(key, column + 4, width);
  }
  text += "\nUnits\n";
  for (const auto& [name, dimension] : dimensions())
    text += show::wrapped(fmt::format("  {:13}  {}", name, unit_names(dimension)), width, std::string(17, ' '));
  return text;
}

std::string reference_markdown() {
  std::string text = fmt::format(
      "# Every key of platform, layout, scenario and lab files\n\n"
      "<!-- Made by 'orrery show reference --markdown' from the declarations that the readers use. -->\n\n{}\n\n| | "
      "units |\n|---|---|\n",
      preface);
  for (const auto& [name, dimension] : dimensions()) text += fmt::format("| {} | {} |\n", name, unit_names(dimension));
  const auto code = [](const std::string& part) { return part.empty() ? "" : "`" + part + "`"; };
  for (const FileReference& file : file_references()) {
    text += fmt::format("\n## {} file\n", file.kind);
    for (const Mapping* mapping : mappings_of(*file.root)) {
      if (!mapping->name.empty()) text += fmt::format("\n### `{}`\n", mapping->name);
      text +=
          fmt::format("\n{}\n\n| key | takes | default | example | meaning |\n|---|---|---|---|---|\n", mapping->about);
      for (const Key& key : mapping->keys)
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, takes_text(key),
                            key.fallback.empty() ? default_of(key) : code(key.fallback), code(key.example), key.about);
    }
  }
  return text;
}

}  // namespace orrery::cli
