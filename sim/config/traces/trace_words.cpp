#include "sim/config/traces/trace_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/bound_text.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

const char* ti_operation_name(Operation operation) {
  return operation == Operation::reduce_scatter ? "reducescatter" : operation_name(operation);
}

std::string group_text(const Group& group) {
  const auto rank = [&](Member m) { return static_cast<std::int64_t>(index(group.rank(m))); };
  const std::int64_t stride = group.size() > 1 ? rank(1) - rank(0) : 1;
  bool even = group.size() > 0 && stride > 0;
  for (Member m = 1; even && m < group.size(); ++m) even = rank(m) - rank(m - 1) == stride;
  if (even) return fmt::format("{}:{}:{}", rank(0), stride, group.size());
  std::string text;
  for (Member m = 0; m < group.size(); ++m) text += fmt::format("{}{}", m == 0 ? "" : ",", rank(m));
  return text;
}

std::optional<Group> parse_group(std::string_view text, std::uint32_t ranks, Communicator communicator) {
  std::vector<std::uint32_t> numbers;
  const bool strided = text.find(':') != std::string_view::npos;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find_first_of(":,"));
    std::uint32_t number = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (status != std::errc() || end != word.data() + word.size()) return std::nullopt;
    numbers.push_back(number);
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  if (strided) {
    if (numbers.size() != 3 || numbers[1] == 0 || numbers[2] == 0) return std::nullopt;
    const std::uint64_t last = numbers[0] + std::uint64_t{numbers[2] - 1} * numbers[1];
    if (last >= ranks) return std::nullopt;
    return Group::strided(Rank{numbers[0]}, numbers[1], numbers[2], communicator);
  }
  std::vector<Rank> members;
  for (const std::uint32_t number : numbers) {
    if (number >= ranks || std::ranges::find(members, Rank{number}) != members.end()) return std::nullopt;
    members.push_back(Rank{number});
  }
  if (members.empty()) return std::nullopt;
  return Group::of(std::move(members), communicator);
}

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

void TraceLines::refuse(const Refusal& problem) const { throw InputError("{}: {}", where(), problem); }

std::string TraceLines::where() const { return fmt::format("{}:{}", file_, std::max(line_, 1u)); }

double TraceLines::number(std::string_view word, const char* name) const {
  double value = 0.0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc() || end != word.data() + word.size() || !(value >= 0.0 && value <= number_max))
    refuse(Refusal("{} is '{}' (a number from 0 to 1e+30). Correct it?", name, quoted(word)));
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
    refuse(Refusal("{} is '{}' (a whole number from 0 to {}). Correct it?", name, quoted(word), bound_text(maximum)));
  return value;
}

}  // namespace orrery::config
