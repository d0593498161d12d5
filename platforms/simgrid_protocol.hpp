/// Private to the import of SimGrid platforms: SMPI's calibration, from <config> and by default, as keys of a protocol.
///
/// Source   SimGrid 3.32, src/smpi/internals/smpi_host.cpp (overheads), src/surf/network_smpi.cpp (factors)
/// Checked  tests/unit/platforms/simgrid_protocol_test.cpp, tests/replay/simgrid_platforms_test.cpp
#pragma once

#include <string>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

struct SimgridProtocol {
  std::string assumed;  ///< assumptions, as text
  /// The keys of a protocol, each as "key: value".
  std::vector<std::string> of_network, of_shared_memory;
};

/// `smpi_factors`: use SMPI's default factors if the file has none. Omissions go into the notes.
SimgridProtocol protocol_of(SimgridElements& elements, bool smpi_factors);

}  // namespace orrery
