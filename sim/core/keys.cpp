#include "sim/core/keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

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

Key quantity_key(KeyKind kind, std::string name, std::string fallback, std::string about, double least, double most) {
  return {.name = std::move(name),
          .kind = kind,
          .least = least,
          .most = most,
          .fallback = std::move(fallback),
          .about = std::move(about)};
}

}  // namespace

Key count_key(std::string name, std::int64_t fallback, std::string about, double least, double most) {
  return quantity_key(KeyKind::integer, std::move(name), std::to_string(fallback), std::move(about), least, most);
}
Key number_key(std::string name, double fallback, std::string about, double least, double most) {
  return quantity_key(KeyKind::number, std::move(name), fmt::format("{}", fallback), std::move(about), least, most);
}
Key bytes_key(std::string name, double fallback, std::string about, double least, double most) {
  return quantity_key(KeyKind::data, std::move(name), fmt::format("{}B", fallback), std::move(about), least, most);
}
Key speed_key(std::string name, double fallback, std::string about) {
  return quantity_key(KeyKind::speed, std::move(name), fmt::format("{}flop/s", fallback), std::move(about),
                      Key::usual_least, Key::usual_most);
}
Key work_key(std::string name, double fallback, std::string about) {
  return quantity_key(KeyKind::work, std::move(name), fmt::format("{}flop", fallback), std::move(about),
                      Key::usual_least, Key::usual_most);
}
Key flag_key(std::string name, bool fallback, std::string about) {
  return {.name = std::move(name),
          .kind = KeyKind::boolean,
          .fallback = fallback ? "true" : "false",
          .about = std::move(about)};
}
Key word_key(std::string name, std::string fallback, std::string about, std::vector<std::string> choices) {
  return {.name = std::move(name),
          .kind = choices.empty() ? KeyKind::text : KeyKind::word,
          .choices = std::move(choices),
          .fallback = std::move(fallback),
          .about = std::move(about)};
}

Dimension dimension_of(KeyKind kind) {
  switch (kind) {
    case KeyKind::time:
      return Dimension::time;
    case KeyKind::data:
      return Dimension::data;
    case KeyKind::bandwidth:
      return Dimension::bandwidth;
    case KeyKind::speed:
      return Dimension::speed;
    case KeyKind::work:
      return Dimension::work;
    case KeyKind::time_per_byte:
      return Dimension::time_per_byte;
    case KeyKind::rate:
      return Dimension::rate;
    case KeyKind::power:
      return Dimension::power;
    default:
      return Dimension::scalar;
  }
}

std::optional<bool> truth_of(std::string_view text) {
  if (text == "true" || text == "yes") return true;
  if (text == "false" || text == "no") return false;
  return std::nullopt;
}

void refuse_unknown(const std::string& where, const std::string& what, std::string_view name,
                    const std::vector<std::string>& known) {
  throw InputError("{}: {} '{}'{}", where, what, name, known_names(name, known));
}

}  // namespace orrery
