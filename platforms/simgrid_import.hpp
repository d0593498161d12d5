/// Converts SimGrid's platform XML to a platform file of ours.
///
///   one <cluster>                  a star, fat tree or torus; a dragonfly becomes a graph
///   hosts, links, zones            a graph of links, media (buses, backbones) and, if shortest paths differ, the
///                                  routes as listed in the file
///
/// Everything in simgrid.dtd is read, or counted in `notes` with its effect. Features that no platform file can express
/// are an InputError with the line of the XML. SimGrid's files have no memories: these are written as `assumed`.
///
/// The platform is compared with the file: latency and bandwidth of the routes, and the bandwidths of many simultaneous
/// messages. `checked` lists the comparisons; notes give the number and the largest of the differences.
///
/// Source   SimGrid 3.32, simgrid.dtd and src/kernel/routing
/// Checked  tests/unit/platforms/simgrid_import_test.cpp, tests/replay/simgrid_platforms_test.cpp (against SimGrid),
///          tests/contract/trace_fuzz_test.cpp
#pragma once

#include <string>
#include <vector>

namespace orrery {

struct ImportedPlatform {
  std::string yaml;
  std::vector<std::string> notes;
  std::string checked;
};

struct SimgridImport {
  bool smpi_factors = false;  ///< with SMPI's default factors of the size, if the file has none
};

ImportedPlatform import_simgrid_xml(const std::string& file, const SimgridImport& options = {});
/// The same for text; `file` begins messages and is recorded as the source.
ImportedPlatform parse_simgrid_xml(const std::string& text, const std::string& file, const SimgridImport& options = {});

}  // namespace orrery
