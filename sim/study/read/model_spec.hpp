/// The models of a scenario, with their options.
///
///   models:
///     - taulop                                       # its default mode and options
///     - {name: taulop, mode: algebra, overhead: once}
///     - {name: np-t, fit-on: {kernel.order: [400, 800, 1600], network: infiniband}}
///     - {name: mine, predictions: my.csv}            # times of one's own: sim/config/own_predictions.hpp
///
/// `fit-on` is for models of whole runs: the points that have, for every path, one of its values.
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
  std::string predictions = {}, predictions_where = {};  ///< a CSV; the name is then not from the catalogue
  std::shared_ptr<const OwnPredictions> own = {};        ///< its contents, after reading
  const ModelEntry* entry = nullptr;                     ///< of the catalogue; null for own predictions
  std::string variant = {};                              ///< of the entry: its mode and options, as one text
  ModelVariant has = {};                                 ///< the same, separately

  bool is_own() const { return !predictions.empty(); }
  bool fitted_to_runs() const { return entry != nullptr && entry->fitted_to_runs(); }
};

/// Finds the model in the catalogue. Throws InputError if the model, an option or a choice is unknown.
void look_up(ModelSpec& spec);

/// Throws InputError if two entries would have the same label.
void require_distinct(const std::vector<ModelSpec>& specs);

/// Reads the CSV of each model with own predictions, from the scenario's folder first.
void read_own_predictions(std::vector<ModelSpec>& specs, const EachPoint& points, const std::string& folder);

/// Throws InputError if a model, an option or a choice is unknown, and if 'fit-on' is missing or has no meaning.
ModelSpec read_model(const config::Value& value);

/// Each model once, in the form of results.
std::vector<ModelDescription> descriptions_of(const std::vector<ModelSpec>& specs);

/// A sentence for each table of own predictions with rows that match no point.
std::vector<std::string> unused_predictions(const std::vector<ModelSpec>& specs);

/// The mode and options of a named model, as in models/variant.hpp; throws the same errors.
std::string variant_of(const ModelEntry& entry, const NamedSpec& spec);

/// Numbers are compared as numbers ("128" and "128.0"), words as words.
bool same_value(const std::string& a, const std::string& b);

/// `flat` are the values of a point by path (PointSpec::flat).
bool meets(const PointConditions& conditions, const std::map<std::string, std::string>& flat);

}  // namespace orrery
