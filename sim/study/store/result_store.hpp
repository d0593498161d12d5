/// The finished simulations and predictions of one output folder: work that a stopped or killed run does not lose.
///
///   ResultStore store(ResultStore::file_in("out"));
///   store.keep({point.id, "flow"}, engine::to_bytes(result));
///   if (const auto bytes = store.find({point.id, "flow"})) ...
///
/// One SQLite file, `points.sqlite`. A result is addressed by its origin: the hash of the point's inputs, the
/// operation, and the build of Orrery. So any number of processes may write at the same time, and stores of several
/// computers can be merged row by row. Every row has a checksum of its key, its place and its bytes: a row with a wrong
/// checksum is treated as missing.
///
/// A file that is no store of ours, or is damaged, is renamed and a new one is begun; `notices` report it. If the disk
/// does not accept a result any more, the result stays in memory and `notices` report that.
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

/// The origin of a result; the build is the store's.
struct ResultKey {
  std::string point;  ///< LoadedPoint::id
  std::string made;   ///< how: "flow path", "predictions 5f01..."

  auto operator<=>(const ResultKey&) const = default;
};

/// FNV-1a, 64 bits: an address and a checksum, not cryptographic.
std::uint64_t fingerprint(std::string_view bytes);

/// "0.1.0 build bcff53803abf9fb4": two builds of the same version may give different numbers.
std::string build_identity();

class ResultStore {
 public:
  static std::string file_in(const std::string& folder) { return folder + "/points.sqlite"; }
  static constexpr const char* in_memory = ":memory:";

  /// Treatment of a file that is no sound store.
  enum class Damaged { set_aside, refused };
  explicit ResultStore(std::string file, std::string build = build_identity(), Damaged damaged = Damaged::set_aside);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Never throws: results that the file does not accept stay in memory.
  void keep(const ResultKey& key, const std::string& bytes);
  /// Empty if there is none, or if it was damaged.
  std::optional<std::string> find(const ResultKey& key);
  /// Whether `find` returns it.
  bool contains(const ResultKey& key);

  /// Copies every sound row of this build from another store, which is not changed; existing rows are written again.
  /// Throws InputError if some row cannot be read.
  void take_all_of(const ResultStore& from);

  /// Whether a run has begun and not ended; set by `begin`, cleared by `end`.
  bool unfinished() const { return was_unfinished_; }
  void begin();
  /// `swap_in` replaces the files of the folder: runs that end at the same time do so one after another. Then only
  /// results of these points and of this build remain, unless another run is active in the folder.
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
