#include "sim/core/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

Dimension dimension_of(ParameterKind kind) {
  if (kind == ParameterKind::bytes) return Dimension::data;
  if (kind == ParameterKind::seconds) return Dimension::time;
  if (kind == ParameterKind::speed) return Dimension::speed;
  if (kind == ParameterKind::work) return Dimension::work;
  return Dimension::scalar;
}

ParameterValue parse_text(const ParameterDescription& wanted, std::string_view text, const std::string& where) {
  if (!wanted.choices.empty() && std::ranges::find(wanted.choices, text) == wanted.choices.end())
    throw InputError(fmt::format("{}: '{}' is '{}'{}", where, wanted.name, text, known_names(text, wanted.choices)));
  return std::string(text);
}

ParameterValue parse_boolean(const ParameterDescription& wanted, std::string_view text, const std::string& where) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  throw InputError(fmt::format("{}: '{}' is '{}' (true or false). Write 'true'?", where, wanted.name, text));
}

ParameterValue parse_number(const ParameterDescription& wanted, std::string_view text, const std::string& where) {
  const auto parsed = parse_quantity(text, dimension_of(wanted.kind));
  if (!parsed.si) throw InputError(fmt::format("{}: '{}' is '{}' {}", where, wanted.name, text, parsed.problem));
  const double value = *parsed.si;
  if (value < wanted.minimum || value > wanted.maximum)
    throw InputError(fmt::format("{}: '{}' is '{}', outside {:g}..{:g}. Choose a value in that range?", where,
                                 wanted.name, text, wanted.minimum, wanted.maximum));
  if (wanted.kind != ParameterKind::integer) return value;
  if (value != std::floor(value))
    throw InputError(
        fmt::format("{}: '{}' is '{}' (a whole number). Write '{:.0f}'?", where, wanted.name, text, value));
  return static_cast<std::int64_t>(value);
}

std::string render(const ParameterDescription& description, const ParameterValue& value) {
  switch (description.kind) {
    case ParameterKind::integer:
      return std::to_string(std::get<std::int64_t>(value));
    case ParameterKind::number:
      return fmt::format("{}", std::get<double>(value));
    case ParameterKind::bytes:
      return fmt::format("{}B", std::get<double>(value));
    case ParameterKind::seconds:
      return fmt::format("{}s", std::get<double>(value));
    case ParameterKind::speed:
      return fmt::format("{}flop/s", std::get<double>(value));
    case ParameterKind::work:
      return fmt::format("{}flop", std::get<double>(value));
    case ParameterKind::text:
      return std::get<std::string>(value);
    case ParameterKind::boolean:
      return std::get<bool>(value) ? "true" : "false";
  }
  return {};
}

}  // namespace

Parameters::Parameters(const std::vector<ParameterDescription>& schema) : schema_(schema) {
  for (const auto& description : schema_) values_.emplace(description.name, description.fallback);
}

void Parameters::set(std::string_view name, std::string_view text, const std::string& where) {
  const auto wanted = std::ranges::find(schema_, name, &ParameterDescription::name);
  if (wanted == schema_.end()) {
    std::vector<std::string> known;
    for (const auto& description : schema_) known.push_back(description.name);
    throw InputError(fmt::format("{}: unknown parameter '{}'{}", where, name, known_names(name, known)));
  }
  auto& value = values_.find(name)->second;
  switch (wanted->kind) {
    case ParameterKind::text:
      value = parse_text(*wanted, text, where);
      break;
    case ParameterKind::boolean:
      value = parse_boolean(*wanted, text, where);
      break;
    default:
      value = parse_number(*wanted, text, where);
  }
}

const ParameterValue& Parameters::at(std::string_view name) const {
  const auto found = values_.find(name);
  assert(found != values_.end() && "parameter missing from the schema");
  return found->second;
}

std::int64_t Parameters::integer(std::string_view name) const { return std::get<std::int64_t>(at(name)); }
double Parameters::number(std::string_view name) const { return std::get<double>(at(name)); }
Bytes Parameters::bytes(std::string_view name) const { return Bytes(std::get<double>(at(name))); }
Seconds Parameters::seconds(std::string_view name) const { return Seconds(std::get<double>(at(name))); }
const std::string& Parameters::text(std::string_view name) const { return std::get<std::string>(at(name)); }
bool Parameters::boolean(std::string_view name) const { return std::get<bool>(at(name)); }

std::optional<double> Parameters::figure(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&found->second)) return *number;
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Parameters::rendered() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& description : schema_)
    result.emplace_back(description.name, render(description, at(description.name)));
  return result;
}

}  // namespace orrery
