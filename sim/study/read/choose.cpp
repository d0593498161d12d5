#include "sim/study/read/choose.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

namespace {

ChooseSpec::Average read_average(const config::Section& section) {
  ChooseSpec::Average average;
  config::read_fields(section, scenario_detail::average_fields(), average);
  average.model.where = section.where("model");
  const auto& entry = models().at(average.model.name, average.model.where);
  variant_of(entry, average.model);  // refuses what the model does not have
  if (!average.published && !average.at_least && !average.at_most && !average.runs_s)
    section.refuse("model", Refusal("the average of '{}' says nothing ('published', 'at-least', 'at-most' or "
                                    "'runs'). Add 'published: 2%'?",
                                    average.model.name));
  if (average.at_least && average.at_most && *average.at_least > *average.at_most)
    section.refuse("at-least", "'at-least' is more than 'at-most' (no epsilon is both). Exchange them?");
  if (average.runs_mu && !average.runs_s)
    section.refuse("runs-mu", "'runs-mu' without 'runs' (the time that it is held against). Add 'runs: ...'?");
  if (!average.at.empty() && average.runs_s)
    section.refuse(
        "runs", "'runs' beside 'at' (it is of all runs that the model is fitted to). Give it an entry without 'at'?");
  return average;
}

}  // namespace

ChooseSpec read_choose(const config::Section& section) {
  ChooseSpec spec;
  config::read_fields(section, scenario_detail::choose_fields(), spec);
  for (const auto& item : section.optional_list("best"))
    config::read_fields(item.section(), scenario_detail::best_fields(), spec.best.emplace_back());
  if (spec.agree && spec.best.empty())
    section.refuse("agree", "'agree' without 'best' (the configurations that ours are compared with). Add 'best'?");
  if (spec.agree_within && spec.best.empty())
    section.refuse("agree-within",
                   "'agree-within' without 'best' (the configurations that ours are compared with). Add 'best'?");
  for (const auto& item : section.optional_list("average")) spec.averages.push_back(read_average(item.section()));
  section.finish();
  return spec;
}

}  // namespace orrery
