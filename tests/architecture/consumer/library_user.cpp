/// A program that only uses Orrery's functions: what a two-rank program looks like to a model.
#include "sim/core/phase.hpp"

int main() {
  using namespace orrery;
  const FunctionProgram program("hello", 2, [](Rank me) -> Generator<Step> {
    if (me == Rank{0}) co_yield send(Rank{1}, 64_KiB, Tag{0});
    if (me == Rank{1}) co_yield recv(Rank{0}, 64_KiB, Tag{0});
  });
  return build_phases(program).at(0).messages.size() == 1 ? 0 : 1;
}
