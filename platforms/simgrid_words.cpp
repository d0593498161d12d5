// What simgrid.dtd knows, and what becomes of it: an element or attribute is read, or its consequence is noted.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "platforms/simgrid_elements.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

struct DtdAttribute {
  const char* name;
  const char* lost = nullptr;  ///< what is left out where it is stated; null: it is read
};
struct DtdElement {
  const char* name;
  std::vector<DtdAttribute> attributes;
  const char* lost = nullptr;
};

constexpr const char* speed_profile = "a profile changes a host's speed over time: here it is constant";
constexpr const char* host_state_profile = "a profile turns a host off and on: here it is always on";
constexpr const char* bandwidth_profile = "a profile changes a link's bandwidth over time: here it is constant";
constexpr const char* latency_profile = "a profile changes a link's latency over time: here it is constant";
constexpr const char* link_state_profile = "a profile turns a link off and on: here it is always on";
constexpr const char* storage_lost = "disks and storage are left out: programs here read and write no files";
constexpr const char* actors_lost = "actors are left out: here a trace or a kernel says what hosts do";
constexpr const char* profiles_lost =
    "profiles (<trace>) are left out: speeds, bandwidths and states are constant here";

const std::vector<DtdElement>& dtd_elements() {
  static const std::vector<DtdAttribute> ends{{"src"}, {"dst"}}, zone_ends{{"src"}, {"dst"}, {"gw_src"}, {"gw_dst"}},
      route{{"src"}, {"dst"}, {"symmetrical"}}, zone_route{{"src"}, {"dst"}, {"gw_src"}, {"gw_dst"}, {"symmetrical"}},
      actor{{"host"}, {"function"}, {"start_time"}, {"kill_time"}, {"on_failure"}}, zone{{"id"}, {"routing"}};
  static const std::vector<DtdElement> known{
      {"platform", {{"version"}}},
      {"config", {{"id"}}},
      {"prop", {{"id"}, {"value"}}},
      {"AS", zone},
      {"zone", zone},
      {"host",
       {{"id"},
        {"speed"},
        {"core"},
        {"pstate"},
        {"speed_file", speed_profile},
        {"availability_file", speed_profile},
        {"state_file", host_state_profile},
        {"coordinates"}}},
      {"cluster",
       {{"id"},
        {"prefix"},
        {"suffix"},
        {"radical"},
        {"speed"},
        {"core"},
        {"bw"},
        {"lat"},
        {"sharing_policy"},
        {"topology"},
        {"topo_parameters"},
        {"bb_bw"},
        {"bb_lat"},
        {"bb_sharing_policy"},
        {"router_id"},
        {"limiter_link"},
        {"loopback_bw"},
        {"loopback_lat"}}},
      {"cabinet", {{"id"}, {"prefix"}, {"suffix"}, {"radical"}, {"speed"}, {"bw"}, {"lat"}}},
      {"peer",
       {{"id"},
        {"speed"},
        {"bw_in"},
        {"bw_out"},
        {"lat"},
        {"coordinates"},
        {"speed_file"},
        {"availability_file"},
        {"state_file"}}},
      {"router", {{"id"}, {"coordinates"}}},
      {"backbone", {{"id"}, {"bandwidth"}, {"latency"}}},
      {"link",
       {{"id"},
        {"bandwidth"},
        {"bandwidth_file", bandwidth_profile},
        {"latency"},
        {"latency_file", latency_profile},
        {"state_file", link_state_profile},
        {"sharing_policy"}}},
      {"host_link", {{"id"}, {"up"}, {"down"}}},
      {"link_ctn", {{"id"}, {"direction"}}},
      {"route", route},
      {"zoneRoute", zone_route},
      {"ASroute", zone_route},
      {"bypassRoute", ends},
      {"bypassZoneRoute", zone_ends},
      {"bypassASroute", zone_ends},
      {"trace", {{"id"}, {"file"}, {"periodicity"}}, profiles_lost},
      {"trace_connect", {{"kind"}, {"trace"}, {"element"}}, profiles_lost},
      {"storage_type", {{"id"}, {"model"}, {"size"}, {"content"}}, storage_lost},
      {"storage", {{"id"}, {"typeId"}, {"content"}, {"attach"}}, storage_lost},
      {"mount", {{"storageId"}, {"name"}}, storage_lost},
      {"disk", {{"id"}, {"read_bw"}, {"write_bw"}}, storage_lost},
      {"model_prop", {{"id"}, {"value"}}, storage_lost},
      {"process", actor, actors_lost},
      {"actor", actor, actors_lost},
      {"argument", {{"value"}}},
      {"random",
       {{"id"}, {"min"}, {"max"}, {"mean"}, {"std_deviation"}, {"seed"}, {"radical"}, {"generator"}},
       "<random> is left out: SimGrid has not used it since long"},
      {"include", {{"file"}}}};
  return known;
}

template <class Known>
std::vector<std::string> dtd_names(const std::vector<Known>& known) {
  std::vector<std::string> names;
  for (const auto& each : known) names.emplace_back(each.name);
  std::ranges::sort(names);
  return names;
}

}  // namespace

void check_simgrid_words(const config::XmlElement& element, SimgridElements& of) {
  const auto known =
      std::ranges::find_if(dtd_elements(), [&](const DtdElement& each) { return element.name == each.name; });
  if (known == dtd_elements().end())
    of.refuse(element.line, Refusal("unknown element '{}'{}", shown(element.name),
                                    known_names(element.name, dtd_names(dtd_elements()))));
  for (const auto& [name, value] : element.attributes) {
    const auto attribute =
        std::ranges::find_if(known->attributes, [&](const DtdAttribute& each) { return name == each.name; });
    if (attribute == known->attributes.end())
      of.refuse(element.line, Refusal("unknown attribute '{}' of <{}>{}", shown(name), element.name,
                                      known_names(name, dtd_names(known->attributes))));
    if (attribute->lost != nullptr && !value.empty())
      of.note(fmt::format("{} ({})", attribute->lost, name), element.line);
  }
  if (known->lost != nullptr) of.note(known->lost, element.line);
}

}  // namespace orrery
