/// Keeps the processors of this machine awake while an object lives.
///
/// A processor with nothing to do halts, and a virtual one takes 30 to 50 us to come back: on an emulated cluster every
/// frame would wait for that twice, and no two times would be alike. One thread for each processor spins, of a class
/// that gives way to everything else (SCHED_IDLE).
#pragma once

#include <thread>
#include <vector>

namespace orrery::cluster {

class AwakeProcessors {
 public:
  AwakeProcessors();

 private:
  std::vector<std::jthread> spinning_;
};

}  // namespace orrery::cluster
