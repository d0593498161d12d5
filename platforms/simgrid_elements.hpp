/// Private to the import of SimGrid platforms: the elements of a file, before the conversion to a platform of ours.
///
/// A link of SimGrid is one resource that both directions share, or, if split-duplex, two: "l_UP" and "l_DOWN". Routes
/// are lists of these resources. Hosts, routers and zones are points of the zone that contains them.
///
/// Each element and attribute of simgrid.dtd is read, or counted in `notes` with its effect (simgrid_words.cpp). Others
/// are refused.
///
/// Source   SimGrid 3.32, simgrid.dtd and src/kernel/xml
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/config/xml.hpp"
#include "sim/core/refusal.hpp"

namespace orrery {

class SimgridTopology;

inline constexpr double host_speed_min = 1e6;  ///< flop/s, minimum for every host
inline constexpr std::uint32_t no_point = 0xffffffffu;

/// Properties common to hosts: all of a cluster, or those of identical zones.
struct SimgridHostKind {
  std::string name;    ///< of the cluster, or of the first host
  double speed = 0.0;  ///< flop/s of one core, in the initial power state of the file
  std::uint32_t cores = 1;
  std::optional<std::pair<double, double>> watts;  ///< idle, all cores at work
  bool operator==(const SimgridHostKind& other) const {
    return speed == other.speed && cores == other.cores && watts == other.watts;
  }
};

struct SimgridHost {
  std::string name;
  std::uint32_t kind = 0, point = 0, line = 0;
};

/// A resource that messages share: a link, or one direction of a split-duplex link.
struct SimgridLink {
  std::string name;
  double bandwidth = 0.0, latency = 0.0;  ///< B/s, s
  bool fatpipe = false;                   ///< limits each message separately
  std::uint32_t other = no_point;         ///< the other direction of a split-duplex link
  std::uint32_t line = 0;
};

struct SimgridPoint {
  enum class Kind : std::uint8_t { host, router, zone };
  std::string name;
  Kind kind = Kind::host;
  std::uint32_t zone = no_point;  ///< the zone that contains it; none for the first zone
  std::uint32_t number = 0;       ///< among the points of that zone
  std::uint32_t refers = 0;       ///< the host's or zone's number
};

using SimgridWay = std::vector<std::uint32_t>;  ///< links, in order

struct SimgridRoute {
  std::uint32_t from = no_point, to = no_point;                  ///< points of the zone
  std::uint32_t gateway_from = no_point, gateway_to = no_point;  ///< for routes between zones
  SimgridWay links;
  std::uint32_t line = 0;
};

/// The links between a point of a star and all others.
struct SimgridSpoke {
  SimgridWay up, down, loopback;
};

struct SimgridZone {
  enum class Routing : std::uint8_t { full, floyd, dijkstra, star, none, fat_tree, torus, dragonfly };
  std::string name;
  Routing routing = Routing::full;
  std::uint32_t parent = no_point, point = 0, line = 0;
  std::vector<std::uint32_t> points;
  std::vector<SimgridRoute> routes;  ///< both directions of symmetrical ones
  std::map<std::pair<std::uint32_t, std::uint32_t>, SimgridRoute> bypasses;
  std::vector<SimgridSpoke> spokes;   ///< [points] of a star
  std::uint32_t cluster = no_point;   ///< in `clusters`
  std::uint32_t backbone = no_point;  ///< of a star: a link in all its routes
  bool has_zones = false;             ///< else its routes are between hosts and routers
};

/// A <cluster>, or a <cabinet> of its zone.
struct SimgridCluster {
  std::string name, topology, parameters;  ///< "FLAT", "FAT_TREE" ...; topo_parameters
  std::uint32_t zone = no_point, first_host = 0, hosts = 0, line = 0;
  double bandwidth = 0.0, latency = 0.0;
  bool split = true;
  double limiter = 0.0;
  std::optional<std::pair<double, double>> loopback;  ///< bandwidth, latency
  std::uint32_t backbone = no_point;                  ///< link
  std::uint32_t first_link = 0;                       ///< first of the links created by the topology
  std::uint32_t position = 0;                         ///< number of hosts of the fat trees before it
  std::shared_ptr<const SimgridTopology> ways = {};   ///< for clusters that are no star
};

struct SimgridNote {
  std::uint64_t count = 0;
  std::uint32_t line = 0;  ///< of the first
};

/// The whole content of a file.
class SimgridElements {
 public:
  SimgridElements(const config::XmlElement& platform, std::string file);

  std::string file;
  std::vector<SimgridHostKind> kinds;
  std::vector<SimgridHost> hosts;
  std::vector<SimgridLink> links;
  std::vector<SimgridPoint> points;
  std::vector<SimgridZone> zones;  ///< the first contains all others
  std::vector<SimgridCluster> clusters;
  std::map<std::string, SimgridNote> notes;
  std::map<std::string, std::pair<std::string, std::uint32_t>> properties;  ///< of <config>: value, line

  void note(const std::string& sentence, std::uint32_t line, std::uint64_t count = 1);
  [[noreturn]] void refuse(std::uint32_t line, const Refusal& problem) const;
  std::string where(std::uint32_t line) const;

 private:
  void zone(const config::XmlElement& element, std::uint32_t parent);
  void child(const config::XmlElement& element, std::uint32_t zone);
  void config(const config::XmlElement& element);
  void host(const config::XmlElement& element, std::uint32_t zone);
  void host_children(const config::XmlElement& element, SimgridHostKind& kind, std::size_t state);
  void watts(const config::XmlElement& property, SimgridHostKind& kind, std::size_t state);
  void link(const config::XmlElement& element);
  void route(const config::XmlElement& element, std::uint32_t zone);
  void bypass(const config::XmlElement& element, std::uint32_t zone);
  SimgridRoute route_ends(const config::XmlElement& element, std::uint32_t zone) const;
  SimgridWay listed_links(const config::XmlElement& element) const;
  void add_route(SimgridRoute route, std::uint32_t zone);
  void require_point(const config::XmlElement& element, std::uint32_t point, std::uint32_t zone, bool zones) const;
  void star(const config::XmlElement& element, std::uint32_t zone);
  void host_link(const config::XmlElement& element, std::uint32_t zone, std::uint32_t backbone);
  void cabinet(const config::XmlElement& element, std::uint32_t zone, std::uint32_t backbone);
  void cluster(const config::XmlElement& element, std::uint32_t parent);
  void cluster_links(const config::XmlElement& element, SimgridCluster& cluster);
  void flat_cluster(const config::XmlElement& element, SimgridCluster& cluster,
                    const std::vector<std::uint32_t>& numbers);
  std::vector<std::uint32_t> radical(const config::XmlElement& element) const;

  std::uint32_t add_point(const config::XmlElement& element, std::string name, SimgridPoint::Kind kind,
                          std::uint32_t zone, std::uint32_t refers);
  std::uint32_t add_zone(const config::XmlElement& element, SimgridZone::Routing routing, std::uint32_t parent);
  void add_host(const config::XmlElement& element, std::string name, std::uint32_t kind, std::uint32_t zone);
  std::uint32_t add_kind(SimgridHostKind kind);
  std::uint32_t add_link(SimgridLink link);
  /// One direction, or both: "l_UP", which is returned, and "l_DOWN" after it.
  std::uint32_t add_link(SimgridLink link, bool split);
  std::uint32_t link_named(const config::XmlElement& element, const std::string& name) const;
  std::uint32_t point_named(const config::XmlElement& element, const char* attribute) const;
  std::uint32_t other_way(std::uint32_t link, bool directed) const;

  /// The attribute; an empty one counts as missing.
  std::string required(const config::XmlElement& element, const char* attribute) const;
  std::uint32_t cores(const config::XmlElement& element) const;
  void speed_note(double speed, std::uint32_t line, std::size_t count);

  friend std::uint32_t add_simgrid_link(SimgridElements& elements, SimgridLink link, bool split);
  std::unordered_map<std::string, std::uint32_t> link_numbers_, point_numbers_;
  std::unordered_set<std::uint64_t> routed_;  ///< ends of the routes between points
};

/// For the code that reads a topology's parameters: simgrid_topologies.cpp.
std::uint32_t add_simgrid_link(SimgridElements& elements, SimgridLink link, bool split);

/// Refuses words that simgrid.dtd does not have; notes those with a meaning in SimGrid that is ignored here. Private.
void check_simgrid_words(const config::XmlElement& element, SimgridElements& elements);

}  // namespace orrery
