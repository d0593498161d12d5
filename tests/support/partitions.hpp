/// The two partitions of Rico-Gallego, Lastovetsky & Diaz-Martin (2016) whose messages the paper prints.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernels/kernel.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::test {

/// Figure 8: SUMMA, N = 256, six ranks; ranks 0, 1, 2 on node 0 and 3, 4, 5 on node 1.
inline Partition fig8() {
  return {256,
          256,
          {{124, 0, 97, 134},
           {0, 0, 124, 146},
           {221, 152, 35, 104},
           {221, 0, 35, 152},
           {0, 146, 124, 110},
           {124, 134, 97, 122}}};
}

/// A partition in which rank 1 has the neighbours of figure 9: 64 wide, 112 high, clockwise 2, 4, 3, 6, 0, 5.
/// Ranks 1, 3, 5, 6 on one node and 0, 2, 4, 7 on the other. Why so: scenarios/partitions/rico-gallego16-fig9.2dist.
inline Partition fig9() {
  return {256,
          256,
          {{0, 96, 96, 96},
           {96, 80, 64, 112},
           {96, 0, 64, 80},
           {160, 128, 96, 128},
           {160, 0, 96, 128},
           {0, 0, 96, 96},
           {96, 192, 64, 64},
           {0, 192, 96, 64}}};
}

using Words = std::vector<std::pair<std::string, std::string>>;

inline Parameters kernel_parameters(const std::string& kernel, const Words& words) {
  Parameters parameters(kernels().at(kernel, "test").parameters);
  for (const auto& [name, value] : words) parameters.set(name, value, "test");
  return parameters;
}

/// A kernel with the named parameters on a partition (its ranks), or on `ranks` ranks when it needs none.
inline std::unique_ptr<Program> make_kernel(const std::string& kernel, const Words& words, const Partition& partition) {
  return kernels()
      .at(kernel, "test")
      .make({kernel_parameters(kernel, words), partition.ranks(), std::make_shared<Partition>(partition)});
}
inline std::unique_ptr<Program> make_kernel(const std::string& kernel, const Words& words, std::uint32_t ranks) {
  return kernels().at(kernel, "test").make({kernel_parameters(kernel, words), ranks, nullptr});
}

}  // namespace orrery::test
