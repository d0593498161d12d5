#include "sim/study/read/stated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/variant.hpp"
#include "sim/core/error.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery {

using config::Section;
using config::Value;

namespace {

const std::string measured = "measured";

using Names = std::vector<std::string>;

bool is_in(const Names& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

/// What a statement is of is in the catalogue, or the scenario's own.
void require_model(const Section& section, const Condition& condition, const Names& own) {
  if (!condition.model.empty() && !is_in(own, condition.model)) models().at(condition.model, section.where("model"));
}

/// Mode and options of a statement as a variant of its model; empty when it names none. Times of one's own have 'run'.
void read_variant(const Section& section, Condition& condition, const Names& own) {
  if (is_in(own, condition.model)) return;
  std::vector<ModelSetting> settings;
  if (!condition.mode.empty()) settings.push_back({"mode", condition.mode, section.where("mode")});
  if (condition.model.empty() || condition.model == measured) {
    if (!settings.empty())
      section.refuse("mode",
                     Refusal("'{}' has no mode '{}' (models have). Remove it?", condition.model, condition.mode));
    return;
  }
  const auto& entry = models().at(condition.model, condition.where);
  for (const auto& option : entry.options)
    if (const auto found = condition.where_equal.extract(option.name)) {
      if (found.mapped().size() > 1)
        section.refuse(option.name, Refusal("'{}' of '{}' has {} values (a statement is of one variant of a model). "
                                            "Write one for each?",
                                            option.name, condition.model, found.mapped().size()));
      settings.push_back({option.name, found.mapped().front(), section.where(option.name)});
    }
  if (!settings.empty()) condition.mode = variant_of(entry, settings);
}

/// What a tolerance may be of, may be held against, and which of its keys then mean what.
void check_scope(const Section& section, const Tolerance& tolerance) {
  const bool of_model = tolerance.of == ToleranceOf::prediction || tolerance.of == ToleranceOf::average;
  const std::string of = word_of(tolerance_of_words, tolerance.of),
                    against = word_of(tolerance_against_words, tolerance.against);
  if (of_model && tolerance.model.empty())
    section.refuse("of",
                   Refusal("a tolerance of {} {} has no 'model'. Add 'model: ...'?", of == "average" ? "an" : "a", of));
  if (!of_model && !tolerance.model.empty())
    section.refuse("model", Refusal("'{}' is simulated and has no 'model' (prediction and average have). Write "
                                    "'of: prediction'?",
                                    of));
  if (!of_model && tolerance.against == ToleranceAgainst::simulated)
    section.refuse("of", Refusal("'{}' is held against itself (published, reference). Add 'against: published'?", of));
  if (tolerance.of == ToleranceOf::makespan && tolerance.against == ToleranceAgainst::published)
    section.refuse("against",
                   "published times are those of the compared phase and not of the makespan. Write 'of: simulated'?");
  if ((tolerance.of == ToleranceOf::metric) == tolerance.metric.empty())
    section.refuse(tolerance.metric.empty() ? "of" : "metric",
                   tolerance.metric.empty() ? Refusal("a tolerance of a metric does not say which. Add 'metric: ...'?")
                                            : Refusal("a tolerance of '{}' has no metric. Write 'of: metric'?", of));
  const bool referring = tolerance.against == ToleranceAgainst::reference;
  if (referring && !tolerance.reference) {
    const std::string key = tolerance.of == ToleranceOf::average  ? "mu"
                            : tolerance.of == ToleranceOf::metric ? "value"
                                                                  : "time";
    section.refuse("against", Refusal("the reference value itself is missing. Add '{}: ...'?", key));
  }
}

/// A metric is published as one number and is no model's.
void check_metric(const Section& section, const Published& published) {
  if (!published.model.empty())
    section.refuse("metric", Refusal("metric '{}' and model '{}' are both named (only one is allowed). Remove one?",
                                     published.metric, published.model));
  if (published.time_s.has_value() == published.value.has_value())
    section.refuse("metric", Refusal("metric '{}' needs one of 'time' and 'value'. Add for example 'time: 3.4s'?",
                                     published.metric));
}

}  // namespace

namespace config {

TimeSpread FieldType<TimeSpread>::read(const Value& value) {
  const auto ends = value.list();
  const bool two = ends.size() == 2;
  const TimeSpread spread = two ? TimeSpread{ends[0].seconds().si(), ends[1].seconds().si()} : TimeSpread{};
  if (!two || !(spread.least_s <= spread.most_s))
    value.refuse("(two times expected, the smaller first). Write '[6.1s, 6.7s]'?");
  return spread;
}

ShareWindow FieldType<ShareWindow>::read(const Value& value) {
  const auto ends = value.list();
  const bool two = ends.size() == 2;
  const ShareWindow window = two ? ShareWindow{ends[0].share(), ends[1].share()} : ShareWindow{1.0, 0.0};
  if (!(window.least <= window.most))
    value.refuse("(two shares in percent expected, the smaller first). Write '[-5%, 2%]'?");
  return window;
}

}  // namespace config

Published read_published(const Value& value, const Names& own) {
  const Section section = value.section();
  Published published;
  config::read_fields(section, scenario_detail::published_fields(), published);
  published.where = section.where();
  if (published.model != measured) require_model(section, published, own);
  if (!published.metric.empty()) {
    check_metric(section, published);
    return published;
  }
  if (published.value)
    section.refuse("value", "a published 'value' is of a metric and none is named. Add 'metric: ...'?");
  if (published.model.empty())
    section.refuse("model", "the entry has no 'model' (a model's name or 'measured'). Add 'model: ...'?");
  read_variant(section, published, own);
  if (published.spread && !published.time_s)
    section.refuse("spread", "'spread' without 'time' (the mean of the runs). Add 'time: ...'?");
  if (!published.mu && !published.time_s)
    section.refuse("mu", "the entry has neither 'mu' nor 'time'. Add for example 'mu: 1.16'?");
  if (published.time_s && published.model != measured)
    section.refuse("time", Refusal("a published 'time' of '{}' stands beside nothing ('measured' has times, "
                                   "models have 'mu'). Write 'model: measured'?",
                                   published.model));
  if (published.mode.empty() && published.model != measured && !is_in(own, published.model))
    published.mode = variant_of(models().at(published.model, published.where), std::vector<ModelSetting>{});
  return published;
}

Tolerance read_tolerance(const Value& value, const Names& own) {
  const Section section = value.section();
  scenario_detail::WrittenTolerance written;
  config::read_fields(section, scenario_detail::tolerance_fields(), written);
  written.where = section.where();
  require_model(section, written, own);
  auto &mu = written.mu, &time_s = written.time_s, &value_of_metric = written.value;
  if (written.against == ToleranceAgainst::reference)
    written.reference = written.of == ToleranceOf::average                     ? std::exchange(mu, {})
                        : written.of == ToleranceOf::metric && value_of_metric ? std::exchange(value_of_metric, {})
                                                                               : std::exchange(time_s, {});
  read_variant(section, written, own);
  check_scope(section, written);
  if (time_s)
    section.refuse("time",
                   "a 'time' is a reference value here and nothing is held against one. Write 'against: "
                   "reference'?");
  if (value_of_metric)
    section.refuse("value", "a 'value' is the reference of a metric. Write 'of: metric, against: reference'?");
  const auto& within = written.within;
  const auto& between = written.between;
  if (mu.has_value() + within.has_value() + between.has_value() != 1)
    section.refuse("mu", "a tolerance states one bound, 'mu', 'within' or 'between'. Write 'within: 5%'?");
  written.bound.is_mu = mu.has_value();
  written.bound.value = mu ? *mu : within ? *within : between->most;
  if (between) written.bound.least = between->least;
  return written;
}

}  // namespace orrery
