#include "sim/study/judge/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "models/allocation/bases.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::study {

namespace {

bool of_layout(const std::string& path) { return path.starts_with("layout"); }

std::optional<double> number_at(const std::map<std::string, std::string>& flat, const std::string& path) {
  const auto found = flat.find(path);
  return found == flat.end() ? std::nullopt : parse_quantity(found->second, Dimension::scalar).si;
}

/// The size as the kernel's models of whole runs know it.
std::optional<double> size_of(const PointSpec& point) {
  const TimeBasis* basis = basis_of(point.kernel.name);
  if (basis == nullptr) return {};
  return size_from(basis->size, [&](const std::string& path) { return number_at(point.flat, path); });
}

struct Candidate {
  const PointResult* point;
  std::string configuration;
};

struct Choice {
  std::string by;      ///< "simulated", a model's label, or a configuration that asks nobody
  std::string layout;  ///< chosen
  double seconds = 0.0;
  std::optional<double> expected_s = {};
  double epsilon = 0.0;
  std::optional<double> delta = {};
};

struct ChoicesOfSize {
  Settings size;      ///< what its points share
  std::size_t first;  ///< a point of it
  std::vector<Candidate> candidates;
  std::vector<Choice> choices;  ///< the best first, then models, then configurations that ask nobody
};

Choice chosen(const Candidate& candidate, const std::string& by, double least) {
  const double seconds = candidate.point->run.makespan.si();
  return {.by = by, .layout = candidate.configuration, .seconds = seconds, .epsilon = seconds / least - 1.0};
}

const Prediction* prediction_of(const PointResult& point, const std::string& label) {
  const auto found = std::ranges::find_if(point.predictions, [&](const auto& p) { return p.label() == label; });
  return found == point.predictions.end() ? nullptr : &*found;
}

std::vector<Choice> choices_among(const std::vector<Candidate>& candidates, const std::vector<std::string>& labels,
                                  const std::vector<std::string>& beside) {
  const auto& best =
      *std::ranges::min_element(candidates, {}, [](const Candidate& one) { return one.point->run.makespan.si(); });
  const double least = best.point->run.makespan.si();
  std::vector<Choice> choices{chosen(best, "simulated", least)};
  for (const auto& label : labels) {
    const Candidate* its = nullptr;
    double expected = 0.0;
    for (const Candidate& one : candidates)
      if (const Prediction* said = prediction_of(*one.point, label);
          said != nullptr && (its == nullptr || said->time.si() < expected)) {
        its = &one;
        expected = said->time.si();
      }
    if (its == nullptr) continue;
    choices.push_back(chosen(*its, label, least));
    choices.back().expected_s = expected;
    choices.back().delta = expected / choices.back().seconds - 1.0;
  }
  for (const auto& configuration : beside)
    if (const auto its = std::ranges::find(candidates, configuration, &Candidate::configuration);
        its != candidates.end())
      choices.push_back(chosen(*its, "(" + configuration + ")", least));
  return choices;
}

/// The first model of the scenario with these options, and as its predictions are labelled.
struct StatedModel {
  const ModelSpec& spec;
  std::string label;
};
StatedModel stated_model(const ChooseSpec::Average& average, const Scenario& scenario) {
  for (const auto& spec : scenario.models) {
    if (spec.is_own() || spec.name != average.model.name) continue;
    const bool same = std::ranges::all_of(average.model.settings, [&](const auto& setting) {
      return setting.name == "mode" ? setting.value == spec.has.mode
                                    : setting.value == spec.has.options.at(setting.name);
    });
    if (same) return {spec, Prediction{.model = spec.name, .mode = spec.variant}.label()};
  }
  throw InputError("{}: no model of the scenario is '{}' with these options. List it in 'models'?", average.model.where,
                   average.model.name);
}

std::vector<AverageChoice> averages_of(const std::vector<const ChoicesOfSize*>& sizes) {
  std::vector<AverageChoice> averages;
  for (const auto* size : sizes)
    for (const auto& choice : size->choices) {
      if (choice.by == "simulated") continue;
      auto found = std::ranges::find(averages, choice.by, &AverageChoice::by);
      if (found == averages.end()) found = averages.insert(averages.end(), {.by = choice.by});
      ++found->sizes;
      found->epsilon += choice.epsilon;
      found->is_model = choice.expected_s.has_value();
      found->delta_magnitude += std::abs(choice.delta.value_or(0.0));
    }
  for (auto& average : averages) {
    average.epsilon /= static_cast<double>(average.sizes);
    average.delta_magnitude /= static_cast<double>(average.sizes);
  }
  return averages;
}

std::string configuration_of(const PointSpec& spec) {
  return spec.layout.own ? spec.layout.own->configuration : std::string();
}

/// Of "4,2,0,0": P1, M1, P2, M2.
bool on_one_type(const std::string& configuration) {
  std::istringstream words(configuration);
  std::string nodes, per_node;
  std::size_t types = 0;
  while (std::getline(words, nodes, ',') && std::getline(words, per_node, ',')) types += nodes != "0" ? 1u : 0u;
  return types == 1;
}

/// What a paper says is best of the size of this point; empty: it says nothing.
std::string stated_best(const Scenario& scenario, const PointSpec& point) {
  for (const auto& best : scenario.choose->best)
    if (meets(best.at, point.flat)) return best.configuration;
  return {};
}

/// Counts the size, if the configuration was played.
void agree(std::optional<Agreement>& agreement, const ChoicesOfSize& size, const std::string& stated) {
  const auto its = std::ranges::find(size.candidates, stated, &Candidate::configuration);
  if (stated.empty() || its == size.candidates.end()) return;
  if (!agreement) agreement.emplace();
  const Choice& best = size.choices.front();
  agreement->stated += 1;
  agreement->same += best.layout == stated ? 1u : 0u;
  agreement->epsilon += its->point->run.makespan.si() / best.seconds - 1.0;
}

/// Points that differ in their layout alone, as those of one size.
std::vector<ChoicesOfSize> sizes_of(const ScenarioResult& result, const Scenario& scenario) {
  std::vector<ChoicesOfSize> sizes;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const PointResult& point = result.points[i];
    const PointSpec spec = scenario.points[i];
    if (!point.simulated || !meets(scenario.choose->at, spec.flat)) continue;
    Settings size = point.settings;
    std::erase_if(size, [](const auto& setting) { return of_layout(setting.first); });
    auto known = std::ranges::find(sizes, size, &ChoicesOfSize::size);
    if (known == sizes.end()) known = sizes.insert(sizes.end(), {std::move(size), i, {}, {}});
    const std::string own = configuration_of(spec);
    known->candidates.push_back({&point, own.empty() ? point.layout_name : own});
  }
  return sizes;
}

/// A kernel that is swept whole is called by its size, where that tells the points apart.
void name_sizes(ScenarioResult& table, const std::vector<ChoicesOfSize>& sizes, const Scenario& scenario) {
  std::set<Settings> distinct;
  std::vector<Settings> named;
  for (const auto& size : sizes) {
    named.push_back(size.size);
    const auto n = size_of(scenario.points[size.first]);
    for (auto& setting : named.back())
      if (setting.first == "kernel" && n) setting = {"size", fmt::format("{:g}", *n)};
    distinct.insert(named.back());
  }
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    table.points[s].settings = distinct.size() == sizes.size() ? named[s] : sizes[s].size;
    table.points[s].settings.emplace_back("best", sizes[s].choices.front().layout);
  }
}

ScenarioResult table_of(const ScenarioResult& result, const Scenario& scenario,
                        const std::vector<ChoicesOfSize>& sizes) {
  ScenarioResult table{
      .name = scenario.name,
      .title =
          scenario.title + ": the time of the best layout, and of what each would choose (error: epsilon; delta in %)",
      .source = scenario.source,
      .file = scenario.file,
      .version = result.version,
      .engine = result.engine};
  for (const auto& size : sizes) {
    const Choice& best = size.choices.front();
    const PointResult& first = result.points[size.first];
    PointResult& point = table.points.emplace_back(PointResult{.id = first.id,
                                                               .kernel = first.kernel,
                                                               .platform = first.platform,
                                                               .network = first.network,
                                                               .layout_name = best.layout,
                                                               .compared_phase = "run",
                                                               .simulated = Seconds(best.seconds)});
    for (const auto& choice : size.choices) {
      if (choice.by == "simulated") continue;
      Prediction& its = point.predictions.emplace_back(Prediction{.model = choice.by, .time = Seconds(choice.seconds)});
      if (!choice.expected_s) continue;
      its.notes = {fmt::format("chooses ({})", choice.layout)};
      its.terms = {{fmt::format("expected of ({})", choice.layout), Seconds(*choice.expected_s)}};
      point.metrics.push_back({"delta of " + choice.by, 100.0 * *choice.delta, "%"});
    }
  }
  name_sizes(table, sizes, scenario);
  return table;
}

std::string percent_text(double share) { return fmt::format("{:.{}f} %", 100.0 * share, share < 0.0995 ? 1 : 0); }

/// What the averages are, and where the best is the published one.
std::vector<std::string> notes_on(const Choices& choices) {
  std::vector<std::string> notes;
  for (const auto& average : choices.averages) {
    std::string note = fmt::format("{}: mean epsilon {} of {} sizes{}", average.by, percent_text(average.epsilon),
                                   average.sizes, average.over.empty() ? "" : ", " + average.over);
    if (average.draws)
      note += fmt::format(", {} to {} of the draws, {} without scatter", percent_text(average.draws->least),
                          percent_text(average.draws->greatest), percent_text(average.draws->exact));
    if (average.is_model) note += fmt::format("; mean |delta| {}", percent_text(average.delta_magnitude));
    if (average.published) note += fmt::format("; published epsilon {}", percent_text(*average.published));
    notes.push_back(std::move(note));
  }
  if (const auto& found = choices.agreement)
    notes.push_back(
        fmt::format("best as published: {} of {} sizes; the published ones take {} longer than the best on average",
                    found->same, found->stated, percent_text(found->epsilon)));
  return notes;
}

/// "N = 4800 to 9600"
std::string named_sizes(const std::vector<const ChoicesOfSize*>& sizes, const Scenario& scenario) {
  const auto name = [&](const ChoicesOfSize& size) {
    const auto n = size_of(scenario.points[size.first]);
    return n ? fmt::format("{}", *n) : size.size.empty() ? std::string("?") : size.size.front().second;
  };
  const std::string first = name(*sizes.front());
  return "N = " + (sizes.size() == 1 ? first : fmt::format("{} to {}", first, name(*sizes.back())));
}

void state_average(AverageChoice& average, const ChooseSpec::Average& stated) {
  if (stated.published) average.published = stated.published;
  if (stated.at_least) average.at_least = stated.at_least;
  if (stated.at_most) average.at_most = stated.at_most;
  if (!stated.why.empty()) average.why = stated.why;
}

/// The average of one model over the sizes that meet `at`; nothing where it predicted none of them.
std::optional<AverageChoice> over_some(const ChooseSpec::Average& stated, const std::string& label,
                                       const std::vector<ChoicesOfSize>& sizes, const Scenario& scenario) {
  std::vector<const ChoicesOfSize*> some;
  for (const auto& size : sizes)
    if (meets(stated.at, scenario.points[size.first].flat)) some.push_back(&size);
  if (some.empty())
    throw InputError("{}: no size at which models are judged meets 'at' of this average. Correct it?",
                     stated.model.where);
  auto averages = averages_of(some);
  const auto its = std::ranges::find(averages, label, &AverageChoice::by);
  if (its == averages.end()) return {};
  state_average(*its, stated);
  its->over = named_sizes(some, scenario);
  return *its;
}

/// What the scenario states of the averages, and those over some sizes that it asks for.
void add_stated(std::vector<AverageChoice>& averages, const std::vector<ChoicesOfSize>& sizes,
                const ScenarioResult& result, const Scenario& scenario) {
  for (const auto& stated : scenario.choose->averages) {
    const std::string label = stated_model(stated, scenario).label;
    if (!stated.at.empty()) {
      if (auto some = over_some(stated, label, sizes, scenario)) averages.push_back(*some);
      continue;
    }
    const auto found = std::ranges::find(averages, label, &AverageChoice::by);
    if (found == averages.end()) continue;  // it predicted nothing: a note says why
    state_average(*found, stated);
    if (stated.runs_s) {
      found->published_runs_s = stated.runs_s;
      found->runs_s = 0.0;
      for (const std::size_t i : runs_of_total(stated, scenario)) found->runs_s += result.points[i].run.makespan.si();
    }
    if (stated.runs_mu) found->runs_mu = stated.runs_mu;
  }
}

}  // namespace

std::vector<std::size_t> runs_of_total(const ChooseSpec::Average& average, const Scenario& scenario) {
  const ModelSpec& model = stated_model(average, scenario).spec;
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < scenario.points.size(); ++i) {
    const PointSpec spec = scenario.points[i];
    if (meets(model.fit_on, spec.flat) && (!average.runs_on_one_type || on_one_type(configuration_of(spec))))
      runs.push_back(i);
  }
  return runs;
}

Choices choices_of(const ScenarioResult& result, const Scenario& scenario, const Refit& refit) {
  auto sizes = sizes_of(result, scenario);
  if (sizes.empty())
    throw InputError(
        "{}: 'choose' has no point to choose from (those that meet 'at' and were played). "
        "Change 'at'?",
        scenario.file);
  const auto labels = show::prediction_labels(result);
  for (auto& size : sizes) size.choices = choices_among(size.candidates, labels, scenario.choose->beside);
  std::vector<const ChoicesOfSize*> all;
  for (const auto& size : sizes) all.push_back(&size);
  Choices choices{.table = table_of(result, scenario, sizes), .averages = averages_of(all)};
  for (const auto& size : sizes) agree(choices.agreement, size, stated_best(scenario, scenario.points[size.first]));
  if (choices.agreement) choices.agreement->at_least = scenario.choose->agree;
  if (choices.agreement) choices.agreement->within = scenario.choose->agree_within;
  if (choices.agreement) choices.agreement->why = scenario.choose->why;
  if (choices.agreement) choices.agreement->epsilon /= static_cast<double>(choices.agreement->stated);
  add_stated(choices.averages, sizes, result, scenario);
  if (scenario.choose->scatter && refit) scatter_averages(choices.averages, result, scenario, refit);
  choices.table.notes = notes_on(choices);
  return choices;
}

std::vector<std::string> broken_sentences(const AverageChoice& average, const std::string& file) {
  std::vector<std::string> sentences;
  const auto cost = [&](const char* word, double bound) {
    sentences.push_back(fmt::format("{}: choices by {} cost {:.3g} % on average{} ({} {:g} %)", file, average.by,
                                    100.0 * average.epsilon, average.over.empty() ? "" : " over " + average.over, word,
                                    100.0 * bound));
  };
  if (average.at_most && !(average.epsilon <= *average.at_most)) cost("at most", *average.at_most);
  if (average.at_least && !(average.epsilon >= *average.at_least)) cost("at least", *average.at_least);
  if (!average.published_runs_s || !average.runs_mu) return sentences;
  const Seconds ours(average.runs_s), theirs(*average.published_runs_s);
  if (const double mu = proportional_error(ours, theirs); !(mu <= *average.runs_mu))
    sentences.push_back(
        fmt::format("{}: the runs that {} is fitted to take {} together, published is {}: mu {:.4g} "
                    "(tolerance {:g})",
                    file, average.by, to_text(ours), to_text(theirs), mu, *average.runs_mu));
  return sentences;
}

std::vector<std::string> broken_sentences(const Choices& choices, const std::string& file) {
  std::vector<std::string> sentences;
  for (const auto& average : choices.averages)
    for (auto& sentence : broken_sentences(average, file)) sentences.push_back(std::move(sentence));
  if (const auto& found = choices.agreement; found && found->at_least && found->same < *found->at_least)
    sentences.push_back(fmt::format("{}: the best configuration is the published one at {} of {} sizes (at least {})",
                                    file, found->same, found->stated, *found->at_least));
  if (const auto& found = choices.agreement; found && found->within && !(found->epsilon <= *found->within))
    sentences.push_back(
        fmt::format("{}: the published best configurations take {:.3g} % longer than ours on average (at most {:g} %)",
                    file, 100.0 * found->epsilon, 100.0 * *found->within));
  return sentences;
}

std::string times_csv(const ScenarioResult& result, const Scenario& scenario) {
  std::string text = "configuration,size,time_s\n";
  bool any = false;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const PointSpec spec = scenario.points[i];
    const auto size = size_of(spec);
    const std::string configuration = configuration_of(spec);
    if (!size || !result.points[i].simulated || configuration.empty()) continue;
    text += fmt::format("\"{}\",{},{}\n", configuration, *size, result.points[i].run.makespan.si());
    any = true;
  }
  return any ? text : "";
}

}  // namespace orrery::study
