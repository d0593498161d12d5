#include "sim/core/bound_text.hpp"
#include "sim/core/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using Held = std::variant<std::int64_t, double, std::string, bool>;

Held parse_text(const Key& wanted, std::string_view text, const std::string& where) {
  if (!wanted.choices.empty() && std::ranges::find(wanted.choices, text) == wanted.choices.end())
    throw InputError("{}: '{}' is '{}'{}", where, wanted.name, text, known_names(text, wanted.choices));
  return std::string(text);
}

Held parse_boolean(const Key& wanted, std::string_view text, const std::string& where) {
  if (const auto truth = truth_of(text)) return *truth;
  throw InputError("{}: '{}' is '{}' (true or false). Write 'true'?", where, wanted.name, text);
}

Held parse_number(const Key& wanted, std::string_view text, const std::string& where) {
  const auto parsed =
      parse_quantity(text, dimension_of(wanted.kind), {wanted.least, wanted.most, wanted.kind == KeyKind::integer});
  if (!parsed.si) throw InputError("{}: '{}' is '{}' {}", where, wanted.name, text, parsed.problem);
  const double value = *parsed.si;
  if (value < wanted.least || value > wanted.most)
    throw InputError("{}: '{}' is '{}', outside {}..{}. Choose a value in that range?", where, wanted.name, text,
                     bound_text(wanted.least), bound_text(wanted.most));
  if (wanted.kind != KeyKind::integer) return value;
  if (value != std::floor(value))
    throw InputError("{}: '{}' is '{}' (a whole number). Write '{:.0f}'?", where, wanted.name, text, value);
  return static_cast<std::int64_t>(value);
}

Held parse(const Key& wanted, std::string_view text, const std::string& where) {
  const bool words = wanted.kind == KeyKind::text || wanted.kind == KeyKind::word;
  return words                             ? parse_text(wanted, text, where)
         : wanted.kind == KeyKind::boolean ? parse_boolean(wanted, text, where)
                                           : parse_number(wanted, text, where);
}

const char* unit_of(KeyKind kind) {
  return kind == KeyKind::data    ? "B"
         : kind == KeyKind::time  ? "s"
         : kind == KeyKind::speed ? "flop/s"
         : kind == KeyKind::work  ? "flop"
                                  : "";
}

struct Rendered {
  KeyKind kind;
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(auto number) const { return fmt::format("{}{}", number, unit_of(kind)); }
};

}  // namespace

Parameters::Parameters(const std::vector<Key>& schema) : schema_(schema) {
  for (const Key& key : schema_) values_.emplace(key.name, parse(key, key.fallback, key.name));
}

void Parameters::set(std::string_view name, std::string_view text, const std::string& where) {
  const auto wanted = std::ranges::find(schema_, name, &Key::name);
  if (wanted == schema_.end()) {
    std::vector<std::string> known;
    for (const Key& key : schema_) known.push_back(key.name);
    refuse_unknown(where, "unknown parameter", name, known);
  }
  values_.find(name)->second = parse(*wanted, text, where);
}

/// A kernel or model of one's own may misspell what it reads: refused in every build.
const Parameters::Held& Parameters::at(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  std::vector<std::string> known;
  for (const Key& key : schema_) known.push_back(key.name);
  throw InputError("parameters: '{}' is read, but it is none of those declared{}", name, known_names(name, known));
}

template <class T>
const T& Parameters::held(std::string_view name) const {
  const Held& value = at(name);
  if (const T* found = std::get_if<T>(&value)) return *found;
  constexpr const char* readers[] = {"integer", "number", "text", "boolean"};  // in the order of Held
  throw InputError("parameters: '{}' is read by '{}', but it is declared for '{}'. Read it by '{}'?", name,
                   readers[Held(T{}).index()], readers[value.index()], readers[value.index()]);
}

std::int64_t Parameters::integer(std::string_view name) const { return held<std::int64_t>(name); }
double Parameters::number(std::string_view name) const { return held<double>(name); }
Bytes Parameters::bytes(std::string_view name) const { return Bytes(held<double>(name)); }
Seconds Parameters::seconds(std::string_view name) const { return Seconds(held<double>(name)); }
const std::string& Parameters::text(std::string_view name) const { return held<std::string>(name); }
bool Parameters::boolean(std::string_view name) const { return held<bool>(name); }

std::optional<double> Parameters::parameter(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->second)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&found->second)) return *number;
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> Parameters::rendered() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const Key& key : schema_) result.emplace_back(key.name, std::visit(Rendered{key.kind}, at(key.name)));
  return result;
}

}  // namespace orrery
