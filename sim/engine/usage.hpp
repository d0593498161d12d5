/// Bytes and busy time of each resource, for an engine that does not store them with its own state.
#pragma once

#include <span>
#include <vector>

#include "sim/engine/resources.hpp"

namespace orrery::engine {

class Usage {
 public:
  void flow_started(std::span<const ResourceId> route, double bytes, double now) {
    for (const ResourceId id : route) {
      if (index(id) >= all_.size()) all_.resize(index(id) + 1);
      Entry& entry = all_[index(id)];
      entry.use.bytes += bytes;
      if (entry.flows++ == 0) entry.busy_since = now;
    }
  }
  void flow_ended(std::span<const ResourceId> route, double now) {
    for (const ResourceId id : route) {
      Entry& entry = all_[index(id)];
      if (--entry.flows == 0) entry.use.busy += now - entry.busy_since;
    }
  }
  Use of(ResourceId id) const { return index(id) < all_.size() ? all_[index(id)].use : Use{}; }

 private:
  struct Entry {
    Use use;
    double busy_since = 0.0;
    std::uint32_t flows = 0;
  };
  std::vector<Entry> all_;  ///< [resources]
};

}  // namespace orrery::engine
