/// Lists of hosts in the formats of launchers and batch systems, in a file or on the command line.
///
///   nid[001-004,7]                  Slurm: brackets, several of them in a name, several expressions with commas
///   n0:2                            MPICH's Hydra and smpirun: processes of a host
///   n0 slots=2 max_slots=4          Open MPI: the same, and a limit
///   rank 1=n0 slot=1:0-3            Open MPI's rankfile: the host of a rank, its socket and cores
///   n0 16 n1 16                     LSF (LSB_MCPU_HOSTS); with names alone (LSB_HOSTS) each is of a rank
///   n0                              PBS, Slurm's srun and others: a line for each rank, or for each node
///
/// "user@" before a name is ignored, '#' begins a comment, and names stay unchanged: node_names.hpp finds their nodes.
/// Unsupported features (relative nodes such as "+n1", cores of two sockets) are refused with their line.
///
/// Checked  tests/unit/platforms/host_files_test.cpp
#pragma once

#include <string>
#include <string_view>

#include "platforms/node_choice.hpp"

namespace orrery {

/// Whether a text is a table with a header that names 'node', 'xname' or 'allocation', and not a list of hosts.
bool is_node_table(std::string_view text);

/// Whether one word may be a list of hosts: it contains a name with a number, a bracket or a comma.
bool is_host_list(std::string_view text);

/// Adds the hosts of a text. Messages begin with "file:line", or only with `file` if that is already a place.
void add_hosts_of_file(std::string_view text, const std::string& file, NodeChoice& choice);
void add_hosts(std::string_view text, const std::string& where, NodeChoice& choice);

}  // namespace orrery
