/// SimGrid's platform XML as a platform file of ours.
///
///   one <cluster>                  star, fat tree, torus or dragonfly of one node type
///   hosts, links, zones            a free graph: what declared routes have in common becomes its cables
///   <cluster>s in zones            each a switch of that graph
///
/// A link becomes a cable with its bandwidth in each direction. What differs (links shared by both directions,
/// backbones, fat pipes, routes that no graph with shortest paths has, energy, profiles ...) is in `notes`, one
/// sentence each; what cannot be played at all is an InputError with file and line: other routing than static, no
/// hosts. SimGrid's files say nothing of memories: those parameters are written as `assumed`.
///
/// Source   SimGrid 3.32, simgrid.dtd and src/kernel/routing
/// Checked  tests/unit/platforms/simgrid_import_test.cpp, tests/contract/trace_fuzz_test.cpp
#pragma once

#include <string>
#include <vector>

namespace orrery {

struct ImportedPlatform {
  std::string yaml;
  std::vector<std::string> notes;
};

ImportedPlatform import_simgrid_xml(const std::string& file);
/// The same for text; `file` opens messages and is named as the source.
ImportedPlatform parse_simgrid_xml(const std::string& text, const std::string& file);

}  // namespace orrery
