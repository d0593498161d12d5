/// The third number of the shape of a `Work::fresh_buffer` step. The first number is the size of the longest buffer,
/// the second the size of the vector of the whole collective.
#pragma once

namespace orrery {

struct FreshBuffer {
  static constexpr double one = 0.0;      ///< buffers that are allocated together
  static constexpr double several = 1.0;  ///< the same, if they total at least twice the longest
  static constexpr double block = 2.0;    ///< one more block of a buffer is sent, next to the last one
};

}  // namespace orrery
