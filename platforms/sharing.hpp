/// What of a network is not shared as full-duplex cables are, and with what that does not go together.
///
/// Checked  tests/unit/platforms/sharing_test.cpp
#pragma once

#include <string>
#include <vector>

#include "platforms/description.hpp"

namespace orrery {

namespace config {
class Section;
}  // namespace config

/// Of what the adapter sends and receives together; 0: no limit but that of each direction.
BytesPerSecond limit_both_ways(const Adapter& adapter);
/// What an adapter of the network carries in each direction while both are full.
BytesPerSecond bandwidth_both_full(const Network& network);

/// What a file says of it, for messages: "'sharing' of links is half-duplex". Empty where all is full-duplex.
std::string shared_words(const Network& network);
/// Of what limits each message alone. Empty where nothing does.
std::string alone_words(const Network& network);

/// All of it for people: "medium 'bus': 10 Mb/s for all that passes it".
std::vector<std::string> sharing_facts(const Network& network);

/// Throws InputError for what engines do not play together with it.
void require_playable(const config::Section& section, const Network& network);

}  // namespace orrery
