#include "models/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

const std::string& standard(const Key& option, const std::string& mode) {
  const auto found = option.fallback_of.find(mode);
  return found == option.fallback_of.end() ? option.fallback : found->second;
}

void require_known(const ModelEntry& entry, const std::string& name, const std::string& value,
                   const std::vector<std::string>& values, const std::string& where) {
  if (values.size() == 1 && values.front().empty())  // a model with one mode has no name for it
    throw InputError("{}: model '{}' has no {}s to choose from. Remove '{}'?", where, entry.name, name, value);
  if (std::ranges::find(values, value) == values.end())
    throw InputError("{}: model '{}' has no {} '{}'{}", where, entry.name, name, value, known_names(value, values));
}

/// A variant is written in words, so a value is one.
void require_word(const ModelEntry& entry, const std::string& name, const std::string& value,
                  const std::string& where) {
  if (value.empty() || value.find_first_of(" =") != std::string::npos)
    throw InputError("{}: {} of model '{}' is '{}' (one word without '='). Correct it?", where, name, entry.name,
                     value);
}

std::string text_of(const ModelEntry& entry, const ModelVariant& variant) {
  std::string text = variant.mode;
  for (const auto& option : entry.options)
    if (const auto& value = variant.options.at(option.name); value != standard(option, variant.mode))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", option.name, value);
  return text;
}

ModelVariant variant_with(const ModelEntry& entry, const std::vector<ModelSetting>& settings) {
  ModelVariant variant{.mode = entry.modes.front(), .options = {}};
  std::vector<std::string> names{"mode"};
  for (const auto& option : entry.options) names.push_back(option.name);
  for (const auto& [name, value, where] : settings) {
    if (std::ranges::find(names, name) == names.end())
      refuse_unknown(where, fmt::format("model '{}' has no setting", entry.name), name, names);
    if (name != "mode") continue;
    require_known(entry, name, value, entry.modes, where);
    variant.mode = value;
  }
  for (const auto& option : entry.options) {
    auto& chosen = variant.options[option.name] = standard(option, variant.mode);
    for (const auto& [name, value, where] : settings) {
      if (name != option.name) continue;
      if (option.choices.empty())
        require_word(entry, name, value, where);
      else
        require_known(entry, name, value, option.choices, where);
      chosen = value;
    }
  }
  return variant;
}

/// Of an option that takes any word, the default alone.
std::vector<std::string> values_of(const Key& option, const std::string& mode) {
  return option.choices.empty() ? std::vector{standard(option, mode)} : option.choices;
}

}  // namespace

std::string variant_of(const ModelEntry& entry, const std::vector<ModelSetting>& settings) {
  return text_of(entry, variant_with(entry, settings));
}

std::vector<std::string> variants(const ModelEntry& entry) {
  std::vector<ModelVariant> all;
  for (const auto& mode : entry.modes) all.push_back({mode, {}});
  for (const auto& option : entry.options) {
    std::vector<ModelVariant> longer;
    for (const auto& variant : all)
      for (const auto& value : values_of(option, variant.mode))
        longer.emplace_back(variant).options[option.name] = value;
    all = std::move(longer);
  }
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const auto& variant : all) texts.push_back(text_of(entry, variant));
  return texts;
}

ModelVariant parts_of(const ModelEntry& entry, const std::string& variant) {
  std::vector<ModelSetting> settings;
  std::istringstream words(variant);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    const bool option = equals != std::string::npos;
    settings.push_back({option ? word.substr(0, equals) : "mode", option ? word.substr(equals + 1) : word, entry.name});
  }
  return variant_with(entry, settings);
}

}  // namespace orrery
