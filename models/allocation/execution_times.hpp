/// Time of a run by its size and its configuration, fitted to runs: the N-T, P-T and NP-T models.
///
///   T = max_i T_i(N, P)            over the sub-clusters i (node types) that have ranks
///
///   n-t      T(N), of each configuration separately
///   p-t      T_i(N, P) from T_i(N) of the fewest nodes beyond one, per sub-cluster and ranks to a core
///   np-t     T_i(N, P) at once, per sub-cluster and ranks to a core
///   stage-t  T = max_i A_i + max_i B_i of the same fits: B_i are the terms with Q, A_i the others. Ranks that meet
///            between computing and exchanging wait for the slowest of each, which need not be the same
///
///   N    1  size of the problem
///   P    1  ranks in all
///   Q    1  ranks on other nodes than one's own: P - M_i times the cores of a node; what an all-to-all sends to
///   T_i  s  time of the ranks of sub-cluster i; one node alone has an n-t model, as no network is involved
///
/// np-t and p-t are fitted to runs on one sub-cluster each; other runs are ignored. A fit gives no answer beyond the
/// sizes and ranks of its runs unless `extrapolate` is set.
///
/// Source   Ichikawa, Takahashi & Kawai, sections 4.1 and 4.2, Table V; Kishimoto & Ichikawa, Parallel Computing 31(7)
/// Differs  stage-t is ours. Of p-t the paper leaves open which P its T_i(N) has, where P varies: here the least beyond
///          one node
/// Checked  tests/unit/models/allocation/execution_times_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/regression/regression.hpp"
#include "models/regression/terms.hpp"
#include "platforms/configuration.hpp"

namespace orrery {

struct SizedRun {
  Configuration configuration;
  double n = 0.0;
  double seconds = 0.0;
};

enum class TimeModel : std::uint8_t { np_t, p_t, n_t, stage_t };

struct TimeModelChoice {
  TimeModel model = TimeModel::np_t;
  LeastSquares method = LeastSquares::non_negative;
  bool relative = false;           ///< least squares of relative deviations
  std::optional<double> glitches;  ///< k of regression.hpp's `glitches`
  bool simplify = false;           ///< removes terms that are not worth keeping
  bool extrapolate = false;        ///< answers beyond the fitted sizes and ranks
  std::vector<Term> np_terms;      ///< of n, p and q
  std::vector<Term> n_terms;       ///< of n and p; p is 1 or the actual number
  std::vector<Term> p_terms;       ///< of t, the time of the n-t model, and p
};

/// The variables of those terms, in their order.
const std::vector<std::string>& np_variables();  ///< n, p, q
const std::vector<std::string>& p_variables();   ///< t, p

/// One fit with its input.
struct FittedTime {
  std::string of;           ///< "xeon, 2 ranks to a core": the subject of the time
  std::vector<Term> terms;  ///< those kept
  Regression fit;
  std::optional<double> left_out;  ///< leave-one-out deviation, in the form of the fit's deviation
  std::size_t runs = 0, excluded = 0;
  double n_least = 0.0, n_most = 0.0, p_least = 0.0, p_most = 0.0;
};

class ExecutionTimes {
 public:
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  /// `platform` is read here and not kept. If runs have too few sizes or ranks for the terms, there is no fit; throws
  /// InputError if there is none at all.
  ExecutionTimes(TimeModelChoice choice, const Platform& platform, std::span<const SizedRun> runs);

  /// s; NaN if no fit applies, or only beyond its range.
  double time(const Configuration& configuration, double n) const;
  /// The two stages of one sub-cluster in a job of P ranks; the second is 0 except for stage-t; `alone`: one node is
  /// the whole job. Not for n-t. The time of a job is the sum of the maximum of each stage.
  std::array<double, 2> time_of_part(std::uint32_t type, Configuration::Part part, double n, double p,
                                     bool alone) const;
  /// Why a time is unknown, as a sentence.
  std::string reason(const Configuration& configuration, double n) const;
  /// Sizes or ranks beyond the range of the fit, as text; empty inside the range.
  std::string beyond(const Configuration& configuration, double n) const;

  std::vector<const FittedTime*> fits() const;
  /// The fits that determine the time of a configuration.
  std::vector<const FittedTime*> fits_of(const Configuration& configuration) const;
  const TimeModelChoice& choice() const { return choice_; }

 private:
  using Group = std::pair<std::uint32_t, std::uint32_t>;  ///< node type, ranks per core
  struct Series;

  std::optional<FittedTime> fitted(const Series& series, const std::vector<Term>& terms) const;
  void fit_groups(std::map<Group, Series>& alone, std::map<Group, Series>& several);
  bool inside(const FittedTime& fit, double n, double p) const;
  double ranks_of(const Configuration& configuration) const;

  TimeModelChoice choice_;
  std::vector<std::string> names_;           ///< [node types]
  std::vector<double> cores_;                ///< [node types]
  std::map<Group, FittedTime> alone_;        ///< one node: n-t
  std::map<Group, FittedTime> several_;      ///< np-t or p-t
  std::map<Group, FittedTime> reference_;    ///< of p-t: the n-t model of the fewest nodes
  std::map<std::string, FittedTime> whole_;  ///< n-t, by configuration
};

}  // namespace orrery
