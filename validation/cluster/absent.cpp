/// In the place of the emulated cluster where the system has no network namespaces.
#include "sim/core/error.hpp"
#include "validation/cluster/cluster.hpp"
#include "validation/cluster/namespace.hpp"

namespace orrery::cluster {

namespace {

constexpr char reason[] =
    "cluster: not on this system: emulated clusters are made of Linux network namespaces. Use Linux?";

}  // namespace

std::string why_not_permitted() { return reason; }

std::vector<Running> running() { return {}; }

Running named(const std::string&) { throw Skipped(reason); }

Running up(const Plan&, bool) { throw Skipped(reason); }

void down(const Running&) { throw Skipped(reason); }

int run_on(const Running&, const std::vector<std::string>&, const std::string&) { throw Skipped(reason); }

void enter(const Running&, const std::string&, const std::vector<std::string>&, bool) { throw Skipped(reason); }

std::string Running::file(const std::string&) const { return {}; }

SwitchStatistics read_statistics(const std::string&) { return {}; }

}  // namespace orrery::cluster
