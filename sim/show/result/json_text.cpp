#include "sim/show/result/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::show {

namespace {

/// Where the text goes deeper than allowed; its size where it does not. Brackets in strings are text.
std::size_t too_deep_at(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '"')
      in_string = !in_string;
    else if (in_string)
      at += letter == '\\' ? 1 : 0;
    else if ((letter == '[' || letter == '{') && ++depth > json_depth_max)
      return at;
    else if ((letter == ']' || letter == '}') && depth > 0)
      --depth;
  }
  return text.size();
}

std::string place_of(std::string_view text, std::size_t at, const std::string& where) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = at - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}", where, line, column);
}

}  // namespace

nlohmann::ordered_json read_json(std::string_view text, const std::string& where, const std::string& what) {
  if (const auto deep = too_deep_at(text); deep < text.size())
    throw InputError("{}: is nested deeper than {} levels ({} is not). Is it another file?",
                     place_of(text, deep, where), json_depth_max, what);
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = std::min<std::size_t>(error.byte == 0 ? 0 : error.byte - 1, text.size());
    if (text.substr(at).find_first_not_of(" \t\r\n") == std::string_view::npos)
      throw InputError("{}: ends before it is whole ({} is JSON). Was the file cut short?", where, what);
    const auto end = std::min(text.find_first_of("\n", at), text.size());
    throw InputError("{}: is not JSON from '{}' on ({} is). Is it another file?", place_of(text, at, where),
                     shown(text.substr(at, end - at)), what);
  } catch (const nlohmann::json::exception& error) {
    throw InputError("{}: is not JSON: {} ({} is). Is it another file?", where, problem_of(error), what);
  }
}

std::string problem_of(const nlohmann::json::exception& error) {
  const std::string_view said = error.what();  // "[json.exception.type_error.302] type must be ..."
  const auto end = said.find("] ");
  return std::string(said.starts_with("[json.exception") && end != std::string_view::npos ? said.substr(end + 2)
                                                                                          : said);
}

}  // namespace orrery::show
