/// Carries out a collective algorithm on labelled data and says what is wrong with it, for every_collective_test.cpp.
///
///   Stage stage(algorithm, task);  CHECK(stage.run() == "");  stage.measured().messages
///
/// A unit (an element, or a block of an all-to-all) in a buffer is the set of members whose contributions it contains.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/collectives/collective.hpp"

namespace orrery::collectives {

using Label = std::uint64_t;  ///< set of members; for data that are only moved, 1 when present
using Vector = std::vector<Label>;

struct Envelope {
  Data data;
  std::vector<Label> labels;
  Label known = 0;          ///< members from which a chain of messages leads here
  std::uint32_t chain = 0;  ///< messages of the longest such chain
};

/// What a member does one after another: all of it, or one of its lanes.
struct Strand {
  Generator<Action> actions;
  Action current{};
  bool ended = false, begun = false;
  std::uint32_t chain = 0;
  struct Receipt {
    Member from;
    Data data;
    Buffer into;
    std::uint32_t channel = 0;
  };
  std::map<std::uint32_t, Receipt> receipts;  ///< by request
};

/// One member, its buffers and what it has open.
struct Actor {
  std::vector<Strand> strands;
  std::map<Buffer, Vector> buffers;
  Label known = 0;
};

/// Carries out one collective for all members.
class Stage {
 public:
  Stage(const Algorithm& algorithm, const Task& task) : task_(task), units_(unit_count(task)) {
    tasks_.assign(task.ranks, task);
    actors_.resize(task.ranks);
    for (Member m = 0; m < task.ranks; ++m) {
      tasks_[m].me = m;
      const Algorithm& run = resolve(algorithm, tasks_[m]);
      if (run.lanes == nullptr) actors_[m].strands.emplace_back().actions = run.actions(tasks_[m]);
      if (run.lanes != nullptr)
        for (auto& lane : run.lanes(tasks_[m])) actors_[m].strands.emplace_back().actions = std::move(lane);
      actors_[m].buffers[mine] = initial(m);
      if (m < 64) actors_[m].known = Label{1} << m;  // sets are looked at with up to 64 members
    }
  }

  /// Runs to the end; what went wrong, or "".
  std::string run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Member m = 0; m < task_.ranks && defect_.empty(); ++m)
        for (Strand& strand : actors_[m].strands)
          while (defect_.empty() && advance(m, strand)) moved = true;
    }
    if (!defect_.empty()) return defect_;
    for (Member m = 0; m < task_.ranks; ++m)
      for (const Strand& strand : actors_[m].strands)
        if (!strand.ended) return fmt::format("member {} never ends", m);
    for (const auto& [pair, queue] : wires_)
      if (!queue.empty())
        return fmt::format("a message from {} to {} is not received", std::get<0>(pair), std::get<1>(pair));
    for (Member m = 0; m < task_.ranks; ++m)
      if (auto wrong = check_result(m); !wrong.empty()) return wrong;
    return "";
  }
  const Cost& measured() const { return measured_; }

 private:
  static bool exchanges_pairs(Operation o) { return o == Operation::alltoall || o == Operation::alltoallv; }
  static std::uint64_t unit_count(const Task& task) {
    return exchanges_pairs(task.operation) ? std::uint64_t{task.ranks} * task.ranks : task.elements();
  }
  Label all() const { return task_.ranks == 64 ? ~Label{0} : (Label{1} << task_.ranks) - 1; }
  bool owns(Member m, std::uint64_t unit) const {
    return unit >= task_.shares.begin(m) && unit < task_.shares.begin(m) + task_.shares.size(m);
  }

  Vector initial(Member m) const {
    Vector vector(units_, 0);
    for (std::uint64_t u = 0; u < units_; ++u) switch (task_.operation) {
        case Operation::barrier:
        case Operation::scan:
        case Operation::exscan:
          break;
        case Operation::bcast:
        case Operation::scatter:
        case Operation::scatterv:
          vector[u] = m == task_.root;
          break;
        case Operation::reduce:
        case Operation::allreduce:
        case Operation::reduce_scatter:
          vector[u] = Label{1} << m;
          break;
        case Operation::gather:
        case Operation::gatherv:
        case Operation::allgather:
        case Operation::allgatherv:
          vector[u] = owns(m, u);
          break;
        case Operation::alltoall:
        case Operation::alltoallv:
          vector[u] = u / task_.ranks == m;
          break;
      }
    return vector;
  }
  /// The label that a unit must have in the end, or 0 where nothing is asked.
  Label wanted(Member m, std::uint64_t u) const {
    switch (task_.operation) {
      case Operation::barrier:
        return 0;
      case Operation::bcast:
      case Operation::allgather:
      case Operation::allgatherv:
        return 1;
      case Operation::scatter:
      case Operation::scatterv:
        return owns(m, u);
      case Operation::gather:
      case Operation::gatherv:
        return m == task_.root;
      case Operation::reduce:
        return m == task_.root ? all() : 0;
      case Operation::allreduce:
        return all();
      case Operation::reduce_scatter:
        return owns(m, u) ? all() : 0;
      case Operation::alltoall:
      case Operation::alltoallv:
        return u % task_.ranks == m;
      case Operation::scan:
      case Operation::exscan:
        break;  // no algorithms
    }
    return 0;
  }
  std::string check_result(Member m) {
    if (task_.operation == Operation::barrier && actors_[m].known != all())
      return fmt::format("member {} leaves the barrier though not all have entered", m);
    for (std::uint64_t u = 0; u < units_; ++u)
      if (const Label want = wanted(m, u); want != 0 && actors_[m].buffers[mine][u] != want)
        return fmt::format("member {} ends with {:#x} in unit {} instead of {:#x}", m, actors_[m].buffers[mine][u], u,
                           want);
    return "";
  }

  bool fail(const std::string& what) {
    if (defect_.empty()) defect_ = what;
    return false;
  }
  Vector& buffer(Member m, Buffer number) {
    Vector& vector = actors_[m].buffers[number];
    vector.resize(units_, 0);
    return vector;
  }
  std::vector<std::uint64_t> units_of(const Data& data) {
    Data::Parts parts;
    if (data.list != nullptr) data.list(data, parts);
    std::vector<std::uint64_t> units;
    std::uint64_t size = 0;
    for (const auto& [first, count] : parts)
      for (std::uint64_t u = first; u < first + count; ++u) {
        if (u >= units_) fail(fmt::format("unit {} of {} is named", u, units_));
        units.push_back(u);
        size += exchanges_pairs(task_.operation)
                    ? task_.pairs(static_cast<Member>(u / task_.ranks), static_cast<Member>(u % task_.ranks))
                    : 1;
      }
    if (size != data.elements) fail(fmt::format("a message of {} elements holds {}", data.elements, size));
    return units;
  }

  std::vector<Member> node_of(Member m) const {
    std::vector<Member> members;
    for (Member other = 0; other < task_.ranks; ++other)
      if (task_.nodes.node(other) == task_.nodes.node(m)) members.push_back(other);
    return members;
  }
  /// What a unit is when it leaves: a switch adds up what all members of the node have.
  Label leaving(Member m, std::uint64_t unit, const Action& action) {
    if (action.in_switch != InSwitch::reduce || task_.nodes.node(m) != task_.nodes.node(action.to))
      return buffer(m, action.out_of)[unit];
    Label sum = 0;
    for (const Member other : node_of(m)) {
      const Label its = buffer(other, action.out_of)[unit];
      if (its == 0 || (its & sum) != 0) fail(fmt::format("the switch of member {} adds unit {} up wrongly", m, unit));
      sum |= its;
    }
    return sum;
  }

  void post(Member m, const Strand& strand, const Action& action) {
    const Member to = action.to;
    const Data& data = action.out;
    if (to >= task_.ranks || to == m) {
      fail(fmt::format("member {} sends to {}", m, to));
      return;
    }
    Envelope envelope{data, {}, actors_[m].known, strand.chain + 1};
    for (const auto u : units_of(data)) {
      if (u >= units_) return;
      const Label label = leaving(m, u, action);
      if (label == 0) fail(fmt::format("member {} sends unit {} to {} without having it", m, u, to));
      envelope.labels.push_back(label);
      if (action.in_switch == InSwitch::multicast && task_.nodes.node(m) == task_.nodes.node(to))
        for (const Member other : node_of(m)) buffer(other, mine)[u] = label;
    }
    measured_.messages += 1.0;
    measured_.elements += static_cast<double>(data.elements);
    measured_.rounds = std::max(measured_.rounds, static_cast<double>(envelope.chain));
    wires_[{m, to, action.channel}].push_back(std::move(envelope));
  }
  /// Receipts are matched in the order in which they were posted: one waits while an older one of its sender is open.
  bool take(Member m, Strand& strand, const Strand::Receipt& receipt) {
    const auto& [from, data, into, channel] = receipt;
    auto& queue = wires_[{from, m, channel}];
    if (queue.empty()) return false;
    const Envelope envelope = std::move(queue.front());
    queue.pop_front();
    const auto units = units_of(data);
    if (envelope.data.elements != data.elements || units_of(envelope.data) != units)
      return fail(fmt::format("member {} expects {} elements from {} and gets {} (or others)", m, data.elements, from,
                              envelope.data.elements));
    for (std::size_t i = 0; i < units.size(); ++i) buffer(m, into)[units[i]] = envelope.labels[i];
    actors_[m].known |= envelope.known;
    strand.chain = std::max(strand.chain, envelope.chain);
    return true;
  }
  bool take_open(Member m, Strand& strand, std::uint32_t request) {
    const auto found = strand.receipts.find(request);
    if (found == strand.receipts.end()) return true;  // a send, which is over when it is posted
    const Strand::Receipt receipt = found->second;
    if (!take(m, strand, receipt)) return false;
    strand.receipts.erase(found);
    return true;
  }
  bool combine_in(Member m, const Action& action) {
    for (const auto u : units_of(action.in)) {
      const Label extra = buffer(m, action.out_of)[u];
      Label& sum = buffer(m, action.into)[u];
      if (extra == 0 || sum == 0) return fail(fmt::format("member {} combines unit {} without having it", m, u));
      if ((extra & sum) != 0) return fail(fmt::format("member {} counts contributions to unit {} twice", m, u));
      sum |= extra;
      if (task_.commutative) continue;
      const Label shifted = sum >> std::countr_zero(sum);  // neighbours only: 0..01..1
      if ((shifted & (shifted + 1)) != 0) return fail(fmt::format("member {} changes the order of operands", m));
    }
    return true;
  }

  /// Performs what can be performed of the current action; true when the strand came forward.
  bool advance(Member m, Strand& strand) {
    if (strand.ended) return false;
    if (!strand.begun) {
      const Action* next = strand.actions.next();
      if (next == nullptr) {
        strand.ended = true;
        if (!strand.receipts.empty()) fail(fmt::format("member {} ends with open receives", m));
        return true;
      }
      strand.current = *next;
      strand.begun = true;
      if (next->kind == Action::Kind::exchange) post(m, strand, *next);
      strand.begun = !perform(m, strand, strand.current);
      return true;
    }
    if (!perform(m, strand, strand.current)) return false;
    strand.begun = false;
    return true;
  }
  bool perform(Member m, Strand& strand, const Action& action) {
    switch (action.kind) {
      case Action::Kind::send:
      case Action::Kind::start_send:
        post(m, strand, action);
        return true;
      case Action::Kind::start_receive:
        if (!strand.receipts
                 .emplace(action.request, Strand::Receipt{action.from, action.in, action.into, action.channel})
                 .second)
          return fail(fmt::format("member {} uses request {} twice", m, action.request));
        return true;
      case Action::Kind::receive:
      case Action::Kind::exchange:
        return take(m, strand, {action.from, action.in, action.into, action.channel});
      case Action::Kind::wait:
        return take_open(m, strand, action.request);
      case Action::Kind::wait_all: {
        std::vector<std::uint32_t> open;
        for (const auto& [request, receipt] : strand.receipts) open.push_back(request);
        bool complete = true;
        for (const auto request : open) complete = take_open(m, strand, request) && complete;
        return complete;
      }
      case Action::Kind::combine:
        return combine_in(m, action);
      case Action::Kind::rearrange:
      case Action::Kind::allocate:
      case Action::Kind::first_sent:
      case Action::Kind::describe:
        return true;
      case Action::Kind::copy:
        for (const auto u : units_of(action.in)) {
          if (buffer(m, action.out_of)[u] == 0) return fail(fmt::format("member {} copies what it lacks", m));
          buffer(m, action.into)[u] = buffer(m, action.out_of)[u];
        }
        return true;
    }
    return false;
  }

  Task task_;
  std::uint64_t units_;
  std::vector<Task> tasks_;
  std::vector<Actor> actors_;
  std::map<std::tuple<Member, Member, std::uint32_t>, std::deque<Envelope>> wires_;  ///< by channel
  Cost measured_;
  std::string defect_;
};

}  // namespace orrery::collectives
