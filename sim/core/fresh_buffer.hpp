/// What a step of `Work::fresh_buffer` is about: the third number of its shape. The first is the longest buffer, the
/// second the vector of the whole collective.
#pragma once

namespace orrery {

struct FreshBuffer {
  static constexpr double one = 0.0;      ///< buffers that are allocated together
  static constexpr double several = 1.0;  ///< the same, at least twice as long together as the longest
  static constexpr double block = 2.0;    ///< one more block of a buffer is sent, beside the one sent last
};

}  // namespace orrery
