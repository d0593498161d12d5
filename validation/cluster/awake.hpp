/// Keeps the processors of this machine awake while an object lives.
///
/// A processor with nothing to do halts, and a virtual one takes 30 to 50 us to come back: on an emulated cluster every
/// frame would wait for that twice, and no two times would be alike. One thread for each processor spins, of a class
/// that gives way to everything else (SCHED_IDLE).
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace orrery::cluster {

class AwakeProcessors {
 public:
  AwakeProcessors();
  ~AwakeProcessors();
  AwakeProcessors(const AwakeProcessors&) = delete;
  AwakeProcessors& operator=(const AwakeProcessors&) = delete;

 private:
  std::atomic<bool> stop_ = false;
  std::vector<std::thread> spinning_;  // libc++ 19 has std::jthread only as an experiment
};

}  // namespace orrery::cluster
