// What resources carry when, for load curves (../loads.hpp).
//
//   load       of a resource: its capacity while it has members, else the rates accounted to it, capacity - residual
//   bin        a span of time of the curves; that of a resource is the one in which its load last changed
//   moment     sum over the changes of load d in the bin, at t s after its begin, of d t, so that
//              until t, the bin has carried   load t - moment   bytes
//
// Changes of one instant cancel in the moment, so that it does not matter how rates are repaired. A resource tells of a
// bin when its load changes in a later one: what the bin carried in all, and that it goes on steadily. An unlinked member is accounted an allowance above its rate; when
// that changes the difference is taken back, spread over the time since it was set (on resources that have room for
// the allowance: no load gets over 1 by that, and bytes are exact).
#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

void Sharing::keep_loads(Loads& loads) {
  if (!loads.kept()) return;
  loads_ = &loads;
  bin_end_ = loads.width();
}

/// It is now another bin.
void Sharing::begin_bin() {
  for (; now_ >= loads_->end(); loads_->double_bins())
    for (std::uint32_t l = 0; l < resources_.size(); ++l) {
      Resource& r = resources_[ResourceIndex{l}];
      tell_bins(r, static_cast<std::uint16_t>(loads_->bins() / 2));  // of wider bins, the one that begins now
      tells_loads_[ResourceIndex{l}].each *= 2.0;
    }
  bin_ = static_cast<std::uint16_t>(loads_->bin(now_));
  bin_begin_ = bin_ * loads_->width();
  bin_end_ = bin_begin_ + loads_->width();
}

/// The load has been steady since its last change, and is until it changes in the bin with this number.
void Sharing::tell_bins(Resource& r, std::uint16_t next) {
  TellsLoads& its = tells_loads_[resources_.id_of(r)];
  if (loads_ != nullptr) {
    const double each = load(r) * loads_->width(), first = each - r.moment;
    if (first != its.each || each != its.each) loads_->add(its.curve, r.bin, first, its.each, each);
    its.each = each;
  }
  r.moment = 0.0;
  r.bin = next;
}

void Sharing::tell_allowance(ClassId i) {
  Allowance& its = allowances_[i];
  const Class& c = classes_[i];
  const double now_served = served(c), seconds = now_ - its.since;
  if (loads_ != nullptr && seconds > 0.0)
    for (const Hop& hop : hops(c)) {
      if (hop.resource == c.bottleneck) continue;
      loads_->carried(id_of_[hop.resource], c.flows * (now_served - its.served - its.rate * seconds), its.since, now_);
    }
  its.since = now_;
  its.served = now_served;
}

void Sharing::end_loads() {
  if (loads_ == nullptr) return;
  for (std::uint32_t l = 0; l < resources_.size(); ++l) {
    Resource& r = resources_[ResourceIndex{l}];
    if (r.bin != bin_) tell_bins(r, bin_);
    const TellsLoads& its = tells_loads_[ResourceIndex{l}];
    const double carried = load(r) * in_bin_ - r.moment;
    if (carried != 0.0 || its.each != 0.0) loads_->add(its.curve, bin_, carried, its.each, 0.0);
  }
  for (const Class& c : classes_)
    if (c.unlinked) tell_allowance(classes_.id_of(c));
  loads_ = nullptr;
  bin_end_ = unlimited;
}

}  // namespace orrery::engine
