/// The tables of the kinds of topology, and all their keys together. Those of 'graph' are in graph_fields.cpp.
#include <algorithm>

#include "platforms/field_types.hpp"
#include "platforms/topology_loader.hpp"

namespace orrery {

using namespace platform_fields_detail;

namespace {

/// The keys of a kind, named by it, among those of all; kinds may share one.
void add_kind(Mapping& all, const std::string& kind, const std::vector<Key>& keys) {
  for (Key key : keys) {
    const bool needed = key.required();
    key.about = kind + ": " + key.about;
    if (const auto known = std::ranges::find(all.keys, key.name, &Key::name); known != all.keys.end()) {
      known->of.push_back(kind);
      if (needed) known->absent += ", " + kind;
      known->about += "; " + key.about;
      if (key.inside != nullptr) known->inside = key.inside;
    } else {
      if (needed) key.absent = "required by " + kind;
      key.of = {kind};
      all.keys.push_back(std::move(key));
    }
  }
}

}  // namespace

const config::Fields<FatTreeTopology>& fat_tree_fields() {
  using Tree = FatTreeTopology;
  static const config::Fields<Tree> fields{
      {},
      {{&Tree::down,
        {.name = "down",
         .least = 1,
         .most = 1u << 16,
         .example = "[8, 2]",
         .about = "nodes per leaf switch, leaves per switch of the next level, ..."}},
       {&Tree::up,
        {.name = "up",
         .least = 1,
         .most = 1u << 12,
         .absent = "required without taper",
         .example = "[1, 4]",
         .about = "1, then the switches above each leaf, above each of those, ..."}},
       {&Tree::parallel,
        {.name = "parallel",
         .least = 1,
         .most = 1u << 10,
         .absent = "1 at every level",
         .example = "[1, 2]",
         .about = "1, then the cables from a switch to each switch above it"}},
       Key{.name = "taper",
           .kind = KeyKind::number,
           .least = 0.125,
           .most = 64,
           .absent = "from 'up' and 'parallel'",
           .example = "1",
           .about = "instead of 'up': bandwidth of a leaf's nodes / bandwidth of its uplinks, each to a separate "
                    "switch; higher levels are not tapered"}}};
  return fields;
}

const config::Fields<TorusTopology>& torus_fields() {
  using Torus = TorusTopology;
  static const config::Fields<Torus> fields{
      {},
      {{&Torus::dimensions,
        {.name = "dimensions",
         .least = 1,
         .most = 1u << 26,
         .example = "[4, 4]",
         .about = "adapters (nodes, if each has one) along each dimension"}},
       {&Torus::wrap,
        {.name = "wrap",
         .absent = "true in every dimension",
         .example = "[true, false]",
         .about = "true: the last router of a dimension is connected to the first"}}}};
  return fields;
}

const config::Fields<DragonflyTopology>& dragonfly_fields() {
  using Fly = DragonflyTopology;
  static const config::Fields<Fly> fields{
      {},
      {{&Fly::groups, {.name = "groups", .least = 1, .most = 1u << 16, .example = "2", .about = "groups"}},
       {&Fly::routers,
        {.name = "routers",
         .least = 1,
         .most = 1u << 12,
         .example = "4",
         .about = "routers per group, all connected to each other"}},
       {&Fly::nodes, {.name = "nodes", .least = 1, .most = 1u << 12, .example = "2", .about = "adapters per router"}},
       {&Fly::global_links,
        {.name = "global-links",
         .least = 0,
         .most = 1u << 12,
         .example = "1",
         .about = "links from each router to other groups"}},
       {&Fly::global_latency,
        {.name = "global-latency",
         .fallback = "0s",
         .example = "1.4us",
         .about = "extra latency of each link between groups, beyond 'link-latency' (longer cables)"}}}};
  return fields;
}

const config::Fields<DragonflyPlusTopology>& dragonfly_plus_fields() {
  using Fly = DragonflyPlusTopology;
  static const config::Fields<Fly> fields{
      {},
      {{&Fly::cells,
        {.name = "cells",
         .least = 1,
         .most = 1u << 16,
         .example = "2",
         .about = "groups of leaves and spines; each leaf is connected to each spine"}},
       {&Fly::leaves,
        {.name = "leaves", .least = 1, .most = 1u << 12, .example = "4", .about = "leaf switches per cell"}},
       {&Fly::spines,
        {.name = "spines", .least = 1, .most = 1u << 12, .example = "4", .about = "spine switches per cell"}},
       {&Fly::nodes, {.name = "nodes", .about = "adapters per leaf"}},
       {&Fly::global_links, {.name = "global-links", .about = "links from each spine to other cells"}},
       {&Fly::global_latency,
        {.name = "global-latency", .fallback = "0s", .example = "1.4us", .about = "between cells"}}}};
  return fields;
}

const Mapping& platform_fields_detail::topology_keys() {
  static const Mapping mapping = [] {
    std::vector<std::string> words;
    for (const TopologyKind& kind : topology_kinds()) words.push_back(kind.word);
    Mapping all{
        .name = "networks.<network>.topology",
        .about = "Switches and their connections. Each kind has its own keys.",
        .keys = {{.name = "kind",
                  .kind = KeyKind::word,
                  .choices = words,
                  .example = "star",
                  .about = "star: one switch for all nodes"},
                 {.name = "rail-leaves",
                  .kind = KeyKind::boolean,
                  .fallback = "false",
                  .example = "false",
                  .about = "fat-tree, dragonfly, dragonfly-plus: true: the k-th adapters of n nodes share a leaf with "
                           "n ports (rail-optimised); false: all adapters of a node are on one leaf"}},
        .shared = &provenance()};
    for (const TopologyKind& kind : topology_kinds()) add_kind(all, kind.word, kind.keys);
    return all;
  }();
  return mapping;
}

}  // namespace orrery
