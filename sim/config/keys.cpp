#include "sim/config/keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/fields.hpp"

namespace orrery::config {

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
