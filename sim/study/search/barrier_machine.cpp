#include "sim/study/search/barrier_machine.hpp"

#include <fmt/format.h>

#include "models/barrier/cost_parameters.hpp"
#include "models/matrices.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "sim/core/rank_list.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "sim/study/fit/calibration_request.hpp"
#include "sim/study/play/progress.hpp"
#include "sim/study/read/load.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

namespace {

constexpr const char* model_name = "barrier-matrix";

Layout layout_of_flags(const BarrierRequest& request, const Platform& platform, std::uint32_t ranks_of_pattern) {
  LayoutSpec spec = layout_from(request.layout);
  if (!spec.own) return build_layout(platform, load_layouts_named(spec.table, spec.where).row(spec.row, spec.where));
  if (spec.own->spread && spec.own->spread->ranks == 0) spec.own->spread->ranks = ranks_of_pattern;
  return build_layout(platform, *spec.own);
}

/// The ranks of a communicator keep their places and are numbered anew.
Layout of_members(const Layout& all, const std::string& members) {
  if (members.empty()) return all;
  Layout some{all.name, {}};
  for (const std::uint32_t rank : members_listed(members, all.ranks())) some.placements.push_back(all.placements[rank]);
  return some;
}

ModelParameters parameters_for(const BarrierRequest& request, const Platform& platform, const Network& network) {
  const ModelEntry& entry = models().at(model_name, "barrier");
  if (request.matrices.empty())
    return calibrate(entry, platform, network, {.sizes = default_sizes()},
                     {.keep_going = [] { return !interrupted(); },
                      .engine = [&] { return make_engine(request.engine, "--engine"); }});
  for (auto& set : config::read_parameter_file(request.matrices)) {
    if (set.model != model_name || set.platform != platform.name || set.network != network.name) continue;
    check_matrices(entry, set, platform);
    return std::move(set);
  }
  throw InputError(
      "--matrices: '{0}' has no parameters of model '{1}' for network '{2}' of platform '{3}'. "
      "Make them with 'orrery calibrate --platform {3} --network {2} --model {1} -o FILE'?",
      request.matrices, model_name, network.name, platform.name);
}

}  // namespace

std::vector<std::uint32_t> members_listed(std::string_view text, std::uint32_t ranks) {
  std::vector<std::uint32_t> members;
  for (const Rank rank : ranks_listed(text, ranks, "--members")) members.push_back(static_cast<std::uint32_t>(rank));
  return members;
}

std::unique_ptr<BarrierMachine> barrier_machine(const BarrierRequest& request, std::uint32_t ranks_of_pattern) {
  auto machine = std::make_unique<BarrierMachine>();
  machine->platform = load_platform_named(request.platform, "--platform");
  machine->network = &network_named(machine->platform, request.network);
  machine->layout = of_members(layout_of_flags(request, machine->platform, ranks_of_pattern), request.members);
  machine->parameters = parameters_for(request, machine->platform, *machine->network);
  machine->costs = signal_costs(machine->parameters, machine->platform, machine->layout);
  machine->costs.acknowledged = request.acknowledgement == "counted";
  return machine;
}

}  // namespace orrery::study
