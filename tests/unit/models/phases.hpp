/// Phases written by hand, and parameters as a calibration would write them, for the tests of models.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "models/calibration.hpp"
#include "models/model.hpp"
#include "tests/unit/models/calibration_platform.hpp"

namespace orrery::test {

struct Sent {
  std::uint32_t from, to;
  double bytes;
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> after = {};
};

/// Messages by stage, then sender, as the phase builder orders them.
inline Phase phase_of(std::initializer_list<Sent> messages, std::uint32_t ranks = 6) {
  Phase phase;
  phase.name = "communication";
  phase.ranks = ranks;
  for (const auto& sent : messages) {
    phase.messages.push_back({.from = Rank{sent.from},
                              .to = Rank{sent.to},
                              .size = Bytes(sent.bytes),
                              .stage = sent.stage,
                              .after = sent.after});
    while (phase.stages.size() <= sent.stage) phase.stages.push_back({"level", Composition::set});
  }
  return phase;
}

/// A run of phases written by hand, with everything else that a prediction may ask for.
struct Run {
  std::vector<Phase> phases;
  Layout layout = six_ranks();
  Platform platform = two_types();
  std::string compared = "communication", kernel = "by hand";
  Parameters parameters = {};
  std::map<std::string, std::string> settings = {};

  class Compute final : public ComputeModel {  // a second for each unit of work
    std::string description() const override { return "by hand"; }
    Seconds compute_time(const orrery::Compute& work, Rank) const override { return Seconds(work.flops.si()); }
  };
  Compute compute = {};

  PredictionInput input() const {
    return {phases, compared, layout, platform, platform.networks[0], compute, kernel, parameters, settings};
  }
};

inline void declare(Phase& phase, std::initializer_list<const char*> stages) {
  phase.declared = true;
  phase.stages.clear();
  for (const char* name : stages) phase.stages.push_back({name, Composition::sequence});
}

inline ParameterTable table(const std::string& name, const Platform& platform, const ChannelPair& pair,
                            std::vector<std::string> columns, std::vector<double> row) {
  return {.name = name, .labels = pair_labels(platform, pair), .columns = std::move(columns), .rows = {std::move(row)}};
}

inline std::unique_ptr<PhaseModel> make_model(const ModelParameters& parameters, const Platform& platform,
                                              const std::string& variant = "") {
  return models().at(parameters.model, "test").make({platform, platform.networks[0], variant, parameters});
}

}  // namespace orrery::test
