#include "sim/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

namespace {

constexpr std::size_t word_max = 60;

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f; }

/// Within a character of several bytes (UTF-8).
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string shortened(std::string_view word) {
  if (word.size() <= word_max) return std::string(word);
  std::size_t length = word_max;
  while (length > 0 && continues(word[length])) --length;
  return std::string(word.substr(0, length)) + "...";
}

}  // namespace

std::string printable(std::string_view message) {
  std::string result;
  while (!message.empty()) {
    const auto end = std::min(message.find_first_of(" \n\t'\",/()[]{}"), message.size());
    std::string word;
    for (const char c : shortened(message.substr(0, end)))
      if (is_control(c))
        word += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
      else
        word += c;
    result += word;
    if (end == message.size()) break;
    if (message[end] == '\t')
      result += "\\x09";
    else
      result += message[end];
    message.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace orrery
