/// bspbench: r, g and l of a cluster by numbers of ranks and nodes, measured or from a parameter file.
///
///   T(h) = l + h g      line of least squares through h >= p of kernel h-relation, played for h in 0..255
///
///   r  FlopsPerSecond  flop/s  DAXPY rate: slope of the times of 1 to 1024 elements on the run's compute model
///   g  Seconds         s       per word of 8 B of an h-relation        l  Seconds  s  of synchronising
///
/// Table 'bspbench', labels 'ranks' and 'nodes': gap_s and latency_s, or rate_flop_per_s, gap_flop and latency_flop.
///
/// Source   bspbench of BSPedupack: Bisseling, Parallel Scientific Computation, 2004; Meyer, doctoral thesis, NTNU,
///          2012, table 3.1
/// Differs  g and l are kept in seconds, bspbench prints them in flops (times r); both are read. 16 values of h are
///          played, bspbench has 257: the engines have no noise
/// Checked  tests/unit/models/bsp_test.cpp
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "models/model.hpp"

namespace orrery {

inline constexpr Bytes bsp_word{8.0};

struct BspMachine {
  std::optional<FlopsPerSecond> rate;  ///< empty: from the run's compute model
  Seconds gap, latency;
  Seconds misfit;  ///< greatest deviation of a measured h-relation from the line
};

struct BspSize {
  std::uint32_t ranks = 0, nodes = 0;
  auto operator<=>(const BspSize&) const = default;
};

BspSize bsp_size_of(const Layout& layout);

/// The measurements, by size.
class BspMachines {
 public:
  /// Throws InputError if the tables are missing or unreadable.
  explicit BspMachines(const ModelParameters& parameters);

  bool measured(const BspSize& size) const { return machines_.contains(size); }
  /// The row for this number of ranks on this number of nodes, or on the nearest number of nodes; else a line between
  /// the nearest numbers of ranks. Throws DomainError beyond the measured numbers.
  BspMachine at(const BspSize& size) const;

 private:
  const BspMachine& row_of(std::uint32_t ranks, std::uint32_t nodes) const;

  std::map<BspSize, BspMachine> machines_;
};

CalibrationNeeds bspbench_needs(const PredictionInput& run);
std::vector<Experiment> bspbench_plan(const Platform& platform, const Network& network, const CalibrationRange& range);
ModelParameters bspbench_fit(const Platform& platform, const Network& network, const CalibrationRange& range,
                             const std::vector<Measurement>& measurements);

}  // namespace orrery
