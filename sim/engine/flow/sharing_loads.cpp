// What resources carry when, for load curves (../loads.hpp).
//
//   load       of a resource: its capacity while it has members, else the rates accounted to it, capacity - residual
//   bin        a span of time of the curves; that of a resource is the one in which its load last changed
//   moment     sum over the changes of load d in the bin, at t s after its begin, of d t, so that
//              until t, the bin has carried   load t - moment   bytes
//
// Whatever may change a load marks the resource as touched; once rates are repaired, those whose load is another are
// told, each once in an instant. A resource tells of a bin when its load changes in a later one: what the bin carried
// in all, and that it went on steadily until then. An unlinked member is accounted an allowance above its rate; when
// that changes the difference is taken back, spread over the time since it was set (on resources that have room for
// the allowance: no load gets over 1 by that, and bytes are exact).
#include "sim/engine/flow/sharing.hpp"

namespace orrery::replay {

void Sharing::keep_loads(Loads& loads) {
  if (!loads.kept()) return;
  loads_ = &loads;
  bin_end_ = loads.width();
}

void Sharing::keep_touched(Resource& r) {
  r.touched = true;
  touched_.push_back(resources_.id_of(r));
}

void Sharing::tell_touched() {
  for (const ResourceIndex l : touched_) {
    Resource& r = resources_[l];
    r.touched = false;
    const double now = load(r);
    if (now == r.told || loads_ == nullptr) continue;
    if (load_states_[l].bin != bin_) tell_bins(l, bin_);
    load_states_[l].moment += (now - r.told) * in_bin_;
    r.told = now;
  }
  touched_.clear();
}

/// It is now another bin.
void Sharing::begin_bin() {
  for (; now_ >= loads_->end(); loads_->double_bins())
    for (std::uint32_t l = 0; l < resources_.size(); ++l) {
      tell_bins(ResourceIndex{l}, loads_->bins());
      load_states_[ResourceIndex{l}].bin = loads_->bins() / 2;  // of wider bins, the one that begins there
    }
  bin_ = loads_->bin(now_);
  bin_begin_ = bin_ * loads_->width();
  bin_end_ = bin_begin_ + loads_->width();
}

/// The load has been steady since its last change, and is until the bin with this number begins.
void Sharing::tell_bins(ResourceIndex l, std::uint32_t until) {
  LoadState& state = load_states_[l];
  const double each = resources_[l].told * loads_->width(), first = each - state.moment;
  if (first != 0.0 || each != 0.0) loads_->add(id_of_[l], state.bin, first, until, each);
  state = {0.0, until};
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
  for (std::uint32_t i = 0; i < resources_.size(); ++i) {
    const ResourceIndex l{i};
    if (load_states_[l].bin != bin_) tell_bins(l, bin_);
    const double carried = resources_[l].told * in_bin_ - load_states_[l].moment;
    if (carried != 0.0) loads_->add(id_of_[l], bin_, carried, bin_ + 1, 0.0);
  }
  for (const Class& c : classes_)
    if (c.unlinked) tell_allowance(classes_.id_of(c));
  loads_ = nullptr;
  bin_end_ = unlimited;
}

}  // namespace orrery::replay
