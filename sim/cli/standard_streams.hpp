/// What happens to output when standard streams are closed, full or gone.
#pragma once

namespace orrery::cli {

/// Call first. A file that grows beyond its limit (ulimit -f) is an error of write() instead of the end. A closed standard stream is kept from becoming the number of the next file that is opened. Writing to a
/// closed standard output fails then, and `standard_output_lost` says so; messages on a closed standard error vanish.
void keep_standard_streams();

/// Writes out what is still buffered; true when any of it could not be written, with errno set.
bool standard_output_lost();

}  // namespace orrery::cli
