/// CM1: S_i = CPU_i L2_i. Symbols and properties of all four: models/partition/cost_models.hpp.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/cost_models.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::cm1_partitioner {

namespace {

const bool entered = partitioners().add({
    .name = "cm1",
    .summary = "slices of rows in proportion to clock and cache of each rank's processor",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 3.1",
    .asks = PartitionerEntry::Asks::processors,
    .make = [](const PartitionProblem& problem) { return by_cost_model("cm1", CostModel::cache, problem); },
});

}  // namespace

}  // namespace orrery::cm1_partitioner
