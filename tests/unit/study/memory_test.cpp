#include "sim/study/read/memory.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "sim/core/error.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

/// Every rank holds the same.
class Holding final : public Program {
 public:
  Holding(std::uint32_t ranks, Bytes memory) : ranks_(ranks), memory_(memory) {}
  std::string name() const override { return "holding"; }
  std::uint32_t ranks() const override { return ranks_; }
  Generator<Step> steps(Rank) const override { co_return; }
  Bytes memory(Rank) const override { return memory_; }

 private:
  std::uint32_t ranks_;
  Bytes memory_;
};

/// Two nodes of 8 GiB, each with a GPU of 3 GiB; three ranks on the second node and one on its GPU.
LoadedPoint point_holding(Bytes memory) {
  Platform platform{.name = "small", .node_types = {{.name = "node", .memory = Bytes(8.0 * 1024 * 1024 * 1024)}}};
  platform.node_types[0].gpus = {{.model = "gpu", .memory = Bytes(3.0 * 1024 * 1024 * 1024)}};
  platform.node_counts = {2};
  LoadedPoint point;
  point.platform = std::make_shared<const Platform>(std::move(platform));
  point.kernel = "holding";
  point.layout.placements.assign(3, {.node = NodeId{1}});
  point.layout.placements.push_back({.node = NodeId{1}, .gpu = true});
  point.program = std::make_unique<Holding>(4, memory);
  return point;
}

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

}  // namespace

TEST_SUITE("scenario/memory") {
  TEST_CASE("The ranks of a node may hold no more together than its memory") {
    CHECK_NOTHROW(require_memory(point_holding(Bytes(8.0 / 3.0 * gib)), "s.yaml:4:9"));
    CHECK_THROWS_WITH_AS(require_memory(point_holding(Bytes(2.75 * gib)), "s.yaml:4:9"),
                         "s.yaml:4:9: kernel 'holding' needs at least 8.858 GB on node node-1 for 3 ranks, which has "
                         "8.59 GB. Use more nodes or less data, or --ignore-memory?",
                         InputError);
  }

  TEST_CASE("The rank of a GPU may hold no more than the memory of the GPU") {
    auto point = point_holding(Bytes(3.5 * gib));
    point.layout.placements.erase(point.layout.placements.begin(), point.layout.placements.begin() + 3);
    CHECK_THROWS_WITH_AS(require_memory(point, "--kernel"),
                         "--kernel: kernel 'holding' needs at least 3.758 GB on GPU 0 of node-1 for 1 rank, which "
                         "has 3.221 GB. Use more nodes or less data, or --ignore-memory?",
                         InputError);
  }

  TEST_CASE("A program that does not say what it holds fits everywhere") {
    CHECK_NOTHROW(require_memory(point_holding(Bytes(0.0)), "--kernel"));
  }
}
