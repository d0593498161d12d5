#include "sim/study/read/choose.hpp"

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
    else if (key == "at-least")
      average.at_least = item.share();
    else if (key == "at-most")
      average.at_most = item.share();
    else if (key == "runs")
      average.runs_s = item.seconds().si();
    else if (key == "runs-on")
      average.runs_on_one_type = item.choice() == 1;
    else if (key == "runs-mu")
      average.runs_mu = item.number();
    else if (key == "why")
      average.why = item.text();
    else if (key != "model")
      average.model.settings.push_back({key, item.text(), item.where()});
  }
  variant_of(entry, model_settings(average.model));  // refuses what the model does not have
  if (!average.published && !average.at_least && !average.at_most && !average.runs_s)
    section.refuse("model", fmt::format("the average of '{}' says nothing ('published', 'at-least', 'at-most' or "
                                        "'runs'). Add 'published: 2%'?",
                                        average.model.name));
  if (average.at_least && average.at_most && *average.at_least > *average.at_most)
    section.refuse("at-least", "'at-least' is more than 'at-most' (no epsilon is both). Exchange them?");
  if (average.runs_mu && !average.runs_s)
    section.refuse("runs-mu", "'runs-mu' without 'runs' (the time that it is held against). Add 'runs: ...'?");
  return average;
}

std::vector<std::string> values_of(const config::Value& item) {
  if (!item.is_list()) return {item.text()};
  std::vector<std::string> values;
  for (const auto& value : item.list()) values.push_back(value.text());
  return values;
}

ChooseSpec::Scatter read_scatter(const config::Section& section) {
  const ChooseSpec::Scatter scatter{.runs = section.value("runs").share(),
                                    .glitches = section.value("glitches").share(),
                                    .glitch = section.value("glitch").share(),
                                    .seeds = static_cast<std::uint32_t>(section.integer("seeds"))};
  section.finish();
  return scatter;
}

ChooseSpec::Best read_best(const config::Section& section) {
  ChooseSpec::Best best;
  for (const auto& [key, item] : section.items()) {
    if (key == "configuration")
      best.configuration = item.text();
    else
      best.at[key] = values_of(item);
  }
  return best;
}

}  // namespace

ChooseSpec read_choose(const config::Section& section) {
  ChooseSpec spec;
  if (const auto at = section.optional_section("at"))
    for (const auto& [path, item] : at->items()) spec.at[path] = values_of(item);
  if (const auto scatter = section.optional_section("scatter")) spec.scatter = read_scatter(*scatter);
  for (const auto& item : section.optional_list("best")) spec.best.push_back(read_best(item.section()));
  if (section.has("agree")) {
    if (spec.best.empty())
      section.refuse("agree", "'agree' without 'best' (the configurations that ours are compared with). Add 'best'?");
    spec.agree = static_cast<std::uint32_t>(section.integer("agree"));
  }
  for (const auto& item : section.optional_list("beside")) spec.beside.push_back(item.text());
  for (const auto& item : section.optional_list("average")) spec.averages.push_back(read_average(item.section()));
  section.finish();
  return spec;
}

}  // namespace orrery
