/// The overhead of frames for a message on a first-in-first-out network.
///
///   w(m) = m + H + h max(1, ceil((m + H) / f))    on the wire
///   s(m) = min(w(m), f + h)                       its last frame, which the switch has to have before it forwards it
///
///   f, h  Bytes  B  payload and header of a frame; f = 0: no frames
///   H     Bytes  B  header of a message
#pragma once

#include <algorithm>
#include <cmath>

#include "platforms/description.hpp"

namespace orrery {

inline Bytes bytes_on_wire(const ChannelProperties& channel, Bytes m) {
  m += channel.message_header;
  if (!(channel.frame.si() > 0.0)) return m;
  return m + std::max(1.0, std::ceil(m / channel.frame)) * channel.frame_header;
}

inline Bytes bytes_stored(const ChannelProperties& channel, Bytes m) {
  if (!(channel.frame.si() > 0.0)) return Bytes{};
  return std::min(bytes_on_wire(channel, m), channel.frame + channel.frame_header);
}

}  // namespace orrery
