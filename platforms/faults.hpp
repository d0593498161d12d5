/// Links of a network that deviate from its platform: slower, farther or dead. The result of `build_routes` includes
/// them, so that engines, pictures and exports are consistent.
///
///   a way is dead             a deterministic message that had dead way j of the D dead ones, of W shortest ways,
///                             takes the one of the S remaining with number (j + d / W) mod S, d its destination; other
///                             routings choose randomly among the S, or again if there are many
///   no shortest way is left   the way of fewest links that is alive; of several that begin alike well, by d
///   no way at all             refused, naming both nodes
///
/// Valid    up to `counted_ways` shortest ways are counted anew; of more, one that is dead gives its place to another
/// Checked  tests/unit/platforms/faults_test.cpp, tests/replay/faults_test.cpp
#pragma once

#include <map>
#include <memory>
#include <string>

#include "platforms/routes.hpp"

namespace orrery {

struct LinkFault {
  double bandwidth = 1.0;  ///< factor
  Seconds latency;         ///< in addition
  bool down = false;
};

struct LinkFaults {
  std::map<LinkId, LinkFault> links;
  std::string where;  ///< place in the file, for refusals

  bool any_down() const;
  /// Several faults of one link add up.
  void add(LinkId link, const LinkFault& fault);
};

/// The routes with the faults of their network; `healthy` itself if it has none.
std::unique_ptr<Routes> with_faults(std::unique_ptr<Routes> healthy, const Network& network);

}  // namespace orrery
