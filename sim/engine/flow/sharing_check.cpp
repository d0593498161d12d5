// The conditions of sharing.hpp, looked at from scratch: loads are summed anew from the rates of all classes.
#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

double Sharing::violation(std::string* what) const {
  double worst = 0.0;
  const auto found = [&](double size, const char* name, std::size_t number) {
    if (!(size > worst)) return;
    worst = size;
    if (what != nullptr) *what = name + std::to_string(number);
  };
  IdVector<ResourceIndex, double> load;
  load.resize(resources_.size());
  for (const Class& c : classes_) {
    if (c.flows == 0) continue;
    const std::size_t number = index(classes_.id_of(c));
    if (c.bottleneck == unbound) return found(unlimited, "no rate for class ", number), unlimited;
    const double own = rate(c);
    found(own / c.cap - 1.0, "above its cap: class ", number);
    for (const Hop& hop : hops(c)) {
      load[hop.resource] += own * c.flows;
      found(own / resources_[hop.resource].level - 1.0, "faster than the members of a resource: class ", number);
    }
  }
  for (const Resource& r : resources_) {
    const ResourceIndex l = resources_.id_of(r);
    const double free = 1.0 - load[l] / r.capacity;
    found(-free, "overloaded: resource ", index(id_of_[l]));
    if (r.flows > 0) found(free, "has members but is not saturated: resource ", index(id_of_[l]));
  }
  return worst;
}

}  // namespace orrery::engine
