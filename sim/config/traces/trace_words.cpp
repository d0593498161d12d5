#include "sim/config/traces/trace_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr std::size_t quoted_max = 40;
constexpr double number_max = 1e30;  // flops, seconds: anything a program can mean

/// What a message quotes of the file: no control characters, not too long.
std::string quoted(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, quoted_max)) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return word.size() > quoted_max ? text + "..." : text;
}

}  // namespace

bool TraceLines::next(std::vector<std::string_view>& words, std::string_view kept) {
  while (at_ < text_.size()) {
    const auto end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    words.clear();
    std::size_t i = 0;
    while (true) {
      while (i < line.size() && is_blank(line[i])) ++i;
      if (i == line.size()) break;
      const std::size_t begin = i;
      while (i < line.size() && !is_blank(line[i])) ++i;
      words.push_back(line.substr(begin, i - begin));
    }
    if (words.empty() || (words[0][0] == '#' && words[0] != kept)) continue;
    return true;
  }
  return false;
}

void TraceLines::refuse(const std::string& problem) const {
  throw InputError(fmt::format("{}:{}: {}", file_, std::max(line_, 1u), problem));
}

double TraceLines::number(std::string_view word, const char* name) const {
  double value = 0.0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size() || !(value >= 0.0 && value <= number_max))
    refuse(fmt::format("{} is '{}' (a number from 0 to 1e+30). Correct it?", name, quoted(word)));
  return value;
}

double TraceLines::whole(std::string_view word, const char* name, double maximum) const {
  std::uint64_t digits = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), digits);
  const bool plain = status == std::errc() && end == word.data() + word.size();
  double value = static_cast<double>(digits);
  if (!plain) {
    const auto [rest, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failed != std::errc() || rest != word.data() + word.size()) value = -1.0;
  }
  if (!(value >= 0.0) || value > maximum || value != std::floor(value))
    refuse(fmt::format("{} is '{}' (a whole number from 0 to {:g}). Correct it?", name, quoted(word), maximum));
  return value;
}

}  // namespace orrery::config
