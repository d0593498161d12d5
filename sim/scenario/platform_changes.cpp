#include "sim/scenario/platform_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::Document;
using config::Section;
using config::Value;

namespace {

constexpr std::string_view opening = "platform.";
constexpr const char* changed = "{value: 0, assumed: \"changed by the scenario\"}";

std::string text_of(const Value& value) {
  if (value.is_scalar()) return value.text();
  std::string text;
  if (value.is_list())
    for (const auto& item : value.list()) text += (text.empty() ? "" : ", ") + text_of(item);
  else
    for (const auto& [key, item] : value.section().items())
      text += (text.empty() ? "" : ", ") + key + ": " + text_of(item);
  return value.is_list() ? "[" + text + "]" : "{" + text + "}";
}

void collect(const Section& section, const std::string& path, std::vector<PlatformChange>& into) {
  for (const auto& [key, value] : section.items()) {
    if (path.empty() && key == "name") continue;
    const std::string inner = path.empty() ? key : path + "." + key;
    if (value.is_section())
      collect(value.section(), inner, into);
    else
      into.push_back({inner, value});
  }
}

/// The keys of the section that holds `path`; refuses a path that leads nowhere, naming what there is.
std::vector<std::string> keys_beside(const Document& document, const PlatformChange& change, const std::string& name) {
  Section section = document.root();
  std::vector<std::string> keys;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    keys.clear();
    for (const auto& [key, value] : section.items()) keys.push_back(key);
    const auto dot = change.path.find('.', begin);
    if (dot == std::string::npos) break;
    const std::string key = change.path.substr(begin, dot - begin);
    const auto value = section.optional(key);
    if (!value || !value->is_section())
      throw InputError(fmt::format("{}: platform '{}' has no section '{}'{}", change.value.where(), name,
                                   change.path.substr(0, dot), known_names(key, keys)));
    section = value->section();
    begin = dot + 1;
  }
  return keys;
}

/// As a figure that says it was changed; keys that are no figures (a kind, a model) stay plain.
Document with_change(const Document& document, const PlatformChange& change, const std::string& name) {
  constexpr std::array<std::string_view, 5> words{"kind", "model", "technology", "name", "source"};
  keys_beside(document, change, name);
  const std::string key = change.path.substr(change.path.rfind('.') + 1);
  const bool of_compute = change.path.starts_with("compute.");
  if (of_compute || std::ranges::find(words, key) != words.end()) return document.with(change.path, change.value);
  return document.with(change.path, changed, change.value.where()).with(change.path + ".value", change.value);
}

}  // namespace

std::string PlatformSpec::label() const {
  std::string label;
  for (const auto& [path, value] : changes)
    label += fmt::format("{}{}={}", label.empty() ? " with " : ", ", path, text_of(value));
  return label;
}

PlatformSpec read_platform_spec(const Value& value) {
  PlatformSpec spec{.name = {}, .where = value.where(), .changes = {}};
  if (!value.is_section()) {
    spec.name = value.text();
    return spec;
  }
  const Section section = value.section();
  spec.name = section.text("name");
  spec.where = section.where("name");
  collect(section, "", spec.changes);
  return spec;
}

Document changed_platform(const std::string& file, const PlatformSpec& spec) {
  Document document = config::read_yaml(file);
  for (const auto& change : spec.changes) document = with_change(document, change, spec.name);
  return document;
}

Platform load_changed_platform(const std::string& file, const PlatformSpec& spec) {
  Platform platform = load_platform(changed_platform(file, spec), file);
  platform.name += spec.label();
  return platform;
}

Document opened_for(const std::string& path, Document document) {
  if (!path.starts_with(opening) || path == std::string(opening) + "name") return document;
  const auto platform = document.root().optional("platform");
  if (!platform || !platform->is_scalar()) return document;
  return document.with("platform", "{}", platform->where()).with("platform.name", *platform);
}

bool is_list_by_itself(std::string_view path) {
  constexpr std::array<std::string_view, 8> lists{"down",   "up",    "parallel", "dimensions",
                                                  "copies", "place", "switches", "wrap"};
  if (path == "layout.place") return true;
  return path.starts_with(opening) && std::ranges::find(lists, path.substr(path.rfind('.') + 1)) != lists.end();
}

}  // namespace orrery
