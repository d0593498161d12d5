#include "sim/core/gpu_mesh.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <map>
#include <numeric>
#include <utility>

using namespace orrery;

namespace {

struct Joined {
  std::uint32_t a, b, links;
};
GpuLinks mesh(std::uint32_t gpus, std::initializer_list<Joined> pairs) {
  GpuLinks links{gpus, std::vector<std::uint32_t>(std::size_t{gpus} * gpus)};
  for (const auto& [a, b, count] : pairs) links.counts[a * gpus + b] = links.counts[b * gpus + a] = count;
  return links;
}

/// A DGX-1 with V100: six links of each GPU, as nvidia-smi topo shows them.
GpuLinks hypercube_mesh() {
  return mesh(8, {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
                  {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}});
}

std::vector<std::uint32_t> first(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Whether the rings pass every GPU once, and no more of them go from one GPU to another than there are links.
bool fit(const std::vector<GpuRing>& rings, const GpuLinks& links, const std::vector<std::uint32_t>& gpus) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> used;
  for (const GpuRing& ring : rings) {
    std::vector<bool> passed(gpus.size(), false);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      passed[ring[i]] = true;
      ++used[{gpus[ring[i]], gpus[ring[(i + 1) % ring.size()]]}];
    }
    if (ring.size() != gpus.size() || std::accumulate(passed.begin(), passed.end(), 0u) != gpus.size()) return false;
  }
  for (const auto& [hop, count] : used)
    if (count > links.between(hop.first, hop.second)) return false;
  return true;
}

}  // namespace

TEST_SUITE("core/gpu mesh") {
  TEST_CASE("Three rings and the same backwards use all links of a hypercube mesh") {
    const GpuLinks links = hypercube_mesh();
    const auto rings = rings_over(links, first(8));
    CHECK(rings.size() == 6);
    CHECK(fit(rings, links, first(8)));
    CHECK(rings[1] == GpuRing(rings[0].rbegin(), rings[0].rend()));
    std::uint32_t narrowest = 8;
    for (std::size_t i = 0; i < 8; ++i)
      narrowest = std::min(narrowest, links.between(rings[0][i], rings[0][(i + 1) % 8]));
    CHECK(narrowest >= 1);
    CHECK(rings_over(links, first(8)) == rings);
  }

  TEST_CASE("Rings of a part of the GPUs use the links between those alone") {
    const std::vector<std::uint32_t> half{0, 1, 2, 3}, crossing{0, 1, 6};
    const GpuLinks links = hypercube_mesh();
    const auto rings = rings_over(links, half);
    CHECK(rings.size() == 4);  // two of each GPU's four or five links to the others leave it on a ring
    CHECK(fit(rings, links, half));
    CHECK(rings_over(links, crossing).empty());
  }

  TEST_CASE("GPUs in pairs and a broken chain have no ring") {
    CHECK(rings_over(mesh(4, {{0, 1, 4}, {2, 3, 4}}), first(4)).empty());
    CHECK(rings_over(mesh(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}), first(4)).empty());
    CHECK(rings_over(mesh(2, {{0, 1, 4}}), first(2)).empty());
  }

  TEST_CASE("A square has one ring and a cable of twice the width makes no second one") {
    CHECK(rings_over(mesh(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}}), first(4)).size() == 2);
    CHECK(rings_over(mesh(4, {{0, 1, 2}, {1, 2, 1}, {2, 3, 2}, {3, 0, 1}}), first(4)).size() == 2);
    CHECK(rings_over(mesh(4, {{0, 1, 2}, {1, 2, 2}, {2, 3, 2}, {3, 0, 2}}), first(4)).size() == 4);
  }

  TEST_CASE("The search ends among sixteen GPUs that all are joined") {
    GpuLinks links{16, std::vector<std::uint32_t>(256, 1)};
    links.counts[1] = links.counts[16] = 2;
    const auto rings = rings_over(links, first(16));
    CHECK(rings.size() >= 2);
    CHECK(fit(rings, links, first(16)));
  }
}
