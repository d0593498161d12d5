#include "sim/study/read/platform_changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "platforms/keys.hpp"
#include "platforms/loader.hpp"
#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::Document;
using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Section;
using config::Shape;
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
    const std::string inner = path.empty() ? key : fmt::format("{}.{}", path, key);
    if (value.is_section())
      collect(value.section(), inner, into);
    else
      into.push_back({inner, value});
  }
}

/// Of any name only where a section may leave all of them out ('nic', but not 'node-types').
bool is_optional_section(const Key& key) {
  return key.kind == KeyKind::section && key.shape == Shape::one && (!key.any_name() || !key.absent.empty());
}

/// Those there are and those there may be.
std::vector<std::string> sections_of(const std::optional<Section>& section, const Mapping* keys) {
  std::vector<std::string> names;
  const auto is_parameter = [&](const std::string& key) {
    const Key* declared = keys == nullptr ? nullptr : keys->find(key);
    return declared != nullptr && declared->kind != KeyKind::section;
  };
  if (section)
    for (const auto& [key, value] : section->items())
      if (value.is_section() && !is_parameter(key)) names.push_back(key);
  if (keys != nullptr)
    for (const Key& key : keys->keys)
      if (is_optional_section(key) && !key.any_name() && std::ranges::find(names, key.name) == names.end())
        names.push_back(key.name);
  return names;
}

/// The key that is changed, as it is declared; null where its section takes any. Refuses a path that leads nowhere,
/// naming what there is; a section that the platform does not have, but its file may, need not be there.
const Key* declared_key(const Document& document, const PlatformChange& change, const std::string& name) {
  std::optional<Section> section = document.root();
  const Mapping* keys = &platform_keys();
  for (std::size_t begin = 0;;) {
    const auto dot = change.path.find('.', begin);
    const std::string key = change.path.substr(begin, dot - begin);
    const Key* declared = keys == nullptr ? nullptr : keys->find(key);
    if (dot == std::string::npos) return declared;
    const auto value = section ? section->optional(key) : std::nullopt;
    if (value && value->is_list() && declared != nullptr && declared->kind == KeyKind::section)
      throw InputError(
          "{}: '{}' of platform '{}' is a list, and paths lead to sections with names alone ('{}'). "
          "Write a platform file for each, and sweep over 'platform'?",
          change.value.where(), change.path.substr(0, dot), name, fmt::join(sections_of(section, keys), "', '"));
    if (value ? !value->is_section() : declared == nullptr || !is_optional_section(*declared))
      throw InputError("{}: platform '{}' has no section '{}'{}", change.value.where(), name,
                       change.path.substr(0, dot), known_names(key, sections_of(section, keys)));
    section = value ? std::optional(value->section()) : std::nullopt;
    keys = declared == nullptr ? nullptr : declared->inside;
    begin = dot + 1;
  }
}

/// As a parameter that says it was changed; what is no parameter (a kind, a name, a whole section) stays plain.
Document with_change(const Document& document, const PlatformChange& change, const std::string& name) {
  const Key* declared = declared_key(document, change, name);
  const bool plain = change.path.starts_with("compute.") ||
                     (declared != nullptr && (declared->kind == KeyKind::section || declared->names_thing()));
  if (plain) return document.with(change.path, change.value);
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
  config::refuse_other_format(config::read_file(file), file, "a platform", {"platform", "yaml"});
  Document document = config::read_yaml(file);
  for (const auto& change : spec.changes) document = with_change(document, change, spec.name);
  return document;
}

namespace {

/// A kind that was changed does not fit the keys that the file has beside it, and a change removes none.
Platform load_with_changes(const std::string& file, const PlatformSpec& spec) {
  try {
    return load_platform(changed_platform(file, spec), file);
  } catch (const config::KeyOfOtherKind& error) {
    const auto kind = std::ranges::find_if(spec.changes, [](const auto& one) { return one.path.ends_with(".kind"); });
    if (kind == spec.changes.end() || file_place(error.refusal().place).file != file) throw;
    Refusal refusal = error.refusal();
    refusal.remedy = fmt::format("Write a platform file with 'kind: {}' (a change leaves the file's other keys)?",
                                 text_of(kind->value));
    throw InputError(refusal);
  }
}

}  // namespace

Platform load_changed_platform(const std::string& file, const PlatformSpec& spec) {
  Platform platform = load_with_changes(file, spec);
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
  if (path == "layout.place" || path == "what-if") return true;
  if (!path.starts_with(opening)) return false;
  if (path.find(".affinity.") != std::string_view::npos) return true;
  const Key* key = platform_keys().at(path.substr(opening.size()));
  return key != nullptr && key->shape == Shape::list && key->kind != KeyKind::section;
}

}  // namespace orrery
