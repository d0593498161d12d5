/// SimGrid's platform XML as a platform file of ours.
///
///   one <cluster>                  a star, fat tree or torus; a dragonfly becomes a graph
///   hosts, links, zones            a graph of links, media (buses, backbones) and, where shortest paths are others,
///                                  the routes as they are written
///
/// Whatever simgrid.dtd knows is read, or counted in `notes` with what it changes. What no platform file can say is an
/// InputError with the line of the XML. SimGrid's files say nothing of memories: those are written as `assumed`.
///
/// The platform is checked against the file: latency and bandwidth of the routes, and what many messages at once get of
/// them. `checked` says what was compared; where something differs the notes say how many routes, how far, and which.
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
  bool smpi_factors = false;  ///< with SMPI's default factors of the size, where the file states none
};

ImportedPlatform import_simgrid_xml(const std::string& file, const SimgridImport& options = {});
/// The same for text; `file` opens messages and is named as the source.
ImportedPlatform parse_simgrid_xml(const std::string& text, const std::string& file, const SimgridImport& options = {});

}  // namespace orrery
