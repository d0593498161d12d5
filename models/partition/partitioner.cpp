#include "models/partition/partitioner.hpp"

namespace orrery {

Catalogue<PartitionerEntry>& partitioners() {
  static Catalogue<PartitionerEntry> catalogue("partitioner");
  return catalogue;
}

}  // namespace orrery
