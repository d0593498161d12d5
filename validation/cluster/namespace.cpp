#include "validation/cluster/namespace.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "sim/core/error.hpp"
#include "validation/cluster/plan.hpp"

namespace orrery::cluster {

namespace {

constexpr std::uint32_t initial_window = 2000;  ///< segments: no slow start, as between nodes that have talked for long

[[noreturn]] void call_failed(const std::string& doing) {
  throw ReplayError("cluster: cannot {}: {}", doing, std::strerror(errno));
}

Descriptor opened(const char* path, int flags) {
  Descriptor file(::open(path, flags | O_CLOEXEC));
  if (file.get() < 0) call_failed(fmt::format("open {}", path));
  return file;
}

/// Of this process's network namespace. One that the kernel does not have keeps its default.
void set_kernel(const char* name, std::string_view value) {
  const Descriptor file(::open(fmt::format("/proc/sys/net/{}", name).c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() >= 0 && ::write(file.get(), value.data(), value.size()) < 0) return;
}

std::array<unsigned char, 6> mac_of(std::size_t node) {
  return {2, 0x0a, 0x6f, 0, 0, static_cast<unsigned char>(node + 1)};
}

sockaddr socket_address(const char* address) {
  sockaddr_in internet{};
  internet.sin_family = AF_INET;
  inet_pton(AF_INET, address, &internet.sin_addr);
  sockaddr plain{};
  std::memcpy(&plain, &internet, sizeof plain);
  return plain;
}

ifreq request_for(const char* name) {
  ifreq request{};
  std::strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  return request;
}

void bring_up(int socket, const char* name) {
  ifreq request = request_for(name);
  if (::ioctl(socket, SIOCGIFFLAGS, &request) < 0) call_failed(fmt::format("look at {}", name));
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP | IFF_RUNNING);
  if (::ioctl(socket, SIOCSIFFLAGS, &request) < 0) call_failed(fmt::format("bring {} up", name));
}

Descriptor tap(int socket, std::size_t number) {
  Descriptor device = opened("/dev/net/tun", O_RDWR | O_NONBLOCK);
  ifreq request = request_for(adapter_name);
  request.ifr_flags = IFF_TAP | IFF_NO_PI;
  if (::ioctl(device.get(), TUNSETIFF, &request) < 0) call_failed("make a TAP device");
  request = request_for(adapter_name);
  const auto mac = mac_of(number);
  request.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  std::memcpy(request.ifr_hwaddr.sa_data, mac.data(), mac.size());
  if (::ioctl(socket, SIOCSIFHWADDR, &request) < 0) call_failed("set a MAC address");
  request = request_for(adapter_name);
  request.ifr_qlen = 100'000;  // the sender's queue is the uplink's, and that drops nothing
  if (::ioctl(socket, SIOCSIFTXQLEN, &request) < 0) call_failed("lengthen the queue of an adapter");
  return device;
}

void set_address(int socket, std::size_t number) {
  ifreq request = request_for(adapter_name);
  request.ifr_addr = socket_address(address_of(number).c_str());
  if (::ioctl(socket, SIOCSIFADDR, &request) < 0) call_failed("set an address");
  request.ifr_netmask = socket_address("255.255.0.0");
  if (::ioctl(socket, SIOCSIFNETMASK, &request) < 0) call_failed("set a network mask");
}

/// Everyone knows everyone: no time goes into asking.
void know(int socket, std::size_t number, std::size_t nodes) {
  for (std::size_t other = 0; other < nodes; ++other) {
    if (other == number) continue;
    arpreq entry{};
    entry.arp_pa = socket_address(address_of(other).c_str());
    const auto mac = mac_of(other);
    entry.arp_ha.sa_family = ARPHRD_ETHER;
    std::memcpy(entry.arp_ha.sa_data, mac.data(), mac.size());
    entry.arp_flags = ATF_PERM | ATF_COM;
    std::strncpy(entry.arp_dev, adapter_name, sizeof entry.arp_dev - 1);
    if (::ioctl(socket, SIOCSARP, &entry) < 0) call_failed("set a neighbour's address");
  }
}

/// The route to the other nodes with initial windows that let every message go out at once (rtnetlink(7)).
void open_windows() {
  struct {
    nlmsghdr header;
    rtmsg route;
    unsigned char attributes[128];
  } request{};
  request.header.nlmsg_len = NLMSG_LENGTH(sizeof(rtmsg));
  request.header.nlmsg_type = RTM_NEWROUTE;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK;
  request.route.rtm_family = AF_INET;
  request.route.rtm_dst_len = 16;
  request.route.rtm_table = RT_TABLE_MAIN;
  request.route.rtm_protocol = RTPROT_KERNEL;
  request.route.rtm_scope = RT_SCOPE_LINK;
  request.route.rtm_type = RTN_UNICAST;
  const auto add = [&](unsigned short type, const void* data, std::size_t size) {
    auto* attribute =
        reinterpret_cast<rtattr*>(reinterpret_cast<char*>(&request) + NLMSG_ALIGN(request.header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = static_cast<unsigned short>(RTA_LENGTH(size));
    std::memcpy(RTA_DATA(attribute), data, size);
    request.header.nlmsg_len =
        static_cast<unsigned>(NLMSG_ALIGN(request.header.nlmsg_len) + RTA_ALIGN(attribute->rta_len));
  };
  in_addr network{};
  inet_pton(AF_INET, "10.111.0.0", &network);
  const unsigned adapter = if_nametoindex(adapter_name);
  add(RTA_DST, &network, sizeof network);
  add(RTA_OIF, &adapter, sizeof adapter);
  struct {
    rtattr head;
    std::uint32_t value;
  } metrics[2] = {{{sizeof metrics[0], RTAX_INITCWND}, initial_window},
                  {{sizeof metrics[1], RTAX_INITRWND}, initial_window}};
  add(RTA_METRICS, metrics, sizeof metrics);
  const Descriptor socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (socket.get() < 0 || ::send(socket.get(), &request, request.header.nlmsg_len, 0) < 0) call_failed("set a route");
  struct {
    nlmsghdr header;
    nlmsgerr error;
    unsigned char more[256];
  } answer{};
  if (::recv(socket.get(), &answer, sizeof answer, 0) < 0) call_failed("set a route");
  if (answer.header.nlmsg_type == NLMSG_ERROR && answer.error.error != 0) {
    errno = -answer.error.error;
    call_failed("set a route with initial windows");
  }
}

/// TCP as on a cluster: windows that messages fit into, no memory of old connections, no slow start after a pause.
void set_tcp() {
  set_kernel("ipv6/conf/all/disable_ipv6", "1");
  set_kernel("ipv6/conf/default/disable_ipv6", "1");
  set_kernel("ipv4/tcp_congestion_control", "reno");
  set_kernel("ipv4/tcp_slow_start_after_idle", "0");
  set_kernel("ipv4/tcp_no_metrics_save", "1");
  set_kernel("ipv4/tcp_rmem", "4096 8388608 16777216");
  set_kernel("ipv4/tcp_wmem", "4096 8388608 16777216");
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

NodeNamespace make_namespace(std::size_t number, std::size_t nodes) {
  const Descriptor home = opened("/proc/self/ns/net", O_RDONLY);
  if (::unshare(CLONE_NEWNET) < 0) call_failed("make a network namespace");
  struct Return {
    int to;
    ~Return() { ::setns(to, CLONE_NEWNET); }
  } back{home.get()};
  set_tcp();
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) call_failed("make a socket");
  bring_up(socket.get(), "lo");
  NodeNamespace made;
  made.adapter = tap(socket.get(), number);
  set_address(socket.get(), number);
  bring_up(socket.get(), adapter_name);
  know(socket.get(), number, nodes);
  open_windows();
  made.space = opened("/proc/self/ns/net", O_RDONLY);
  return made;
}

std::string why_not_permitted() {
  if (::geteuid() != 0) return "network namespaces need root";
  // All that a node needs is tried, in a process of its own.
  int said[2];
  if (::pipe2(said, O_CLOEXEC) < 0) call_failed("make a pipe");
  const pid_t child = ::fork();
  if (child < 0) call_failed("start a process");
  if (child == 0) {
    std::string problem;
    try {
      make_namespace(0, 2);
      if (::unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC) < 0) call_failed("make namespaces of mounts and names");
      if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) < 0) call_failed("keep mounts to a node");
    } catch (const Error& error) {
      problem = error.what();
    }
    ::_exit(::write(said[1], problem.data(), problem.size()) < 0 ? 1 : 0);
  }
  ::close(said[1]);
  std::string reason;
  char part[256];
  for (ssize_t size; (size = ::read(said[0], part, sizeof part)) > 0;)
    reason.append(part, static_cast<std::size_t>(size));
  ::close(said[0]);
  ::waitpid(child, nullptr, 0);
  return reason;
}

}  // namespace orrery::cluster
