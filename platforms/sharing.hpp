/// The parts of a network that are not shared like full-duplex cables, and the features that exclude these.
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

/// Limit of sending and receiving together; 0: only each direction has a limit.
BytesPerSecond limit_both_ways(const Adapter& adapter);
/// Bandwidth of an adapter of the network in each direction while both are full.
BytesPerSecond bandwidth_both_full(const Network& network);

/// The file's setting, for messages: "'sharing' of links is half-duplex". Empty if everything is full-duplex.
std::string shared_words(const Network& network);
/// The settings that limit each message separately. Empty if there are none.
std::string alone_words(const Network& network);

/// All of these settings for people: "medium 'bus': 10 Mb/s for all that passes it".
std::vector<std::string> sharing_facts(const Network& network);

/// Throws InputError for features that engines do not support together with these settings.
void require_playable(const config::Section& section, const Network& network);

}  // namespace orrery
