#include "sim/config/keys.hpp"

#include <algorithm>

namespace orrery::config {

const Key* Mapping::find(std::string_view key) const {
  const auto named = std::ranges::find(keys, key, &Key::name);
  if (named != keys.end()) return &*named;
  if (shared != nullptr)
    if (const Key* common = shared->find(key)) return common;
  const auto any = std::ranges::find_if(keys, &Key::any_name);
  return any == keys.end() ? nullptr : &*any;
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
