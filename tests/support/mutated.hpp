/// Damaged copies of a text, as accidents and editors make them: the same seed gives the same copy.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::tests {

namespace detail {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin));
  if (begin < text.size()) lines.push_back(text.substr(begin));
  return lines;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// Replaces what follows one ':' on a random line by a value that some reader may dislike.
inline void swap_value(std::string& line, const std::string& other_line, std::mt19937& random) {
  static const std::vector<std::string> odd = {"0",
                                               "-1",
                                               "1e999",
                                               "nan",
                                               "99999999999999999999",
                                               "",
                                               "~",
                                               "[]",
                                               "{}",
                                               "[[]]",
                                               "\"",
                                               "*a",
                                               "&a b",
                                               "1us",
                                               "1GB/s",
                                               "0B",
                                               "1e18B",
                                               "4194304",
                                               "65536",
                                               "[65536, 65536, 65536]",
                                               "0-4294967295",
                                               "true",
                                               "!!binary x",
                                               "|",
                                               ">-",
                                               "- -"};
  const auto colon = line.find(':');
  if (colon == std::string::npos) return;
  const auto other = other_line.find(':');
  const bool borrow = other != std::string::npos && random() % 2 == 0;
  line = line.substr(0, colon + 1) + " " + (borrow ? other_line.substr(other + 1) : odd[random() % odd.size()]);
}

/// Another digit in the place of one.
inline void change_digit(std::string& line, std::mt19937& random) {
  std::vector<std::size_t> digits;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (line[i] >= '0' && line[i] <= '9') digits.push_back(i);
  if (!digits.empty()) line[digits[random() % digits.size()]] = static_cast<char>('0' + random() % 10);
}

}  // namespace detail

/// One damaged copy: one, or now and then three, of byte flips, inserted and deleted bytes, deleted, doubled and
/// swapped lines, changed indentation, changed digits, exchanged values, truncation.
inline std::string mutated(const std::string& original, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string text = original;
  for (auto times = random() % 4 == 0 ? 3 : 1; times > 0 && !text.empty(); --times) {
    const std::size_t at = random() % text.size();
    auto lines = detail::lines_of(text);
    const std::size_t a = random() % lines.size(), b = random() % lines.size();
    const auto line = [&](std::size_t i) { return lines.begin() + static_cast<std::ptrdiff_t>(i); };
    switch (random() % 14) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << random() % 8));
        continue;
      case 1:
        text.insert(at, 1, static_cast<char>(random() % 256));
        continue;
      case 2:
        text.erase(at, 1 + random() % 8);
        continue;
      case 3:
        text.resize(at);
        continue;
      case 4:
        lines.erase(line(a));
        break;
      case 5:
        lines.insert(line(b), std::string(lines[a]));
        break;
      case 6:
        std::swap(lines[a], lines[b]);
        break;
      case 7:
        lines[a].insert(0, 1 + random() % 3, ' ');
        break;
      default:
        detail::swap_value(lines[a], lines[b], random);
    }
    text = detail::joined(lines);
  }
  return text;
}

}  // namespace orrery::tests
