/// What nodes, GPUs and networks draw, and what they cost.
#include <fmt/format.h>

#include "platforms/field_types.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::Fields;

namespace {

void require_idle_least(const config::Section& section, const PowerDraw& power) {
  for (const auto& [key, draw] :
       {std::pair{"computing", power.computing}, std::pair{"communicating", power.communicating}})
    if (draw < power.idle)
      section.refuse(key, Refusal("'{}' is {}, below 'idle' {} (work draws no less). Swap them?", key, to_text(draw),
                                  to_text(power.idle)));
}

void require_busy_most(const config::Section& section, const NetworkPower& power) {
  if (power.adapter_busy < power.adapter)
    section.refuse("adapter-busy", Refusal("'adapter-busy' is {}, below 'adapter' {} (of one that is idle). Swap "
                                           "them?",
                                           to_text(power.adapter_busy), to_text(power.adapter)));
}

}  // namespace

const Fields<PowerDraw>& power_fields() {
  static const Fields<PowerDraw> fields{
      {.name = "node-types.<type>.power",
       .about = "Power of a node, or a GPU, by activity. Cores with different activities count in proportion.",
       .shared = &provenance()},
      {{&PowerDraw::idle, {.name = "idle", .example = "250W", .about = "power when idle"}},
       {&PowerDraw::computing, {.name = "computing", .example = "700W", .about = "power when all cores compute"}},
       {&PowerDraw::communicating,
        {.name = "communicating",
         .absent = "computing",
         .example = "450W",
         .about =
             "power when all cores are in MPI calls, including waits (libraries poll); GPU: waiting for messages"}}},
      require_idle_least};
  return fields;
}

const Fields<NetworkPower>& network_power_fields() {
  static const Fields<NetworkPower> fields{
      {.name = "networks.<network>.power", .about = "Power of the parts of a network.", .shared = &provenance()},
      {{&NetworkPower::adapter, {.name = "adapter", .example = "18W", .about = "power of one idle adapter"}},
       {&NetworkPower::adapter_busy,
        {.name = "adapter-busy",
         .absent = "adapter",
         .example = "25W",
         .about = "power of one adapter at full rate in both directions; linear in the load"}},
       {&NetworkPower::switches,
        {.name = "switch",
         .fallback = "0W",
         .example = "600W",
         .about = "power of one switch at any load; a run is charged by its share of the nodes on the network"}}},
      require_busy_most};
  return fields;
}

}  // namespace orrery
