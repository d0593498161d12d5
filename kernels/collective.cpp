/// One collective operation, repeated: any operation, algorithm or selector, on all ranks or on groups of them.
///
/// Source   the algorithms' own (kernels/collectives/, `orrery list collectives`)
/// Checked  tests/unit/kernels/collective_test.cpp, tests/contract/every_collective_test.cpp, every_kernel_test.cpp,
///          validation/smpi-collectives (against SMPI)
#include "kernels/collectives/collective.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/kernel.hpp"
#include "kernels/micro_benchmark.hpp"
#include "sim/core/rank_list.hpp"

namespace orrery::collective_kernel {

namespace {

constexpr const char* page = R"(Every member of a group makes the same call; p is the size of the group, m is 'message'.

  operation            m is                                       ends with
  barrier              -                                          nobody leaves before everyone has entered
  bcast                the root's vector                          everyone has it
  reduce, allreduce    everyone's vector                          the root, or everyone, has the sum of all
  scatter, gather      one member's share of the root's vector    shares handed out, or collected at the root
  allgather            one member's share                         everyone has all shares
  alltoall             what each member has for each other        blocks from everyone for me
  reduce_scatter       one member's share of everyone's vector    share i of the sum of all at member i

scatterv, gatherv, allgatherv, alltoallv and reduce_scatter take uneven data: with weights w_0 .. w_(n-1) member i's
share is w_(i mod n) m, and the block from i to j is w_((i+j) mod n) m. Sizes are whole elements.

Node-aware algorithms take from the layout which members share a node. 'algorithm' names an algorithm of the operation or a selector, which decides by p, m and whether the operation commutes:
'orrery list collectives' has both, docs/collectives.md the tables. Messages and volume by algorithm stand in the header of
its file, kernels/collectives/algorithms/<operation>/<name>.cpp; a contract test holds the programs to them.

Groups: world, all ranks; rows and columns of the grid of ranks of 'width' columns in row-major order, each with a
collective of its own at the same time; subset, the ranks listed (none: every second rank). Ranks in no group do nothing.)";

/// "0,2,5-7" as ranks below `ranks`; nothing: 0,2,4 ...
std::vector<Rank> parse_ranks(std::string_view text, std::uint32_t ranks) {
  if (!text.empty()) return ranks_listed(text, ranks, "collective: 'subset'");
  std::vector<Rank> even;
  for (std::uint32_t r = 0; r < ranks; r += 2) even.push_back(Rank{r});
  return even;
}

/// The largest divisor of `ranks` not above its square root.
std::uint32_t squarest_width(std::uint32_t ranks) {
  auto width = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(ranks)));
  while (width > 1 && ranks % width != 0) --width;
  return std::max(1u, width);
}

class Collective final : public Program {
 public:
  explicit Collective(const KernelInput& input)
      : ranks_(input.ranks),
        operation_(collectives::operation_named(input.parameters.text("operation"), "collective")),
        message_(input.parameters.bytes("message")),
        root_(static_cast<Member>(input.parameters.integer("root"))),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        synchronised_(input.parameters.boolean("synchronised")),
        communicator_(input.parameters.text("communicator")),
        width_(static_cast<std::uint32_t>(input.parameters.integer("width"))) {
    call_.algorithm = collectives::Choice(input.parameters.text("algorithm"), "collective");
    call_.element = input.parameters.bytes("element");
    call_.segment = input.parameters.bytes("segment");
    call_.computes = input.parameters.boolean("compute");
    call_.commutative = input.parameters.boolean("commutative");
    if (width_ == 0) width_ = squarest_width(ranks_);
    if (communicator_ == "subset") subset_ = Group::of(parse_ranks(input.parameters.text("subset"), ranks_));
    if (const auto& weights = input.parameters.text("weights"); !weights.empty())
      weights_ = parse_counts(weights, "collective");
    check();
    check_settings(input.parameters);
    for (std::uint32_t g = 0; g < groups(); ++g) {
      groups_.push_back(group(g));
      nodes_.push_back(collectives::nodes_of(groups_.back(), input.layout));
    }
  }

  std::string name() const override { return "collective"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// What MPI asks of the caller: its buffers for sending and receiving.
  Bytes memory(Rank me) const override {
    const std::uint32_t mine = group_of(me);
    if (!groups_[mine].contains(me)) return Bytes(0.0);
    const bool root = groups_[mine].member(me) == root_;
    const double p = groups_[mine].size();
    switch (operation_) {
      case Operation::bcast:
        return message_;
      case Operation::reduce:
      case Operation::scatter:
      case Operation::gather:
        return (root ? (operation_ == Operation::reduce ? 2.0 : p + 1.0) : 1.0) * message_;
      case Operation::allreduce:
        return 2.0 * message_;
      case Operation::allgather:
        return (p + 1.0) * message_;
      case Operation::alltoall:
        return 2.0 * p * message_;
      default:
        return Bytes(0.0);  // of unequal parts: not stated
    }
  }

  Generator<Step> steps(Rank me) const override {
    collectives::Call call = call_;
    call.me = me;
    const std::uint32_t mine = group_of(me);
    call.group = groups_[mine];
    call.nodes = nodes_[mine];
    const bool member = call.group.contains(me);
    const collectives::Shares shares = member ? shares_of(call.group.size()) : collectives::Shares();
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      if (synchronised_) {
        co_yield phase("synchronisation");
        co_yield orrery::barrier();
      }
      co_yield phase("communication");
      if (member) co_yield elements_of(perform(call, shares));
    }
  }

 private:
  /// What can be wrong, found before the first step.
  void check() const {
    if (communicator_ == "rows" && width_ > ranks_)
      throw InputError("collective: 'width' is {}, of {} ranks. Choose {}?", width_, ranks_, ranks_);
    const Member least = least_group();
    if (has_root(operation_) && root_ >= least)
      throw InputError("collective: 'root' is {}, of {} members (0..{}). Choose 0?", root_, least, least - 1);
    if (!collectives::selectors().contains(call_.algorithm.name()))
      collectives::algorithms(operation_).at(call_.algorithm.name(), "collective");
  }
  /// Settings that nothing reads.
  void check_settings(const Parameters& parameters) const {
    const auto refuse = [](const char* name, const auto& value, const std::string& because, const char* suggestion) {
      throw InputError("collective: '{}' is {}, but {} (it would have no effect). {}?", name, value, because,
                       suggestion);
    };
    const std::string operation(operation_name(operation_)), group = fmt::format("'communicator' is {}", communicator_);
    if (const auto& listed = parameters.text("subset"); !listed.empty() && communicator_ != "subset")
      refuse("subset", listed, group, "Write 'communicator=subset'");
    if (const auto width = parameters.integer("width");
        width != 0 && communicator_ != "rows" && communicator_ != "columns")
      refuse("width", width, group, "Write 'communicator=rows'");
    if (root_ != 0 && !has_root(operation_)) refuse("root", root_, operation + " has none", "Remove it");
    if (call_.computes && !reduces(operation_)) refuse("compute", true, operation + " reduces nothing", "Remove it");
    const bool uneven = operation_ == Operation::scatterv || operation_ == Operation::gatherv ||
                        operation_ == Operation::allgatherv || operation_ == Operation::alltoallv ||
                        operation_ == Operation::reduce_scatter;
    if (const auto& weights = parameters.text("weights"); !weights.empty() && !uneven)
      refuse("weights", weights, operation + " has equal parts", "Remove it");
  }
  Member least_group() const {
    if (communicator_ == "subset") return subset_.size();
    if (communicator_ == "rows") return ranks_ % width_ == 0 ? width_ : ranks_ % width_;
    return communicator_ == "columns" ? std::max(1u, ranks_ / width_) : ranks_;
  }
  std::uint32_t groups() const {
    if (communicator_ == "rows") return (ranks_ + width_ - 1) / width_;
    return communicator_ == "columns" ? std::min(width_, ranks_) : 1;
  }
  std::uint32_t group_of(Rank me) const {
    const auto mine = static_cast<std::uint32_t>(me);
    if (communicator_ == "rows") return mine / width_;
    return communicator_ == "columns" ? mine % width_ : 0;
  }
  Group group(std::uint32_t number) const {
    if (communicator_ == "subset") return subset_;
    if (communicator_ == "rows")
      return Group::strided(Rank{number * width_}, 1, std::min(width_, ranks_ - number * width_));
    if (communicator_ == "columns")
      return Group::strided(Rank{number}, width_, (ranks_ - number + width_ - 1) / width_);
    return Group::world(ranks_);
  }
  std::uint64_t elements(double times) const {
    return static_cast<std::uint64_t>(std::llround(times * (message_ / call_.element)));
  }
  collectives::Shares shares_of(std::uint32_t members) const {
    if (weights_.empty()) return collectives::Shares::equal(members, elements(1.0));
    std::vector<std::uint64_t> sizes(members);
    for (Member m = 0; m < members; ++m) sizes[m] = elements(weights_[m % weights_.size()]);
    return collectives::Shares::of(sizes);
  }
  collectives::PairSizes pairs() const {
    if (weights_.empty()) return collectives::PairSizes::equal(elements(1.0));
    return collectives::PairSizes::of(
        [this](Member from, Member to) { return elements(weights_[(from + to) % weights_.size()]); });
  }
  Generator<Step> perform(const collectives::Call& call, const collectives::Shares& shares) const {
    switch (operation_) {
      case Operation::barrier:
        return collectives::barrier(call);
      case Operation::bcast:
        return collectives::bcast(call, message_, root_);
      case Operation::reduce:
        return collectives::reduce(call, message_, root_);
      case Operation::allreduce:
        return collectives::allreduce(call, message_);
      case Operation::scatter:
        return collectives::scatter(call, message_, root_);
      case Operation::scatterv:
        return collectives::scatterv(call, shares, root_);
      case Operation::gather:
        return collectives::gather(call, message_, root_);
      case Operation::gatherv:
        return collectives::gatherv(call, shares, root_);
      case Operation::allgather:
        return collectives::allgather(call, message_);
      case Operation::allgatherv:
        return collectives::allgatherv(call, shares);
      case Operation::alltoall:
        return collectives::alltoall(call, message_);
      case Operation::alltoallv:
        return collectives::alltoallv(call, pairs());
      case Operation::reduce_scatter:
        return collectives::reduce_scatter(call, shares);
      case Operation::scan:
      case Operation::exscan:
        break;  // not among the words of 'operation'
    }
    return {};
  }

  std::uint32_t ranks_;
  Operation operation_;
  Bytes message_;
  Member root_;
  std::uint32_t repetitions_;
  bool synchronised_;
  std::string communicator_;
  std::uint32_t width_;
  std::vector<Group> groups_;              ///< that call a collective of their own
  std::vector<collectives::Nodes> nodes_;  ///< [groups]
  collectives::Call call_;
  Group subset_;
  std::vector<std::uint32_t> weights_;
};

/// What nccl-tests prints: bus bandwidth, where there is one kind of call.
std::vector<Metric> bus_bandwidth(const Parameters&, const RunResult& run) {
  if (run.collectives.size() != 1) return {};
  const CollectiveRecord& all = run.collectives.front();
  if (bus_factor(all.operation, all.ranks) == 0.0 || all.bytes == Bytes{}) return {};
  return {{.name = "busbw", .value = all.bus_bandwidth().si() / 1e9, .unit = "GB/s"}};
}

std::vector<std::string> operation_words() {
  return {operation_names.begin(), operation_names.begin() + collectives::planned_operations};
}

const bool entered = kernels().add({
    .name = "collective",
    .summary = "one collective operation by any algorithm or selector, repeated",
    .source = "Thakur, Rabenseifner & Gropp, IJHPCA 19(1), 2005; Open MPI, MPICH and SMPI (orrery list collectives)",
    .page = page,
    .parameters = {word_key("operation", "allreduce", "collective operation", operation_words()),
                   word_key("algorithm", "openmpi", "an algorithm of the operation, or a selector"),
                   bytes_key("message", 65536, "size, by operation as above", 0, 1e15),
                   bytes_key("element", 8, "size of one element", 1, 1e9), count_key("root", 0, "root member", 0, 4e9),
                   count_key("repetitions", 1, "number of operations in sequence", 1, 1e9),
                   flag_key("synchronised", false, "true: an ideal barrier before each repetition"),
                   word_key("weights", "", "uneven block sizes, as in '1,3,2' (none: equal)"),
                   bytes_key("segment", 0, "segment size of pipelined algorithms (0: their own)", 0, 1e15),
                   flag_key("compute", false,
                            "true: reductions cost one flop per element if the platform gives no rate"),
                   flag_key("commutative", true, "false: selectors choose algorithms that keep the order of operands"),
                   word_key("communicator", "world", "ranks that take part", {"world", "rows", "columns", "subset"}),
                   count_key("width", 0, "columns of the grid of ranks (0: as square as possible)", 0, 4e9),
                   word_key("subset", "", "ranks of 'subset', as in '0,2,5-7' (none: every second)")},
    .works = {Work::reduction},
    .small = {{"repetitions", "3"}},
    .metrics = bus_bandwidth,
    .make = [](const KernelInput& input) { return std::make_unique<Collective>(input); },
});

}  // namespace

}  // namespace orrery::collective_kernel
