/// "catalogue": what there is to choose from, as JSON, for a page that offers it: programs with their parameters,
/// machines with their networks, models, scenarios.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kernels/kernel.hpp"
#include "models/model.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/pages/reference_page.hpp"
#include "sim/config/reader.hpp"
#include "sim/study/read/data_path.hpp"
#include "sim/study/read/load.hpp"

namespace orrery::web::catalogue_command {

namespace {

using nlohmann::ordered_json;

const char* kind_name(KeyKind kind) {
  switch (kind) {
    case KeyKind::integer:
      return "integer";
    case KeyKind::number:
      return "number";
    case KeyKind::data:
      return "bytes";
    case KeyKind::time:
      return "seconds";
    case KeyKind::speed:
      return "speed";
    case KeyKind::work:
      return "work";
    case KeyKind::boolean:
      return "boolean";
    default:
      return "text";
  }
}

ordered_json parameter_json(const Key& key) {
  ordered_json json = {{"name", key.name},
                       {"kind", kind_name(key.kind)},
                       {"default", key.fallback},
                       {"summary", key.about},
                       {"accepts", cli::takes_text(key)}};
  if (!key.choices.empty()) json["choices"] = key.choices;
  if (const auto usual = Parameters({key}).parameter(key.name)) {
    json["minimum"] = key.least;
    json["maximum"] = key.most;
    json["value"] = *usual;
  }
  return json;
}

ordered_json kernels_json() {
  ordered_json all = ordered_json::array();
  for (const auto& [name, entry] : kernels().entries()) {
    ordered_json parameters = ordered_json::array();
    for (const auto& parameter : entry.parameters) parameters.push_back(parameter_json(parameter));
    all.push_back({{"name", name},
                   {"summary", entry.summary},
                   {"source", entry.source},
                   {"needs_file", entry.plays_trace},
                   {"grid", static_cast<bool>(entry.grid)},
                   {"parameters", std::move(parameters)}});
  }
  return all;
}

ordered_json platforms_json() {
  ordered_json all = ordered_json::array();
  for (const auto& name : data_names("platforms", "yaml")) {
    const Platform platform = load_platform_named(name, "catalogue");
    ordered_json networks = ordered_json::array(), types = ordered_json::array();
    for (const auto& network : platform.networks) networks.push_back(network.name);
    for (std::size_t i = 0; i < platform.node_types.size(); ++i)
      types.push_back({{"name", platform.node_types[i].name},
                       {"nodes", platform.node_counts[i]},
                       {"cores", platform.node_types[i].cores()},
                       {"gpus", platform.node_types[i].gpus.size()}});
    all.push_back({{"name", name},
                   {"file", platform.file},
                   {"source", platform.source},
                   {"nodes", platform.nodes()},
                   {"node_types", std::move(types)},
                   {"networks", std::move(networks)}});
  }
  return all;
}

ordered_json models_json() {
  ordered_json all = ordered_json::array();
  for (const auto& [name, entry] : models().entries())
    all.push_back({{"name", name}, {"summary", entry.summary}, {"of_runs", entry.fitted_to_runs()}});
  return all;
}

ordered_json scenarios_json() {
  ordered_json all = ordered_json::array();
  for (const auto& name : data_names("scenarios", "yaml")) {
    const auto file = config::read_yaml(data_path("scenarios", name, "yaml", "catalogue")).root();
    all.push_back({{"name", name}, {"title", file.optional_text("title").value_or(name)}});
  }
  return all;
}

const bool entered = cli::commands().add({
    .name = "catalogue",
    .summary = "what there is to choose from, as JSON",
    .example = R"({"command": "catalogue"})",
    .setup =
        [](cli::CommandLine& line) {
          line.run([] {
            const ordered_json json = {{"kernels", kernels_json()},
                                       {"platforms", platforms_json()},
                                       {"models", models_json()},
                                       {"scenarios", scenarios_json()}};
            fmt::print("{}\n", json.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
            return 0;
          });
        },
});

}  // namespace

}  // namespace orrery::web::catalogue_command
