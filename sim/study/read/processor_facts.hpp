/// Properties of the processors of a layout's ranks that are known without a run: for partitioners by cost models.
///
///   from a CSV file     columns type, node, cpu, gpu, cores, rank select; cpu_Hz, cache_B, memory_B, latency_s are
///                       values; each is for one rank, whatever its cores
///   from the platform   if a cell is missing: speed of the rank's cores, memory of its node, latency of the route from
///                       the node of rank 0 (of shared memory on that node). No platform file has cache sizes
///
/// Checked  tests/unit/study/processor_facts_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"
#include "sim/study/read/point.hpp"

namespace orrery {

/// `file`: a file, a name in platforms/processors, or empty. `point` has platform, layout and maybe a network.
std::vector<ProcessorFacts> processor_facts(const LoadedPoint& point, const std::string& file, const std::string& where,
                                            const std::string& folder);

}  // namespace orrery
