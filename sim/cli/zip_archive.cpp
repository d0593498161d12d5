#include "sim/cli/zip_archive.hpp"

#include <array>

namespace orrery::cli {

namespace {

void put(std::string& into, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) into += static_cast<char>((value >> (8 * i)) & 0xff);
}

/// What stands before a file's bytes and again in the directory, but for their first and last fields.
std::string description(const std::string& name, const std::string& text) {
  constexpr std::uint64_t needs = 10, no_flags = 0, as_it_is = 0, midnight = 0, first_of_1980 = (1 << 5) | 1;
  std::string made;
  for (const std::uint64_t value : {needs, no_flags, as_it_is, midnight, first_of_1980}) put(made, value, 2);
  put(made, crc_32(text), 4);
  put(made, text.size(), 4);
  put(made, text.size(), 4);
  put(made, name.size(), 2);
  put(made, 0, 2);  // no extra fields
  return made;
}

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ (rest & 1 ? 0xedb88320u : 0u);
    table[byte] = rest;
  }
  return table;
}

}  // namespace

std::uint32_t crc_32(std::string_view text) {
  static constexpr auto table = crc_table();
  std::uint32_t rest = 0xffffffffu;
  for (const char letter : text) rest = table[(rest ^ static_cast<unsigned char>(letter)) & 0xff] ^ (rest >> 8);
  return ~rest;
}

std::string zip_archive(const std::vector<std::pair<std::string, std::string>>& files) {
  constexpr std::uint64_t file_mark = 0x04034b50, directory_mark = 0x02014b50, end_mark = 0x06054b50, made_by = 10;
  std::string archive, directory;
  for (const auto& [name, text] : files) {
    const std::string about = description(name, text);
    put(directory, directory_mark, 4);
    put(directory, made_by, 2);
    directory += about;
    put(directory, 0, 6);  // no comment, disk 0, no attributes inside
    put(directory, 0, 4);  // nor outside
    put(directory, archive.size(), 4);
    directory += name;
    put(archive, file_mark, 4);
    archive += about + name + text;
  }
  const std::size_t begin = archive.size();
  archive += directory;
  put(archive, end_mark, 4);
  put(archive, 0, 4);
  put(archive, files.size(), 2);
  put(archive, files.size(), 2);
  put(archive, directory.size(), 4);
  put(archive, begin, 4);
  put(archive, 0, 2);
  return archive;
}

}  // namespace orrery::cli
