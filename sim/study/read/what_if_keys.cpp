#include <fmt/format.h>

#include <utility>

#include "sim/core/error.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/what_if.hpp"

namespace orrery::scenario_detail {

using config::Fields;
using config::Key;
using config::KeyKind;
using config::Section;
using config::Shape;
using config::Value;

namespace {

const Fields<PartOfNode>& part_fields() {
  static const Fields<PartOfNode> fields{
      {.name = "what-if[].adapter", .about = "An adapter of a node, or a GPU (what-if[].gpu)."},
      {{&PartOfNode::node, {.name = "node", .example = "12", .about = "number or name of the node"}},
       {[](PartOfNode& part, const Value& value) { part.number = value.written(); },
        {.name = "index",
         .kind = KeyKind::integer,
         .most = 4096,
         .fallback = "0",
         .example = "3",
         .about = "index within the node, from 0"}}}};
  return fields;
}

/// 'each', or a section.
PartOfNode read_part(const Value& value) {
  PartOfNode part{.where = value.where()};
  if (value.is_scalar()) {
    if (value.written() != "each") value.refuse("(a part of a node expected). Write '{node: 12, index: 3}' or 'each'?");
    part.each = true;
    return part;
  }
  const Section section = value.section(part_fields().mapping());
  config::read_fields(section, part_fields(), part);
  section.finish();
  return part;
}

std::vector<std::string> words_of(const Value& value) {
  std::vector<std::string> words;
  for (const Value& one : value.is_list() ? value.list() : std::vector{value}) words.push_back(one.written());
  return words;
}

/// "+1us": what is added.
Seconds more_of(const Value& value) {
  const std::string text = value.written();
  const auto parsed = parse_quantity(text.starts_with('+') ? text.substr(1) : text, Dimension::time, {0.0, 10.0});
  if (!parsed.si) value.refuse(parsed.problem);
  if (!(*parsed.si >= 0.0 && *parsed.si <= 10.0)) value.refuse("outside +0s..+10s. Choose a value in that range?");
  return Seconds(*parsed.si);
}

using Lines = std::vector<config::Field<WhatIf>>;

Lines place_lines() {
  Key part{.inside = &part_fields().mapping(), .example = "{node: 12, index: 3}"};
  const auto part_key = [&](const char* name, const char* about) {
    Key key = part;
    key.name = name;
    key.absent = "another key gives the place";
    key.about = about;
    return key;
  };
  const auto place = [](const char* name, const char* example, const char* about) {
    return Key{.name = name, .absent = "another key gives the place", .example = example, .about = about};
  };
  Key nodes = place("nodes", "random 5", "several nodes: 'random N' of those with ranks, or a list"), link = nodes;
  nodes.shape = link.shape = Shape::either;
  link.name = "link";
  link.example = "[leaf-0, spine-1]";
  link.about =
      "all cables between two switches, named as in reports ('leaf switch 0' or 'leaf-0'); or 'each', 'each of level "
      "2'";
  return {{&WhatIf::node, place("node", "17", "a node by number or name, or 'each' that has ranks")},
          {[](WhatIf& what, const Value& value) { what.nodes = words_of(value); }, nodes},
          {&WhatIf::seed, {.name = "seed", .fallback = "1", .example = "2", .about = "seed of 'nodes: random N'"}},
          {[](WhatIf& what, const Value& value) { what.gpu = read_part(value); },
           part_key("gpu", "a GPU of a node, or 'each' that has ranks")},
          {[](WhatIf& what, const Value& value) { what.adapter = read_part(value); },
           part_key("adapter", "an adapter of a node on the scenario's network, or 'each' of nodes with ranks")},
          {&WhatIf::rail, place("rail", "3", "the adapters with this index on all nodes, or 'each'")},
          {[](WhatIf& what, const Value& value) { what.link = words_of(value); }, link},
          {&WhatIf::cable,
           {.name = "cable",
            .least = 1,
            .most = 4096,
            .absent = "all cables",
            .example = "1",
            .about = "number of one cable between the switches of 'link'"}},
          {&WhatIf::from_switch,
           place("switch", "spine-1", "all cables of a switch, including those to nodes; or 'each'")}};
}

Lines effect_lines() {
  return {{&WhatIf::slower,
           {.name = "slower",
            .kind = KeyKind::share,
            .most = 100.0,
            .absent = "no change",
            .example = "20%",
            .about = "node, nodes or gpu: extra time of all computation"}},
          {&WhatIf::bandwidth,
           {.name = "bandwidth",
            .kind = KeyKind::share,
            .least = 1e-6,
            .most = 100.0,
            .absent = "as in the platform file",
            .example = "50%",
            .about = "share of the platform's bandwidth, each direction; node: of all its adapters"}},
          {[](WhatIf& what, const Value& value) { what.latency = more_of(value); },
           {.name = "latency",
            .absent = "as in the platform file",
            .example = "+1us",
            .about = "extra latency of a message that crosses it; on a rail, half at each end"}},
          {&WhatIf::down,
           {.name = "down",
            .fallback = "false",
            .example = "true",
            .about = "true: messages take other routes; a run whose messages have no other route is refused"}}};
}

void check(const Section& section, const WhatIf& what) {
  std::vector<std::string> places, effects;
  for (const char* key : {"node", "nodes", "gpu", "adapter", "rail", "link", "switch"})
    if (section.has(key)) places.emplace_back(key);
  for (const char* key : {"slower", "bandwidth", "latency"})
    if (section.has(key)) effects.emplace_back(key);
  if (what.down) effects.emplace_back("down");
  if (places.size() != 1)
    throw InputError(
        "{}: 'what-if' names {} places (one of node, nodes, gpu, adapter, rail, link, "
        "switch). Write a list with an entry for each?",
        section.where(), places.size());
  const std::string& place = places.front();
  if (effects.empty())
    throw InputError(
        "{}: 'what-if' says nothing of its {} (one or more of slower, bandwidth, latency; or "
        "down). Write 'slower: 20%' or 'down: true'?",
        section.where(), place);
  if (what.down && effects.size() > 1)
    section.refuse(effects.front(),
                   Refusal("'{}' beside 'down: true' (nothing crosses it). Remove it?", effects.front()));
  const bool computes = place == "node" || place == "nodes" || place == "gpu";
  if (what.slower && !computes)
    section.refuse("slower", Refusal("'slower' of a {} (nodes and GPUs compute). Write 'bandwidth: 50%'?", place));
  if (place == "gpu" && (effects.size() > 1 || !what.slower))
    section.refuse(effects.back(),
                   Refusal("'{}' of a gpu (what it may be is slower). Write 'slower: 20%'?", effects.back()));
  if (what.down && computes)
    section.refuse("down", Refusal("'down' of a {} (its ranks cannot go elsewhere). Leave it out of 'layout', or "
                                   "write 'adapter'?",
                                   place));
  if (section.has("cable") && (place != "link" || what.link.size() != 2))
    section.refuse("cable", "'cable' without 'link: [one, other]' (between which it is). Remove it?");
}

}  // namespace

const Fields<WhatIf>& what_if_fields() {
  static const Fields<WhatIf> fields =
      Fields<WhatIf>{{.name = "what-if[]",
                      .about = "A part of the machine that is slower than in the platform file, or dead. One or a "
                               "list; 'none' in a sweep."},
                     place_lines(),
                     check}
          .with(effect_lines());
  return fields;
}

}  // namespace orrery::scenario_detail
