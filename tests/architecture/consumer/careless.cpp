/// A kernel with a mistake: ranks forget their receives, or a parameter is read by a name that is not declared.
///
/// Source   an example of what is refused, or said
#include "kernels/kernel.hpp"

namespace orrery::careless_kernel {

namespace {

class Careless final : public Program {
 public:
  explicit Careless(const KernelInput& input) : ranks_(input.ranks) {
    if (input.parameters.text("mistake") == "name") input.parameters.integer("iteration");
    if (input.parameters.text("mistake") == "type") input.parameters.text("iterations");
  }

  std::string name() const override { return "careless"; }
  std::uint32_t ranks() const override { return ranks_; }
  Bytes memory(Rank) const override { return {}; }

  Generator<Step> steps(Rank me) const override {
    const std::uint32_t right = (static_cast<std::uint32_t>(me) + 1) % ranks_;
    co_yield phase("communication");
    for (std::uint32_t i = 0; i < 3; ++i) co_yield isend(Rank{right}, Bytes(1024), Tag{7}, RequestId{i});
    co_yield wait_all(RequestId{0}, 3);
  }

 private:
  std::uint32_t ranks_;
};

const bool entered = kernels().add({
    .name = "careless",
    .summary = "a kernel with a mistake",
    .source = "an example",
    .page = "rank r sends to r + 1, which receives nothing",
    .parameters = {word_key("mistake", "receives", "what is wrong", {"receives", "name", "type"}),
                   count_key("iterations", 5, "how many", 1, 100)},
    .make = [](const KernelInput& input) { return std::make_unique<Careless>(input); },
});

}  // namespace

}  // namespace orrery::careless_kernel
