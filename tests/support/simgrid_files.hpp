/// SimGrid platforms of every kind that import reads, several of them mixed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace orrery::test {

inline std::string simgrid_file(const std::string& body) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n" +
         body + "</platform>\n";
}

/// Name and content. Of those whose name begins with '~' the platform of ours differs, and says so.
inline std::vector<std::pair<std::string, std::string>> simgrid_files() {
  return {
      {"bus",
       "<zone id='z' routing='Full'>\n<host id='Ada' speed='1Gf'/><host id='Bob' speed='1Gf'/><host id='Cyd' "
       "speed='1Gf'/>\n<link id='bus' bandwidth='10MBps' latency='3us'/>\n<route src='Ada' dst='Bob'><link_ctn "
       "id='bus'/></route><route src='Ada' dst='Cyd'><link_ctn id='bus'/></route><route src='Bob' dst='Cyd'><link_ctn "
       "id='bus'/></route></zone>\n"},
      {"backbone and limiter",
       "<cluster id='c' prefix='n' suffix='.lab.org' radical='0-4,9' speed='1Gf' bw='125MBps' lat='50us' "
       "bb_bw='300MBps' "
       "bb_lat='500us' limiter_link='150MBps' loopback_bw='5GBps' loopback_lat='100ns'/>\n"},
      {"shared links, backbone for each message",
       "<cluster id='c' prefix='n' suffix='' radical='0-3' speed='1Gf' bw='125MBps' lat='50us' sharing_policy='SHARED' "
       "bb_bw='100MBps' bb_lat='5us' bb_sharing_policy='FATPIPE'/>\n"},
      {"racks on one link",
       "<zone id='site' routing='Full'>\n"
       "<cluster id='a' prefix='a' suffix='' radical='0-2' speed='1Gf' bw='125MBps' lat='10us' loopback_bw='1GBps' "
       "loopback_lat='1us'/>\n"
       "<cluster id='b' prefix='b' suffix='' radical='0-1' speed='2Gf' bw='250MBps' lat='20us' loopback_bw='2GBps' "
       "loopback_lat='2us'/>\n"
       "<cluster id='d' prefix='d' suffix='' radical='0-1' speed='2Gf' bw='250MBps' lat='20us' bb_bw='300MBps' "
       "bb_lat='7us' router_id='door'/>\n"
       "<link id='switch' bandwidth='200MBps' latency='5us'/>\n"
       "<zoneRoute src='a' dst='b' gw_src='aa_router' gw_dst='bb_router'><link_ctn id='switch'/></zoneRoute>\n"
       "<zoneRoute src='a' dst='d' gw_src='aa_router' gw_dst='door'><link_ctn id='switch'/></zoneRoute>\n"
       "<zoneRoute src='b' dst='d' gw_src='bb_router' gw_dst='door'><link_ctn id='switch'/></zoneRoute>\n</zone>\n"},
      {"routes of named hosts",
       "<zone id='z' routing='Full'>\n<host id='Mercury' speed='1Gf'/><host id='Venus' speed='1Gf'/><host "
       "id='Earth.sol' speed='2Gf'/><host id='Mars' speed='1Gf'/>\n"
       "<link id='1' bandwidth='10MBps' latency='1ms'/><link id='2' bandwidth='20MBps' latency='2ms'/><link id='3' "
       "bandwidth='30MBps' latency='100us'/><link id='4' bandwidth='5MBps' latency='200us'/><link id='5' "
       "bandwidth='50MBps' latency='1us' sharing_policy='FATPIPE'/>\n"
       "<route src='Mercury' dst='Venus'><link_ctn id='1'/><link_ctn id='2'/><link_ctn id='3'/></route>\n"
       "<route src='Mercury' dst='Earth.sol'><link_ctn id='1'/><link_ctn id='4'/></route>\n"
       "<route src='Mercury' dst='Mars'><link_ctn id='3'/></route>\n"
       "<route src='Venus' dst='Earth.sol'><link_ctn id='3'/><link_ctn id='5'/></route>\n"
       "<route src='Venus' dst='Mars' symmetrical='NO'><link_ctn id='2'/><link_ctn id='4'/></route>\n"
       "<route src='Mars' dst='Venus' symmetrical='NO'><link_ctn id='5'/></route>\n"
       "<route src='Earth.sol' dst='Mars'><link_ctn id='5'/><link_ctn id='1'/></route>\n</zone>\n"},
      {"zones of every routing, gateways and bypasses",
       "<zone id='g' routing='Floyd'>\n"
       "<cluster id='a' prefix='a' suffix='.x.org' radical='0-1,7' speed='1Gf' bw='1GBps' lat='1us' bb_bw='2GBps' "
       "bb_lat='7us'/>\n"
       "<cluster id='b' prefix='b' suffix='' radical='1-2' speed='1Gf' bw='2GBps' lat='2us' limiter_link='3GBps' "
       "sharing_policy='SHARED'/>\n"
       "<zone id='d' routing='Dijkstra'><host id='h0' speed='1Gf'/><host id='h1' speed='1Gf'/><host id='h2' "
       "speed='1Gf'/><router id='r'/>\n"
       "<link id='l0' bandwidth='1GBps' latency='10us'/><link id='l1' bandwidth='1.1GBps' latency='11us' "
       "sharing_policy='FATPIPE'/><link id='l2' bandwidth='1.2GBps' latency='12us' sharing_policy='SPLITDUPLEX'/><link "
       "id='lx' bandwidth='1.3GBps' latency='13us'/>\n"
       "<route src='h0' dst='r'><link_ctn id='l0'/></route><route src='h1' dst='r'><link_ctn id='l1'/></route><route "
       "src='r' dst='h2'><link_ctn id='l2' direction='DOWN'/></route><route src='h0' dst='h2' "
       "symmetrical='NO'><link_ctn "
       "id='lx'/></route><bypassRoute src='h1' dst='h0'><link_ctn id='lx'/></bypassRoute></zone>\n"
       "<zone id='e' routing='Cluster'><host id='s0' speed='1Gf'/><host id='s1' speed='1Gf'/><router id='er'/>\n"
       "<link id='e0' bandwidth='1GBps' latency='20us' sharing_policy='SPLITDUPLEX'/><link id='e1' bandwidth='1GBps' "
       "latency='21us'/><backbone id='ebb' bandwidth='9GBps' latency='1us'/>\n"
       "<host_link id='s0' up='e0_UP' down='e0_DOWN'/><host_link id='s1' up='e1' down='e1'/>\n"
       "<cabinet id='cab' prefix='cab' suffix='' radical='0-2' speed='1Gf' bw='1GBps' lat='22us'/></zone>\n"
       "<link id='w1' bandwidth='100MBps' latency='1ms'/><link id='w2' bandwidth='110MBps' latency='2ms' "
       "sharing_policy='SPLITDUPLEX'/><link id='w3' bandwidth='120MBps' latency='3ms'/>\n"
       "<zoneRoute src='a' dst='b' gw_src='aa_router.x.org' gw_dst='bb_router'><link_ctn id='w1'/></zoneRoute>\n"
       "<zoneRoute src='b' dst='d' gw_src='b1' gw_dst='r'><link_ctn id='w2' direction='UP'/></zoneRoute>\n"
       "<zoneRoute src='d' dst='e' gw_src='h0' gw_dst='er'><link_ctn id='w3'/></zoneRoute>\n</zone>\n"},
      {"zones in zones",
       "<zone id='g' routing='Full'>\n<zone id='i' routing='Full'>\n"
       "<cluster id='a' prefix='a' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>\n"
       "<cluster id='b' prefix='b' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>\n"
       "<link id='sw' bandwidth='3GBps' latency='4us'/>\n"
       "<zoneRoute src='a' dst='b' gw_src='aa_router' gw_dst='bb_router'><link_ctn id='sw'/></zoneRoute>\n</zone>\n"
       "<zone id='j' routing='Dijkstra'>\n"
       "<cluster id='c' prefix='c' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>\n"
       "<cluster id='d' prefix='d' suffix='' radical='0-1' speed='1Gf' bw='1GBps' lat='1us'/>\n"
       "<link id='sw2' bandwidth='3GBps' latency='5us'/>\n"
       "<zoneRoute src='c' dst='d' gw_src='cc_router' gw_dst='dd_router'><link_ctn id='sw2'/></zoneRoute>\n</zone>\n"
       "<link id='up' bandwidth='5GBps' latency='40us'/>\n"
       "<zoneRoute src='i' dst='j' gw_src='aa_router' gw_dst='dd_router'><link_ctn id='up'/></zoneRoute>\n</zone>\n"},
      {"torus",
       "<cluster id='c' prefix='n' suffix='' radical='0-29' speed='1Gf' bw='125MBps' lat='50us' topology='TORUS' "
       "topo_parameters='5,3,2' loopback_bw='100MBps' loopback_lat='1us'/>\n"},
      {"fat tree",
       "<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='125MBps' lat='50us' topology='FAT_TREE' "
       "topo_parameters='2;4,4;1,1;1,1' loopback_bw='100MBps' loopback_lat='0'/>\n"},
      {"dragonfly with bundles",
       "<cluster id='c' prefix='n' suffix='' radical='0-23' speed='1Gf' bw='125MBps' lat='50us' topology='DRAGONFLY' "
       "topo_parameters='3,4;1,1;4,2;2' loopback_bw='100MBps' loopback_lat='0'/>\n"},
      {"dragonfly of shared links",
       "<cluster id='c' prefix='n' suffix='' radical='0-11' speed='1Gf' bw='125MBps' lat='50us' topology='DRAGONFLY' "
       "topo_parameters='2,1;1,1;3,1;2' sharing_policy='SHARED' loopback_bw='100MBps'/>\n"},
      {"~dragonfly with chassis and bundles",
       "<cluster id='c' prefix='n' suffix='' radical='0-47' speed='1Gf' bw='125MBps' lat='50us' topology='DRAGONFLY' "
       "topo_parameters='3,4;2,3;4,2;2' loopback_bw='100MBps' loopback_lat='0'/>\n"},
      {"~torus with limiters",
       "<cluster id='c' prefix='n' suffix='' radical='0-23' speed='1Gf' bw='125MBps' lat='50us' topology='TORUS' "
       "topo_parameters='4,6' limiter_link='99MBps' loopback_bw='1GBps'/>\n"},
      {"~fat tree of several ways up",
       "<cluster id='c' prefix='n' suffix='' radical='0-23' speed='1Gf' bw='125MBps' lat='50us' topology='FAT_TREE' "
       "topo_parameters='3;2,3,4;1,2,2;1,2,3' limiter_link='99MBps' loopback_bw='1GBps'/>\n"},
      {"~dragonfly with limiters",
       "<cluster id='c' prefix='n' suffix='' radical='0-15' speed='1Gf' bw='125MBps' lat='50us' topology='DRAGONFLY' "
       "topo_parameters='2,1;1,1;4,1;2' limiter_link='99MBps' loopback_bw='1GBps'/>\n"},
  };
}

}  // namespace orrery::test
