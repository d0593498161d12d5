#include "validation/cluster/awake.hpp"

#include <pthread.h>
#include <sched.h>

#include <functional>

namespace orrery::cluster {

namespace {

void spin(const std::atomic<bool>& stop, int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  const sched_param none{};
  if (::pthread_setaffinity_np(::pthread_self(), sizeof only, &only) != 0 ||
      ::pthread_setschedparam(::pthread_self(), SCHED_IDLE, &none) != 0)
    return;  // would be in the way
  while (!stop.load(std::memory_order_relaxed)) {
  }
}

}  // namespace

AwakeProcessors::AwakeProcessors() {
  cpu_set_t ours;
  if (::sched_getaffinity(0, sizeof ours, &ours) != 0) return;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &ours)) spinning_.emplace_back(spin, std::cref(stop_), processor);
}

AwakeProcessors::~AwakeProcessors() {
  stop_ = true;
  for (std::thread& one : spinning_) one.join();
}

}  // namespace orrery::cluster
