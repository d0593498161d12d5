/// Lists of hosts as launchers and batch systems write them, in a file or on the command line.
///
///   nid[001-004,7]                  Slurm: brackets, several of them in a name, several expressions with commas
///   n0:2                            MPICH's Hydra and smpirun: processes of a host
///   n0 slots=2 max_slots=4          Open MPI: the same, and a limit
///   rank 1=n0 slot=1:0-3            Open MPI's rankfile: the host of a rank, its socket and cores
///   n0 16 n1 16                     LSF (LSB_MCPU_HOSTS); with names alone (LSB_HOSTS) each is of a rank
///   n0                              PBS, Slurm's srun and others: a line for each rank, or for each node
///
/// "user@" before a name is passed over, '#' opens a comment, and names stay as they are: node_names.hpp finds theirs.
/// What cannot be done here (relative nodes as "+n1", cores of two sockets) is refused with its line.
///
/// Checked  tests/unit/platforms/host_files_test.cpp
#pragma once

#include <string>
#include <string_view>

#include "platforms/node_choice.hpp"

namespace orrery {

/// Whether a text is a table with a header that names 'node', 'xname' or 'allocation', and no list of hosts.
bool is_node_table(std::string_view text);

/// Whether one word may be a list of hosts: it names one with a number, or holds a bracket or a comma.
bool is_host_list(std::string_view text);

/// Adds the hosts of a text. Messages open with "file:line", or with `file` alone where that is a place already.
void add_hosts_of_file(std::string_view text, const std::string& file, NodeChoice& choice);
void add_hosts(std::string_view text, const std::string& where, NodeChoice& choice);

}  // namespace orrery
