#include "sim/config/yaml_text.hpp"

#include <algorithm>
#include <cctype>

namespace orrery::config {

namespace {

constexpr std::size_t line_max = 100;

/// Quoted where YAML would read something else.
std::string scalar(const std::string& text) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '/' || c == '_' || c == '-' || c == '+';
  };
  if (!text.empty() && text.front() != '-' && std::ranges::all_of(text, plain)) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

/// In one line.
std::string flow(const Value& value) {
  if (value.is_scalar()) return scalar(value.written());
  std::string text;
  if (value.is_list()) {
    for (const auto& item : value.list()) text += (text.empty() ? "" : ", ") + flow(item);
    return "[" + text + "]";
  }
  for (const auto& [key, item] : value.section().items()) text += (text.empty() ? "" : ", ") + key + ": " + flow(item);
  return "{" + text + "}";
}

bool is_small(const Value& value) {
  if (!value.is_section()) return true;
  const auto items = value.section().items();
  return flow(value).size() < line_max &&
         std::ranges::none_of(items, [](const auto& item) { return item.second.is_section(); });
}

void block(const Section& section, const std::string& indent, std::string& text) {
  for (const auto& [key, value] : section.items()) {
    text += indent + key + ":";
    if (is_small(value)) {
      text += " " + flow(value) + "\n";
    } else {
      text += "\n";
      block(value.section(), indent + "  ", text);
    }
  }
}

}  // namespace

std::string yaml_text(const Document& document) {
  std::string text;
  block(document.root(), "", text);
  return text;
}

}  // namespace orrery::config
