/// Barriers as steps, in stages: the signals between ranks, as the incidence matrices of Meyer 2012, section 5.5.
///
///   linear         all signal rank 0, then rank 0 signals all                                        2 stages
///   dissemination  in stage s rank i signals (i + 2^s) mod p                             ceil(log2 p) stages
///   tree           in stage s every d^s-th rank signals its leader, then the transposed stages backwards
///                                                                                      2 ceil(log_d p) stages
///   pattern        whatever a StagePattern says
///   ideal          one ideal barrier: no messages, no cost
///
/// In each stage a rank posts its receives, posts its sends and waits for all of them (Meyer 2012, section 5.6.1).
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 5.3 and 5.5, figures 5.2 to 5.4 (p = 4)
/// Differs  the text writes p + (2^s mod P) for dissemination; figure 5.3 shows (p + 2^s) mod P, used here
/// Checked  tests/unit/kernels/barrier_test.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/generator.hpp"
#include "sim/core/stage_pattern.hpp"
#include "sim/core/step.hpp"
#include "sim/core/words.hpp"

namespace orrery {

enum class BarrierAlgorithm : std::uint8_t { none, ideal, linear, dissemination, tree, pattern };

inline constexpr Word<BarrierAlgorithm> barrier_words[] = {
    {"none", BarrierAlgorithm::none},     {"ideal", BarrierAlgorithm::ideal},
    {"linear", BarrierAlgorithm::linear}, {"dissemination", BarrierAlgorithm::dissemination},
    {"tree", BarrierAlgorithm::tree},     {"pattern", BarrierAlgorithm::pattern}};
/// The values of the parameter; `pattern` is for kernels with a pattern.
const std::vector<std::string>& barrier_names();
BarrierAlgorithm barrier_algorithm(const std::string& name);

struct BarrierPlan {
  BarrierAlgorithm algorithm = BarrierAlgorithm::ideal;
  std::uint32_t ranks = 1;
  Bytes signal{1.0};
  Tag tag{};
  std::uint32_t first_request = 0;  ///< a barrier uses requests from this number on
  std::uint32_t degree = 2;         ///< of the tree
  std::shared_ptr<const StagePattern> pattern = {};
};

struct BarrierSignals {
  std::vector<Rank> sources, destinations;
};

/// Stages of a message barrier; 0 for `none`, `ideal` and a single rank.
std::uint32_t barrier_stages(const BarrierPlan& plan);
/// The receives and sends of `me` in a stage.
void barrier_signals(const BarrierPlan& plan, std::uint32_t stage, Rank me, BarrierSignals& into);

Generator<Step> barrier_steps(BarrierPlan plan, Rank me);

}  // namespace orrery
