// Compressed, binary and office files: what they open with.
#include "sim/config/formats/format_kinds.hpp"
#include "sim/config/formats/text_sample.hpp"

namespace orrery::config {

namespace packed_seen {

namespace {

using namespace std::string_view_literals;

bool opens(const TextSample& text, std::string_view magic) { return text.bytes().starts_with(magic); }

/// A message as protobuf writes it, its length before it: one field, the version of the schema ("0.0.4").
std::uint32_t chakra(const TextSample& text) {
  const std::string_view bytes = text.bytes();
  if (bytes.size() < 6 || bytes[1] != '\x0a') return 0;
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(bytes[2]));
  if (length < 3 || length > 16 || static_cast<unsigned char>(bytes[0]) != length + 2 || bytes.size() < 3 + length)
    return 0;
  const std::string_view version = bytes.substr(3, length);
  const bool numbers = version.find_first_not_of("0123456789.") == std::string_view::npos;
  return numbers && version.find('.') != std::string_view::npos ? 1 : 0;
}

/// 'GOAL' as a number of four bytes, behind a version or at the very beginning.
std::uint32_t goal_binary(const TextSample& text) {
  const std::string_view head = text.bytes().substr(0, 8);
  return head.substr(0, 4) == "LAOG" || (head.size() == 8 && head.substr(4) == "LAOG") ||
                 (text.binary() && head.find("GOAL") != std::string_view::npos)
             ? 1
             : 0;
}

std::uint32_t html(const TextSample& text) {
  const std::string_view bytes = text.bytes();
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return 0;
  const std::string_view at = bytes.substr(first);
  return begins_same(at, "<!doctype html") || begins_same(at, "<html") ? 1 : 0;
}

constexpr FileFormat formats[] = {
    {"gzip", "compressed by gzip", "Unpack it with 'gunzip -k FILE'",
     [](const TextSample& t) { return opens(t, "\x1f\x8b"sv) ? 1u : 0u; }},
    {"xz", "compressed by xz", "Unpack it with 'unxz -k FILE'",
     [](const TextSample& t) { return opens(t, "\xfd" "7zXZ"sv) ? 1u : 0u; }},
    {"bzip2", "compressed by bzip2", "Unpack it with 'bunzip2 -k FILE'",
     [](const TextSample& t) { return opens(t, "BZh"sv) && t.bytes().substr(4, 6) == "1AY&SY" ? 1u : 0u; }},
    {"zstd", "compressed by zstd", "Unpack it with 'unzstd FILE'",
     [](const TextSample& t) { return opens(t, "\x28\xb5\x2f\xfd"sv) ? 1u : 0u; }},
    {"zip", "a ZIP archive or an office document", "Unpack it, or save it as text",
     [](const TextSample& t) { return opens(t, "PK\x03\x04"sv) ? 1u : 0u; }},
    {"utf-16", "a text in UTF-16", "Write it again with 'iconv -f UTF-16 -t UTF-8 FILE'",
     [](const TextSample& t) { return opens(t, "\xff\xfe"sv) || opens(t, "\xfe\xff"sv) ? 1u : 0u; }},
    {"pdf", "a PDF document", "Save what it shows as text",
     [](const TextSample& t) { return opens(t, "%PDF-"sv) ? 1u : 0u; }},
    {"sqlite", "a database of SQLite", "Name the folder of a run, if it is its points.sqlite",
     [](const TextSample& t) { return opens(t, "SQLite format 3\0"sv) ? 1u : 0u; }},
    {"elf", "a compiled program", "Record what it does with 'orrery record -o FOLDER -- mpirun -n 4 FILE'",
     [](const TextSample& t) { return opens(t, "\x7f" "ELF"sv) ? 1u : 0u; }},
    {"html", "a web page", "Save the file that it links to", html},
    {"chakra", "a Chakra execution trace (protobuf)",
     "Nothing here reads it yet: simulate such a step with kernel 'training-step', as docs/training.md shows", chakra},
    {"goal-binary", "a GOAL schedule in the binary form of txt2bin",
     "Give the text that 'txt2bin' made it of: 'orrery import schedule.goal -o schedule.ti'", goal_binary},
    {"binary", "a binary file of no format that is known", "Is it another file",
     [](const TextSample& t) { return t.binary() ? 1u : 0u; }},
};

}  // namespace

}  // namespace packed_seen

std::span<const FileFormat> packed_formats() { return packed_seen::formats; }

}  // namespace orrery::config
