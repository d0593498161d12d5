#include "models/model.hpp"

#include "models/compute/local_work.hpp"
#include "models/matrices.hpp"

namespace orrery {

PhaseTime PhaseModel::time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const {
  const PhaseTime time{communication_time(phase, input.layout, steps),
                       local_work_time(phase, input.platform, input.layout)};
  if (steps != nullptr && time.computation > Seconds{})
    steps->push_back({"reducing and copying of the rank that does most", time.computation});
  return time;
}

Catalogue<ModelEntry>& models() {
  static Catalogue<ModelEntry> catalogue("model");
  return catalogue;
}

std::unique_ptr<PhaseModel> make_phase_model(const ModelEntry& entry, const ModelInput& input) {
  check_matrices(entry, input.parameters, input.platform);
  return entry.make(input);
}

}  // namespace orrery
