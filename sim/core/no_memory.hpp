/// What is said where std::bad_alloc ends a run; it ends as a ReplayError does.
#pragma once

namespace orrery {

inline constexpr const char* no_memory =
    "this machine has not enough memory left. Fewer ranks or messages, or --jobs 1?";

}  // namespace orrery
