#include "sim/config/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/config/fields.hpp"

namespace orrery::config {

const Key* Mapping::find(std::string_view key) const {
  const auto named = std::ranges::find(keys, key, &Key::name);
  if (named != keys.end()) return &*named;
  if (shared != nullptr)
    if (const Key* common = shared->find(key)) return common;
  const auto any = std::ranges::find_if(keys, &Key::any_name);
  return any == keys.end() ? nullptr : &*any;
}

std::vector<std::string> Mapping::names() const {
  std::vector<std::string> all = shared == nullptr ? std::vector<std::string>{} : shared->names();
  for (const Key& key : keys)
    if (!key.any_name()) all.push_back(key.name);
  return all;
}

const Key* Mapping::at(std::string_view path) const {
  const auto dot = path.find('.');
  const Key* key = find(path.substr(0, dot));
  if (dot == std::string_view::npos || key == nullptr) return key;
  return key->inside == nullptr ? nullptr : key->inside->at(path.substr(dot + 1));
}

namespace {

std::string to_words(std::monostate) { return ""; }
std::string to_words(bool flag) { return flag ? "true" : "false"; }
std::string to_words(double number) { return fmt::format("{}", number); }
std::string to_words(const std::string& text) { return text; }
std::string to_words(const auto& list) { return fmt::format("{}", list); }

}  // namespace

std::string text_of(const FieldValue& value) {
  return std::visit([](const auto& one) { return to_words(one); }, value);
}

const Mapping& anything() {
  static const Mapping mapping = [] {
    Mapping made{.name = "<anything>", .about = "", .keys = {}};
    made.keys.push_back({.name = "<key>", .kind = KeyKind::any, .shape = Shape::either, .example = "", .about = ""});
    return made;
  }();
  return mapping;
}

}  // namespace orrery::config
