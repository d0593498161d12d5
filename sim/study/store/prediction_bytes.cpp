#include "sim/study/store/prediction_bytes.hpp"

#include "sim/core/byte_codec.hpp"

namespace orrery {

void fields(auto& codec, maybe_const<PredictionTerm> auto& record) {
  auto& [text, cost, repeat] = record;
  codec(text, cost, repeat);
}
void fields(auto& codec, maybe_const<Prediction> auto& record) {
  auto& [model, mode, time, computation, overlap, fitted, of_run, terms, notes, wall_s] = record;
  codec(model, mode, time, computation, overlap, fitted, of_run, terms, notes, wall_s);
}

}  // namespace orrery

namespace orrery::app {

std::string to_bytes(const std::vector<Prediction>& predictions) { return orrery::to_bytes(predictions); }
std::vector<Prediction> predictions_from(const std::string& bytes) {
  return orrery::from_bytes<std::vector<Prediction>>(bytes);
}

}  // namespace orrery::app
