/// Supersteps of Meyer's BSPlib: one-sided operations, and bsp_sync with the message map as payload.
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 6.2 to 6.5
/// Differs  receives are posted when the superstep begins, where the library's thread finds headers as it is scheduled;
///          the data of a get leaves its owner when the owner synchronises
/// Checked  tests/unit/kernels/bsp-sync_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include "kernels/kernel.hpp"
#include "kernels/superstep_library.hpp"

namespace orrery::bsp_sync_kernel {

namespace {

constexpr const char* page =
    R"(Rank i has an operation with each of the 'fan' ranks that follow it, in each superstep.

  step                               message
  put: isend to each                 a header of 6 integers, then m
  send: isend to each                a header of 6 integers, then tag + m
  get: isend to each                 a header of 6 integers; m comes back when its owner synchronises
  compute                            -                               while the messages travel
  bsp_sync, stage s of ceil(log2 p)  a header of 4 integers and min(2^s, p - 2^s) rows of p integers, to rank i + 2^s
  wait for what is outstanding
  second barrier                     a tree of signals

An integer has 4 bytes. Phase 'barrier' is bsp_sync with all that it waits for; with fan 0 it is what figures 6.3 and 6.4
time. 'map: false' leaves out the payload.)";

constexpr Tag header_tag{0}, data_tag{1}, sync_tag{2};

class BspSync final : public Program {
 public:
  explicit BspSync(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        fan_(static_cast<std::uint32_t>(input.parameters.integer("fan"))),
        message_(input.parameters.bytes("message")),
        work_(input.parameters.number("work")),
        gets_(input.parameters.text("primitive") == "get"),
        map_(input.parameters.boolean("map")),
        second_(barrier_algorithm(input.parameters.text("second-barrier"))) {
    if (input.parameters.text("primitive") == "send") message_ += input.parameters.bytes("tag");
    if (fan_ >= ranks_ && fan_ > 0)
      throw InputError("bsp-sync: 'fan' is {} with {} rank{} (fewer than ranks). Lower it?", fan_, ranks_,
                       ranks_ == 1 ? "" : "s");
  }

  std::string name() const override { return "bsp-sync"; }
  std::uint32_t ranks() const override { return ranks_; }
  /// The message map.
  Bytes memory(Rank) const override { return static_cast<double>(ranks_) * ranks_ * library_integer; }

  Generator<Step> steps(Rank me) const override {
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("communication");
      co_yield elements_of(operations(me));
      if (work_ > 0.0) co_yield compute(Work::generic, Flops(work_));
      co_yield phase("barrier");
      if (gets_) co_yield elements_of(answers(me));
      const SyncPlan sync{.ranks = ranks_, .tag = sync_tag, .first_request = 3 * fan_, .map = map_, .second = second_};
      co_yield elements_of(bsp_sync_steps(sync, me));
    }
  }

 private:
  Rank after(Rank me, std::uint32_t d) const { return Rank{(static_cast<std::uint32_t>(me) + d) % ranks_}; }
  Rank before(Rank me, std::uint32_t d) const { return Rank{(static_cast<std::uint32_t>(me) + ranks_ - d) % ranks_}; }

  /// Requests of distance d: 3 (d - 1) its header's, + 1 its data's, + 2 those that leave.
  Generator<Step> operations(Rank me) const {
    for (std::uint32_t d = 1; d <= fan_; ++d) {
      co_yield irecv(before(me, d), operation_header, header_tag, RequestId{3 * (d - 1)});
      co_yield irecv(gets_ ? after(me, d) : before(me, d), message_, data_tag, RequestId{3 * (d - 1) + 1});
    }
    for (std::uint32_t d = 1; d <= fan_; ++d) {
      co_yield isend(after(me, d), operation_header, header_tag, RequestId{3 * fan_ + 4 + 2 * d});
      if (!gets_) co_yield isend(after(me, d), message_, data_tag, RequestId{3 * fan_ + 5 + 2 * d});
    }
  }

  Generator<Step> answers(Rank me) const {
    for (std::uint32_t d = 1; d <= fan_; ++d) {
      co_yield wait(RequestId{3 * (d - 1)});
      co_yield isend(before(me, d), message_, data_tag, RequestId{3 * fan_ + 5 + 2 * d});
    }
  }

  std::uint32_t ranks_, repetitions_, fan_;
  Bytes message_;
  double work_;
  bool gets_, map_;
  BarrierAlgorithm second_;
};

const bool entered = kernels().add({
    .name = "bsp-sync",
    .summary = "supersteps of a BSPlib: puts, gets or sends, and bsp_sync with its map of messages",
    .source = "Meyer, doctoral thesis, NTNU, 2012, sections 6.2 to 6.5",
    .page = page,
    .parameters = {count_key("repetitions", 5, "supersteps", 1, 1e9),
                   count_key("fan", 0, "operations per rank and superstep, each with another rank", 0, 1e6),
                   word_key("primitive", "put", "kind of these operations", {"put", "get", "send"}),
                   bytes_key("message", 8, "m: data per operation", 0, 1e15),
                   bytes_key("tag", 4, "tag of a send, before its data", 0, 1e6),
                   work_key("work", 0, "work of each rank per superstep"),
                   flag_key("map", true, "true: the message map travels with the dissemination"),
                   word_key("second-barrier", "tree", "barrier after the map",
                            {"none", "linear", "dissemination", "tree"})},
    .communication_phase = "barrier",
    .works = {Work::generic},
    .small = {{"repetitions", "2"}, {"fan", "2"}, {"work", "1000flop"}},
    .make = [](const KernelInput& input) { return std::make_unique<BspSync>(input); },
});

}  // namespace

}  // namespace orrery::bsp_sync_kernel
