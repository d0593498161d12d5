/// The finished simulations and predictions of one output folder: what a run that stops, or is killed, has not lost.
///
///   ResultStore store(ResultStore::file_in("out"));
///   store.keep({point.id, "flow"}, engine::to_bytes(result));
///   if (const auto bytes = store.find({point.id, "flow"})) ...
///
/// One SQLite file, `points.sqlite`. A result is addressed by what it is made from - the hash of the point's inputs,
/// what was done with it, and the build of Orrery that did it - so any number of processes may write at the same time,
/// and stores of several machines can be merged row by row. Every row carries a checksum of its key, its place and its
/// bytes: a row that does not agree with it is not there, for whoever asks.
///
/// A file that is no store of ours, or a damaged one, is set aside under another name and a new one begun; `notices`
/// say so. When the disk does not take a result any more, it is kept in memory and `notices` say that.
///
/// Source   SQLite, "Write-Ahead Logging" (sqlite.org/wal.html): a process that is killed loses no committed row; a power
///          cut may cost the last ones. On filesystems that allow no such log: store_file.hpp
/// Valid    processes of one machine share a file; on several machines each has a file of its own
/// Checked  tests/unit/study/result_store_test.cpp, tests/cli/resume.sh
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/system.hpp"

struct sqlite3;

namespace orrery::study {

/// What a result was made from; the build is the store's.
struct ResultKey {
  std::string point;  ///< LoadedPoint::id
  std::string made;   ///< how: "flow path", "predictions 5f01..."

  auto operator<=>(const ResultKey&) const = default;
};

/// FNV-1a, 64 bits: an address and a checksum, no defence against anybody.
std::uint64_t fingerprint(std::string_view bytes);

/// "0.1.0 build bcff53803abf9fb4": two builds of the same version may give different numbers.
std::string build_identity();

class ResultStore {
 public:
  static std::string file_in(const std::string& folder) { return folder + "/points.sqlite"; }
  static constexpr const char* in_memory = ":memory:";

  /// What becomes of a file that is no sound store.
  enum class Damaged { set_aside, refused };
  explicit ResultStore(std::string file, std::string build = build_identity(), Damaged damaged = Damaged::set_aside);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Never throws: what the file does not take stays in memory.
  void keep(const ResultKey& key, const std::string& bytes);
  /// Nothing where there is none, or it was damaged.
  std::optional<std::string> find(const ResultKey& key);
  /// Whether `find` gives it.
  bool contains(const ResultKey& key);

  /// Every sound row of this build that another store has, which stays as it is; those that are there are written anew.
  /// Throws InputError where they are not all to be had.
  void take_all_of(const ResultStore& from);

  /// Whether a run has begun that has not ended; set by `begin`, cleared by `end`.
  bool unfinished() const { return was_unfinished_; }
  void begin();
  /// `swap_in` replaces the files of the folder: of several runs that end at the same time one does so after the other.
  /// Then only results of these points and of this build are left, unless another run is under way in the folder.
  void end(const std::set<std::string>& points, const std::function<void()>& swap_in);

  /// Points of other builds, which are never read.
  std::uint64_t of_other_builds();

  const std::string& file() const { return file_; }
  const std::vector<std::string>& notices() const { return notices_; }

 private:
  class Statement;
  void open();
  void set_aside(const std::string& reason);
  bool run(const char* sql);
  void failed_to_keep(const std::string& reason);

  std::string file_, build_;
  sqlite3* database_ = nullptr;
  std::optional<system::FolderInUse> folder_;  ///< of a store in a file
  bool was_unfinished_ = false, told_full_ = false;
  std::map<ResultKey, std::string> unwritten_;
  std::vector<std::string> notices_;
};

}  // namespace orrery::study
