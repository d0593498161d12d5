#include "sim/core/segment.hpp"

#include <algorithm>
#include <string_view>

#include "sim/core/doing.hpp"

namespace orrery {

/// Adds one step to the segment being read.
struct RankReader::Adder {
  RankReader& reader;
  Segment& segment;
  Phase& phase;

  void operator()(const Send& s) { sent(s, true, {}); }
  void operator()(const Recv& r) { transfer({r.from, r.message, r.tag, r.communicator, false, true, {}}); }
  void operator()(const Isend& s) { sent(s.send, false, s.request); }
  void operator()(const Irecv& r) {
    transfer({r.recv.from, r.recv.message, r.recv.tag, r.recv.communicator, false, false, r.request});
  }
  void operator()(const Wait& w) {
    close(w.request, 1);
    segment.actions.push_back({.kind = Action::Kind::wait, .first = w.request});
  }
  void operator()(const WaitAll& w) {
    close(w.first, w.count);
    segment.actions.push_back({.kind = Action::Kind::wait_all, .first = w.first, .count = w.count});
  }
  void operator()(const Compute& c) {
    reader.barrier_last_ = false;
    auto& items = segment.computes;
    const bool overlapped = !reader.open_.empty();
    for (const Open& open : reader.open_)
      if (open.transfer != none) segment.transfers[open.transfer].overlapped = true;
    if (!items.empty() && items.back().compute == c && items.back().overlapped == overlapped)
      ++items.back().repeat;
    else
      items.push_back({reader.me_, c, 1, overlapped});
  }
  void operator()(const ComputeUntil& c) {
    (*this)(c.compute);
    (*this)(Wait{c.request});
  }
  void operator()(const IdealBarrier&) {
    reader.barrier_last_ = true;
    if (segment.actions.empty() && segment.computes.empty()) segment.starts_together = true;
  }
  void operator()(const StageMark& mark) {
    const auto known = std::ranges::find(phase.stages, std::string_view(mark.name), &Stage::name);
    reader.stage_ = static_cast<std::uint32_t>(known - phase.stages.begin());
    if (known == phase.stages.end()) phase.stages.push_back({mark.name, mark.composition});
    phase.declared = true;
    segment.actions.push_back({.kind = Action::Kind::stage, .stage = reader.stage_});
  }
  void operator()(const CollectiveBegin& mark) {
    reader.inside_ = *mark.call;
    segment.collectives.push_back(*mark.call);
  }
  void operator()(const CollectiveEnd&) { reader.inside_.reset(); }
  void operator()(const PhaseMark&) {}
  void operator()(const IterationMark&) {}
  void operator()(const WaitAny&) {}
  void operator()(const Probe&) { reader.barrier_last_ = false; }

 private:
  void sent(const Send& s, bool blocking, RequestId request) {
    transfer({s.to, s.repeat * s.message, s.tag, s.communicator, true, blocking, request, s.repeat});
  }
  void close(RequestId first, std::uint32_t count) {
    const auto begin = static_cast<std::uint64_t>(first);
    std::erase_if(reader.open_, [&](const Open& open) {
      const auto number = static_cast<std::uint64_t>(open.request);
      return begin <= number && number < begin + count;
    });
  }
  void transfer(Transfer transfer) {
    reader.barrier_last_ = false;
    if (!transfer.blocking)
      reader.open_.push_back({transfer.request, static_cast<std::uint32_t>(segment.transfers.size())});
    transfer.stage = reader.stage_;
    if (reader.inside_) transfer.collective = static_cast<std::uint32_t>(segment.collectives.size() - 1);
    segment.actions.push_back(
        {.kind = Action::Kind::transfer, .transfer = static_cast<std::uint32_t>(segment.transfers.size())});
    segment.transfers.push_back(transfer);
  }
};

bool Segment::same_content(const Segment& other) const {
  return std::string_view(phase) == other.phase && ended == other.ended && starts_together == other.starts_together &&
         actions == other.actions && transfers == other.transfers && computes == other.computes &&
         collectives == other.collectives;
}

Segment RankReader::next_segment(Phase& phase) {
  Segment segment{.phase = phase_, .iteration = iteration_, .ended = done_, .starts_together = barrier_pending_};
  stage_ = none;
  for (Open& open : open_) open.transfer = none;
  if (inside_) segment.collectives.push_back(*inside_);
  doing.rank = static_cast<std::uint32_t>(me_);
  while (!done_) {
    doing.step = ++pulled_;
    const Step* step = steps_.next();
    if (step == nullptr) {
      done_ = true;
    } else if (const auto* named = std::get_if<PhaseMark>(step)) {
      phase_ = named->name;
      break;
    } else if (const auto* counted = std::get_if<IterationMark>(step)) {
      phase_ = default_phase;
      iteration_ = counted->iteration;
      break;
    } else {
      visit_step(Adder{*this, segment, phase}, *step);
    }
  }
  // A barrier that ends a segment synchronises the start of the next one.
  barrier_pending_ = std::exchange(barrier_last_, false);
  return segment;
}

}  // namespace orrery
