/// Handles output if standard streams are closed, full or gone.
#pragma once

namespace orrery::cli {

/// Call first. A file that grows beyond its limit (ulimit -f) becomes an error of write() and does not kill the
/// program. The number of a closed standard stream is reserved, so that no later file gets it. Writing to a closed
/// standard output then fails, and `standard_output_lost` reports it; messages on a closed standard error are dropped.
void keep_standard_streams();

/// Writes out the buffered rest; true if any of it could not be written, with errno set.
bool standard_output_lost();

}  // namespace orrery::cli
