/// What real messages carry, so that each byte can be told to have come from the right rank to the right place.
///
///   byte i of a message of tag t from r to s  =  byte i mod 8 of mix(r, s, t, i div 8)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace orrery::mpi {

struct Address {
  std::uint32_t from = 0, to = 0, tag = 0;
};

void write_payload(std::span<unsigned char> message, const Address& address);
/// The first byte that is not as written; nothing when all are.
std::optional<std::size_t> first_wrong_byte(std::span<const unsigned char> message, const Address& address);

}  // namespace orrery::mpi
