// What Orrery reads or writes itself. Looked for last, because some of it has no title: a trace begins with a rank.
#include <algorithm>

#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"

namespace orrery::config {

namespace own_seen {

namespace {

std::uint32_t first_of(const TextSample& text) { return text.content().empty() ? 0 : text.content().front(); }

bool is_call(std::string_view word) {
  return word.size() >= 3 && std::ranges::all_of(word, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
         });
}

/// "0 send 1 7 1024" in one of the first lines, the others of which may be damaged, or a mark of ours.
std::uint32_t ti(const TextSample& text) {
  constexpr std::size_t looked_at = 10;
  for (std::size_t i = 0; i < std::min(text.content().size(), looked_at); ++i) {
    const auto words = words_of(text.line(text.content()[i]));
    if (words.size() >= 2 && is_digits(words[0]) && is_call(words[1])) return text.content()[i];
  }
  return text.line_begun("#orrery ");
}

/// The file of a rank in each line.
std::uint32_t ti_index(const TextSample& text) {
  const auto names_file = [&](std::uint32_t number) {
    const std::string& line = text.line(number);
    return line.find(' ') == std::string::npos && (line.ends_with(".ti") || line.ends_with(".txt") ||
                                                   line.ends_with(".trace") || line.find('/') != std::string::npos);
  };
  return !text.content().empty() && std::ranges::all_of(text.content(), names_file) ? first_of(text) : 0;
}

std::uint32_t parameters(const TextSample& text) {
  const bool is_set = text.yaml_key("network") != 0 && text.yaml_key("platform") != 0;
  const bool more = text.any_yaml_key({"kernel", "jobs", "layout", "sweep", "engine"}) != 0;
  const std::uint32_t line = text.yaml_key("models");
  const auto next = std::ranges::upper_bound(text.content(), line);
  const bool section = line != 0 && text.line(line) == "models:" && next != text.content().end() &&
                       !text.line(*next).starts_with('-');
  return is_set && !more && section ? line : 0;
}

/// Two rows of as many cells, separated by commas.
std::uint32_t csv(const TextSample& text) {
  const auto& content = text.content();
  if (content.size() < 2) return 0;
  const auto commas = [&](std::uint32_t number) { return std::ranges::count(text.line(number), ','); };
  return commas(content[0]) > 0 && commas(content[0]) == commas(content[1]) ? content[0] : 0;
}

constexpr FileFormat formats[] = {
    {"parameters", "a file of a model's parameters", "Name it in a scenario: 'calibrate: {files: [FILE]}'", parameters},
    {"platform", "a platform", "Look at it with 'orrery show platform FILE'",
     [](const TextSample& t) { return t.json_has("node-types") ? 1u : t.yaml_key("node-types"); }},
    {"layout", "a table of layouts", "Name a row of it: '--layout FILE:ROW'",
     [](const TextSample& t) { return t.yaml_key("rows"); }},
    {"lab", "a lab", "Look at it with 'orrery lab show FILE'",
     [](const TextSample& t) { return t.yaml_key("predict"); }},
    {"scenario", "a scenario", "Play it with 'orrery run FILE'",
     [](const TextSample& t) {
       if (t.json_has("platform") && t.json_has("kernel")) return 1u;  // JSON is YAML
       return t.any_yaml_key({"kernel", "jobs", "sweep", "models"});
     }},
    {"result", "the result of a run (JSON)", "Name its folder: 'orrery compare FOLDER OTHER'",
     [](const TextSample& t) { return t.json_has("orrery") && t.json_has("points") ? 1u : 0u; }},
    {"json", "a JSON file of no kind that is known", "Is it another file",
     [](const TextSample& t) { return t.json_has("name") || t.json_has("version") ? 1u : 0u; }},
    {"goal", "a GOAL schedule", "Replay it: '--replay FILE'",
     [](const TextSample& t) { return t.line_begun("num_ranks "); }},
    {"2dist", "a partition (.2dist)", "Give it to a kernel: '--partition FILE'",
     [](const TextSample& t) { return t.line_begun("#N ") != 0 ? t.line_begun("#size ") : 0u; }},
    {"taulop-table", "a table of tau-Lop's parameters",
     "Name its folder: 'orrery taulop --parameters FOLDER'",
     [](const TextSample& t) { return t.line_begun("#tau ") != 0 ? t.line_begun("#m ") : 0u; }},
    {"pattern", "a pattern of signals", "Give it to a barrier: 'orrery barrier --pattern FILE'",
     [](const TextSample& t) { return t.line_begun("stage") != 0 ? t.line_begun("ranks ") : 0u; }},
    {"ti", "a time-independent trace", "Replay it: '--replay FILE'", ti},
    {"ti-index", "the index of a time-independent trace", "Replay it: '--replay FILE'", ti_index},
    {"yaml", "a file of keys and values (YAML) of no kind that is known", "Is a key misspelt",
     [](const TextSample& t) { return t.any_key(); }},
    {"csv", "a table of comma-separated values", "Name it in a scenario: 'measured: FILE'", csv},
};

}  // namespace

}  // namespace own_seen

std::span<const FileFormat> own_formats() { return own_seen::formats; }

}  // namespace orrery::config
