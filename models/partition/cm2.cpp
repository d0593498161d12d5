/// CM2: S_i = CPU_i L2_i / RAM_i. Symbols and properties of all four: models/partition/cost_models.hpp.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/cost_models.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::cm2_partitioner {

namespace {

const bool entered = partitioners().add({
    .name = "cm2",
    .summary = "slices of rows in proportion to clock and cache over memory",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 3.1",
    .asks = PartitionerEntry::Asks::processors,
    .make = [](const PartitionProblem& problem) { return by_cost_model("cm2", CostModel::memory, problem); },
});

}  // namespace

}  // namespace orrery::cm2_partitioner
