/// The models that a scenario asks, with their options.
///
///   models:
///     - taulop                                       # its default mode and options
///     - {name: taulop, mode: algebra, overhead: once}
///     - {name: np-t, fit-on: {kernel.order: [400, 800, 1600], network: infiniband}}
///     - {name: mine, predictions: my.csv}            # times of one's own: sim/config/own_predictions.hpp
///
/// `fit-on` is for models of whole runs: the points that have one of the values of every path.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/variant.hpp"
#include "sim/config/own_predictions.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/named_spec.hpp"

namespace orrery {

/// Values by path that a point must have: {"network", {"infiniband"}}, {"kernel.points", {"256", "512"}}.
using PointConditions = std::map<std::string, std::vector<std::string>>;

struct ModelSpec : NamedSpec {
  PointConditions fit_on = {};
  std::string fit_on_where = {};
  std::string predictions = {}, predictions_where = {};  ///< a CSV; the name is then none of the catalogue's
  std::shared_ptr<const OwnPredictions> own = {};        ///< what it says, once it has been read
  const ModelEntry* entry = nullptr;                     ///< of the catalogue; null of predictions of one's own
  std::string variant = {};                              ///< of the entry: its mode and options, as one text
  ModelVariant has = {};                                 ///< and one by one

  bool is_own() const { return !predictions.empty(); }
  bool fitted_to_runs() const { return entry != nullptr && entry->fitted_to_runs(); }
};

/// Finds the model in the catalogue. Throws InputError where it, an option or a choice is unknown.
void look_up(ModelSpec& spec);

/// Throws InputError where two entries would have one label, so that one would stand for both.
void require_distinct(const std::vector<ModelSpec>& specs);

/// Reads the CSV of each model of one's own, from the scenario's folder first.
void read_own_predictions(std::vector<ModelSpec>& specs, const EachPoint& points, const std::string& folder);

/// Throws InputError where a model, an option or a choice is unknown, and where 'fit-on' is missing or has no meaning.
ModelSpec read_model(const config::Value& value);

/// Each model once, as results describe it.
std::vector<ModelDescription> descriptions_of(const std::vector<ModelSpec>& specs);

/// A sentence for each table of own predictions that has rows which no point meets.
std::vector<std::string> unused_predictions(const std::vector<ModelSpec>& specs);

/// The mode and options of a model that is named somewhere, as models/variant.hpp has them; throws as it does.
std::string variant_of(const ModelEntry& entry, const NamedSpec& spec);

/// Numbers are equal as numbers ("128" and "128.0"), words as words.
bool same_value(const std::string& a, const std::string& b);

/// `flat` are the values of a point by path (PointSpec::flat).
bool meets(const PointConditions& conditions, const std::map<std::string, std::string>& flat);

}  // namespace orrery
