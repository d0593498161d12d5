/// A message that goes from rank to rank: each receives it, then sends it on.
///
/// Source   an example of a kernel outside Orrery's tree
#include "kernels/kernel.hpp"

namespace orrery::relay_kernel {

namespace {

class Relay final : public Program {
 public:
  explicit Relay(const KernelInput& input) : ranks_(input.ranks), message_(input.parameters.bytes("message")) {}

  std::string name() const override { return "relay"; }
  std::uint32_t ranks() const override { return ranks_; }
  Bytes memory(Rank) const override { return message_; }

  Generator<Step> steps(Rank me) const override {
    const auto mine = static_cast<std::uint32_t>(me);
    co_yield phase("communication");
    if (mine > 0) co_yield recv(Rank{mine - 1}, message_, Tag{1});
    if (mine + 1 < ranks_) co_yield send(Rank{mine + 1}, message_, Tag{1});
  }

 private:
  std::uint32_t ranks_;
  Bytes message_;
};

const bool entered = kernels().add({
    .name = "relay",
    .summary = "one message that goes from rank to rank",
    .source = "an example",
    .page = "rank r receives from r - 1, then sends to r + 1",
    .parameters = {bytes_key("message", 65536, "size of the message", 0, 1e15)},
    .small = {{"message", "8"}},
    .make = [](const KernelInput& input) { return std::make_unique<Relay>(input); },
});

}  // namespace

}  // namespace orrery::relay_kernel
