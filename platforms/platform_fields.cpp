/// Keys of a platform file. Parameters are {value, source} where they do not share the source of the sections around them.
#include <fmt/format.h>

#include <algorithm>

#include "platforms/field_types.hpp"
#include "platforms/keys.hpp"

namespace orrery {

using namespace platform_fields_detail;
using config::anything;
using config::Fields;

namespace platform_fields_detail {

const Mapping& provenance() {
  static const Mapping mapping{
      .name = "<section>",
      .about = "Origin of the parameters of a section; a parameter has the source of the nearest enclosing section.",
      .keys = {{.name = "source",
                .absent = "that of the enclosing section",
                .example = "\"NVIDIA ConnectX-6 datasheet\"",
                .about = "datasheet, paper or dated measurement"},
               {.name = "assumed",
                .absent = "that of the enclosing section",
                .example = "\"as the previous model\"",
                .about = "instead of a source: true, or a reason"}}};
  return mapping;
}

}  // namespace platform_fields_detail

namespace {

const Mapping& node_types_keys() {
  static const Mapping mapping{
      .name = "node-types",
      .about = "The nodes.",
      .keys = {section({.name = "<type>", .example = "", .about = "a name of a-z, 0-9 and '-'"},
                       node_type_fields().mapping())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& networks_keys() {
  static const Mapping mapping{
      .name = "networks",
      .about = "One network or several.",
      .keys = {section({.name = "<network>", .example = "", .about = "a name of a-z, 0-9 and '-'"},
                       network_fields().mapping())},
      .shared = &provenance()};
  return mapping;
}

const Mapping& compute_keys() {
  static const Mapping mapping{
      .name = "compute",
      .about = "Time of compute steps, instead of that at peak speed.",
      .keys = {{.name = "model", .example = "roofline", .about = "a compute model ('orrery list compute-models')"},
               {.name = "parameters",
                .absent = "none, or rows",
                .example = "dahu",
                .about = "parameters of the model: a CSV file beside the platform, or a shipped one"},
               sections({.name = "rows",
                         .absent = "none, or parameters",
                         .example = "[{work: dgemm, speed_flop_per_s: 30e9}]",
                         .about = "the same parameters, given here"},
                        anything()),
               {.name = "<setting>",
                .kind = KeyKind::any,
                .example = "",
                .about = "settings of the model ('orrery show compute-model NAME')"}},
      .shared = &provenance()};
  return mapping;
}

void require_processors(const config::Section& section, const Platform& platform) {
  const auto polls = [](const NodeType& type) { return type.waiting == Waiting::polls; };
  if (platform.processors > 0 && std::ranges::any_of(platform.node_types, polls))
    section.refuse("processors",
                   "'processors' of one machine that emulates all nodes beside 'waiting: polls' (its ranks take turns, "
                   "each until it waits). Leave one of them out?");
  if (section.has("forwarding") && platform.processors == 0)
    section.refuse("forwarding",
                   Refusal("'forwarding' is {} of the processors of one machine that emulates all nodes (there are "
                           "none). Say how many: 'processors: 2'?",
                           to_text(platform.forwarding)));
  if (platform.forwarding_next > platform.forwarding)
    section.refuse("forwarding-next",
                   Refusal("'forwarding-next' is {}, above 'forwarding' {} (a switch that is awake has less to do). "
                           "Swap them?",
                           to_text(platform.forwarding_next), to_text(platform.forwarding)));
}

}  // namespace

const Mapping& parameter_keys() {
  static const Mapping mapping{.name = "<parameter>",
                               .about = "A parameter with a source of its own, instead of the value alone.",
                               .keys = {{.name = "value",
                                         .kind = KeyKind::any,
                                         .shape = Shape::either,
                                         .example = "1.3us",
                                         .about = "the parameter"}},
                               .shared = &provenance()};
  return mapping;
}

const Fields<Platform>& platform_fields() {
  static const Fields<Platform> fields{
      {.name = "", .about = "A platform file describes a cluster ('orrery new platform')."},
      {{&Platform::name, {.name = "name", .example = "mine", .about = "of a-z, 0-9 and '-'"}},
       {&Platform::source,
        {.name = "source",
         .example = "\"datasheets of the vendor, 2026\"",
         .about = "origin of the parameters, unless a section gives its own"}},
       section({.name = "node-types", .example = "", .about = "the nodes"}, node_types_keys()),
       section({.name = "networks", .example = "", .about = "the networks"}, networks_keys()),
       {&Platform::processors,
        {.name = "processors",
         .most = 4096,
         .fallback = "0",
         .example = "2",
         .about = "processors of the one machine that emulates all nodes ('orrery cluster'), shared by overheads and "
                  "computation of all ranks; 0: not emulated, nodes have their own"}},
       {&Platform::forwarding,
        {.name = "forwarding",
         .fallback = "0s",
         .example = "40us",
         .about = "switch work of these processors per message between nodes, half at departure and half at arrival, "
                  "one message at a time; included in the latency of a 'discipline: fifo' network"}},
       {&Platform::forwarding_next,
        {.name = "forwarding-next",
         .absent = "forwarding",
         .example = "12us",
         .about = "switch work for a message that arrives while the switch works on another"}},
       {&Platform::start_skew,
        {.name = "start-skew",
         .fallback = "0s",
         .example = "2us",
         .about = "maximum randomized delay of each rank after a common start or an ideal barrier, as in real "
                  "measurements"}},
       {&Platform::electricity,
        {.name = "electricity",
         .most = 1e6,
         .absent = "not stated",
         .example = "0.25",
         .about = "price per kWh, in the currency of the node prices"}},
       section({.name = "compute", .absent = "peak speeds", .example = "{model: roofline}", .about = "a compute model"},
               compute_keys())},
      require_processors};
  return fields;
}

const Mapping& platform_keys() { return platform_fields().mapping(); }

}  // namespace orrery
