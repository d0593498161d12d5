#include <algorithm>
#include <array>

#include "sim/cli/pages/source_templates.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::cli {

namespace {

constexpr const char* collective_text =
    R"(/// @WHAT@
///
///   @FORMULA@
///
/// 1. Say above, in one sentence, who sends what to whom; then how many messages and elements that is in all, and how
///    many messages the longest chain has in which each waits for the one before.
#include "@HEADER@"

namespace orrery::collectives::@ID@_@OPERATION@ {

namespace {

// 2. What member task.me of task.ranks does@ROOT@. Actions: kernels/collectives/action.hpp; what a message holds:
//    kernels/collectives/data.hpp. A message says its content, so that the contract test can carry the algorithm out
//    and see what each member ends with. It must be right for any number of members, @ROOTS@any size, also 0.
Generator<Action> actions(const Task& task) {
@BODY@}

// 3. The formula of above for all members together, which the contract test compares with what it saw. Leave it out,
//    here and below, where no closed form is known.
Cost cost(const Task& task) {
@COST@}

// 4. How it is listed. An algorithm that is not right for some task names another to run '.instead', as
//    kernels/collectives/algorithms/allgather/pair.cpp does; one that keeps the order of operands is '.ordered'.
const bool entered = enter({@OPERATIONS@}, {
    .name = "@NAME@",
    .summary = "@SUMMARY@",
    .source = "an example of 'orrery new collective'",
    .actions = actions,
    .cost = cost,
});

}  // namespace

}  // namespace orrery::collectives::@ID@_@OPERATION@
)";

struct CollectiveExample {
  std::string_view operation, operations, what, formula, summary, body, cost;
  bool rooted = false;
  std::string_view header = "kernels/collectives/algorithm.hpp";
};

constexpr std::string_view cost_of_root_and_all = R"(  const double others = task.ranks - 1;
  return {.messages = others, .elements = others * static_cast<double>(task.elements()), .rounds = 1.0};
)";
constexpr std::string_view cost_of_steps = R"(  const double p = task.ranks;
  return {.messages = p * (p - 1.0), .elements = (p - 1.0) * static_cast<double>(task.elements()), .rounds = p - 1.0};
)";
constexpr std::string_view cost_of_shares =
    R"(  const auto moved = static_cast<double>(task.elements() - task.shares.size(task.root));
  return {.messages = task.ranks - 1.0, .elements = moved, .rounds = 1.0};
)";
constexpr std::string_view exchange_of_blocks =
    R"(  std::uint32_t request = 0;  // a number of my own for each, to be waited for
  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member from = (task.me + task.ranks - i) % task.ranks;
    co_yield start_receive(request++, from, block_for_me(task, from));
  }
  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member to = (task.me + i) % task.ranks;
    co_yield start_send(request++, to, my_block(task, to));
  }
  co_yield wait_all();
)";
constexpr std::string_view cost_of_blocks = "  return direct_cost(task);\n";

const std::array collective_examples{
    CollectiveExample{"allgather", "Operation::allgather, Operation::allgatherv",
                      "In step i everyone sends its own share to the i-th next member.",
                      "messages p (p - 1)     volume (p - 1) total     longest chain p - 1",
                      "in step i, own share to the i-th next member",
                      R"(  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member to = (task.me + i) % task.ranks, from = (task.me + task.ranks - i) % task.ranks;
    co_yield exchange(to, share(task.shares, task.me), from, share(task.shares, from));
  }
)",
                      cost_of_steps},
    CollectiveExample{
        "allreduce", "Operation::allreduce",
        "Everyone sends its vector to member 0, which adds them up one after another and sends the sum to all.",
        "messages 2 (p - 1)     volume 2 (p - 1) m     longest chain 2", "all to member 0, then back",
        R"(  const Data vector = whole(task.shares);
  if (task.me != 0) {
    co_yield send(0, vector);
    co_yield receive(0, vector);  // in place of my own
    co_return;
  }
  const Action buffer = allocate({task.elements()});  // costs time where the platform says so
  co_yield buffer;
  for (Member other = 1; other < task.ranks; ++other) {
    co_yield receive(other, vector, scratch);
    co_yield combine(vector);  // from scratch into my own
  }
  for (Member other = 1; other < task.ranks; ++other) co_yield start_send(other, other, vector);
  co_yield wait_all();
)",
        R"(  const double both = 2.0 * (task.ranks - 1.0);
  return {.messages = both, .elements = both * static_cast<double>(task.elements()), .rounds = 2.0};
)"},
    CollectiveExample{"alltoall", "Operation::alltoall",
                      "All receives are posted, then all sends, then all are waited for.",
                      "messages p (p - 1)     volume: all blocks but one's own     longest chain 1",
                      "all receives and sends posted at once", exchange_of_blocks, cost_of_blocks, false,
                      "kernels/collectives/alltoall.hpp"},
    CollectiveExample{"alltoallv", "Operation::alltoallv",
                      "All receives are posted, then all sends, then all are waited for.",
                      "messages p (p - 1)     volume: all blocks but one's own     longest chain 1",
                      "all receives and sends posted at once", exchange_of_blocks, cost_of_blocks, false,
                      "kernels/collectives/alltoall.hpp"},
    CollectiveExample{"barrier", "Operation::barrier", "Everyone signals member 0, which then signals everyone.",
                      "messages 2 (p - 1)     longest chain 2", "all to member 0, then back",
                      R"(  if (task.me != 0) {
    co_yield send(0, nothing());
    co_yield receive(0, nothing());
    co_return;
  }
  for (Member other = 1; other < task.ranks; ++other) co_yield start_receive(other, other, nothing());
  co_yield wait_all();
  for (Member other = 1; other < task.ranks; ++other) co_yield start_send(other, other, nothing());
  co_yield wait_all();
)",
                      "  return {.messages = 2.0 * (task.ranks - 1.0), .elements = 0.0, .rounds = 2.0};\n"},
    CollectiveExample{"bcast", "Operation::bcast", "The root sends to all others at once, in rank order.",
                      "messages p - 1     volume (p - 1) m     longest chain 1", "the root sends to everyone at once",
                      R"(  const Data message = whole(task.shares);
  if (task.me != task.root) {
    co_yield receive(task.root, message);
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_send(other, other, message);  // its request: a number of my own
  co_yield wait_all();
)",
                      cost_of_root_and_all, true},
    CollectiveExample{"gather", "Operation::gather, Operation::gatherv", "The root receives the shares at once.",
                      "messages p - 1     volume: all shares but the root's     longest chain 1",
                      "everyone to the root at once",
                      R"(  if (task.me != task.root) {
    co_yield send(task.root, share(task.shares, task.me));
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_receive(other, other, share(task.shares, other));
  co_yield wait_all();
)",
                      cost_of_shares, true},
    CollectiveExample{"reduce", "Operation::reduce",
                      "The root receives one vector after another and adds it to its own.",
                      "messages p - 1     volume (p - 1) m     longest chain 1", "the root receives one after another",
                      R"(  const Data vector = whole(task.shares);
  if (task.me != task.root) {
    co_yield send(task.root, vector);
    co_return;
  }
  const Action buffer = allocate({task.elements()});  // costs time where the platform says so
  co_yield buffer;
  for (Member other = 0; other < task.ranks; ++other) {
    if (other == task.root) continue;
    co_yield receive(other, vector, scratch);
    co_yield combine(vector);  // from scratch into my own
  }
)",
                      cost_of_root_and_all, true},
    CollectiveExample{"reduce_scatter", "Operation::reduce_scatter",
                      "In step i everyone sends the i-th next member that one's share and adds what comes to its own.",
                      "messages p (p - 1)     volume (p - 1) total     longest chain p - 1",
                      "in step i, its share to the i-th next member",
                      R"(  const Data own = share(task.shares, task.me);
  const Action buffer = allocate({own.elements});  // costs time where the platform says so
  co_yield buffer;
  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member to = (task.me + i) % task.ranks, from = (task.me + task.ranks - i) % task.ranks;
    co_yield exchange(to, share(task.shares, to), from, own, scratch);
    co_yield combine(own);  // from scratch into my own
  }
)",
                      cost_of_steps},
    CollectiveExample{"scatter", "Operation::scatter, Operation::scatterv", "The root sends all shares at once.",
                      "messages p - 1     volume: all shares but the root's     longest chain 1",
                      "the root to everyone at once",
                      R"(  if (task.me != task.root) {
    co_yield receive(task.root, share(task.shares, task.me));
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_send(other, other, share(task.shares, other));
  co_yield wait_all();
)",
                      cost_of_shares, true},
};

}  // namespace

std::vector<std::string> operations_with_template() {
  std::vector<std::string> names;
  for (const CollectiveExample& example : collective_examples) names.emplace_back(example.operation);
  return names;
}

std::string collective_template(std::string_view name, std::string_view operation) {
  const auto found = std::ranges::find(collective_examples, operation, &CollectiveExample::operation);
  if (found == collective_examples.end())
    throw InputError("--operation: unknown operation '{}'{}", operation,
                     known_names(operation, operations_with_template()));
  const CollectiveExample& example = *found;
  return filled(collective_text, {{"BODY", example.body},
                                  {"COST", example.cost},
                                  {"WHAT", example.what},
                                  {"FORMULA", example.formula},
                                  {"SUMMARY", example.summary},
                                  {"HEADER", example.header},
                                  {"OPERATIONS", example.operations},
                                  {"OPERATION", example.operation},
                                  {"ROOTS", example.rooted ? "any root and " : ""},
                                  {"ROOT", example.rooted ? ", of which task.root is the root" : ""},
                                  {"NAME", name},
                                  {"ID", identifier_of(name)}});
}

}  // namespace orrery::cli
