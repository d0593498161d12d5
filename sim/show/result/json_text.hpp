/// JSON from other sources: results, shards, students' files, requests of a page. All of it is read here.
///
/// Code that uses a value may recurse over it (nlohmann's dump() does), so text that is nested deeper than any of ours
/// is refused before parsing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace orrery::show {

inline constexpr std::size_t json_depth_max = 32;  ///< as of YAML; ours have about ten levels

/// `what` describes the expected text: "a result.json of 'orrery run'". Throws InputError with the line of invalid
/// JSON, or of nesting that is too deep.
nlohmann::ordered_json read_json(std::string_view text, const std::string& where, const std::string& what);

/// nlohmann's message for a value of the wrong kind, without its own names: "type must be string, but is array".
std::string problem_of(const nlohmann::json::exception& error);

}  // namespace orrery::show
