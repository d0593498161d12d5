#include "sim/cli/pages/source_templates.hpp"

#include <algorithm>
#include <cctype>

namespace orrery::cli {

namespace {

constexpr const char* kernel_text =
    R"(/// A ring of ranks: each works on its points, swaps borders with both neighbours, and all sum up one number.
///
/// 1. Say above what your program does, in one sentence; below, one iteration of it, and where it comes from.
/// Iteration: irecv and isend left and right; wait for all; work; allreduce of 8 B.
///
/// Source   an example of 'orrery new kernel': name the paper, its section and equation, or the program
/// Checked  tests/contract/every_kernel_test.cpp
#include "kernels/collectives/collective.hpp"
#include "kernels/kernel.hpp"

namespace orrery::@ID@_kernel {

namespace {

// 2. What 'orrery show kernel @NAME@' prints: a table of the messages and the work of one iteration.
constexpr const char* page = R"PAGE(Iteration t = 0 .. T-1; rank i of p has n points of 8 B.

  step             message        with                 flops
  irecv, isend     m              (i - 1) and (i + 1) mod p
  wait for all
  work             -              -                    10 n      and 24 n bytes of memory
  allreduce        8 B            all

2 p messages of m bytes an iteration (none on one rank), beside those of the allreduce.)PAGE";

// Messages are told apart by their tags, as in MPI.
constexpr Tag rightwards{1}, leftwards{2}, sum_tag{3};
constexpr Bytes point{8.0};

class @CLASS@ final : public Program {
 public:
  // 3. Everything that the steps need is worked out here, once. 'input' and all it refers to live as long as the program.
  explicit @CLASS@(const KernelInput& input)
      : ranks_(input.ranks),
        iterations_(static_cast<std::uint32_t>(input.parameters.integer("iterations"))),
        points_(static_cast<double>(input.parameters.integer("points"))),
        border_(input.parameters.bytes("border")),
        computes_(input.parameters.boolean("compute")),
        nodes_(collectives::nodes_of(Group::world(input.ranks), input.layout)) {}

  std::string name() const override { return "@NAME@"; }
  std::uint32_t ranks() const override { return ranks_; }

  // 4. What a rank holds at least: a run that no node has memory for is refused.
  Bytes memory(Rank) const override { return 2.0 * points_ * point; }

  // 5. What rank 'me' does, one step after another: sim/core/step.hpp has all steps. It may depend on 'me', on the
  //    parameters and on probes; not on a clock, a file or a random number, so that each engine plays the same program.
  Generator<Step> steps(Rank me) const override {
    const auto mine = static_cast<std::uint32_t>(me);
    const Rank right{(mine + 1) % ranks_}, left{(mine + ranks_ - 1) % ranks_};
    const Step work = compute(Work::generic, Flops(10.0 * points_), {points_, 0.0, 0.0}, 3.0 * points_ * point);
    for (std::uint32_t t = 0; t < iterations_; ++t) {
      co_yield iteration(t);
      co_yield phase("communication");  // the phase whose time is compared with models
      if (ranks_ > 1) {
        co_yield irecv(left, border_, rightwards, RequestId{0});
        co_yield irecv(right, border_, leftwards, RequestId{1});
        co_yield isend(right, border_, rightwards, RequestId{2});
        co_yield isend(left, border_, leftwards, RequestId{3});
        co_yield wait_all();
      }
      co_yield phase("computation");
      if (computes_) co_yield work;
      co_yield phase("sum");
      co_yield elements_of(collectives::allreduce(sum(me), point));  // of one rank: no steps
    }
  }

 private:
  collectives::Call sum(Rank me) const {
    return {.group = Group::world(ranks_), .me = me, .tag = sum_tag, .nodes = nodes_};
  }

  std::uint32_t ranks_, iterations_;
  double points_;
  Bytes border_;
  bool computes_;
  collectives::Nodes nodes_;  // who shares a node, for collectives that know nodes
};

// 6. How it is listed, its parameters (name, default, what it is, least and greatest or words) and the kinds of its work.
const bool entered = kernels().add({
    .name = "@NAME@",
    .summary = "a ring of ranks that swap borders with their neighbours, work and sum up one number",
    .source = "an example of 'orrery new kernel'",
    .page = page,
    .parameters = {count_key("points", 1'000'000, "n: points of each rank", 1, 1e9),
                   bytes_key("border", 65536, "m: bytes of a border", 0, 1e12),
                   count_key("iterations", 10, "T: times all this is done", 1, 1e9),
                   flag_key("compute", true, "whether to compute")},
    .works = {Work::generic},
    .small = {{"iterations", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<@CLASS@>(input); },
});

}  // namespace

}  // namespace orrery::@ID@_kernel
)";

constexpr const char* model_text =
    R"(/// Each message costs a latency and its bytes over a bandwidth; a rank sends one at a time.
///
///   T(m) = alpha + m / B
///
///   m      Bytes           B    message
///   alpha  Seconds         s    latency of the network, or of messages within a node
///   B      BytesPerSecond  B/s  bandwidth of an adapter, or what a core copies
///
/// 1. Say above what your model says, its formula and its symbols with their units; below, where it comes from.
///
/// Source   an example of 'orrery new model': name the paper, its section and equation
/// Checked  tests/contract/every_model_test.cpp
#include <memory>

#include "models/point_to_point.hpp"

namespace orrery::@ID@_model {

namespace {

class @CLASS@ final : public PhaseModel {
 public:
  @CLASS@(const Platform& platform, const Network& network) : platform_(platform), network_(network) {}

  // 2. Time of the messages of one phase (sim/core/phase.hpp). Models that cost each message alone, as this one, hand
  //    the cost of one to 'compose', which follows the order of the program: the slowest chain of messages is the time.
  //    Others go through phase.messages themselves and add a line to 'steps', where it is given, for each term.
  Seconds communication_time(const Phase& phase, const Layout& layout, std::vector<Explanation>* steps) const override {
    const auto cost = [&](const Message& message) -> TransmissionCost {
      const Seconds time = layout.same_node(message.from, message.to) ? within(message, layout) : between(message);
      return {.transfer = time, .sender_busy = time, .receiver_busy = Seconds{}};
    };
    return compose(phase, cost, steps);
  }

  // 3. What a reader must know of a prediction, a sentence each (none here):
  //    std::vector<std::string> notes(const PredictionInput& input) const override;
  //    Computation, and what of it overlaps with messages, instead of communication alone (models/prediction.hpp):
  //    PhaseTime time(const Phase& phase, const PredictionInput& input, std::vector<Explanation>* steps) const override;

 private:
  Seconds between(const Message& message) const { return network_.latency + message.size / network_.bandwidth; }
  Seconds within(const Message& message, const Layout& layout) const {
    const NodeType& type = platform_.node_types[layout.of(message.from).node_type];
    return type.shared_memory_latency + message.size / type.copy_bandwidth;
  }

  const Platform& platform_;
  const Network& network_;
};

// 4. How it is listed, what 'orrery show model @NAME@' prints, and what it leaves out. This one takes the platform's
//    parameters. One whose parameters are measured has 'plan' and 'fit' beside 'make': models/hockney.cpp is the shortest.
const bool entered = models().add({
    .name = "@NAME@",
    .summary = "a latency and a bandwidth, as the platform file has them",
    .source = "an example of 'orrery new model'",
    .page = "T(m) = alpha + m / B\n\n"
            "  alpha  s    latency of the network, or of messages within a node\n"
            "  B      B/s  bandwidth of an adapter, or what a core copies\n\n"
            "Nothing is measured: both are the platform's",
    .assumptions = {"a rank sends one message at a time", "messages of different ranks do not slow each other down"},
    .make = [](const ModelInput& input) { return std::make_unique<@CLASS@>(input.platform, input.network); },
});

}  // namespace

}  // namespace orrery::@ID@_model
)";

std::string of_code(const char* text, std::string_view name) {
  return filled(text, {{"NAME", name}, {"ID", identifier_of(name)}, {"CLASS", class_of(name)}});
}

}  // namespace

std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string_view>> words) {
  for (const auto& [word, value] : words) {
    const std::string mark = "@" + std::string(word) + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

std::string identifier_of(std::string_view name) {
  std::string identifier(name);
  std::ranges::replace(identifier, '-', '_');
  return identifier;
}

std::string class_of(std::string_view name) {
  std::string words;
  bool first = true;
  for (const char c : name) {
    const bool letter = c != '-' && c != '_';
    if (letter) words += first ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    first = !letter;
  }
  return words;
}

std::string kernel_template(std::string_view name) { return of_code(kernel_text, name); }
std::string model_template(std::string_view name) { return of_code(model_text, name); }

}  // namespace orrery::cli
