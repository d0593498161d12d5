#include "sim/engine/alike.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery::engine {

namespace {

constexpr double grid = 0x1p-36;  ///< s: dates of members are looked up by it, and then compared

/// What tells a step from others; marks and stages are told by whoever adds them.
void add_to(Fingerprint& print, const Send& send) {
  print.add(std::uint64_t{index(send.to)} << 32 | static_cast<std::uint32_t>(send.tag));
  print.add(std::uint64_t{index(send.communicator)} << 32 | send.repeat);
  print.add(send.message.si());
  print.add(static_cast<std::uint64_t>(send.protocol));
}
void add_to(Fingerprint& print, const Recv& recv) {
  print.add(std::uint64_t{index(recv.from)} << 32 | static_cast<std::uint32_t>(recv.tag));
  print.add(std::uint64_t{index(recv.communicator)});
  print.add(recv.message.si());
}
void add_to(Fingerprint& print, const Isend& isend) {
  add_to(print, isend.send);
  print.add(std::uint64_t{index(isend.request)});
}
void add_to(Fingerprint& print, const Irecv& irecv) {
  add_to(print, irecv.recv);
  print.add(std::uint64_t{index(irecv.request)});
}
void add_to(Fingerprint& print, const Wait& wait) { print.add(std::uint64_t{index(wait.request)}); }
void add_to(Fingerprint& print, const WaitAll& all) { print.add(std::uint64_t{index(all.first)} << 32 | all.count); }
void add_to(Fingerprint& print, const Compute& compute) { print.add(compute.flops.si()); }
template <class Other>
void add_to(Fingerprint&, const Other&) {}

}  // namespace

void Fingerprint::add(double value) { add(std::bit_cast<std::uint64_t>(value)); }

void Script::clear() {
  steps.clear();
  calls.clear();
  collectives = 0;
  messages = 0;
  bytes = 0.0;
  first_request = 0xffffffffu;
  last_request = 0;
  print = {};
}

void Script::add(const Step& step) {
  print.add(std::uint64_t{step.index()});
  visit_step([this](const auto& kind) { add_to(print, kind); }, step);
  steps.push_back(step);
}

void Script::begin_collective(const CollectiveCall& call) {
  calls.push_back(call);
  calls.back().group = orrery::Group::strided(Rank{0}, 1, call.group.size());
  ++collectives;
  add(CollectiveBegin{&calls.back()});
  print.add(static_cast<std::uint64_t>(call.operation));
  print.add(call.bytes.si());
  for (const char* word : {call.algorithm, call.name})
    for (; *word != '\0'; ++word) print.add(static_cast<std::uint64_t>(*word));
}

bool Script::closes_requests() const {
  std::vector<std::uint32_t> open;  // numbers
  for (const Step& step : steps) {
    if (const auto* isend = std::get_if<Isend>(&step)) open.push_back(static_cast<std::uint32_t>(isend->request));
    if (const auto* irecv = std::get_if<Irecv>(&step)) open.push_back(static_cast<std::uint32_t>(irecv->request));
    if (const auto* wait = std::get_if<Wait>(&step)) std::erase(open, index(wait->request));
    if (const auto* all = std::get_if<WaitAll>(&step))
      std::erase_if(open,
                    [&](std::uint32_t id) { return id >= index(all->first) && id - index(all->first) < all->count; });
  }
  return open.empty();
}

std::pair<std::uint32_t, bool> Alike::number_of(const orrery::Group& group) {
  const auto [found, fresh] = numbers_.try_emplace(group.fingerprint(), static_cast<std::uint32_t>(groups.size()));
  if (fresh) {
    Group& made = groups.emplace_back();
    for (orrery::Member m = 0; m < group.size(); ++m) made.ranks.push_back(group.rank(m));
  }
  return {found->second, fresh};
}

std::uint32_t Alike::kind_of(const std::vector<double>& parameters) {
  return kinds_.try_emplace(parameters, static_cast<std::uint32_t>(kinds_.size())).first->second;
}

const Script* Alike::known(Script& script) {
  std::unique_ptr<Script>& kept = scripts_[script.print];
  if (kept) return kept.get();
  if (!script.closes_requests()) throw Unalike{"a collective leaves requests open"};
  kept = std::make_unique<Script>(std::move(script));
  script = {};
  return kept.get();
}

void Alike::flow_starts(std::span<const ResourceId> route, double now) {
  for (const ResourceId id : route) {
    OfLink& link = of(id);
    ++link.flows;
    if (link.opened > 0 || !is_over(link.until, now)) throw Unalike{"a message uses a link of a group that was alone"};
  }
}

void Alike::flow_ends(std::span<const ResourceId> route) {
  for (const ResourceId id : route) --of(id).flows;
}

void Alike::core_taken(Rank rank, double now) const {
  if (index(rank) >= cores_.size()) return;
  const OfLink& core = cores_[index(rank)];
  if (core.opened > 0 || !is_over(core.until, now)) throw Unalike{"a rank works beside one that was alone"};
}

bool Alike::is_idle(const Group& group) const {
  return std::ranges::none_of(group.links, [this](ResourceId id) {
    return index(id) < links_.size() && (links_[index(id)].flows > 0 || links_[index(id)].opened > 0);
  });
}

void Alike::open(const Group& group) {
  for (const ResourceId id : group.links) ++of(id).opened;
  if (!group.beside.empty()) cores_.resize(rank_states.size());
  for (const Rank rank : group.beside) ++cores_[index(rank)].opened;
}

void Alike::close(const Group& group, const Stretch& stretch, double last_came) {
  for (std::size_t k = 0; k < group.links.size(); ++k) {
    OfLink& link = of(group.links[k]);
    --link.opened;
    const Stretch::OnLink& its = stretch.links[k];
    if (its.bytes == 0.0) continue;
    if (!is_over(link.until, last_came + its.first)) throw Unalike{"members leave a stretch too far apart"};
    link.until = last_came + its.last;
  }
  const double end = last_came + *std::ranges::max_element(stretch.ends);
  for (const Rank rank : group.beside) {
    OfLink& core = cores_[index(rank)];
    --core.opened;
    core.until = std::max(core.until, end);
  }
}

Fingerprint Alike::print_of(const Group& group, double now) {
  Fingerprint print;
  print.add(std::uint64_t{group.kind});
  for (const Member& member : group.members) {
    print.add(member.script->print.a);
    print.add(member.script->print.b);
    print.add(static_cast<std::uint64_t>(std::llround((now - member.came) / grid)));
  }
  return print;
}

const Stretch* Alike::find(const Group& group, double now) const {
  const auto found = stretches_.find(print_of(group, now));
  if (found == stretches_.end()) return nullptr;
  const double rounding = 4e-15 * now;
  for (const auto& stretch : found->second) {
    bool same = true;
    for (std::size_t m = 0; m < group.members.size() && same; ++m)
      same = std::abs(group.members[m].came - now - stretch->came[m]) <= rounding;
    if (same) return stretch.get();
  }
  return nullptr;
}

const Stretch* Alike::keep(const Group& group, double now, Stretch stretch) {
  auto& like = stretches_[print_of(group, now)];
  like.push_back(std::make_unique<Stretch>(std::move(stretch)));
  ++repeated.played;
  return like.back().get();
}

std::uint32_t Alike::begin(UnderWay fresh) {
  ++repeated.stretches;
  repeated.messages += fresh.stretch->messages;
  if (free_under_way.empty()) {
    under_way.push_back(fresh);
    return static_cast<std::uint32_t>(under_way.size() - 1);
  }
  const std::uint32_t number = free_under_way.back();
  free_under_way.pop_back();
  under_way[number] = fresh;
  return number;
}

}  // namespace orrery::engine
