#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/system/system.hpp"

namespace orrery::system {

namespace {

std::string& program() {
  static std::string path;
  return path;
}

std::string absolute(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? std::string() : real.string();
}

/// As a shell finds it: by its path, or in the folders of PATH.
std::string found(const std::string& name) {
  if (name.find('/') != std::string::npos) return absolute(name);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (::access(candidate.c_str(), X_OK) == 0) return absolute(candidate);
  }
  return {};
}

}  // namespace

void started_as(const char* name) { program() = name == nullptr ? "" : found(name); }

std::string program_path() { return program(); }

/// FNV-1a over the program's file.
std::string build_hash() {
  std::ifstream file(program(), std::ios::binary);
  if (!file) return {};
  std::uint64_t hash = 14695981039346656037u;
  for (std::string piece(1 << 16, '\0');
       file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0;)
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(piece[static_cast<std::size_t>(i)])) * 1099511628211u;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

void end_with_parent(int) {}

std::string network_filesystem(const std::string&) { return {}; }

unsigned terminal_columns(int) { return 0; }

FolderInUse::FolderInUse(const std::string&) {}
FolderInUse::~FolderInUse() = default;
bool FolderInUse::alone() const { return false; }

SignalStack::SignalStack() = default;
SignalStack::~SignalStack() = default;
int SignalStack::flag() { return 0; }

const char* preload_variable() { return nullptr; }

Urgent::Urgent() = default;
Urgent::~Urgent() = default;

}  // namespace orrery::system
