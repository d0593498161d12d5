/// The handshake of a rendezvous message, in seconds of its delay (protocol.hpp).
#pragma once

namespace orrery::engine {

struct Handshake {
  double all = 0.0;      ///< s; an eager message has none
  double request = 0.0;  ///< s of these, counted from the send, whether its receive is posted or not
};

}  // namespace orrery::engine
