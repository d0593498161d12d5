#include "sim/study/shard/shard_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/show/result/json_text.hpp"

namespace orrery::study {

namespace fs = std::filesystem;

namespace {

/// Both ways with one list of fields.
template <class Field>
void each_field(ShardState& state, const Field& field) {
  field("scenario_name", state.name);
  field("directory", state.directory);
  field("identity", state.identity);
  field("build", state.build);
  field("shard", state.shard.number);
  field("of", state.shard.of);
  field("points", state.points);
  field("done", state.done);
  field("failed", state.failed);
  field("all_points", state.all_points);
  field("ended", state.ended);
}

bool has_state(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / shard_file, failed);
}

/// Folders "<name>-K-of-N" beside each other.
std::vector<std::string> shards_of(const std::string& name) {
  const fs::path path(name);
  const fs::path parent = path.has_parent_path() ? path.parent_path() : ".";
  const std::string begin = path.filename().string() + "-";
  std::vector<std::string> found;
  for (const fs::path& entry : config::entries_of(parent)) {
    const std::string folder = entry.filename().string();
    if (folder.starts_with(begin) && folder.find("-of-", begin.size()) != std::string::npos && has_state(entry))
      found.push_back(path.has_parent_path() ? entry.string() : folder);
  }
  return found;
}

/// One name for a folder that is reached in several ways.
std::string canonical(const std::string& folder) {
  std::error_code failed;
  const fs::path real = fs::canonical(folder, failed);
  return failed ? folder : real.string();
}

}  // namespace

std::string shard_folder(const std::string& out, const ShardNumber& shard) {
  return fmt::format("{}-{}-of-{}", out, shard.number, shard.of);
}

void write_state(const std::string& folder, const ShardState& state) {
  nlohmann::ordered_json json, asked;
  ShardState copy = state;
  each_field(copy, [&](const char* key, const auto& value) { json[key] = value; });
  copy.request.each_field([&](const char* key, const auto& value) { asked[key] = value; });
  json["run"] = asked;
  config::write_into(folder, shard_file, json.dump(1) + "\n");
}

ShardState read_state(const std::string& folder) {
  const std::string file = folder + "/" + shard_file;
  const std::string text = config::read_file(file);
  try {
    const auto json = show::read_json(text, file, "what a shard writes");
    ShardState state{.folder = folder};
    each_field(state, [&](const char* key, auto& value) { json.at(key).get_to(value); });
    state.request.each_field([&](const char* key, auto& value) { json.at("run").at(key).get_to(value); });
    if (state.shard.number < 1 || state.shard.number > state.shard.of || state.shard.of > shards_max ||
        state.done + state.failed > state.points)
      throw InputError("{}: is damaged (shard {}, {} of {} points). Run the shard again?", file, state.shard.text(),
                       state.done + state.failed, state.points);
    return state;
  } catch (const nlohmann::json::exception& error) {
    throw InputError("{}: is not what a shard writes ({}). Run the shard again?", file, show::problem_of(error));
  }
}

std::vector<ShardState> shards_named(const std::vector<std::string>& names) {
  std::vector<ShardState> states;
  std::set<std::string> seen;
  for (const auto& name : names) {
    const auto folders = has_state(name) ? std::vector{name} : shards_of(name);
    if (folders.empty())
      throw InputError(
          "{0}: holds no shard, and no folder '{0}-K-of-N' does ('orrery run --shard K/N' "
          "writes them). Run the shards first?",
          name);
    for (const auto& folder : folders)
      if (seen.insert(canonical(folder)).second) states.push_back(read_state(folder));
  }
  std::ranges::stable_sort(states, {},
                           [](const ShardState& one) { return std::tuple(one.shard.of, one.shard.number); });
  return states;
}

}  // namespace orrery::study
