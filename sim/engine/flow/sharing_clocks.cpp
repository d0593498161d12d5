// When flows end. A resource has one clock, V, in bytes; its entry in the date queue says when the first flow of its
// members ends, and a change of level moves that one date.
//
//   a flow of class c ends    when W(c) = V(l) + offset(c) reaches its finish, l the bottleneck of c
//   first end of a member     finish of its first flow - offset(c), in V(l)
//   date of the resource      now + (least first end - V(l)) / level(l)
//
// Dates move back and forth, and an entry cannot be moved inside the queue. So one that became too early stays, and is
// put right when its turn comes; only for one that became too late another is entered (`queued` is the earliest).
#include <algorithm>

#include "sim/engine/flow/sharing.hpp"

namespace orrery::engine {

void Sharing::advance(double date, std::vector<FlowId>& ended) {
  now_ = date;
  if (date >= bin_end_) begin_bin();
  in_bin_ = date - bin_begin_;
  const double tolerated = slack(date);
  while (next_date() <= date + tolerated) {
    const ClockId clock{clocks_.top_what()};
    pop_clock();
    next_known_ = false;
    if (clock.is_of_class())
      end_due_of_class(clock.flow_class(), tolerated, ended);
    else
      end_due_of_resource(clock.resource(), tolerated, ended);
  }
}

/// The date of the first entry that says what is the case: others are dropped, or entered again where they are too
/// early.
double Sharing::first_clock() {
  for (; !clocks_.empty(); pop_clock()) {
    const double date = clocks_.next_date();
    const ClockId clock{clocks_.top_what()};
    const bool of_class = clock.is_of_class();
    if (of_class && classes_[clock.flow_class()].bottleneck != by_cap) continue;
    double& queued = of_class ? cap_clocks_[clock.flow_class()].queued : resources_[clock.resource()].queued;
    if (date != queued) continue;
    const double end = of_class ? end_date(classes_[clock.flow_class()]) : end_date(resources_[clock.resource()]);
    if (end <= date) return date;
    queued = end;
    if (end < unlimited) clocks_.push(end, clock.token());  // not before this one: the entry popped is this one
  }
  return unlimited;
}

void Sharing::pop_clock() {
  clocks_.pop();
  if (fetches_ahead_) fetch_ahead();
}

void Sharing::end_due_of_resource(ResourceIndex l, double tolerated, std::vector<FlowId>& ended) {
  Resource& r = resources_[l];
  r.queued = unlimited;
  mark_undated(l);
  r.served = served(r);
  r.since = now_;
  const double limit = r.served + r.level * tolerated;
  do ended.push_back(end_first_flow(first_to_end(l).flow_class));
  while (r.first_end <= limit);
}

void Sharing::end_due_of_class(ClassId i, double tolerated, std::vector<FlowId>& ended) {
  const Class& c = classes_[i];
  cap_clocks_[i].queued = unlimited;
  const double limit = served(c) + c.cap * tolerated;
  do ended.push_back(end_first_flow(i));
  while (c.flows > 0 && c.queue.finish <= limit);
}

/// W.
double Sharing::served(const Class& c) const {
  if (c.bottleneck == unbound) return c.offset;
  if (c.bottleneck == by_cap) return c.offset + c.cap * (now_ - cap_clocks_[classes_.id_of(c)].since);
  return served(resources_[c.bottleneck]) + c.offset;
}

/// The member whose first flow ends first.
FirstEnds::Entry Sharing::first_to_end(ResourceIndex l) const {
  const Resource& r = resources_[l];
  if (r.indexed) return rare_[l].first_ends.first();
  const auto members = r.users.all_members();
  const User& first = *std::ranges::min_element(members, {}, &User::first_end);
  return {first.first_end, first.flow_class};
}

double Sharing::least_first_end(ResourceIndex l) const {
  const Resource& r = resources_[l];
  if (r.indexed && r.users.members > 0) return rare_[l].first_ends.first().first_end;
  double least = unlimited;
  for (const User& user : r.users.all_members()) least = user.first_end < least ? user.first_end : least;
  return least;
}

/// Another flow of the class is the first to end.
void Sharing::first_flow_changed(ClassId i) {
  Class& c = classes_[i];
  if (c.bottleneck == unbound) return;
  if (c.bottleneck == by_cap) return set_clock(i);
  const ResourceIndex l = c.bottleneck;
  Resource& r = resources_[l];
  User& user = r.users[position_of(i, l)];
  user.first_end = c.queue.finish - c.offset;
  mark_undated(l);
  if (r.indexed) rare_[l].first_ends.change(c.heap_place, {user.first_end, i}, told_place());
  r.first_end = least_first_end(l);
}

double Sharing::end_date(const Class& c) const {
  return std::max(now_, cap_clocks_[classes_.id_of(c)].since + (c.queue.finish - c.offset) / c.cap);
}

double Sharing::end_date(const Resource& r) const {
  if (r.users.members == 0) return unlimited;
  return std::max(now_, r.since + (r.first_end - r.served) / r.level);
}

void Sharing::set_clock(ClassId i) {
  const double end = end_date(classes_[i]);
  double& queued = cap_clocks_[i].queued;
  if (end >= queued) return;
  queued = end;
  next_known_ = false;
  clocks_.push(end, ClockId{i}.token());
}

void Sharing::set_clock(ResourceIndex l) {
  Resource& r = resources_[l];
  r.undated = false;
  if (r.served > served_max) rebase(l);
  const double end = end_date(r);
  if (end >= r.queued) return;
  r.queued = end;
  clocks_.push(end, ClockId{l}.token());
}

/// V counts from 0 again.
void Sharing::rebase(ResourceIndex l) {
  Resource& r = resources_[l];
  for (User& user : r.users.all_members()) {
    user.first_end -= r.served;
    classes_[user.flow_class].offset += r.served;
  }
  if (r.indexed) rare_[l].first_ends.rebase(r.served);
  r.first_end -= r.served;
  r.served = 0.0;
}

}  // namespace orrery::engine
