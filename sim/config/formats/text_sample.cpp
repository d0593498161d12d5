#include "sim/config/formats/text_sample.hpp"

#include <algorithm>
#include <charconv>

namespace orrery::config {

namespace {

constexpr std::size_t sample_bytes = std::size_t{1} << 20, line_bytes = 600;
constexpr std::string_view sample_digits = "0123456789";

constexpr bool is_sample_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_sample_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_sample_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char sample_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// "[1,0]<stdout>:" of mpirun --tag-output, "12: " of srun --label; what follows them.
std::string_view without_label(std::string_view line) {
  std::string_view rest = line;
  while (!rest.empty() && is_sample_blank(rest.front())) rest.remove_prefix(1);
  if (rest.starts_with('[')) {
    const auto close = rest.find_first_not_of(std::string(sample_digits) + ",", 1);
    if (close == std::string_view::npos || close == 1 || rest[close] != ']') return line;
    const std::string_view behind = rest.substr(close + 1);
    if (!behind.starts_with("<std")) return line;
    const auto colon = behind.find(">:");
    return colon == std::string_view::npos ? line : behind.substr(colon + 2);
  }
  const auto end = rest.find_first_not_of(sample_digits);
  const bool label = end != 0 && end != std::string_view::npos && rest[end] == ':' &&
                     (end + 1 == rest.size() || is_sample_blank(rest[end + 1]));
  return label ? rest.substr(end + 1) : line;
}

std::string squeezed_line(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (!is_sample_blank(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
    if (text.size() > line_bytes) break;
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

/// Past declarations, comments and the document type.
std::string root_element(std::string_view text) {
  while (true) {
    while (!text.empty() && (is_sample_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    std::string_view end;
    if (text.starts_with("<!--"))
      end = "-->";
    else if (text.starts_with("<?"))
      end = "?>";
    else if (text.starts_with("<!"))
      end = ">";
    else
      break;
    const auto found = text.find(end);
    if (found == std::string_view::npos) return {};
    text.remove_prefix(found + end.size());
  }
  if (!text.starts_with('<')) return {};
  std::size_t length = 1;
  while (length < text.size() && (is_sample_letter(text[length]) || is_sample_digit(text[length]) || text[length] == '-' ||
                                  text[length] == '_' || text[length] == ':'))
    ++length;
  return std::string(text.substr(1, length - 1));
}

/// "key" of "key: value" at the beginning of a line; empty where there is none.
std::string_view top_key_of(std::string_view line) {
  if (line.empty() || !is_sample_letter(line.front())) return {};
  std::size_t length = 0;
  while (length < line.size() && (is_sample_letter(line[length]) || is_sample_digit(line[length]) || line[length] == '-' ||
                                  line[length] == '_' || line[length] == '.'))
    ++length;
  if (length == line.size() || line[length] != ':') return {};
  return length + 1 == line.size() || is_sample_blank(line[length + 1]) ? line.substr(0, length) : std::string_view{};
}

}  // namespace

TextSample::TextSample(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark)) text.remove_prefix(mark.size());
  bytes_ = text.substr(0, sample_bytes);
  binary_ = bytes_.find('\0') != std::string_view::npos;
  if (binary_) return;
  for (std::string_view rest = bytes_; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    lines_.push_back(squeezed_line(without_label(line)));
    const auto number = static_cast<std::uint32_t>(lines_.size());
    if (!lines_.back().empty() && lines_.back().front() != '#') content_.push_back(number);
    if (const auto key = top_key_of(line); !key.empty()) yaml_keys_.push_back({std::string(key), number});
  }
  xml_root_ = root_element(bytes_);
  const auto first = bytes_.find_first_not_of(" \t\r\n");
  json_ = first != std::string_view::npos && (bytes_[first] == '{' || bytes_[first] == '[') &&
          bytes_.find('"', first) != std::string_view::npos;
}

std::uint32_t TextSample::line_with(std::string_view part) const {
  const auto found =
      std::ranges::find_if(lines_, [&](const std::string& line) { return line.find(part) != std::string::npos; });
  return found == lines_.end() ? 0 : static_cast<std::uint32_t>(found - lines_.begin()) + 1;
}

std::uint32_t TextSample::line_begun(std::string_view start) const {
  const auto found = std::ranges::find_if(lines_, [&](const std::string& line) { return line.starts_with(start); });
  return found == lines_.end() ? 0 : static_cast<std::uint32_t>(found - lines_.begin()) + 1;
}

bool TextSample::row_below(std::uint32_t number) const {
  return std::ranges::any_of(lines_.begin() + number, lines_.end(), [](const std::string& line) {
    const auto words = words_of(line);
    return words.size() >= 2 && is_digits(words.front()) && is_number(words.back());
  });
}

bool TextSample::json_has(std::string_view key) const {
  if (!json_) return false;
  const std::string quoted = '"' + std::string(key) + '"';
  for (std::size_t at = 0; (at = bytes_.find(quoted, at)) != std::string_view::npos; at += quoted.size()) {
    const auto next = bytes_.find_first_not_of(" \t\r\n", at + quoted.size());
    if (next != std::string_view::npos && bytes_[next] == ':') return true;
  }
  return false;
}

std::uint32_t TextSample::yaml_key(std::string_view key) const {
  if (json_ || !xml_root_.empty()) return 0;
  const auto found = std::ranges::find(yaml_keys_, key, &TopKey::name);
  return found == yaml_keys_.end() ? 0 : found->line;
}

std::uint32_t TextSample::any_yaml_key(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys)
    if (const std::uint32_t line = yaml_key(key)) return line;
  return 0;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

bool is_number(std::string_view word) {
  double value = 0.0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  return status == std::errc() && end == word.data() + word.size();
}

bool is_digits(std::string_view word) { return !word.empty() && std::ranges::all_of(word, is_sample_digit); }

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char one, char other) { return sample_lower(one) == sample_lower(other); });
}

bool begins_same(std::string_view text, std::string_view start) { return same_word(text.substr(0, start.size()), start); }

}  // namespace orrery::config
