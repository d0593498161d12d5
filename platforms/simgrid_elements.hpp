/// Private to the import of SimGrid platforms: what the elements of a file say, before it is made a platform of ours.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/xml.hpp"

namespace orrery {

inline constexpr double host_speed_min = 1e6;                                   ///< flop/s, of any host here
inline constexpr const char* detach_property = "smpi/send-is-detached-thresh";  ///< of <config>: what is taken of it

struct SimgridHost {
  std::string name;
  double speed = 0.0;  ///< flop/s of one core
  std::uint32_t cores = 1;
};

struct SimgridLink {
  std::string name;
  double bandwidth = 0.0, latency = 0.0;  ///< B/s, s
  bool shared = false;                    ///< by both directions
};

/// A static route between two points of the network (hosts, routers, clusters), as links in order.
struct SimgridRoute {
  std::string from, to;
  std::vector<std::size_t> links;
  std::uint32_t line = 0;
  bool private_link = false;  ///< of a host of a cluster to its switch
  bool symmetrical = true;    ///< the same links lead back
};

struct SimgridCluster {
  std::string name;
  std::vector<std::string> hosts;
  SimgridHost host;
  double bandwidth = 0.0, latency = 0.0;
  std::string topology, parameters;  ///< "FLAT", "FAT_TREE" ...; topo_parameters
  double limiter = 0.0, loopback_bandwidth = 0.0, loopback_latency = 0.0;
  std::uint32_t line = 0;
};

/// "1.5Gf", "125MBps", "1Gbps", "50us" in SI units (flop/s, B/s, s). Throws InputError opened by `where`.
double simgrid_speed(const std::string& text, const std::string& where);
double simgrid_bandwidth(const std::string& text, const std::string& where);
double simgrid_time(const std::string& text, const std::string& where);

/// Everything of a file, zones opened up.
class SimgridElements {
 public:
  SimgridElements(const config::XmlElement& platform, std::string file);

  std::string file;
  std::vector<SimgridHost> hosts;  ///< of zones; those of clusters are in `clusters`
  std::vector<SimgridLink> links;
  std::vector<SimgridRoute> routes;
  std::vector<SimgridCluster> clusters;
  std::map<std::string, std::uint64_t> notes;     ///< sentence -> how often
  std::map<std::string, std::string> properties;  ///< of <config>

  [[noreturn]] void refuse(std::uint32_t line, const std::string& problem) const;

 private:
  void zone(const config::XmlElement& zone);
  void element(const config::XmlElement& element, const std::string& zone_name);
  void host(const config::XmlElement& element);
  void link(const config::XmlElement& element);
  void cluster(const config::XmlElement& element);
  void backbone(const config::XmlElement& element, SimgridCluster& cluster);
  void route(const config::XmlElement& element, bool between_zones);
  void host_link(const config::XmlElement& element, const std::string& zone_name);
  void ignored(const config::XmlElement& element);
  void speed_note(double speed, std::size_t count);
  void policy_note(const std::string& policy, const char* what);
  std::size_t link_named(const config::XmlElement& reference) const;
  std::string where(const config::XmlElement& element) const;
  std::string required(const config::XmlElement& element, const char* attribute) const;
  std::string point(const std::string& name) const;  ///< a cluster's router stands for the cluster

  std::map<std::string, std::size_t> link_numbers_;
  std::set<std::string> host_names_;
  std::map<std::string, std::string> routers_;  ///< of clusters -> cluster
};

}  // namespace orrery
