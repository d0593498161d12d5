#include "validation/mpi/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>

#include "sim/core/error.hpp"

namespace orrery::mpi {

namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts;
  std::istringstream text(line);
  for (std::string part; std::getline(text, part, separator);) parts.push_back(part);
  return parts;
}

CorePlace place_of(const std::string& text, const std::string& where) {
  std::uint32_t node = 0, core = 0;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, node);
  const auto last = first.ec == std::errc() && first.ptr != end && *first.ptr == ':'
                        ? std::from_chars(first.ptr + 1, end, core)
                        : first;
  if (last.ec != std::errc() || last.ptr != end || first.ptr == end)
    throw InputError("{}: '{}' is no place (node:core). Write '0:0'?", where, text);
  return {NodeId{node}, core};
}

}  // namespace

std::string experiments_text(const std::vector<Experiment>& plan) {
  std::string text;
  for (const auto& experiment : plan) {
    text += experiment.id + "\t" + experiment.kernel + "\t";
    for (std::size_t i = 0; i < experiment.placement.size(); ++i)
      text +=
          fmt::format("{}{}:{}", i == 0 ? "" : " ", index(experiment.placement[i].node), experiment.placement[i].core);
    for (const auto& [name, value] : experiment.kernel_parameters) text += fmt::format("\t{}={}", name, value);
    text += "\n";
  }
  return text;
}

std::vector<Experiment> parse_experiments(const std::string& text, const std::string& file) {
  std::vector<Experiment> plan;
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const std::string where = fmt::format("{}:{}", file, number);
    if (line.empty() || line.starts_with('#')) continue;
    const auto fields = split(line, '\t');
    if (fields.size() < 3)
      throw InputError("{}: {} fields (id, kernel, places and parameters, parted by tabs). Is the file cut off?", where,
                       fields.size());
    Experiment experiment{.id = fields[0], .kernel = fields[1], .kernel_parameters = {}, .placement = {}};
    for (const auto& place : split(fields[2], ' ')) experiment.placement.push_back(place_of(place, where));
    for (std::size_t i = 3; i < fields.size(); ++i) {
      const auto equals = fields[i].find('=');
      if (equals == std::string::npos)
        throw InputError("{}: '{}' is no parameter (name=value). Add '='?", where, fields[i]);
      experiment.kernel_parameters.emplace_back(fields[i].substr(0, equals), fields[i].substr(equals + 1));
    }
    plan.push_back(std::move(experiment));
  }
  return plan;
}

std::vector<int> ranks_at(const std::vector<CorePlace>& places, const std::vector<std::string>& hosts) {
  std::vector<std::string> nodes;
  std::map<std::string, std::vector<int>> ranks;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (std::ranges::find(nodes, hosts[r]) == nodes.end()) nodes.push_back(hosts[r]);
    ranks[hosts[r]].push_back(static_cast<int>(r));
  }
  std::vector<int> chosen;
  for (const auto& [node, core] : places) {
    if (index(node) >= nodes.size() || core >= ranks[nodes[index(node)]].size()) return {};
    const int rank = ranks[nodes[index(node)]][core];
    if (std::ranges::find(chosen, rank) != chosen.end()) return {};  // two on one core
    chosen.push_back(rank);
  }
  return chosen;
}

}  // namespace orrery::mpi
