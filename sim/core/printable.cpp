#include "sim/core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

namespace {

constexpr std::size_t word_max = 60;

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Within a character of several bytes (UTF-8).
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

struct Character {
  unsigned code = 0;
  std::size_t bytes = 0;  ///< 0: none of UTF-8
};

Character character_at(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 && first < 0xf5   ? 4
                            : first >= 0xe0 && first < 0xf0 ? 3
                            : first >= 0xc2 && first < 0xe0 ? 2
                                                            : 0;
  if (bytes == 0 || at + bytes > text.size()) return {};
  unsigned code = first & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(text[at + i])) return {};
    code = code << 6 | (byte_at(text, at + i) & 0x3fu);
  }
  return {code, bytes};
}

/// Control characters of ASCII and of ISO 6429 (U+009B begins an escape sequence), and what turns text around:
/// the marks of Unicode's bidirectional algorithm, and its separators of lines.
bool drives_terminal(unsigned code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0) || code == 0x61c ||
         (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

std::string shortened(std::string_view word) {
  if (word.size() <= word_max) return std::string(word);
  std::size_t length = word_max;
  while (length > 0 && continues(word[length])) --length;
  return std::string(word.substr(0, length)) + "...";
}

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character one = character_at(text, at);
    const bool ends_line = text.substr(at, 2) == "\r\n";  // of a CSV file
    if (ends_line)
      result += '\r';
    else if (one.bytes == 0 || (one.code < 0x20 && drives_terminal(one.code)))
      result += fmt::format("\\x{:02x}", byte_at(text, at));
    else if (drives_terminal(one.code))
      result += fmt::format("\\u{:04x}", one.code);
    else
      result += text.substr(at, one.bytes);
    at += std::max<std::size_t>(one.bytes, 1);
  }
  return result;
}

std::string printable(std::string_view message) {
  std::string result;
  while (!message.empty()) {
    const auto end = std::min(message.find_first_of(" \n\t'\",/()[]{}"), message.size());
    result += visible(shortened(message.substr(0, end)));
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
