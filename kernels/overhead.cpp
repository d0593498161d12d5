/// Overheads and gap of one process: rank 0 is measured, rank 1 is its partner, n messages follow back to back.
///
///   send       rank 0 sends n messages; rank 1 receives them outside the timed phase       o_s = time / n
///   receive    a message has arrived already; rank 0 receives it                           o_r = time
///   burst=n    rank 0 sends n messages to posted receives; until the last has arrived      g = (T(n) - T(1)) / (n - 1)
///
/// Before `receive` is timed, rank 0 computes for a long time and calls nothing that could receive the message earlier:
/// an MPI library reads all arrived messages in any call, and the remaining work of the receive would be a tenth.
///
/// Source   Bosque & Pastor, IEEE TPDS 17(12), 2006; Culler et al., IEEE Micro 16(1), 1996 (bursts)
/// Valid    messages below the detach threshold; with `blocking: false` o_s is that of a non-blocking send, for
///          channels on which a blocking send would wait for its receive
#include <fmt/format.h>

#include "kernels/micro_benchmark.hpp"
#include "sim/core/elapsed.hpp"

namespace orrery::overhead_kernel {

namespace {

constexpr Rank measured{0}, partner{1};
constexpr Tag data{0};
constexpr Seconds busy_while_it_arrives{0.02};

std::vector<BenchmarkPoint> points_of(const Parameters& parameters) {
  std::vector<BenchmarkPoint> points;
  const auto sizes = parse_sizes(parameters.text("sizes"), "overhead");
  const auto messages = parameters.integer("messages");
  points.reserve(4 * sizes.size());
  for (const auto size : sizes) points.push_back({"send", size, static_cast<double>(messages)});
  for (const auto size : sizes) points.push_back({"receive", size, 1.0});
  for (const auto burst : {std::int64_t{1}, messages})
    for (const auto size : sizes) points.push_back({fmt::format("burst={}", burst), size, 1.0});
  return points;
}

class Overhead final : public Program {
 public:
  explicit Overhead(const KernelInput& input)
      : ranks_(input.ranks),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        messages_(static_cast<std::uint32_t>(input.parameters.integer("messages"))),
        blocking_(input.parameters.boolean("blocking")),
        points_(points_of(input.parameters)) {
    require_ranks("overhead", ranks_, 2, "a process and its partner need");
  }
  std::string name() const override { return "overhead"; }
  std::uint32_t ranks() const override { return ranks_; }

  Generator<Step> steps(Rank me) const override {
    std::uint32_t count = 0;
    for (const auto& point : points_)
      for (std::uint32_t repetition = 0; repetition < repetitions_; ++repetition) {
        co_yield iteration(count++);
        co_yield phase("synchronisation");
        if (point.variant == "send")
          co_yield elements_of(sending(me, point.message));
        else if (point.variant == "receive")
          co_yield elements_of(receiving(me, point.message));
        else
          co_yield elements_of(burst(me, point.variant == "burst=1" ? 1 : messages_, point.message));
      }
  }

 private:
  Generator<Step> send_all(Rank to, std::uint32_t n, Bytes m, bool blocking) const {
    for (std::uint32_t i = 0; i < n; ++i)
      if (blocking)
        co_yield send(to, m, data);
      else
        co_yield isend(to, m, data, RequestId{i});
  }

  Generator<Step> sending(Rank me, Bytes m) const {
    co_yield barrier();
    co_yield phase(timed_phase);
    if (me == measured) co_yield elements_of(send_all(partner, messages_, m, blocking_));
    co_yield phase("drain");
    if (me == partner)
      for (std::uint32_t i = 0; i < messages_; ++i) co_yield recv(measured, m, data);
    co_yield wait_all();
  }

  Generator<Step> receiving(Rank me, Bytes m) const {
    co_yield barrier();
    if (me == partner) co_yield isend(measured, m, data, RequestId{0});
    if (me == measured) co_yield elapsed(busy_while_it_arrives);
    co_yield phase(timed_phase);
    if (me == measured) co_yield recv(partner, m, data);
    co_yield phase("drain");
    co_yield wait_all();
  }

  Generator<Step> burst(Rank me, std::uint32_t n, Bytes m) const {
    if (me == partner)
      for (std::uint32_t i = 0; i < n; ++i) co_yield irecv(measured, m, data, RequestId{i});
    co_yield barrier();
    co_yield phase(timed_phase);
    if (me == measured) co_yield elements_of(send_all(partner, n, m, blocking_));
    co_yield wait_all();
  }

  std::uint32_t ranks_, repetitions_, messages_;
  bool blocking_;
  std::vector<BenchmarkPoint> points_;
};

std::vector<Key> own_parameters() {
  return {count_key("messages", 64, "number of consecutive messages", 2, 1e5),
          flag_key("blocking", true, "true: use blocking sends")};
}

const bool entered = kernels().add(
    {.name = "overhead",
     .summary = "time a core is busy to send and to receive, and the gap between messages",
     .source = "Bosque & Pastor, IEEE TPDS 17(12), 2006; Culler et al., IEEE Micro 16(1), 1996",
     .page = "send:    rank 0 sends n messages back to back            o_s = time / n\n"
             "receive: rank 0 receives a message that is there          o_r = time\n"
             "burst:   n messages to posted receives, last arrival      g = (T(n) - T(1)) / (n - 1)",
     .parameters = micro_benchmark_parameters(own_parameters()),
     .benchmark_points = points_of,
     .small = {{"repetitions", "3"}},
     .make = [](const KernelInput& input) -> std::unique_ptr<Program> { return std::make_unique<Overhead>(input); }});

}  // namespace

}  // namespace orrery::overhead_kernel
