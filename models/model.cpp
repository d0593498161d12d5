#include "models/model.hpp"

namespace orrery {

Catalogue<ModelEntry>& models() {
  static Catalogue<ModelEntry> catalogue("model");
  return catalogue;
}

}  // namespace orrery
