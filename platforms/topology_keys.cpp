/// Keys of a topology.
#include "platforms/field_types.hpp"

namespace orrery {

using namespace platform_fields_detail;

const config::Fields<GraphTopology::Edge>& edge_fields() {
  using Edge = GraphTopology::Edge;
  static const config::Fields<Edge> fields{
      {.name = "networks.<network>.topology.links[]",
       .about = "A cable of a topology of kind 'graph'.",
       .shared = &provenance()},
      {Key{.name = "between", .shape = Shape::list, .example = "[a, b]", .about = "the two switches at its ends"},
       {&Edge::bandwidth, {.name = "bandwidth", .example = "400Gbps", .about = "each direction"}},
       {&Edge::latency, {.name = "latency", .example = "0.2us", .about = "of the cable"}}}};
  return fields;
}

namespace platform_fields_detail {

namespace {

const Mapping& attached_keys() {
  static const Mapping mapping{.name = "networks.<network>.topology.nodes",
                               .about = "Which nodes hang on which switch of a topology of kind 'graph'.",
                               .keys = {{.name = "<switch>",
                                         .shape = Shape::either,
                                         .example = "[0-6, 7-15]",
                                         .about = "nodes by number; each is attached once"}}};
  return mapping;
}

}  // namespace

const Mapping& topology_keys() {
  constexpr double places_max = 1u << 26;
  static const Mapping mapping{
      .name = "networks.<network>.topology",
      .about = "Which switches there are and how nodes and switches are connected. Each kind has keys of its own.",
      .keys =
          {{.name = "kind",
            .kind = KeyKind::word,
            .choices = {"star", "fat-tree", "torus", "dragonfly", "graph", "dragonfly-plus"},
            .example = "star",
            .about = "star: one switch for all nodes"},
           counts({.name = "down",
                   .absent = "required by fat-tree",
                   .of = {"fat-tree"},
                   .example = "[8, 2]",
                   .about = "fat-tree: nodes of a leaf switch, leaves below a switch of the next level ..."},
                  1, 1u << 16),
           counts({.name = "up",
                   .absent = "required by fat-tree without taper",
                   .of = {"fat-tree"},
                   .example = "[1, 4]",
                   .about = "fat-tree: 1, then the switches above a leaf, above those ..."},
                  1, 1u << 12),
           counts({.name = "parallel",
                   .absent = "1 at every level",
                   .of = {"fat-tree"},
                   .example = "[1, 2]",
                   .about = "fat-tree: 1, then the cables from a switch to each above it"},
                  1, 1u << 10),
           {.name = "taper",
            .kind = KeyKind::number,
            .least = 0.125,
            .most = 64,
            .absent = "as 'up' and 'parallel' have it",
            .of = {"fat-tree"},
            .example = "1",
            .about = "fat-tree, instead of 'up': bandwidth of a leaf's nodes by that of its uplinks, each to a switch "
                     "of its own; above leaves nothing is tapered"},
           {.name = "rail-leaves",
            .kind = KeyKind::boolean,
            .fallback = "false",
            .example = "false",
            .about = "fat-tree, dragonfly, dragonfly-plus: the k-th adapters of as many nodes as a leaf has places are "
                     "on a leaf of their own (rail-optimised), instead of all adapters of a node on one"},
           counts({.name = "dimensions",
                   .absent = "required by torus",
                   .of = {"torus"},
                   .example = "[4, 4]",
                   .about = "torus: adapters along each dimension, which are nodes where each has one"},
                  1, places_max),
           {.name = "wrap",
            .kind = KeyKind::boolean,
            .shape = Shape::list,
            .absent = "true in every dimension",
            .of = {"torus"},
            .example = "[true, false]",
            .about = "torus: whether the last router of a dimension is joined to the first"},
           count({.name = "cells",
                  .absent = "required by dragonfly-plus",
                  .of = {"dragonfly-plus"},
                  .example = "2",
                  .about = "dragonfly-plus: groups of leaves and spines, each leaf joined to each spine"},
                 1, 1u << 16),
           count({.name = "leaves",
                  .absent = "required by dragonfly-plus",
                  .of = {"dragonfly-plus"},
                  .example = "4",
                  .about = "dragonfly-plus: leaf switches of a cell"},
                 1, 1u << 12),
           count({.name = "spines",
                  .absent = "required by dragonfly-plus",
                  .of = {"dragonfly-plus"},
                  .example = "4",
                  .about = "dragonfly-plus: spine switches of a cell"},
                 1, 1u << 12),
           count({.name = "groups",
                  .absent = "required by dragonfly",
                  .of = {"dragonfly"},
                  .example = "2",
                  .about = "dragonfly: groups"},
                 1, 1u << 16),
           count({.name = "routers",
                  .absent = "required by dragonfly",
                  .of = {"dragonfly"},
                  .example = "4",
                  .about = "dragonfly: routers of a group, each linked to each"},
                 1, 1u << 12),
           count({.name = "nodes",
                  .absent = "required by dragonfly, dragonfly-plus and graph",
                  .of = {"dragonfly", "dragonfly-plus", "graph"},
                  .inside = &attached_keys(),
                  .example = "2",
                  .about = "dragonfly: adapters on a router, dragonfly-plus: on a leaf; graph: which "
                           "nodes hang on which switch, as in "
                           "{a: 0-7, b: [8-15]}"},
                 1, 1u << 12),
           count({.name = "global-links",
                  .absent = "required by dragonfly and dragonfly-plus",
                  .of = {"dragonfly", "dragonfly-plus"},
                  .example = "1",
                  .about = "dragonfly: links of a router to other groups; dragonfly-plus: of a spine to other cells"},
                 0, 1u << 12),
           {.name = "switches",
            .shape = Shape::list,
            .absent = "required by graph",
            .of = {"graph"},
            .example = "[a, b]",
            .about = "graph: names of the switches"},
           sections({.name = "links",
                     .absent = "none",
                     .of = {"graph"},
                     .example = "[{between: [a, b], bandwidth: 400Gbps, latency: 0.2us}]",
                     .about = "graph: cables between switches"},
                    edge_fields().mapping())},
      .shared = &provenance()};
  return mapping;
}

}  // namespace platform_fields_detail

}  // namespace orrery
