/// Identifiers: distinct types, so that a rank is never taken for a node.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orrery {

enum class Rank : std::uint32_t {};    ///< one process of the program
enum class NodeId : std::uint32_t {};  ///< one box of the cluster, numbered over the whole platform
enum class HostId : std::uint32_t {};  ///< one computing resource: a CPU socket or a GPU, over the whole platform
enum class LinkId : std::uint32_t {};  ///< one shared network resource
enum class Tag : std::uint32_t {};     ///< MPI tag
enum class Communicator : std::uint32_t {};

inline constexpr Rank any_rank{0xffffffffu};  ///< MPI_ANY_SOURCE
inline constexpr Tag any_tag{0xffffffffu};    ///< MPI_ANY_TAG
inline constexpr Communicator world{0};       ///< MPI_COMM_WORLD

template <class Id>
requires(__is_enum(Id)) constexpr std::size_t index(Id id) { return static_cast<std::size_t>(id); }

}  // namespace orrery
