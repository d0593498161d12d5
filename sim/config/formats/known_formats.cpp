#include "sim/config/formats/known_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::config {

std::span<const FileFormat* const> known_formats() {
  static const std::vector<const FileFormat*> all = [] {
    std::vector<const FileFormat*> formats;
    for (const auto kind : {packed_formats(), log_formats(), machine_formats(), program_formats(), own_formats()})
      for (const FileFormat& format : kind) formats.push_back(&format);
    return formats;
  }();
  return all;
}

SeenFormat format_of(std::string_view text) {
  const TextSample sample(text);
  for (const FileFormat* format : known_formats())
    if (const std::uint32_t line = format->line_of(sample)) {
      std::string title;
      if (format->quotes) {
        title = sample.line(line);
        title.erase(0, std::min(title.find_first_not_of("#= "), title.size()));
      }
      return {format, line, shown(title)};
    }
  return {};
}

namespace {

std::string with_path(std::string_view use, const std::string& file) {
  std::string text(use);
  constexpr std::string_view place = "FILE";
  for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += file.size())
    text.replace(at, place.size(), file);
  return text;
}

[[noreturn]] void refuse_as(const SeenFormat& seen, const std::string& file, std::string_view wanted) {
  const std::string title = seen.title.empty() ? "" : fmt::format(" ('{}')", seen.title);
  throw InputError("{}:{}: is {}{}, not {}. {}?", file, seen.line, seen.format->what, title, wanted,
                   with_path(seen.format->use, file));
}

/// A file of ours may have the title of another tool in a comment or a source. Any text has a key, so "yaml" says nothing.
bool is_of_ours(std::string_view text, std::initializer_list<std::string_view> accepted) {
  const TextSample sample(text);
  return std::ranges::any_of(own_formats(), [&](const FileFormat& format) {
    return format.name != std::string_view("yaml") && std::ranges::find(accepted, format.name) != accepted.end() &&
           format.line_of(sample) != 0;
  });
}

}  // namespace

void refuse_other_format(std::string_view text, const std::string& file, std::string_view wanted,
                         std::initializer_list<std::string_view> accepted) {
  if (is_of_ours(text, accepted)) return;
  const SeenFormat seen = format_of(text);
  if (seen.format != nullptr && std::ranges::find(accepted, seen.format->name) == accepted.end())
    refuse_as(seen, file, wanted);
}

void require_format(std::string_view text, const std::string& file, std::string_view wanted,
                    std::initializer_list<std::string_view> accepted) {
  refuse_other_format(text, file, wanted, accepted);
  if (format_of(text).format != nullptr) return;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError("{}: is empty ({} is expected). Is it cut off?", file, wanted);
  std::string names;
  for (const FileFormat* format : known_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format->name);
  throw InputError("{}: is of no format that is known, and {} is expected (known: {}). Is it another file?", file,
                   wanted, names);
}

}  // namespace orrery::config
