/// The beginning of a file for format detection: lines without labels, and features that several formats check.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::config {

class TextSample {
 public:
  /// Keeps a view of `text`.
  explicit TextSample(std::string_view text);

  std::string_view bytes() const { return bytes_; }  ///< unchanged, except for a byte order mark
  bool binary() const { return binary_; }            ///< holds a NUL
  /// Without labels and '\r', runs of blanks as one space, none at the ends; long lines are cut.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Lines that are neither empty nor comments ('#'), from the first; their numbers, from 1.
  const std::vector<std::uint32_t>& content() const { return content_; }
  const std::string& line(std::uint32_t number) const { return lines_[number - 1]; }

  std::uint32_t line_with(std::string_view part) const;    ///< the first that contains it, from 1; 0: none
  std::uint32_t line_begun(std::string_view start) const;  ///< the first that begins with it
  /// Whether a line below `number` has two or more numbers, and no comma: a row of a log.
  bool row_below(std::uint32_t number) const;

  const std::string& xml_root() const { return xml_root_; }  ///< the name of the root element; empty: no XML
  bool json() const { return json_; }
  bool json_has(std::string_view key) const;  ///< a key of this name anywhere; false if it is no JSON
  /// The line of a key that begins a line of a YAML file; 0: none, or no such file.
  std::uint32_t yaml_key(std::string_view key) const;
  std::uint32_t any_key() const { return json_ || !xml_root_.empty() || yaml_keys_.empty() ? 0 : yaml_keys_.front().line; }
  std::uint32_t any_yaml_key(std::initializer_list<std::string_view> keys) const;

 private:
  std::string_view bytes_;
  bool binary_ = false, json_ = false;
  std::vector<std::string> lines_;
  std::vector<std::uint32_t> content_;
  std::string xml_root_;
  struct TopKey {
    std::string name;
    std::uint32_t line;
  };
  std::vector<TopKey> yaml_keys_;
};

/// The words of a line whose blanks are single spaces.
std::vector<std::string_view> words_of(std::string_view line);
bool is_number(std::string_view word);  ///< 12, -1, 2.5, 1e-07
bool is_digits(std::string_view word);
bool same_word(std::string_view a, std::string_view b);  ///< ignoring case
bool begins_same(std::string_view text, std::string_view start);

}  // namespace orrery::config
