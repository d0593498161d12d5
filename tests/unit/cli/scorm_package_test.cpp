#include "sim/cli/scorm_package.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "sim/cli/zip_archive.hpp"

using namespace orrery::cli;

namespace {

std::uint64_t number(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes.at(at + static_cast<std::size_t>(i)));
  return value;
}

/// The first file of an archive, by its header.
std::string first_file(const std::string& zip) {
  CHECK(number(zip, 0, 4) == 0x04034b50);
  CHECK(number(zip, 18, 4) == number(zip, 22, 4));
  const std::string text = zip.substr(30 + number(zip, 26, 2), number(zip, 22, 4));
  CHECK(crc_32(text) == number(zip, 14, 4));
  return text;
}

}  // namespace

TEST_SUITE("app/scorm") {
  TEST_CASE("An archive's files unpack to what was packed and its directory says where they are") {
    const std::string text(100'000, 'a'), zip = zip_archive({{"a.txt", text}, {"b/c.txt", ""}});
    CHECK(crc_32("123456789") == 0xcbf43926u);  // the check value of the standard
    CHECK(first_file(zip) == text);
    const std::size_t end = zip.size() - 22, directory = number(zip, end + 16, 4);
    CHECK(number(zip, end, 4) == 0x06054b50);
    CHECK(number(zip, end + 10, 2) == 2);
    CHECK(directory + number(zip, end + 12, 4) == end);
    CHECK(number(zip, directory, 4) == 0x02014b50);
    CHECK(number(zip, directory + 42, 4) == 0);  // where the first file begins
    CHECK(zip.substr(directory + 46, 5) == "a.txt");
    CHECK(zip_archive({{"a.txt", text}}) == zip_archive({{"a.txt", text}}));
  }
  TEST_CASE("A package's manifest comes first and its title is XML") {
    const std::string manifest = first_file(scorm_package("mine", "a < b & \"c\"", "<html>"));
    CHECK(manifest.find("<title>a &lt; b &amp; &quot;c&quot;</title>") != std::string::npos);
    CHECK(manifest.find("identifier=\"orrery-lab-mine\"") != std::string::npos);
    const std::string named = first_file(scorm_package("my <lab> 1 & 2", "t", "<html>"));
    CHECK(named.find("identifier=\"orrery-lab-my--lab--1---2\"") != std::string::npos);
    CHECK(manifest.find("<schemaversion>1.2</schemaversion>") != std::string::npos);
  }
}
