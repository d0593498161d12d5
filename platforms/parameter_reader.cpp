#include "platforms/parameter_reader.hpp"

#include <utility>

#include "platforms/keys.hpp"
#include "sim/core/error.hpp"

namespace orrery {

using config::Section;
using config::Value;

namespace {

std::string stated_source(const Value& source) {
  if (source.text().empty()) source.refuse("(a datasheet, paper or campaign expected). Who says so?");
  return source.text();
}

/// `source: "..."`, `assumed: true` or `assumed: "why"` of a section; "" when it names neither.
std::string source_of(const Section& section) {
  const auto source = section.optional("source");
  const auto assumed = section.optional("assumed");
  if (source && assumed)
    section.refuse("assumed",
                   Refusal("'{}' has both a source and 'assumed' (only one is allowed). Remove one?", section.name()));
  if (source) return stated_source(*source);
  if (!assumed) return "";
  const std::string reason = assumed->text();
  if (reason == "true" || reason == "yes") return "assumed";
  if (reason.empty() || reason == "false" || reason == "no")
    assumed->refuse("(true or the reason). Name a source instead?");
  return "assumed: " + reason;
}

/// As written, for the table of sources.
std::string as_text(const Value& value) {
  if (value.is_scalar()) return value.written();
  std::string text;
  if (value.is_list()) {
    for (const Value& item : value.list()) text += (text.empty() ? "" : ", ") + as_text(item);
    return "[" + text + "]";
  }
  if (value.is_section()) {
    for (const auto& [key, item] : value.section().items())
      text += (text.empty() ? "" : ", ") + key + " " + as_text(item);
    return text;
  }
  return "";
}

}  // namespace

ParameterReader::ParameterReader(const Section& section, std::vector<Provenance>& provenance)
    : ParameterReader(section, "", stated_source(section.value("source")), provenance) {}

ParameterReader::ParameterReader(const Section& section, std::string path, std::string source,
                                 std::vector<Provenance>& provenance)
    : section_(section), path_(std::move(path)), source_(std::move(source)), provenance_(&provenance) {}

ParameterReader ParameterReader::inside(const Value& value) const {
  const Section inner = value.section();
  const std::string source = source_of(inner);
  return ParameterReader(inner, path_ + value.name() + ".", source.empty() ? source_ : source, *provenance_);
}

ParameterReader ParameterReader::inside(std::string_view key) const { return inside(section_.value(key)); }

std::pair<Value, std::string> ParameterReader::stated(std::string_view key) const {
  Value value = section_.value(key);
  std::string source = source_;
  if (value.is_section()) {
    const Section own = value.section(parameter_keys());
    value = own.value("value").as(value);
    if (std::string named = source_of(own); !named.empty()) source = std::move(named);
    own.finish();
  }
  if (source.empty())
    throw InputError(
        "{}: '{}' has no source (every parameter names one, or 'assumed'). Write '{}: {{value: ..., source: "
        "\"...\"}}'?",
        value.where(), key, key);
  return {std::move(value), std::move(source)};
}

Value ParameterReader::parameter(std::string_view key) const {
  if (!section_.has(key)) return section_.value(key);  // the default
  auto [value, source] = stated(key);
  provenance_->push_back({path_ + std::string(key), as_text(value), std::move(source)});
  return value;
}

Value ParameterReader::value(const config::Key& key) const {
  return key.names_thing() ? section_.value(key.name) : parameter(key.name);
}

Value ParameterReader::same_as(std::string_view key) const { return stated(key).first; }

}  // namespace orrery
