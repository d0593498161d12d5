/// Binomial-tree broadcast with blocking sends and receives: the example for equation 4 of the source.
///
///   stage i = 0 .. ceil(log2 p) - 1:  relative ranks r < 2^i send to r + 2^i, if that rank exists
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, figure 4 and equation 4
/// Checked  tests/unit/kernels/broadcast_test.cpp, tests/contract/every_kernel_test.cpp
#include <fmt/format.h>

#include "kernels/kernel.hpp"

namespace orrery::broadcast_kernel {

namespace {

constexpr const char* page = R"(Relative rank r = (rank - root) mod p.

  step     message   sent by                                     how
  stage i  m         r < 2^i to r + 2^i, if r + 2^i < p          send, receive: both blocking

In stage i = 0 .. ceil(log2 p) - 1 there are 2^i concurrent messages (fewer in the last stage when p is not a power of
two), p - 1 in all; total bytes (p - 1) m. Equation 4 of the source is the sum over the stages of 2^i || T(m).)";

constexpr Tag message_tag{1};

class Broadcast final : public Program {
 public:
  explicit Broadcast(const KernelInput& input)
      : ranks_(input.ranks),
        root_(static_cast<std::uint32_t>(input.parameters.integer("root"))),
        repetitions_(static_cast<std::uint32_t>(input.parameters.integer("repetitions"))),
        message_(input.parameters.bytes("message")) {
    if (root_ >= ranks_)
      throw InputError("broadcast: 'root' is {}, of {} ranks (0..{}). Choose 0?", root_, ranks_, ranks_ - 1);
  }

  std::string name() const override { return "broadcast"; }
  std::uint32_t ranks() const override { return ranks_; }

  Bytes memory(Rank) const override { return message_; }

  Generator<Step> steps(Rank me) const override {
    const std::uint64_t mine = (static_cast<std::uint32_t>(me) + std::uint64_t{ranks_} - root_) % ranks_;
    const CollectiveCall marked{Operation::bcast, root_, "binomial", message_, Group::world(ranks_)};
    for (std::uint32_t k = 0; k < repetitions_; ++k) {
      co_yield iteration(k);
      co_yield phase("communication");
      co_yield collective_begin(marked);
      std::uint64_t reach = 1;  // relative ranks below it have the message
      if (mine > 0) {
        while (reach * 2 <= mine) reach *= 2;
        co_yield recv(absolute(mine - reach), message_, message_tag);
        reach *= 2;
      }
      for (; mine + reach < ranks_; reach *= 2) co_yield send(absolute(mine + reach), message_, message_tag);
      co_yield collective_end();
    }
  }

 private:
  Rank absolute(std::uint64_t relative) const { return Rank{static_cast<std::uint32_t>((relative + root_) % ranks_)}; }

  std::uint32_t ranks_, root_, repetitions_;
  Bytes message_;
};

const bool entered = kernels().add({
    .name = "broadcast",
    .summary = "one message from the root to all ranks along a binomial tree",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, figure 4 and equation 4",
    .page = page,
    .parameters = {bytes_key("message", 65536, "size of the message", 0, 1e15),
                   count_key("root", 0, "root rank", 0, 4e9),
                   count_key("repetitions", 1, "number of operations in sequence", 1, 1e9)},
    .small = {{"repetitions", "3"}},
    .make = [](const KernelInput& input) { return std::make_unique<Broadcast>(input); },
});

}  // namespace

}  // namespace orrery::broadcast_kernel
