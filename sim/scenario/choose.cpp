#include "sim/scenario/choose.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

ChooseSpec::Average read_average(const config::Section& section) {
  ChooseSpec::Average average{.model = {section.text("model"), section.where("model"), {}}};
  const auto& entry = models().at(average.model.name, average.model.where);
  for (const auto& [key, item] : section.items()) {
    if (key == "published")
      average.published = item.share();
    else if (key == "at-most")
      average.at_most = item.share();
    else if (key != "model")
      average.model.settings.push_back({key, item.text(), item.where()});
  }
  variant_of(entry, model_settings(average.model));  // refuses what the model does not have
  if (!average.published && !average.at_most)
    section.refuse("model", fmt::format("the average of '{}' says nothing ('published', 'at-most' or both). Add "
                                        "'published: 2%'?",
                                        average.model.name));
  return average;
}

}  // namespace

ChooseSpec read_choose(const config::Section& section) {
  ChooseSpec spec;
  if (const auto at = section.optional_section("at"))
    for (const auto& [path, item] : at->items()) {
      if (item.is_list())
        for (const auto& value : item.list()) spec.at[path].push_back(value.text());
      else
        spec.at[path] = {item.text()};
    }
  for (const auto& item : section.optional_list("beside")) spec.beside.push_back(item.text());
  for (const auto& item : section.optional_list("average")) spec.averages.push_back(read_average(item.section()));
  section.finish();
  return spec;
}

}  // namespace orrery
