#include "sim/study/store/prediction_bytes.hpp"

#include "sim/core/byte_codec.hpp"

namespace orrery::study {

std::string to_bytes(const std::vector<Prediction>& predictions) { return orrery::to_bytes(predictions); }
std::vector<Prediction> predictions_from(const std::string& bytes) {
  return orrery::from_bytes<std::vector<Prediction>>(bytes);
}

}  // namespace orrery::study
