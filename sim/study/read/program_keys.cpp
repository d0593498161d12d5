#include <memory>

#include "platforms/keys.hpp"
#include "sim/config/csv.hpp"
#include "sim/study/read/keys_detail.hpp"

namespace orrery::scenario_detail {

using config::anything;
using config::Fields;
using config::Key;
using config::KeyKind;
using config::Mapping;
using config::Value;

namespace {

const Fields<CostWeights>& weights_fields() {
  const auto weight = [](const char* name, const char* about) {
    return Key{.name = name, .least = -100, .most = 100, .fallback = "0", .example = "1", .about = about};
  };
  static const Fields<CostWeights> fields{
      {.name = "partition.weights", .about = "Exponents of the data-sheet values: cpu^a cache^b / memory^c."},
      {{&CostWeights::cpu, weight("cpu", "exponent a of the clock")},
       {&CostWeights::cache, weight("cache", "exponent b of the cache size")},
       {&CostWeights::memory, weight("memory", "exponent c of the memory size")}}};
  return fields;
}

}  // namespace

const Mapping& platform_in_scenario_keys() {
  static const Mapping mapping{
      .name = "platform",
      .about = "A platform with changed or added parameters, by their paths in its file.",
      .keys = {{.name = "name", .example = "fermi", .about = "a platform: a name ('orrery list platforms') or a file"},
               setting("<section>", "as in networks: {fabric: {bandwidth: 100Gbps, topology: {up: [1, 2]}}}")}};
  return mapping;
}

const Mapping& layout_in_scenario_keys() {
  static const Mapping mapping{
      .name = "layout",
      .about = "Placement of ranks: a row of a layout file, or the keys of a row ('orrery show reference layout').",
      .keys = {{.name = "table",
                .absent = "the row is written here",
                .example = "rico-gallego16-table1",
                .about = "a layout table: a file or a name ('orrery list layouts')"},
               {.name = "row", .absent = "required with table", .example = "M10", .about = "a row of the table"}},
      .shared = &layout_row_keys()};
  return mapping;
}

const Fields<NamedSpec>& kernel_fields() {
  static const Fields<NamedSpec> fields{
      {.name = "kernel", .about = "The program."},
      {{&NamedSpec::name, {.name = "name", .example = "summa", .about = "a kernel ('orrery list kernels')"}},
       {add_setting, setting("<parameter>", "parameters of the kernel ('orrery show kernel NAME')")}}};
  return fields;
}

const Fields<PartitionSpec>& partition_fields() {
  using Spec = PartitionSpec;
  static const Fields<Spec> fields{
      {.name = "partition", .about = "Grid division among ranks, for kernels on a grid."},
      {{&Spec::algorithm,
        {.name = "algorithm",
         .absent = "required without file",
         .example = "beaumont-columns",
         .about = "a partitioner ('orrery list partitioners'); shares follow the speeds"}},
       {&Spec::speeds,
        {.name = "speeds",
         .least = 1e-9,
         .absent = "those of the compute model",
         .example = "[1, 1, 4, 4]",
         .about = "relative speed of each rank"}},
       {&Spec::confirm,
        {.name = "confirm",
         .fallback = "true",
         .example = "false",
         .about = "if a model times candidates with columns: simulate its best candidates on the flow engine and take "
                  "the fastest"}},
       {&Spec::processors,
        {.name = "processors",
         .absent = "those of the platform",
         .example = "hcl",
         .about = "for cost models: clock, cache, memory, latency per processor (CSV, or a shipped one)"}},
       {&Spec::latency_max,
        {.name = "latency-max",
         .most = 1e9,
         .absent = "no limit",
         .example = "1ms",
         .about = "for cm3a: ranks with this latency or more get no work"}},
       {&Spec::weights,
        weights_fields(),
        {.name = "weights",
         .absent = "those of cm2; for cm-weighted: fitted to runs",
         .example = "{cpu: 1, cache: 0.5, memory: 0.5}",
         .about = "for cm3b and cm-weighted: the exponents"}},
       {&Spec::accuracy,
        {.name = "accuracy",
         .kind = KeyKind::share,
         .most = 1.0,
         .fallback = "2.5%",
         .example = "10%",
         .about = "for algorithms that measure while they divide: stop when times differ at most this much"}},
       {&Spec::measuring_played,
        {{"free", false}, {"played", true}},
        {.name = "measuring",
         .fallback = "free",
         .example = "played",
         .about = "played: the run includes the algorithm's benchmarks (phase 'dividing'); free: they cost no time"}},
       {&Spec::file,
        {.name = "file",
         .absent = "required without algorithm",
         .example = "rico-gallego16-fig8.2dist",
         .about = "use this partition file (.2dist) instead"}}}};
  return fields;
}

const Fields<PointSpec>& compute_fields() {
  const auto add = [](PointSpec& point, const std::string& name, const Value& value) {
    add_setting(point.compute, name, value);
  };
  static const Fields<PointSpec> fields{
      {.name = "compute",
       .about = "Time of compute steps. Without 'model', settings change the model of the platform."},
      {{[](PointSpec& point) -> std::string& { return point.compute.name; },
        {.name = "model",
         .absent = "that of the platform, else constant",
         .example = "roofline",
         .about = "a compute model ('orrery list compute-models')"}},
       {[add](PointSpec& point, const Value& value) { add(point, "parameters", value); },
        {.name = "parameters",
         .absent = "those of the platform, or rows",
         .example = "dahu",
         .about = "parameters of the model: a CSV file, or a shipped one"}},
       {[](PointSpec& point, const Value& value) {
          point.compute_rows = std::make_shared<const DataTable>(config::rows_of(value));
        },
        sections({.name = "rows",
                  .absent = "those of the platform, or parameters",
                  .example = "[{speed_flop_per_s: 9e9}]",
                  .about = "the same parameters, given here"},
                 anything())},
       {add, setting("<setting>", "settings of the model ('orrery show compute-model NAME')")}}};
  return fields;
}

}  // namespace orrery::scenario_detail
