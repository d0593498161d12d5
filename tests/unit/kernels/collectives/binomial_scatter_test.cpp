#include <doctest/doctest.h>

#include <vector>

#include "kernels/collectives/collective.hpp"

using namespace orrery;
using namespace orrery::collectives;

namespace {

/// To whom the root of 8 sends, in order, and how many bytes.
std::vector<std::pair<std::uint32_t, double>> sent_by_root(std::string_view algorithm) {
  constexpr std::uint32_t p = 8;
  const Group world = Group::world(p);
  Generator<Step> steps =
      scatter({.group = world, .me = Rank{0}, .algorithm = Choice(algorithm), .nodes = {}}, Bytes{10.0});
  std::vector<std::pair<std::uint32_t, double>> sent;
  while (const Step* step = steps.next())
    if (const auto* send = std::get_if<Send>(step))
      sent.emplace_back(static_cast<std::uint32_t>(send->to), send->message.si());
  return sent;
}

}  // namespace

TEST_SUITE("kernels/binomial scatter") {
  TEST_CASE("Open MPI's binomial scatter serves the nearest child first and since 4.0 the farthest") {
    using Sent = std::vector<std::pair<std::uint32_t, double>>;
    CHECK(sent_by_root("ompi_binomial") == Sent{{1, 10.0}, {2, 20.0}, {4, 40.0}});
    CHECK(sent_by_root("ompi_binomial_far") == Sent{{4, 40.0}, {2, 20.0}, {1, 10.0}});
  }
}
