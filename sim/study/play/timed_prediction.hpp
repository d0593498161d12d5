/// One model's answer and its computing time. Private to sim/study/play.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// The most expensive terms of a phase, so that a report can show where the time goes.
inline constexpr std::size_t terms_max = 12;

/// `fill` calls the model.
template <class Fill>
Prediction timed_prediction(const ModelEntry& entry, const std::string& variant, bool fitted, const Fill& fill) {
  const auto begin = std::chrono::steady_clock::now();
  Prediction prediction{.model = entry.name, .mode = variant, .fitted = fitted};
  fill(prediction);
  std::ranges::stable_sort(prediction.terms, std::ranges::greater{},
                           [](const PredictionTerm& term) { return static_cast<double>(term.repeat) * term.cost; });
  if (prediction.terms.size() > terms_max) prediction.terms.resize(terms_max);
  prediction.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return prediction;
}

}  // namespace orrery::study
