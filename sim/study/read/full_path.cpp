#include "sim/study/read/full_path.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "platforms/keys.hpp"
#include "sim/study/read/keys.hpp"

namespace orrery {

namespace {

using config::Key;
using config::Mapping;
using config::Section;

/// A word of the file, where it is a word and not, say, an axis.
std::optional<std::string> word_at(const Section& section, const std::string& key) {
  const auto value = section.optional(key);
  return value && value->is_scalar() ? std::optional(value->text()) : std::nullopt;
}

std::string name_of(const Key& key, const std::string& network) {
  return key.name == "<network>" && !network.empty() ? network : key.name;
}

/// Breadth first, through sections that are no items of lists.
std::string found_below(const Mapping& root, const std::string& prefix, const std::string& key,
                        const std::string& network) {
  std::vector<std::pair<const Mapping*, std::string>> front{{&root, prefix}};
  for (int depth = 0; depth < 6 && !front.empty(); ++depth) {
    std::vector<std::pair<const Mapping*, std::string>> next;
    for (const auto& [mapping, path] : front) {
      const auto named = std::ranges::find(mapping->keys, key, &Key::name);
      if (named != mapping->keys.end()) return path + key;
      for (const Key& inner : mapping->keys)
        if (inner.inside != nullptr && inner.shape == config::Shape::one)
          next.emplace_back(inner.inside, path + name_of(inner, network) + ".");
    }
    front = std::move(next);
  }
  return "";
}

}  // namespace

std::string full_path_of(const std::string& key, const config::Document& document) {
  const Section root = document.root();
  if (const auto kernel = root.optional("kernel"); kernel && kernel->is_section())
    if (const auto name = word_at(kernel->section(), "name"); name && kernels().contains(*name)) {
      const auto& parameters = kernels().at(*name, "--set").parameters;
      if (std::ranges::find(parameters, key, &Key::name) != parameters.end()) return "kernel." + key;
    }
  for (const char* section : {"layout", "partition", "compute"})
    if (const Key* known = scenario_keys().find(section); known != nullptr && known->inside != nullptr)
      if (const Key* inner = known->inside->find(key); inner != nullptr && !inner->any_name())
        return std::string(section) + "." + key;
  return found_below(platform_keys(), "platform.", key, word_at(root, "network").value_or(""));
}

}  // namespace orrery
