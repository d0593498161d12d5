#include "sim/study/shard/merge_shards.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/shell_words.hpp"
#include "sim/study/shard/simulations.hpp"

namespace orrery::study {

namespace fs = std::filesystem;

namespace {

/// "out" of "runs/out-3-of-20": where its scripts and its other shards are.
std::string out_of(const ShardState& shard) {
  const std::string suffix = shard_folder("", shard.shard);
  return shard.folder.ends_with(suffix) ? shard.folder.substr(0, shard.folder.size() - suffix.size()) : "out";
}

std::string command_for(const ShardState& one, const RunRequest& request, const std::string& shard) {
  auto words = words_of(request);
  words.insert(words.begin(), "orrery");
  words.insert(words.end(), {"--shard", shard, "--out", out_of(one), "--resume"});
  return shell_line(words);
}

void refuse_strangers(const std::vector<ShardState>& shards) {
  const ShardState& first = shards.front();
  for (const auto& shard : shards) {
    if (shard.identity != first.identity)
      throw InputError(
          "{}: is a shard of another run ({}) than {} ({}). Merge shards of one scenario with "
          "the same options?",
          shard.folder, shell_line(words_of(shard.request)), first.folder, shell_line(words_of(first.request)));
    if (shard.shard.of != first.shard.of)
      throw InputError("{}: is one of {} shards, {} one of {}. Leave the others out of 'orrery merge'?", shard.folder,
                       shard.shard.of, first.folder, first.shard.of);
    if (shard.build != build_identity())
      throw InputError(
          "{}: was played by another version or build of orrery ({}; this is {}). Merge with "
          "that one, or run the shard again?",
          shard.folder, shard.build, build_identity());
  }
}

/// The scenario's file where this process runs.
std::string path_here(const ShardState& shard) {
  const fs::path given(shard.request.scenario), there = fs::path(shard.directory) / given;
  std::error_code failed;
  return fs::exists(given, failed) ? given.string() : there.lexically_normal().string();
}

/// Up to so many of them, and how many more.
std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t shown = 20;
  const std::size_t named = std::min(words.size(), shown);
  const std::vector<std::string> first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(named));
  return fmt::format("{}{}", fmt::join(first, ", "),
                     words.size() > named ? fmt::format(" and {} more", words.size() - named) : "");
}

[[noreturn]] void tell_missing(const ShardState& one, const RunRequest& request,
                               const std::vector<std::string>& missing, const std::string& first) {
  throw InputError("{}: not all shards are there; missing: {}. Go on with:\n  {}", one.name, some_of(missing),
                   command_for(one, request, first));
}

void require_all(const std::vector<ShardState>& shards, const RunRequest& request) {
  const ShardState& one = shards.front();
  std::map<std::uint32_t, const ShardState*> best;
  for (const auto& shard : shards) {
    const ShardState*& known = best[shard.shard.number];
    if (known == nullptr || shard.ended) known = &shard;
  }
  std::vector<std::string> missing;
  std::string first;
  for (std::uint32_t number = 1; number <= one.shard.of; ++number) {
    const std::string name = ShardNumber{number, one.shard.of}.text();
    const auto found = best.find(number);
    if (found != best.end() && found->second->ended) continue;
    if (first.empty()) first = name;
    missing.push_back(found == best.end()
                          ? name
                          : fmt::format("{} ({} of {} points)", name, found->second->left(), found->second->points));
  }
  if (!missing.empty()) tell_missing(one, request, missing, first);
}

}  // namespace

Merge merge_of(std::vector<ShardState> shards, unsigned jobs) {
  refuse_strangers(shards);
  Merge merge{.shards = std::move(shards), .request = {}, .scenario = {}, .options = {}};
  const ShardState& one = merge.shards.front();
  merge.request = one.request;
  merge.request.scenario = path_here(one);
  if (identity_of(merge.request) != one.identity)
    throw InputError(
        "{}: has changed since {} was played. Run the shards again with --resume, or merge "
        "where it is as it was?",
        merge.request.scenario, one.folder);
  require_all(merge.shards, merge.request);
  merge.scenario = scenario_of(merge.request);
  merge.options = options_of(merge.request, jobs);
  merge.options.resume = merge.options.merged = true;
  return merge;
}

void take_results(const Merge& merge, ResultStore& store) {
  for (const auto& shard : merge.shards) {
    const std::string file = ResultStore::file_in(shard.folder);
    std::error_code failed;
    if (!fs::exists(file, failed)) {
      if (shard.points == 0) continue;
      throw InputError("{}: is not there (it has the points of shard {}). Run the shard again?", file,
                       shard.shard.text());
    }
    store.take_all_of(ResultStore(file, build_identity(), ResultStore::Damaged::refused));
  }
}

std::string missing_sentence(const Merge& merge, const PointsMissing& missing, unsigned jobs) {
  Simulations all(merge.request, jobs);
  const std::uint32_t of = merge.shards.front().shard.of;
  const auto shards = packed(all.costs(), of);
  const std::set<std::size_t> points(missing.points.begin(), missing.points.end());
  std::vector<std::string> named;
  std::string first;
  for (std::uint32_t number = 1; number <= of; ++number) {
    const auto& shard = shards[number - 1];
    const auto lost = std::ranges::count_if(shard, [&](std::size_t point) { return points.contains(point); });
    if (lost == 0) continue;
    const std::string name = ShardNumber{number, of}.text();
    if (first.empty()) first = name;
    named.push_back(fmt::format("{} ({} of {} points)", name, lost, shard.size()));
  }
  return fmt::format("{}: {}; missing: {}. Go on with:\n  {}", merge.scenario.name, missing.what(), some_of(named),
                     command_for(merge.shards.front(), merge.request, first));
}

}  // namespace orrery::study
