#include "models/model.hpp"

#include "models/matrices.hpp"

namespace orrery {

Catalogue<ModelEntry>& models() {
  static Catalogue<ModelEntry> catalogue("model");
  return catalogue;
}

std::unique_ptr<PhaseModel> make_phase_model(const ModelEntry& entry, const ModelInput& input) {
  check_matrices(entry, input.parameters, input.platform);
  return entry.make(input);
}

}  // namespace orrery
