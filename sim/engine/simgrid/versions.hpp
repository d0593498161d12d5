/// SimGrid's headers, and the differences between its versions 3.32 and 4.1: a section for each. Only compatibility.cpp
/// includes this; CMake refuses versions outside that range at configuration.
#pragma once

// SimGrid's headers do not compile cleanly with our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
// clang-format off
#include <simgrid/s4u.hpp>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/version.h>
#include <xbt/log.h>  // redefines names that s4u.hpp uses: last
// clang-format on
#pragma GCC diagnostic pop

#include <string>

#if SIMGRID_VERSION < 33200 || SIMGRID_VERSION >= 40200
#error "orrery: SimGrid is neither 3.32 to 3.36 nor 4.0 or 4.1. What changed since belongs into this file"
#endif

namespace orrery::engine::simgrid {

using Zone = ::simgrid::kernel::routing::NetZoneImpl;

#if SIMGRID_VERSION < 40000

// 3.32 to 3.36: the first zone that is made is the root of the platform.
inline void enter_platform(Zone&) {}
inline ::simgrid::s4u::Host* add_host(Zone& zone, const std::string& name, double speed) {
  return zone.create_host(name, {speed});
}
inline ::simgrid::s4u::Link* add_link(Zone& zone, const std::string& name, double bandwidth) {
  return zone.create_link(name, {bandwidth});
}

#else

// 4.0 and 4.1: the engine has a root already, whose models the zones below it take.
inline void enter_platform(Zone& zone) {
  zone.set_parent(::simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl());
}
inline ::simgrid::s4u::Host* add_host(Zone& zone, const std::string& name, double speed) {
  return zone.add_host(name, {speed});
}
inline ::simgrid::s4u::Link* add_link(Zone& zone, const std::string& name, double bandwidth) {
  return zone.add_link(name, {bandwidth});
}

#endif

}  // namespace orrery::engine::simgrid
