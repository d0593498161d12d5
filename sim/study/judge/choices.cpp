#include "sim/study/judge/choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "models/allocation/bases.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

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
  if (!basis->size.starts_with("2^")) return number_at(point.flat, basis->size);
  const auto exponent = number_at(point.flat, basis->size.substr(2));
  return exponent ? std::optional(std::exp2(*exponent)) : std::nullopt;
}

struct Candidate {
  const PointResult* point;
  std::string configuration;
};

Choice chosen(const Candidate& candidate, const std::string& by, double least) {
  const double seconds = candidate.point->run.makespan.si();
  return {.by = by, .layout = candidate.configuration, .seconds = seconds, .epsilon = seconds / least - 1.0};
}

const Prediction* prediction_of(const PointResult& point, const std::string& label) {
  const auto found = std::ranges::find_if(point.predictions, [&](const auto& p) { return p.label() == label; });
  return found == point.predictions.end() ? nullptr : &*found;
}

/// The labels of all predictions, in order of appearance.
std::vector<std::string> labels_of(const ScenarioResult& result) {
  std::vector<std::string> labels;
  for (const auto& point : result.points)
    for (const auto& prediction : point.predictions)
      if (std::ranges::find(labels, prediction.label()) == labels.end()) labels.push_back(prediction.label());
  return labels;
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

/// The first model of the scenario with these options, as its predictions are labelled.
std::string label_of(const ChooseSpec::Average& average, const Scenario& scenario) {
  for (const auto& spec : scenario.models) {
    if (spec.is_own() || spec.name != average.model.name) continue;
    const auto& entry = models().at(spec.name, spec.where);
    const std::string variant = variant_of(entry, model_settings(spec));
    const ModelVariant has = parts_of(entry, variant);
    const bool same = std::ranges::all_of(average.model.settings, [&](const auto& setting) {
      return setting.name == "mode" ? setting.value == has.mode : setting.value == has.options.at(setting.name);
    });
    if (same) return Prediction{.model = spec.name, .mode = variant}.label();
  }
  throw InputError(fmt::format("{}: no model of the scenario is '{}' with these options. List it in 'models'?",
                               average.model.where, average.model.name));
}

/// The words of a size that some other size has not: a kernel swept whole repeats most of its parameters.
void leave_out_common_words(std::vector<ChoicesOfSize>& sizes) {
  if (sizes.size() < 2) return;
  const auto words_of = [](const std::string& label) {
    std::istringstream words(label);
    return std::vector<std::string>(std::istream_iterator<std::string>(words), {});
  };
  const auto first = words_of(sizes.front().label);
  std::set<std::string> common(first.begin(), first.end());
  for (const auto& size : sizes) {
    const auto words = words_of(size.label);
    std::erase_if(common, [&](const auto& word) { return std::ranges::find(words, word) == words.end(); });
  }
  for (auto& size : sizes) {
    auto words = words_of(size.label);
    std::erase_if(words, [&](const auto& word) { return common.contains(word); });
    if (!words.empty()) size.label = fmt::format("{}", fmt::join(words, " "));
  }
}

std::vector<AverageChoice> averages_of(const std::vector<ChoicesOfSize>& sizes) {
  std::vector<AverageChoice> averages;
  for (const auto& size : sizes)
    for (const auto& choice : size.choices) {
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
void agree(Choices& choices, std::size_t size, const std::vector<Candidate>& candidates, const std::string& stated) {
  const auto its = std::ranges::find(candidates, stated, &Candidate::configuration);
  if (stated.empty() || its == candidates.end()) return;
  if (!choices.agreement) choices.agreement.emplace();
  const Choice& best = choices.sizes[size].choices.front();
  choices.agreement->stated += 1;
  choices.agreement->same += best.layout == stated ? 1u : 0u;
  choices.agreement->epsilon += its->point->run.makespan.si() / best.seconds - 1.0;
}

/// Simulated time of all runs together that the model with this label was fitted to.
double fitted_runs(const ScenarioResult& result, const Scenario& scenario, const std::string& label, bool one_type) {
  double total = 0.0;
  for (std::size_t i = 0; i < result.points.size(); ++i)
    if (const Prediction* said = prediction_of(result.points[i], label); said != nullptr && said->fitted)
      if (!one_type || on_one_type(configuration_of(scenario.points[i]))) total += result.points[i].run.makespan.si();
  return total;
}

}  // namespace

Choices choices_of(const ScenarioResult& result, const Scenario& scenario) {
  std::vector<ChoicesOfSize> sizes;
  std::vector<std::vector<Candidate>> candidates;
  std::vector<std::size_t> first;  // [sizes] a point of it
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const PointResult& point = result.points[i];
    const PointSpec spec = scenario.points[i];
    if (!point.simulated || !meets(scenario.choose->at, spec.flat)) continue;
    Settings size;
    std::string label;
    for (const auto& [path, value] : point.settings)
      if (!of_layout(path)) {
        size.emplace_back(path, value);
        label += (label.empty() ? "" : ", ") + value;
      }
    auto known = std::ranges::find(sizes, size, &ChoicesOfSize::size);
    if (known == sizes.end()) {
      sizes.push_back({size, label.empty() ? scenario.name : label, size_of(spec), {}});
      candidates.emplace_back();
      first.push_back(i);
      known = sizes.end() - 1;
    }
    const std::string own = configuration_of(spec), configuration = own.empty() ? point.layout_name : own;
    candidates[static_cast<std::size_t>(known - sizes.begin())].push_back({&point, configuration});
  }
  if (sizes.empty())
    throw InputError(
        fmt::format("{}: 'choose' has no point to choose from (those that meet 'at' and were played). "
                    "Change 'at'?",
                    scenario.file));
  leave_out_common_words(sizes);
  const auto labels = labels_of(result);
  for (std::size_t s = 0; s < sizes.size(); ++s)
    sizes[s].choices = choices_among(candidates[s], labels, scenario.choose->beside);
  Choices choices{std::move(sizes), {}};
  choices.averages = averages_of(choices.sizes);
  for (std::size_t k = 0; k < choices.sizes.size(); ++k)
    agree(choices, k, candidates[k], stated_best(scenario, scenario.points[first[k]]));
  if (choices.agreement) choices.agreement->at_least = scenario.choose->agree;
  if (choices.agreement) choices.agreement->epsilon /= static_cast<double>(choices.agreement->stated);
  for (const auto& stated : scenario.choose->averages) {
    const std::string label = label_of(stated, scenario);
    const auto found = std::ranges::find(choices.averages, label, &AverageChoice::by);
    if (found == choices.averages.end()) continue;  // it predicted nothing: a note says why
    if (stated.published) found->published = stated.published;
    if (stated.at_least) found->at_least = stated.at_least;
    if (stated.at_most) found->at_most = stated.at_most;
    if (stated.runs_s) {
      found->published_runs_s = stated.runs_s;
      found->runs_s = fitted_runs(result, scenario, label, stated.runs_on_one_type);
    }
    if (stated.runs_mu) found->runs_mu = stated.runs_mu;
    if (!stated.why.empty()) found->why = stated.why;
  }
  return choices;
}

std::vector<std::string> broken_sentences(const AverageChoice& average, const std::string& file) {
  std::vector<std::string> sentences;
  const auto cost = [&](const char* word, double bound) {
    sentences.push_back(fmt::format("{}: choices by {} cost {:.3g} % on average ({} {:g} %)", file, average.by,
                                    100.0 * average.epsilon, word, 100.0 * bound));
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
