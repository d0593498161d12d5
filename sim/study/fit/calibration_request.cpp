#include "sim/study/fit/calibration_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "kernels/micro_benchmark.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/read/data_path.hpp"

namespace orrery::study {

namespace {

/// "0..3, 8"
std::string ranges_text(const std::vector<std::uint32_t>& ascending) {
  std::string text;
  for (std::size_t first = 0, last = 0; first < ascending.size(); first = last + 1) {
    for (last = first; last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1;) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", ascending[first]);
    if (last > first) text += fmt::format("..{}", ascending[last]);
  }
  return text;
}

/// "0 of type big (cores 0..3, sockets 0..1)"
std::string node_and_cores(const Experiment& experiment, NodeId node, const Platform& platform) {
  const NodeType& type = platform.node_types[platform.type_of(node)];
  std::set<std::uint32_t> cores, sockets;
  for (const auto& place : experiment.placement)
    if (place.node == node) {
      cores.insert(place.core);
      sockets.insert(place.core / type.cores_per_socket);
    }
  const auto named = [](const char* thing, const std::set<std::uint32_t>& numbers) {
    return fmt::format("{}{} {}", thing, numbers.size() == 1 ? "" : "s", ranges_text({numbers.begin(), numbers.end()}));
  };
  return fmt::format("{} of type {} ({}, {})", index(node), type.name, named("core", cores), named("socket", sockets));
}

}  // namespace

std::vector<std::string> words_of(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (std::string list : lists) {
    std::ranges::replace(list, ',', ' ');
    std::istringstream stream(list);
    for (std::string word; stream >> word;) words.push_back(word);
  }
  return words;
}

std::vector<const ModelEntry*> models_named(const std::vector<std::string>& names, CalibrationPairs pairs) {
  const auto tells_apart = [&](const ModelEntry& entry) {
    return pairs == CalibrationPairs::types || !entry.matrices.empty();
  };
  std::vector<const ModelEntry*> chosen;
  for (const std::string& name : words_of(names)) {
    const auto* entry = &models().at(name, "--model");
    if (!entry->calibrated())
      throw InputError("--model: '{}' has no parameters to measure ('orrery show model {}'). Leave it out?",
                       entry->name, entry->name);
    if (!tells_apart(*entry))
      throw InputError(
          "--pairs: model '{}' keeps parameters by type of node ('orrery show model' names those with "
          "matrices). Leave it out?",
          entry->name);
    if (std::ranges::find(chosen, entry) == chosen.end()) chosen.push_back(entry);
  }
  if (chosen.empty())
    for (const auto& [name, entry] : models().entries())
      if (entry.calibrated() && tells_apart(entry)) chosen.push_back(&entry);
  return chosen;
}

const Network& network_named(const Platform& platform, const std::string& name) {
  if (!name.empty()) return platform.network(name, "--network");
  if (platform.networks.size() == 1) return platform.networks.front();
  std::vector<std::string> names;
  for (const auto& network : platform.networks) names.push_back(network.name);
  throw InputError("--network: platform '{}' has {} networks ({}). Name one with --network {}?", platform.name,
                   names.size(), fmt::join(names, ", "), names.empty() ? "NAME" : names.front());
}

CalibrationRange calibration_range(const Platform& platform, const std::string& sizes, int concurrency) {
  CalibrationRange range{.sizes = sizes.empty() ? default_sizes() : parse_sizes(sizes, "--sizes"), .concurrency = 1};
  std::ranges::sort(range.sizes);
  range.sizes.erase(std::unique(range.sizes.begin(), range.sizes.end()), range.sizes.end());
  if (range.sizes.front() < Bytes(1.0))
    throw InputError("--sizes: '0B' is not a size to fit (1 B or more). Leave it out?");
  if (concurrency < 0 || concurrency > 100000)
    throw InputError("--concurrency: {} lies outside 0..100000. Choose a value in that range?", concurrency);
  for (std::size_t type = 0; type < platform.node_types.size(); ++type)
    if (platform.node_counts[type] > 0)
      range.concurrency = std::max(range.concurrency, platform.node_types[type].cores());
  if (concurrency > 0) range.concurrency = static_cast<std::uint32_t>(concurrency);
  return range;
}

std::string benchmarks_file(const std::string& from) {
  return config::is_folder(from) ? from + "/benchmarks.csv" : from;
}

std::vector<std::string> named_scenarios(const std::string& from, const std::string& where) {
  const auto shipped = data_names("scenarios", "yaml");
  std::vector<std::string> files;
  for (const auto& name : words_of(std::vector<std::string>{from})) {
    if (name.ends_with(".yaml") || name.ends_with(".yml"))
      files.push_back(name);
    else if (!config::is_there(name) && std::ranges::binary_search(shipped, name))
      files.push_back(data_path("scenarios", name, "yaml", where));
    else
      return {};
  }
  return files;
}

std::string plan_text(const std::vector<Experiment>& plan, const Platform& platform) {
  std::string text;
  for (const auto& experiment : plan) {
    std::vector<std::string> nodes;  // in order of first use
    for (const auto& [node, core] : experiment.placement)
      if (auto name = node_and_cores(experiment, node, platform); std::ranges::find(nodes, name) == nodes.end())
        nodes.push_back(std::move(name));
    text += fmt::format("{}\n  kernel {}, {} ranks{} node {}\n", experiment.id, experiment.kernel,
                        experiment.placement.size(), nodes.size() > 1 ? ", ranks alternating over" : " on",
                        fmt::join(nodes, " and "));
    for (const auto& [name, value] : experiment.kernel_parameters) text += fmt::format("  {}: {}\n", name, value);
  }
  return text;
}

}  // namespace orrery::study
