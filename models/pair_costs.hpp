/// L_ij, O_ij and beta_ij between the ranks of a run: by node types and channel, or from matrices by nodes or cores.
///
///   table 'pair', by channel and types of node     latency_s  L     overhead_s  O     beta_s_per_B  beta
///   matrices L and O in s, beta in s/B             by nodes or cores, all alike; O may be left out (0)
///
///   L     Seconds         s    ping-pong's line at 0 B
///   beta  SecondsPerByte  s/B  its slope: the inverse bandwidth
///   O     Seconds         s    of one message more among those that a rank starts together (kernel overhead, burst)
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 5.6.3
/// Differs  deviations from the line are relative; O is measured by type of node also where L and beta are by pair
/// Checked  tests/unit/models/bsp_matrix_test.cpp
#pragma once

#include "models/point_to_point.hpp"

namespace orrery {

struct PairCost {
  Seconds latency, overhead;
  SecondsPerByte beta;
};

class PairCosts {
 public:
  /// Throws InputError if only one matrix is given. `platform` must outlive this.
  PairCosts(const std::string& model, const ModelParameters& parameters, const Platform& platform);

  /// The cost between two ranks of the layout, which must outlive the result. Throws InputError if a channel was not
  /// calibrated, DomainError like matrix_rows_of.
  std::function<PairCost(Rank, Rank)> between(const Layout& layout) const;

  const std::optional<MessageRange>& range() const { return range_; }

 private:
  const Platform& platform_;
  ByChannel<PairCost> by_types_;
  std::optional<ParameterMatrix> latency_, overhead_, beta_;
  std::optional<MessageRange> range_;
};

std::vector<Experiment> pair_cost_plan(const Platform& platform, const Network& network, const CalibrationRange& range);
ModelParameters fit_pair_costs(const std::string& model, const Platform& platform, const Network& network,
                               const CalibrationRange& range, const std::vector<Measurement>& measurements);

}  // namespace orrery
