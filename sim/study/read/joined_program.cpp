#include "sim/study/read/joined_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace orrery {

namespace {

/// Where the ranks of each part begin.
class Parts {
 public:
  explicit Parts(const std::vector<JoinedPart>& parts) : parts_(parts) {
    for (const JoinedPart& part : parts) {
      first_.push_back(ranks_);
      ranks_ += part.program->ranks();
    }
  }
  std::uint32_t ranks() const { return ranks_; }
  std::size_t size() const { return parts_.size(); }
  std::size_t of(Rank rank) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_, index(rank)) - first_.begin()) - 1;
  }
  std::uint32_t first(std::size_t part) const { return first_[part]; }
  Rank own(std::size_t part, Rank rank) const { return Rank{static_cast<std::uint32_t>(rank) - first_[part]}; }
  const JoinedPart& operator[](std::size_t part) const { return parts_[part]; }

 private:
  std::vector<JoinedPart> parts_;
  std::vector<std::uint32_t> first_;
  std::uint32_t ranks_ = 0;
};

Rank moved(Rank rank, std::uint32_t by) {
  return rank == any_rank ? rank : Rank{static_cast<std::uint32_t>(rank) + by};
}

class Joined final : public Program {
 public:
  explicit Joined(const std::vector<JoinedPart>& parts) : parts_(parts) {}

  std::string name() const override {
    std::string text;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      text += fmt::format("{}{}: ranks {}..{}", p == 0 ? "jobs " : ", ", parts_[p].name, parts_.first(p),
                          parts_.first(p) + parts_[p].program->ranks() - 1);
    return text;
  }
  std::uint32_t ranks() const override { return parts_.ranks(); }
  Bytes memory(Rank me) const override {
    const std::size_t part = parts_.of(me);
    return parts_[part].program->memory(parts_.own(part, me));
  }

  Generator<Step> steps(Rank me) const override {
    const std::size_t part = parts_.of(me);
    const std::uint32_t by = parts_.first(part);
    std::vector<std::pair<const char*, const char*>> names;  // of phases, as the program and as results have them
    CollectiveCall call;
    std::vector<Rank> team;
    co_yield phase(name_of(part, default_phase, names));
    auto own = parts_[part].program->steps(parts_.own(part, me));
    while (const Step* next = own.next()) {
      Step step = *next;
      if (auto* send = std::get_if<Send>(&step))
        send->to = moved(send->to, by);
      else if (auto* isend = std::get_if<Isend>(&step))
        isend->send.to = moved(isend->send.to, by);
      else if (auto* recv = std::get_if<Recv>(&step))
        recv->from = moved(recv->from, by);
      else if (auto* irecv = std::get_if<Irecv>(&step))
        irecv->recv.from = moved(irecv->recv.from, by);
      else if (auto* probe = std::get_if<Probe>(&step))
        probe->from = moved(probe->from, by);
      else if (auto* mark = std::get_if<PhaseMark>(&step))
        mark->name = name_of(part, mark->name, names);
      else if (auto* begin = std::get_if<CollectiveBegin>(&step)) {
        call = *begin->call;
        call.group = moved_group(call.group, by);
        team.assign(begin->team.begin(), begin->team.end());
        for (Rank& rank : team) rank = moved(rank, by);
        *begin = {&call, team};
      }
      co_yield step;
      if (std::holds_alternative<IterationMark>(step)) co_yield phase(name_of(part, default_phase, names));
    }
  }

 private:
  /// A literal of the program is asked for again and again: the rank remembers those it had.
  const char* name_of(std::size_t part, const char* name,
                      std::vector<std::pair<const char*, const char*>>& known) const {
    for (const auto& [own, shown] : known)
      if (own == name) return shown;
    const std::lock_guard lock(guard_);
    const auto shown = names_.try_emplace({part, name}, fmt::format("{}: {}", parts_[part].name, name)).first;
    return known.emplace_back(name, shown->second.c_str()).second;
  }

  /// Once for all members and calls.
  Group moved_group(const Group& group, std::uint32_t by) const {
    if (by == 0) return group;
    const std::lock_guard lock(guard_);
    auto& same = groups_[{by, group.fingerprint()}];
    for (const auto& [own, shown] : same)
      if (own == group) return shown;
    std::vector<Rank> ranks;
    for (Member m = 0; m < group.size(); ++m) ranks.push_back(moved(group.rank(m), by));
    return same.emplace_back(group, Group::of(std::move(ranks), group.communicator())).second;
  }

  Parts parts_;
  mutable std::mutex guard_;
  mutable std::map<std::pair<std::size_t, std::string>, std::string> names_;
  mutable std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::pair<Group, Group>>> groups_;
};

class JoinedCompute final : public ComputeModel {
 public:
  explicit JoinedCompute(const std::vector<JoinedPart>& parts) : parts_(parts) {}

  std::string description() const override {
    std::string text = parts_[0].compute->description();
    for (std::size_t p = 1; p < parts_.size(); ++p)
      if (parts_[p].compute->description() != text) return each();
    return text;
  }
  Seconds compute_time(const Compute& compute, Rank rank) const override {
    const std::size_t part = parts_.of(rank);
    return parts_[part].compute->compute_time(compute, parts_.own(part, rank));
  }
  Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t step) const override {
    const std::size_t part = parts_.of(rank);
    return parts_[part].compute->sampled_time(compute, parts_.own(part, rank), step);
  }

 private:
  std::string each() const {
    std::string text;
    for (std::size_t p = 0; p < parts_.size(); ++p)
      text += fmt::format("{}{}: {}", p == 0 ? "" : " | ", parts_[p].name, parts_[p].compute->description());
    return text;
  }
  Parts parts_;
};

}  // namespace

std::unique_ptr<Program> joined_program(const std::vector<JoinedPart>& parts) {
  return std::make_unique<Joined>(parts);
}

std::unique_ptr<ComputeModel> joined_compute(const std::vector<JoinedPart>& parts) {
  return std::make_unique<JoinedCompute>(parts);
}

}  // namespace orrery
