/// JSON that somebody else wrote: results, shards, what students hand in, what a page asks. All of it is read here.
///
/// Whoever reads a value may recurse over it (nlohmann's dump() does), so text that is nested deeper than any of ours is
/// refused before it is parsed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace orrery::show {

inline constexpr std::size_t json_depth_max = 32;  ///< as of YAML; ours have about ten levels

/// `what` is what the text should be: "a result.json of 'orrery run'". Throws InputError that names the line of what is
/// no JSON, or is nested too deep.
nlohmann::ordered_json read_json(std::string_view text, const std::string& where, const std::string& what);

/// What nlohmann says of a value of the wrong kind, without its own names: "type must be string, but is array".
std::string problem_of(const nlohmann::json::exception& error);

}  // namespace orrery::show
