#include "validation/mpi/payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace orrery::mpi {

namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

/// splitmix64 over the parts of the address.
std::uint64_t mix(const Address& address, std::size_t block) {
  std::uint64_t x = (std::uint64_t{address.from} << 32 | address.to) + 0x9e3779b97f4a7c15ull * (block + 1);
  x ^= std::uint64_t{address.tag} << 17;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace

void write_payload(std::span<unsigned char> message, const Address& address) {
  for (std::size_t at = 0; at < message.size(); at += word) {
    const std::uint64_t block = mix(address, at / word);
    std::memcpy(message.data() + at, &block, std::min(word, message.size() - at));
  }
}

std::optional<std::size_t> first_wrong_byte(std::span<const unsigned char> message, const Address& address) {
  for (std::size_t at = 0; at < message.size(); at += word) {
    const std::size_t length = std::min(word, message.size() - at);
    std::array<unsigned char, word> expected{};
    const std::uint64_t block = mix(address, at / word);
    std::memcpy(expected.data(), &block, word);
    for (std::size_t i = 0; i < length; ++i)
      if (message[at + i] != expected[i]) return at + i;
  }
  return std::nullopt;
}

}  // namespace orrery::mpi
