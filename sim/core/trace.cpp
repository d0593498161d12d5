#include "sim/core/trace.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "sim/core/fingerprint.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery {

const char* trace_call_name(TraceCall::Kind kind) {
  constexpr const char* names[trace_call_kinds] = {"compute", "sleep",     "send",    "recv",       "isend",
                                                   "irecv",   "wait",      "waitall", "collective", "ideal barrier",
                                                   "phase",   "iteration", "stage",   "begin",      "end"};
  return names[static_cast<std::size_t>(kind)];
}

std::uint64_t Trace::calls() const {
  std::uint64_t sum = 0;
  for (const auto& rank : ranks) sum += rank.calls;
  return sum;
}

Group Trace::group(std::uint32_t number) const {
  constexpr Communicator of_collectives{1};  // apart from the messages between two ranks, which are on the world
  return number > 0 ? groups[number - 1]
                    : Group::strided(Rank{0}, 1, static_cast<std::uint32_t>(ranks.size()), of_collectives);
}

std::uint64_t Trace::fingerprint() const {
  Fingerprint all;
  for (const auto& rank : ranks) {
    for (const std::uint8_t byte : rank.bytes) all.add(byte);
    all.add(0x100);
  }
  for (const auto& name : names) all.add(name);
  for (const auto& counts : root_counts)
    for (const std::uint64_t count : counts) all.add(count);
  for (const auto& [call, algorithm] : marked) {
    all.add(static_cast<std::uint64_t>(call.operation));
    all.add(call.root);
    all.add(static_cast<std::uint64_t>(call.bytes.si()));
    all.add(call.group.fingerprint());
    all.add(algorithm);
  }
  for (const auto& group : groups) all.add(group.fingerprint()).add(static_cast<std::uint32_t>(group.communicator()));
  return all.add(std::bit_cast<std::uint64_t>(speed)).value();
}

void TraceWriter::real(double value) {
  std::uint8_t bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  into_.bytes.insert(into_.bytes.end(), bytes, bytes + sizeof value);
}

void TraceWriter::message(Rank peer, Tag tag, Bytes m) {
  // One more than the number, so that 'any' (all bits set) becomes 0: one byte.
  whole((static_cast<std::uint32_t>(peer) + 1u) & 0xffffffffu);
  whole((static_cast<std::uint32_t>(tag) + 1u) & 0xffffffffu);
  whole(static_cast<std::uint64_t>(std::llround(m.si())));
}

void TraceWriter::train(std::uint32_t repeat) {
  if (repeat == 1) return;
  into_.bytes.push_back(train_prefix);
  whole(repeat);
}

void TraceWriter::send(Rank to, Tag tag, Bytes m, std::uint32_t repeat) {
  train(repeat), begin(TraceCall::Kind::send), message(to, tag, m);
}

void TraceWriter::recv(Rank from, Tag tag, Bytes m, std::uint32_t repeat) {
  train(repeat), begin(TraceCall::Kind::recv), message(from, tag, m);
}

void TraceWriter::isend(Rank to, Tag tag, Bytes m, RequestId request, std::uint32_t repeat) {
  train(repeat), begin(TraceCall::Kind::isend);
  message(to, tag, m);
  whole(static_cast<std::uint32_t>(request));
}

void TraceWriter::irecv(Rank from, Tag tag, Bytes m, RequestId request, std::uint32_t repeat) {
  train(repeat), begin(TraceCall::Kind::irecv);
  message(from, tag, m);
  whole(static_cast<std::uint32_t>(request));
}

void TraceWriter::collective(const TraceCall& call) {
  begin(TraceCall::Kind::collective);
  whole(static_cast<std::uint64_t>(call.what));
  whole(index(call.peer));
  whole(static_cast<std::uint64_t>(std::llround(call.amount)));
  whole(call.reduction != 0.0 ? 1 : 0);
  if (call.reduction != 0.0) real(call.reduction);
  whole(call.number);
  whole(call.group);
  whole(call.element);
  whole(call.counts.size());
  for (const std::uint64_t count : call.counts) whole(count);
}

void TraceWriter::copy(const std::vector<std::uint8_t>& bytes, std::size_t begin, std::size_t end) {
  const auto at = [&](std::size_t i) { return bytes.begin() + static_cast<std::ptrdiff_t>(i); };
  into_.bytes.insert(into_.bytes.end(), at(begin), at(end));
  ++into_.calls;
}

double TraceCursor::real() {
  double value = 0.0;
  std::memcpy(&value, at_, sizeof value);
  at_ += sizeof value;
  return value;
}

void TraceCursor::message(TraceCall& call) {
  call.peer = Rank{static_cast<std::uint32_t>(whole()) - 1u};
  call.tag = Tag{static_cast<std::uint32_t>(whole()) - 1u};
  call.amount = static_cast<double>(whole());
}

void TraceCursor::collective(TraceCall& call) {
  call.what = static_cast<Operation>(whole());
  call.peer = Rank{static_cast<std::uint32_t>(whole())};
  call.amount = static_cast<double>(whole());
  call.reduction = whole() != 0 ? real() : 0.0;
  call.number = static_cast<std::uint32_t>(whole());
  call.group = static_cast<std::uint32_t>(whole());
  call.element = static_cast<std::uint32_t>(whole());
  call.counts.resize(whole());
  for (auto& count : call.counts) count = whole();
}

bool TraceCursor::next(TraceCall& call) {
  if (at_ == end_) return false;
  call.repeat = 1;
  call.group = 0;
  if (*at_ == signal_prefix) {
    ++at_;
    call.group = signal_group;
  }
  if (*at_ == train_prefix) {
    ++at_;
    call.repeat = static_cast<std::uint32_t>(whole());
  }
  call.kind = static_cast<TraceCall::Kind>(*at_++);
  switch (call.kind) {
    case TraceCall::Kind::compute:
    case TraceCall::Kind::sleep:
      call.amount = real();
      break;
    case TraceCall::Kind::send:
    case TraceCall::Kind::recv:
      message(call);
      break;
    case TraceCall::Kind::isend:
    case TraceCall::Kind::irecv:
      message(call);
      call.request = RequestId{static_cast<std::uint32_t>(whole())};
      break;
    case TraceCall::Kind::wait:
      call.request = RequestId{static_cast<std::uint32_t>(whole())};
      break;
    case TraceCall::Kind::collective:
      collective(call);
      break;
    case TraceCall::Kind::phase:
    case TraceCall::Kind::iteration:
    case TraceCall::Kind::begin_marked:
      call.number = static_cast<std::uint32_t>(whole());
      break;
    case TraceCall::Kind::stage:
      call.number = static_cast<std::uint32_t>(whole());
      call.sequence = whole() != 0;
      break;
    case TraceCall::Kind::wait_all:
    case TraceCall::Kind::ideal_barrier:
    case TraceCall::Kind::end_marked:
      break;
  }
  return true;
}

RequestId RequestNumbers::take() {
  if (free_.empty()) return RequestId{next_++};
  std::ranges::pop_heap(free_, std::greater<>());
  const RequestId number{free_.back()};
  free_.pop_back();
  return number;
}

void RequestNumbers::give_back(RequestId request) {
  free_.push_back(static_cast<std::uint32_t>(request));
  std::ranges::push_heap(free_, std::greater<>());
  if (free_.size() == next_) give_back_all();
}

}  // namespace orrery
