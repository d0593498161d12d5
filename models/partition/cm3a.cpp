/// CM3a: S_i = CPU_i L2_i L_i / RAM_i if L_i < t, else 0. Symbols and properties of all four:
/// models/partition/cost_models.hpp.
///
/// Source   Belikov, Loidl, Michaelson & Trinder, "Architecture-aware cost modelling for parallel performance
///          portability", section 3.1
/// Checked  tests/unit/models/partition/cost_models_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/cost_models.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::cm3a_partitioner {

namespace {

const bool entered = partitioners().add({
    .name = "cm3a",
    .summary = "as cm2 times the latency; nothing for ranks that are too far",
    .source = "Belikov, Loidl, Michaelson & Trinder (architecture-aware cost modelling), section 3.1",
    .asks = PartitionerEntry::Asks::processors,
    .make = [](const PartitionProblem& problem) { return by_cost_model("cm3a", CostModel::latency, problem); },
});

}  // namespace

}  // namespace orrery::cm3a_partitioner
