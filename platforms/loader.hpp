/// A platform file (YAML) as a Platform: node types, node counts, networks, each parameter with its unit and its source.
///
///   name: fermi
///   source: "who says so"                  # inherited by every parameter below that does not name its own
///   node-types:
///     xeon12:
///       count: 9
///       core-speed: {value: 10.1Gflop/s, source: "datasheet"}
///       memory: {value: 24GiB, assumed: true}        # or assumed: "why"
///   networks:
///     infiniband: {bandwidth: 32Gbps, latency: 1.3us, topology: {kind: star}, protocol: {...}}
///
/// `orrery new platform NAME` writes a commented file with every key. A parameter without a source is refused.
/// Checked  tests/unit/platforms/loader_test.cpp, tests/contract/every_platform_test.cpp, tests/contract/fuzz_test.cpp
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery {

namespace config {
class Document;
}

/// Throws InputError "file:line:column: ..." for anything that is not a platform: unknown keys, missing units, values
/// out of range, parameters without a source, topologies that do not hold the nodes.
Platform load_platform(const std::string& path);
/// The same from a document that was read before; `file` is recorded as the platform's origin.
Platform load_platform(const config::Document& document, const std::string& file);

}  // namespace orrery
