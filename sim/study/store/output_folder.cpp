#include "sim/study/store/output_folder.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "sim/config/files.hpp"
#include "sim/config/folders.hpp"
#include "sim/core/error.hpp"

namespace orrery::study {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view writing = ".writing-", complete = ".complete-";

/// What every run with results writes, and a run without a trace does not.
constexpr std::string_view trace_name = "trace.json", report_name = "report.html";

/// Whether the process that a folder set aside is named after still runs.
bool has_live_owner(std::string_view name, std::string_view prefix) {
  pid_t owner = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data() + prefix.size(), end, owner);
  return error == std::errc() && rest == end && owner > 0 && (::kill(owner, 0) == 0 || errno == EPERM);
}

/// Written by a run, not by `orrery calibrate` or a person.
bool is_of_a_run(const fs::path& file) {
  const std::string name = file.filename().string();
  if (name == trace_name) return true;
  if (!name.starts_with("parameters-") || !name.ends_with(".yaml")) return false;
  std::error_code failed;
  if (!fs::is_regular_file(fs::symlink_status(file, failed))) return false;
  std::ifstream text(file);
  std::string first;
  return std::getline(text, first) && first.find(parameters_comment) != std::string::npos;
}

/// A link is replaced, whatever it points to.
void refuse_unwritable(const fs::path& file) {
  constexpr auto any_write = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  std::error_code failed;
  const auto there = fs::symlink_status(file, failed);
  if (fs::is_symlink(there)) return;
  config::require_regular_if_there(file.string());
  if (fs::is_regular_file(there) && (there.permissions() & any_write) == fs::perms::none)
    throw InputError("{}: cannot be written (it is read-only). Choose another path with --out or -o?", file.string());
}

/// One file into its place, with the permissions of the one there. A link there is replaced, not followed: who may lay
/// one into the folder does not say which file of ours is written.
void move_in(const fs::path& from, const fs::path& to) {
  std::error_code failed;
  refuse_unwritable(to);
  const auto there = fs::symlink_status(to, failed);
  if (fs::is_regular_file(there)) fs::permissions(from, there.permissions(), failed);
  fs::rename(from, to, failed);
  if (failed)
    throw InputError("{}: cannot be written ({}). Choose another path with --out or -o?", to.string(),
                     failed.message());
}

/// Everything set aside into the folder, the report last.
void move_all(const fs::path& aside, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const fs::path& entry : config::entries_of(aside))
    if (entry.filename() != report_name) files.push_back(entry);
  if (fs::exists(aside / report_name, failed)) files.push_back(aside / report_name);
  for (const auto& file : files) move_in(file, folder / file.filename());
  fs::remove_all(aside, failed);
}

}  // namespace

OutputSet::OutputSet(std::string folder)
    : folder_(std::move(folder)), aside_(fmt::format("{}/{}{}", folder_, writing, ::getpid())) {
  std::error_code failed;
  fs::remove_all(aside_, failed);
  fs::create_directories(folder_, failed);
  if (!failed && ::mkdir(aside_.c_str(), 0777) != 0)  // not what someone else laid there
    failed = std::error_code(errno, std::generic_category());
  if (failed) throw InputError("--out: '{}' cannot be written ({}). Choose another folder?", folder_, failed.message());
}

OutputSet::~OutputSet() {
  std::error_code failed;
  fs::remove_all(aside_, failed);
}

void OutputSet::write(const std::string& name, const std::string& text) {
  config::write_file(aside_ + "/" + name, text);
  names_.insert(name);
}

void OutputSet::write(const std::string& name, const TextWriter& text) {
  config::write_file(aside_ + "/" + name, text);
  names_.insert(name);
}

void OutputSet::swap_in() {
  for (const auto& name : names_) refuse_unwritable(folder_ + "/" + name);
  const std::string whole = fmt::format("{}/{}{}", folder_, complete, ::getpid());
  std::error_code failed;
  fs::remove_all(whole, failed);
  fs::rename(aside_, whole, failed);
  if (failed) throw InputError("{}: cannot be written ({}). Try again?", folder_, failed.message());
  for (const fs::path& entry : config::entries_of(folder_))
    if (is_of_a_run(entry) && !names_.contains(entry.filename().string())) fs::remove(entry, failed);
  move_all(whole, folder_);
}

void finish_swap(const std::string& folder) {
  std::error_code failed;
  std::vector<fs::path> whole, halves;
  for (const fs::path& entry : config::entries_of(folder)) {
    if (!fs::is_directory(fs::symlink_status(entry, failed))) continue;  // a link to another folder is none of ours
    const std::string name = entry.filename().string();
    if (name.starts_with(complete) && !has_live_owner(name, complete)) whole.push_back(entry);
    if (name.starts_with(writing) && !has_live_owner(name, writing)) halves.push_back(entry);
  }
  for (const auto& half : halves) fs::remove_all(half, failed);
  for (const auto& aside : whole) move_all(aside, folder);
}

void require_writable(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && access(folder.c_str(), W_OK) != 0) failed = std::error_code(errno, std::generic_category());
  if (!failed && !config::is_folder(folder)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) throw InputError("--out: '{}' cannot be written ({}). Choose another folder?", folder, failed.message());
}

}  // namespace orrery::study
