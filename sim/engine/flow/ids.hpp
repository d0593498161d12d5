/// The numbers of the event core, as distinct types.
#pragma once

#include "sim/engine/ids.hpp"

namespace orrery::engine {

enum class ClassId : std::uint32_t {};  ///< all flows of one route and one cap
inline constexpr ClassId no_class{0xffffffffu};

/// A resource that some route has used, in order of first use. `ResourceId` numbers all resources of the platform.
enum class ResourceIndex : std::uint32_t {};
inline constexpr ResourceIndex no_index{0xffffffffu};

enum class Position : std::uint32_t {};  ///< of a class among the users of a resource
constexpr Position& operator++(Position& position) {
  return position = Position{static_cast<std::uint32_t>(position) + 1};
}

}  // namespace orrery::engine
