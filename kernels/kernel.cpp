#include "kernels/kernel.hpp"

namespace orrery {

Catalogue<KernelEntry>& kernels() {
  static Catalogue<KernelEntry> catalogue("kernel");
  return catalogue;
}

}  // namespace orrery
