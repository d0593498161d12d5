#include "sim/cli/pages/phases_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/trace_streams.hpp"
#include "sim/study/play/candidate_time.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/loaded_points.hpp"

namespace orrery::cli {

using namespace study;

namespace {

using Json = nlohmann::ordered_json;

Json messages_json(const Phase& phase) {
  Json rows = Json::array();
  for (const Message& m : phase.messages)
    rows.push_back({index(m.from), index(m.to), m.size.si(), m.repeat, m.stage, m.blocking, m.overlapped,
                    m.collective == no_collective ? Json(nullptr) : Json(m.collective), m.after});
  return {{"columns", {"from", "to", "size_B", "repeat", "stage", "blocking", "overlapped", "collective", "after"}},
          {"rows", std::move(rows)}};
}

Json computes_json(const Phase& phase, const ComputeModel& model) {
  Json rows = Json::array();
  for (const ComputeItem& item : phase.computes)
    rows.push_back({index(item.rank), work_name(item.compute.work), item.compute.flops.si(),
                    model.compute_time(item.compute, item.rank).si(), item.repeat, item.overlapped});
  return {{"columns", {"rank", "work", "size_flop", "time_s", "repeat", "overlapped"}}, {"rows", std::move(rows)}};
}

Json collectives_json(const Phase& phase) {
  Json all = Json::array();
  for (const PhaseCollective& collective : phase.collectives) {
    const CollectiveCall& call = collective.call;
    Json ranks = Json::array();
    for (Member member = 0; member < call.group.size(); ++member) ranks.push_back(index(call.group.rank(member)));
    all.push_back({{"operation", operation_name(call.operation)},
                   {"algorithm", call.algorithm},
                   {"size_B", call.bytes.si()},
                   {"root", call.root},
                   {"ranks", std::move(ranks)}});
  }
  return all;
}

Json phase_json(const Phase& phase, const ComputeModel& model) {
  Json stages = Json::array();
  for (const Stage& stage : phase.stages)
    stages.push_back({stage.name, stage.composition == Composition::set ? "set" : "sequence"});
  return {{"name", phase.name},
          {"repeat", phase.repeat},
          {"first_iteration", phase.first_iteration},
          {"ranks", phase.ranks},
          {"declared", phase.declared},
          {"starts_together", phase.starts_together},
          {"stages", std::move(stages)},
          {"messages", messages_json(phase)},
          {"computes", computes_json(phase, model)},
          {"collectives", collectives_json(phase)}};
}

Json point_json(const PointSpec& spec, const LoadedPoint& point) {
  if (point.trace) require_one_stream(*point.trace, "models take", "Simulate it without models");
  Json settings = Json::array(), nodes = Json::array(), phases = Json::array();
  for (const auto& [key, value] : spec.settings) settings.push_back({key, value});
  for (const auto& placement : point.layout.placements) nodes.push_back(index(placement.node));
  for (const Phase& phase : build_phases(*point.program)) phases.push_back(phase_json(phase, *point.compute));
  return {{"settings", std::move(settings)},
          {"values", point.settings},
          {"kernel", point.kernel},
          {"platform", point.platform->name},
          {"network",
           {{"name", point.network->name},
            {"latency_s", point.network->latency.si()},
            {"bandwidth_B_per_s", point.network->bandwidth.si()}}},
          {"compared_phase", point.compared_phase},
          {"nodes_of_ranks", std::move(nodes)},
          {"phases", std::move(phases)}};
}

}  // namespace

void write_phases(const Scenario& scenario, const TextSink& write) {
  for (const PointSpec& point : scenario.points)
    if (!point.jobs.empty())
      throw InputError(
          "{}: a scenario of several jobs has no phases of one program (models see one that has the machine "
          "for itself). Write a scenario for each?",
          scenario.file);
  CandidateTime candidate_time(scenario, 1);
  const LoadedPoints points(scenario, false, std::ref(candidate_time));
  Progress progress("reading the phases of " + scenario.name, points.size());
  write(fmt::format("{{\"scenario\": {}, \"points\": [", Json(scenario.name).dump()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    throw_if_interrupted(Refusal("the phases of {} of {} points were read", i, points.size()));
    const Abandonable reading(fmt::format("interrupted: the phases of {} of {} points were read", i, points.size()));
    write((i == 0 ? "\n" : ",\n") + point_json(scenario.points[i], *points.at(i)).dump());
    progress.update(i + 1);
  }
  write("\n]}\n");
}

}  // namespace orrery::cli
