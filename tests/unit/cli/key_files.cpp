#include "tests/unit/cli/key_files.hpp"

#include <map>

#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/config/reader.hpp"
#include "sim/study/lab/lab.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::test {

using config::Key;
using config::KeyKind;
using config::Mapping;

namespace {

std::string protocol() {
  return "send-overhead: 0.2us, receive-overhead: 0.2us, eager: 8KiB, handshake: 1, copies: [0, 0]";
}
std::string gpu_messages() { return "{latency: 1us, " + protocol() + "}"; }
/// What GPU messages need beside them: GPUs, and cables that join them.
std::string gpu_node() {
  return "count: 16, sockets: 2, cores-per-socket: 16, core-speed: 40Gflop/s, memory: 128GiB, memory-bandwidth: "
         "100GB/s, copy-bandwidth: 8GB/s, shared-memory: {latency: 1us, " +
         protocol() +
         "}, gpus: [{count: 2, model: G, speed: 1Tflop/s, memory: 40GB, memory-bandwidth: 1TB/s, link-bandwidth: "
         "31GB/s, "
         "link-latency: 1us}], fabric: [{link: nvlink, among: gpus, bandwidth: 100GB/s}]";
}
std::string two_adapters() {
  return "bandwidth: 200Gbps, latency: 1us, topology: {kind: star}, adapters: 2, protocol: {" + protocol() + "}";
}

/// "mapping/key" to a whole section, where a key needs others beside it.
const std::map<std::string, std::string>& companions() {
  static const std::string graph =
      "kind: graph, switches: [a, b], nodes: {a: 0-7, b: [8-15]}, links: [{between: [a, b], bandwidth: 400Gbps, "
      "latency: 0.2us}]";
  static const std::string fat_tree = "kind: fat-tree, down: [8, 2], up: [1, 4], parallel: [1, 2]";
  static const std::string dragonfly = "kind: dragonfly, groups: 2, routers: 4, nodes: 2, global-links: 1";
  static const std::string base =
      "source: test, platform: fermi, network: infiniband, layout: {ranks: 16, per-node: 4}, ";
  static const std::string job = "name: a, kernel: {name: summa, blocks: 64}, layout: {ranks: 8, per-node: 4}";
  static const std::string plus = "kind: dragonfly-plus, cells: 2, leaves: 4, spines: 4, nodes: 2, global-links: 1";
  static const std::string cable = "link: upi, among: sockets, bandwidth: 41.6GB/s";
  static const std::string question = "text: t, answer: {what: value}, axis: [1us, 1s]";
  static const std::map<std::string, std::string> sections{
      {"rows.<row>/per-gpu", "gpus: 1, per-gpu: 2"},
      {"layout/per-gpu", "gpus: 1, per-gpu: 2"},
      {"node-types.<type>.fabric[]/link", cable},
      {"node-types.<type>.fabric[]/among", cable},
      {"node-types.<type>.fabric[]/bandwidth", cable},
      {"node-types.<type>.fabric[]/latency", cable + ", latency: 0.1us"},
      {"node-types.<type>.fabric[]/between", "link: pcie, between: [sockets, plx-0..3], bandwidth: 63GB/s"},
      {"node-types.<type>.fabric[]/each", "link: pcie, each: [sockets, plx-0..3], bandwidth: 63GB/s"},
      {"node-types.<type>.fabric[]/spans", "link: nvlink, between: [sockets, nvswitch], bandwidth: 450GB/s, spans: 2"},
      {"node-types.<type>.fabric[]/source", cable + ", source: test"},
      {"node-types.<type>.fabric[]/assumed", cable + ", assumed: true"},
      {"node-types.<type>/gpu-messages", gpu_node() + ", gpu-messages: " + gpu_messages()},
      {"networks.<network>/striping", two_adapters() + ", striping: {from: 1MiB, over: 2}"},
      {"networks.<network>.topology/taper", "kind: fat-tree, down: [8, 2], taper: 1"},
      {"networks.<network>.topology/wrap", "kind: torus, dimensions: [4, 4], wrap: [true, false]"},
      {"networks.<network>.topology/cells", plus},
      {"networks.<network>.topology/leaves", plus},
      {"networks.<network>.topology/spines", plus},
      {"networks.<network>.topology/down", fat_tree},
      {"networks.<network>.topology/up", fat_tree},
      {"networks.<network>.topology/parallel", fat_tree},
      {"networks.<network>.topology/dimensions", "kind: torus, dimensions: [4, 4]"},
      {"networks.<network>.topology/groups", dragonfly},
      {"networks.<network>.topology/routers", dragonfly},
      {"networks.<network>.topology/nodes", dragonfly},
      {"networks.<network>.topology/global-links", dragonfly},
      {"networks.<network>.topology/global-latency", dragonfly + ", global-latency: 1.4us"},
      {"networks.<network>.topology/switches", graph},
      {"networks.<network>.topology/links", graph},
      {"networks.<network>.topology/media", graph + ", media: [{name: bus, between: [a, b], bandwidth: 10Mbps}]"},
      {"networks.<network>.topology/routes",
       graph + ", media: [{name: bus, between: [a, b], bandwidth: 10Mbps}], routes: [{from: a, to: b, over: [bus]}]"},
      {"networks.<network>.topology.nodes/<switch>", "a: [0-6, 7-15]"},
      {"<overhead>[]/then-per-byte", "from: 0B, time: 1us, then-per-byte: 0.1ns/B"},
      {"platform/<section>", "name: fermi, networks: {ethernet: {bandwidth: 40Gbps}}"},
      {"layout/table", "table: rico-gallego16-table1, row: M10"},
      {"layout/row", "table: rico-gallego16-table1, row: M10"},
      {"partition/speeds", "algorithm: rows, speeds: [1, 1, 4, 4]"},
      {"partition/processors", "algorithm: cm1, processors: hcl"},
      {"partition/latency-max", "algorithm: cm3a, latency-max: 1ms"},
      {"partition/weights", "algorithm: cm3b, weights: {cpu: 1}"},
      {"partition/confirm", "algorithm: taulop-columns, confirm: false"},
      {"partition/accuracy", "algorithm: dfpa-1d, accuracy: 10%"},
      {"partition/measuring", "algorithm: dfpa-1d, measuring: played"},
      {"what-if[]/node", "node: 17, slower: 20%"},
      {"what-if[]/nodes", "nodes: random 5, slower: 20%"},
      {"what-if[]/seed", "nodes: random 5, seed: 2, slower: 20%"},
      {"what-if[]/gpu", "gpu: {node: 12, index: 3}, slower: 20%"},
      {"what-if[]/adapter", "adapter: {node: 12, index: 3}, bandwidth: 50%"},
      {"what-if[]/rail", "rail: 3, bandwidth: 50%"},
      {"what-if[]/link", "link: [leaf-0, spine-1], bandwidth: 50%"},
      {"what-if[]/cable", "link: [leaf-0, spine-1], cable: 1, bandwidth: 50%"},
      {"what-if[]/switch", "switch: spine-1, bandwidth: 50%"},
      {"what-if[]/slower", "node: 17, slower: 20%"},
      {"what-if[]/bandwidth", "rail: 3, bandwidth: 50%"},
      {"what-if[]/latency", "rail: 3, latency: +1us"},
      {"what-if[]/down", "link: [leaf-0, spine-1], down: true"},
      {"models[].fit-on/<path>", "kernel.blocks: [64]"},
      {"models[]/predictions", "name: mine, predictions: my.csv"},
      {"models[]/fit-on", "name: np-t, fit-on: {kernel.blocks: 64}"},
      {"models[]/<option>", "name: taulop, overhead: per-slice"},
      {"published[]/mode", "model: taulop, mode: timeline, mu: 1.16"},
      {"published[]/mu", "model: taulop, mu: 1.16"},
      {"published[]/time", "model: measured, time: 6.5s"},
      {"published[]/spread", "model: measured, time: 6.5s, spread: [6.1s, 6.7s]"},
      {"published[]/metric", "metric: rounds, value: 11"},
      {"published[]/value", "metric: rounds, value: 11"},
      {"published[]/why", "metric: rounds, value: 11, why: \"rounded\""},
      {"published[]/model", "model: measured, time: 6.5s"},
      {"published[]/<path>", "model: measured, time: 6.5s, network: infiniband"},
      {"tolerance[]/of", "of: simulated, against: published, within: 5%"},
      {"tolerance[]/against", "of: simulated, against: published, within: 5%"},
      {"tolerance[]/model", "model: taulop, mu: 1.5"},
      {"tolerance[]/mode", "model: taulop, mode: timeline, mu: 1.5"},
      {"tolerance[]/mu", "model: taulop, mu: 1.5"},
      {"tolerance[]/within", "model: taulop, within: 5%"},
      {"tolerance[]/between", "model: taulop, between: [-5%, 2%]"},
      {"tolerance[]/median", "model: taulop, mu: 1.5, median: 2%"},
      {"tolerance[]/why", "model: taulop, mu: 1.5, why: \"contention\""},
      {"tolerance[]/time", "of: makespan, against: reference, time: 85.13ms, within: 5%"},
      {"tolerance[]/metric", "of: metric, metric: speed-up, against: published, within: 5%"},
      {"tolerance[]/value", "of: metric, metric: speed-up, against: reference, value: 9.5, within: 5%"},
      {"tolerance[]/<path>", "model: taulop, mu: 1.5, network: infiniband"},
      {"choose.average[]/model", "model: np-t, published: 1%"},
      {"choose.average[]/at-least", "model: np-t, at-least: 3%"},
      {"choose.average[]/runs", "model: np-t, runs: 119s"},
      {"choose.average[]/runs-on", "model: np-t, runs: 9.88s, runs-on: one-type"},
      {"choose.average[]/runs-mu", "model: np-t, runs: 119s, runs-mu: 1.6"},
      {"choose.average[]/why", "model: np-t, published: 1%, why: \"no scatter\""},
      {"choose.average[]/<option>", "model: np-t, fit: ls, published: 1%"},
      {"/jobs", "source: test, platform: fermi, network: infiniband, jobs: [{" + job + "}]"},
      {"jobs[]/seed", job + ", nodes: random, seed: 7"},
      {"jobs[]/repeat", job + "}, {name: b, kernel: {name: barrier}, layout: {ranks: 2}, repeat: until-others-end"},
      {"/steady", base + "kernel: {name: wave2d, iterations: 100}, steady: 0.1%"},
      {"/approximate", base + "kernel: {name: summa, blocks: 64}, engine: flow, approximate: 0.01"},
      {"<question>/text", question},
      {"<question>/answer", question},
      {"<question>/axis", question},
      {"<question>/unit", question + ", unit: time"},
      {"<question>/full-within", question + ", full-within: 1.25"},
      {"<question>/none-beyond", question + ", none-beyond: 10"},
      {"<question>/points", question + ", points: 4"},
      {"<question>/options", "text: t, answer: {what: value}, options: [{text: a, to: 1}]"},
      {"<question>/mistakes", question + ", mistakes: [{times: 2, text: a}]"},
      {"<question>.mistakes[]/text", "text: a, times: 2"},
      {"<answer>/to", "what: ratio, to: {kernel.message: 8B}"},
      {"/speed-up-over",
       base + "kernel: {name: summa, blocks: 64}, sweep: {layout.ranks: [1, 2]}, speed-up-over: layout.ranks"},
      {"/average-over",
       base + "kernel: {name: summa, blocks: 64}, sweep: {network: [infiniband, ethernet]}, average-over: network"}};
  return sections;
}

/// The same for what lies below a key: what must stand beside it.
const std::map<std::string, std::string>& beside() {
  static const std::string lab =
      "title: t, source: s, scenario: \"{}\", curve: {x: kernel.message}, predict: {text: t, answer: {what: value}, "
      "axis: "
      "[1us, 1s]}";
  static const std::string joined =
      "kind: graph, switches: [a, b], nodes: {a: 0-7, b: [8-15]}, links: [{name: uplink, between: [a, b], bandwidth: "
      "400Gbps, latency: 0.2us}]";
  static const std::map<std::string, std::string> keys{
      {"<question>/answer", "text: t, axis: [1us, 1s]"},
      {"<question>/options", "text: t, answer: {what: value}"},
      {"<question>/mistakes", "text: t, answer: {what: value}, axis: [1us, 1s]"},
      {"<answer>/to", "what: ratio"},
      {"/knob", lab + ", moment: {kernel.message: 8B}"},
      {"node-types.<type>.local-work/cached-reduction", "reduction: 4GB/s, cache: 1MiB, cached-reduction: 12GB/s"},
      {"node-types.<type>.local-work/cached-copy", "copy: 8GB/s, cache: 1MiB, cached-copy: 20GB/s"},
      {"node-types.<type>/gpu-messages", gpu_node()},
      {"networks.<network>/striping", two_adapters()},
      {"networks.<network>.topology/nodes",
       "kind: graph, switches: [a, b], links: [{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]"},
      {"networks.<network>.topology/links", "kind: graph, switches: [a, b], nodes: {a: 0-7, b: [8-15]}"},
      {"networks.<network>.topology/media", joined},
      {"networks.<network>.topology/routes", joined},
      {"/jobs", "source: test, platform: fermi, network: infiniband"},
      {"partition/weights", "algorithm: cm-weighted"},
      {"choose.average[]/at", "model: np-t, published: 1%"},
      {"what-if[]/adapter", "bandwidth: 50%"},
      {"what-if[]/gpu", "slower: 20%"},
      {"models[]/fit-on", "name: np-t"}};
  return keys;
}

/// Keys that a key cannot stand without, beside those that every file has.
const std::map<std::string, std::string>& needed() {
  static const std::map<std::string, std::string> keys{
      {"choose/agree", "best: [{configuration: \"4,1\"}]"},
      {"choose/agree-within", "best: [{configuration: \"4,1\"}]"},
      {"choose.average[]/at", "published: 1%"},
      {"node-types.<type>/power-cap", "power: {idle: 3kW, computing: 6kW, communicating: 4kW}"},
      {"search/confirm", "model: bsp-matrix"},
      {"/other",
       "draw: {machine: [a, b]}, transfer: {text: t, answer: {what: "
       "least-line}}"},
      {"/knob", "moment: {kernel.message: 8B}"},
      {"/forwarding", "processors: 2"},
      {"/forwarding-next", "processors: 2, forwarding: 40us"}};
  return keys;
}

/// What stands for a name that the user chooses.
std::string chosen_name(const Key& key) {
  static const std::map<std::string, std::string> names{
      {"<type>", "xeon12"},      {"<network>", "infiniband"}, {"<row>", "A"},
      {"<c6 or gpu>", "c6"},     {"<path>", "network"},       {"<setting>", "noise"},
      {"<parameter>", "blocks"}, {"<switch>", "a"},           {"<socket-0 or gpu-0..3>", "socket-0"}};
  const auto known = names.find(key.name);
  return known == names.end() ? key.name : known->second;
}

std::string value_of(const Key& key, std::span<const Key* const> wanted) {
  if (wanted.empty() && !key.example.empty()) return key.example;
  if (key.name == "<parameter>") return "64";
  if (key.name == "<setting>") return "0.01";
  if (key.inside == nullptr || key.kind == KeyKind::any) return "[infiniband]";
  const std::string section = "{" + body_of(*key.inside, wanted) + "}";
  return key.shape == config::Shape::one ? section : "[" + section + "]";
}

}  // namespace

std::string body_of(const Mapping& mapping, std::span<const Key* const> wanted) {
  if (wanted.size() == 1)
    if (const auto whole = companions().find(mapping.name + "/" + wanted[0]->name); whole != companions().end())
      return whole->second;
  std::string body;
  if (wanted.size() == 1)
    if (const auto others = needed().find(mapping.name + "/" + wanted[0]->name); others != needed().end())
      body = others->second;
  const auto near = wanted.empty() ? beside().end() : beside().find(mapping.name + "/" + wanted[0]->name);
  if (near != beside().end() && wanted.size() > 1)
    return near->second + ", " + wanted[0]->name + ": " + value_of(*wanted[0], wanted.subspan(1));
  const auto add = [&](const Key& key, std::span<const Key* const> inside) {
    body += (body.empty() ? "" : ", ") + chosen_name(key) + ": " + value_of(key, inside);
  };
  bool added = wanted.empty();
  for (const Key& key : mapping.keys) {
    const bool is_wanted = !wanted.empty() && &key == wanted[0];
    if (is_wanted)
      add(key, wanted.subspan(1));
    else if (key.required() || (key.any_name() && key.kind == KeyKind::section && !key.inside->name.empty()))
      add(key, {});
    added = added || is_wanted;
  }
  if (!added) add(*wanted[0], wanted.subspan(1));  // of the shared keys
  return body;
}

namespace {

void lab_of(const std::string& text) {
  const auto file = lab::LabFile::parse(text, "## Question\n", "reference.yaml");
  file.lab(file.all(1).front());
}

}  // namespace

void read_file_of(const std::string& kind, const std::string& text) {
  const auto document = config::parse_yaml(text, "reference.yaml");
  if (kind == "platform")
    load_platform(document, "reference.yaml");
  else if (kind == "layout")
    load_layouts(document);
  else if (kind == "lab")
    lab_of(text);
  else
    parse_scenario(document, "reference.yaml", {});
}

}  // namespace orrery::test
