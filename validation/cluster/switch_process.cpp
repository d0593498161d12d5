#include "validation/cluster/switch_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"
#include "validation/cluster/namespace.hpp"

namespace orrery::cluster {

namespace {

constexpr std::size_t frame_max = 65536, header = 14;
constexpr double statistics_every_s = 1.0;

double now_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A switch that is late makes every message late.
void take_priority() {
  prctl(PR_SET_TIMERSLACK, 1);
  ::mlockall(MCL_CURRENT | MCL_FUTURE);
  sched_param priority{};
  priority.sched_priority = 50;
  ::sched_setscheduler(0, SCHED_FIFO, &priority);
}

ino_t inode_of(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

/// Every process in these namespaces, but this one.
std::vector<pid_t> inhabitants(const std::set<ino_t>& spaces) {
  std::vector<pid_t> found;
  for (const auto& entry : config::entries_of("/proc")) {
    const std::string name = entry.filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    if (pid != ::getpid() && spaces.contains(inode_of(entry.string() + "/ns/net"))) found.push_back(pid);
  }
  return found;
}

void end_inhabitants(const std::set<ino_t>& spaces) {
  for (const int signal : {SIGTERM, SIGKILL, SIGKILL}) {
    const auto left = inhabitants(spaces);
    if (left.empty()) return;
    for (const pid_t pid : left) ::kill(pid, signal);
    ::usleep(200'000);
  }
}

}  // namespace

struct SwitchProcess::Parts {
  std::vector<NodeNamespace> nodes;
  Switch wires;
  SwitchStatistics statistics;
  double lateness_sum_s = 0.0;
  std::vector<unsigned char> buffer = std::vector<unsigned char>(frame_max);

  explicit Parts(const Plan& plan)
      : wires([&] {
          std::vector<Port> ports;
          for (const auto& node : plan.nodes) ports.push_back(node.port);
          return ports;
        }()) {
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) nodes.push_back(make_namespace(i, plan.nodes.size()));
  }

  void read_frames(std::size_t from) {
    while (true) {
      const ssize_t size = ::read(nodes[from].adapter.get(), buffer.data(), buffer.size());
      if (size < static_cast<ssize_t>(header)) return;
      const std::size_t to = std::size_t{buffer[5]} - 1;  // the last byte of the receiver's MAC address
      if ((buffer[0] & 1) != 0 || to >= nodes.size()) continue;
      wires.enter(from, to, Frame(buffer.begin(), buffer.begin() + size), now_s());
    }
  }

  void deliver_due() {
    wires.advance(now_s(), [this](std::size_t to, const Frame& frame, double due_s) {
      const double late_s = now_s() - due_s;
      if (::write(nodes[to].adapter.get(), frame.data(), frame.size()) < 0) return;
      ++statistics.frames;
      statistics.bytes += frame.size();
      lateness_sum_s += late_s;
      statistics.greatest_lateness_s = std::max(statistics.greatest_lateness_s, late_s);
    });
  }

  void write_statistics(const std::string& file) {
    statistics.dropped = wires.dropped();
    if (statistics.frames > 0) statistics.mean_lateness_s = lateness_sum_s / static_cast<double>(statistics.frames);
    try {
      config::write_file(file, text_of(statistics));
    } catch (const InputError&) {  // a full disk: frames matter more
    }
  }
};

SwitchProcess::SwitchProcess(const Plan& plan) : parts_(new Parts(plan)) {}
SwitchProcess::~SwitchProcess() { delete parts_; }

std::vector<int> SwitchProcess::spaces() const {
  std::vector<int> numbers;
  for (const auto& node : parts_->nodes) numbers.push_back(node.space.get());
  return numbers;
}

void SwitchProcess::run(const std::string& statistics_file) {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigprocmask(SIG_BLOCK, &ending, nullptr);
  const Descriptor signals(::signalfd(-1, &ending, SFD_CLOEXEC));
  take_priority();
  std::vector<pollfd> watched{{signals.get(), POLLIN, 0}};
  for (const auto& node : parts_->nodes) watched.push_back({node.adapter.get(), POLLIN, 0});
  std::uint64_t written = 0;
  double written_at_s = now_s();
  while ((watched[0].revents & POLLIN) == 0) {
    const double wait_s = std::clamp(parts_->wires.next_s() - now_s(), 0.0, statistics_every_s);
    const timespec timeout{static_cast<time_t>(wait_s), static_cast<long>((wait_s - std::floor(wait_s)) * 1e9)};
    for (auto& one : watched) one.revents = 0;
    ::ppoll(watched.data(), watched.size(), &timeout, nullptr);
    for (std::size_t i = 1; i < watched.size(); ++i)
      if ((watched[i].revents & POLLIN) != 0) parts_->read_frames(i - 1);
    parts_->deliver_due();
    if (parts_->statistics.frames != written && now_s() - written_at_s > statistics_every_s) {
      parts_->write_statistics(statistics_file);
      written = parts_->statistics.frames;
      written_at_s = now_s();
    }
  }
  std::set<ino_t> spaces;
  for (const int space : this->spaces()) spaces.insert(inode_of(fmt::format("/proc/self/fd/{}", space)));
  end_inhabitants(spaces);
}

std::string text_of(const SwitchStatistics& s) {
  return fmt::format("{} {} {} {} {}\n", s.frames, s.bytes, s.dropped, s.mean_lateness_s, s.greatest_lateness_s);
}

SwitchStatistics read_statistics(const std::string& file) {
  SwitchStatistics s;
  if (!config::is_there(file)) return s;
  const std::string text = config::read_file(file);
  unsigned long long frames = 0, bytes = 0, dropped = 0;
  if (std::sscanf(text.c_str(), "%llu %llu %llu %lf %lf", &frames, &bytes, &dropped, &s.mean_lateness_s,
                  &s.greatest_lateness_s) == 5)
    s.frames = frames, s.bytes = bytes, s.dropped = dropped;
  return s;
}

}  // namespace orrery::cluster
