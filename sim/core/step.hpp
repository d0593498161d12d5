/// The actions of one rank, one step at a time, in MPI order. A kernel is a coroutine of these.
///
///   co_yield iteration(k);  co_yield phase("communication");
///   co_yield isend(to, m, tag, request);  co_yield recv(from, m, tag);  co_yield wait_all();
///   co_yield compute(Work::dgemm, 2.0 * m * n * k * 1_flop, {m, n, k});
///
/// Requests are small numbers chosen by the program, local to the rank; a number may be reused after its wait.
/// The steps of a rank may depend on the answers to its probes, and on nothing else that happens.
/// Marks (phase, iteration, stage, collective) cost no time: results and models group the steps by them. A player on a
/// real cluster may call the collective itself and leave out the steps up to its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "sim/core/collective_call.hpp"
#include "sim/core/gpu_parameters.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/units.hpp"

namespace orrery {

enum class RequestId : std::uint32_t {};

/// Kinds of work that a compute model may treat differently.
enum class Work : std::uint8_t {
  generic,
  dgemm,
  stencil,
  copy,
  reduction,  ///< combining two vectors of a collective
  fft,
  spmv,
  dtrsm,
  dtrsv,
  dgemv,
  idamax,
  dscal,
  daxpy,
  ddot,
  dlatcpy,
  dlacpy,
  dlaswp01t,
  dlaswp02n,
  dlaswp03t,
  dlaswp04t,
  elapsed,  ///< a duration, not work: 1 flop per nanosecond on every host (sim/core/elapsed.hpp)
  // Local work of a collective, if a platform gives its costs (models/compute/local_work.hpp).
  buffer_copy,   ///< from one of its buffers to another
  fresh_buffer,  ///< the first use of memory that the operating system has not yet mapped
  datatype       ///< describing to MPI which parts of a buffer a message takes, or who gets how much
};
inline constexpr std::size_t work_kinds = 20;  ///< known to compute models: those before `elapsed`
inline const char* work_name(Work work) {
  constexpr const char* names[work_kinds + 4] = {
      "generic",   "dgemm",     "stencil",   "copy",      "reduction", "fft",         "spmv",         "dtrsm",
      "dtrsv",     "dgemv",     "idamax",    "dscal",     "daxpy",     "ddot",        "dlatcpy",      "dlacpy",
      "dlaswp01t", "dlaswp02n", "dlaswp03t", "dlaswp04t", "elapsed",   "buffer-copy", "fresh-buffer", "datatype"};
  return names[static_cast<std::size_t>(work)];
}

/// How a stage composes the transmissions of one rank: one after another, or all at the same time.
enum class Composition : std::uint8_t { sequence, set };

struct Compute {
  Work work = Work::generic;
  Flops flops;
  std::array<double, 3> shape{};  ///< meaning by kind: dgemm M, N, K; stencil width, height; other BLAS M, N
  Bytes traffic{};                ///< to and from memory; 0: not given (a roofline then counts flops only)

  bool operator==(const Compute&) const = default;
};
/// HPL's polling update: compute in `chunks` equal parts, stop early to probe whether `request` has completed.
struct ComputeUntil {
  Compute compute;
  std::uint32_t chunks = 1;
  RequestId request{};
};
struct Send {
  Rank to{};
  Bytes message;
  Tag tag{};
  Communicator communicator = world;
  /// A train of `repeat` equal messages, each sent when the one before is complete. Matching treats it as one message;
  /// its time has `repeat` times the overheads, latencies and bytes. One receive takes the train.
  std::uint32_t repeat = 1;
  /// Protocol between the kernels of two GPUs: the kernels, not a core, are busy with the message. Its latency is the
  /// protocol's, and its receiver has room for it. Other ranks ignore this field.
  GpuProtocol protocol = GpuProtocol::none;
  /// Operation of the switch on the message, for the team of the collective in progress (CollectiveBegin::team).
  InSwitch in_switch = InSwitch::nothing;
};
struct Recv {
  Rank from = any_rank;
  Bytes message;
  Tag tag = any_tag;
  Communicator communicator = world;
};
struct Isend {
  Send send;
  RequestId request{};
};
struct Irecv {
  Recv recv;
  RequestId request{};
};
struct Wait {
  RequestId request{};
};
/// Waits for every open request numbered in [first, first + count).
struct WaitAll {
  RequestId first{0};
  std::uint32_t count = 0xffffffffu;
};
/// Waits until a request in `*of` has completed, then writes the index of the first one to `*found`. It stays open, to
/// be waited for. `of` and `found` point to variables of the coroutine. Without a clock nothing is written.
struct WaitAny {
  const std::vector<RequestId>* of;
  std::uint32_t* found;
};
/// MPI_Iprobe: costs one probe, then writes to `*found` whether a receive of this pattern would find its message (its
/// envelope is here; the data may not be). The program reads the answer when its next step is requested, so `found` is
/// a variable of the coroutine that yields the probe. Readers without a clock (recorder, models, export) write nothing:
/// `*found` keeps its initial value.
struct Probe {
  Rank from = any_rank;
  Tag tag = any_tag;
  Communicator communicator = world;
  bool* found = nullptr;
};
/// All ranks leave at the time the last one enters; no messages, no cost.
struct IdealBarrier {};
/// Names point to storage that outlives the program (literals).
struct PhaseMark {
  const char* name;
};
struct IterationMark {
  std::uint32_t iteration;
};
struct StageMark {
  const char* name;
  Composition composition;
};
/// The steps between these marks are one collective as this rank performs it. Collectives of one rank follow each
/// other, and the n-th of a group is the same call at all members. `call` and `team` are variables of the coroutine
/// that yields the marks: a reader that keeps the mark copies them.
struct CollectiveBegin {
  const CollectiveCall* call;
  /// Members whose GPUs share the switch of this rank's GPU, itself included: they take part in what the switch reduces
  /// and multicasts. Empty if it does neither.
  std::span<const Rank> team = {};
};
struct CollectiveEnd {};

using Step = std::variant<Compute, ComputeUntil, Send, Recv, Isend, Irecv, Wait, WaitAll, IdealBarrier, PhaseMark,
                          IterationMark, StageMark, Probe, CollectiveBegin, CollectiveEnd, WaitAny>;
static_assert(sizeof(Step) == 64, "steps are copied by whoever keeps them, and read at each event");

/// Calls `visitor` with the step's own type. A visitor has one overload per kind and no default, so a new kind does not
/// compile until every visitor handles it. (std::visit calls through a table.)
template <class Visitor>
decltype(auto) visit_step(Visitor&& visitor, const Step& step) {
  static_assert(std::variant_size_v<Step> == 16, "one case per kind");
  switch (step.index()) {
    case 0:
      return visitor(*std::get_if<0>(&step));
    case 1:
      return visitor(*std::get_if<1>(&step));
    case 2:
      return visitor(*std::get_if<2>(&step));
    case 3:
      return visitor(*std::get_if<3>(&step));
    case 4:
      return visitor(*std::get_if<4>(&step));
    case 5:
      return visitor(*std::get_if<5>(&step));
    case 6:
      return visitor(*std::get_if<6>(&step));
    case 7:
      return visitor(*std::get_if<7>(&step));
    case 8:
      return visitor(*std::get_if<8>(&step));
    case 9:
      return visitor(*std::get_if<9>(&step));
    case 10:
      return visitor(*std::get_if<10>(&step));
    case 11:
      return visitor(*std::get_if<11>(&step));
    case 12:
      return visitor(*std::get_if<12>(&step));
    case 13:
      return visitor(*std::get_if<13>(&step));
    case 14:
      return visitor(*std::get_if<14>(&step));
    case 15:
      return visitor(*std::get_if<15>(&step));
    default:
      __builtin_unreachable();  // a step is never without a value: no kind throws when it is copied
  }
}

inline Step compute(Work work, Flops flops, std::array<double, 3> shape = {}, Bytes traffic = Bytes{}) {
  return Compute{work, flops, shape, traffic};
}
inline Step send(Rank to, Bytes message, Tag tag, Communicator communicator = world) {
  return Send{to, message, tag, communicator};
}
inline Step recv(Rank from, Bytes message, Tag tag, Communicator communicator = world) {
  return Recv{from, message, tag, communicator};
}
inline Step isend(Rank to, Bytes message, Tag tag, RequestId request, Communicator communicator = world) {
  return Isend{{to, message, tag, communicator}, request};
}
inline Step irecv(Rank from, Bytes message, Tag tag, RequestId request, Communicator communicator = world) {
  return Irecv{{from, message, tag, communicator}, request};
}
inline Step wait(RequestId request) { return Wait{request}; }
inline Step wait_all() { return WaitAll{}; }
inline Step wait_all(RequestId first, std::uint32_t count) { return WaitAll{first, count}; }
inline Step wait_any(const std::vector<RequestId>& of, std::uint32_t& found) { return WaitAny{&of, &found}; }
inline Step probe(Rank from, Tag tag, bool& found, Communicator communicator = world) {
  return Probe{from, tag, communicator, &found};
}
inline Step barrier() { return IdealBarrier{}; }
inline Step phase(const char* name) { return PhaseMark{name}; }
inline Step iteration(std::uint32_t k) { return IterationMark{k}; }
inline Step stage(const char* name, Composition composition) { return StageMark{name, composition}; }
inline Step collective_begin(const CollectiveCall& call, std::span<const Rank> team = {}) {
  return CollectiveBegin{&call, team};
}
inline Step collective_end() { return CollectiveEnd{}; }

/// Name of a phase that a program enters before its first phase mark.
inline constexpr const char* default_phase = "program";

}  // namespace orrery
