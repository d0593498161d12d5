/// What opens a rendezvous message, in seconds of its delay (protocol.hpp).
#pragma once

namespace orrery::engine {

struct Handshake {
  double all = 0.0;      ///< s; an eager message has none
  double request = 0.0;  ///< s of these, which pass from the send on, whether its receive is posted or not
};

}  // namespace orrery::engine
