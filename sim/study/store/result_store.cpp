#include "sim/study/store/result_store.hpp"

#include <fmt/format.h>
#include <sqlite3.h>
#include <zlib.h>

#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sim/config/files.hpp"
#include "sim/core/error.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/study/store/store_file.hpp"

namespace orrery::study {

namespace {

constexpr int application_id = 0x4f727279;  // "Orry": says whose file it is
constexpr int schema = 3;
constexpr std::size_t part_bytes = std::size_t{64} << 20;  // SQLite takes at most 1 GB in one value

constexpr std::uint64_t deflated_most = 1100;  // zlib makes no byte of more than 1,032

/// A result is mostly zeros and repeated names: a tenth is left of it.
std::string packed(const std::string& bytes) {
  uLongf length = compressBound(bytes.size());
  std::string text(sizeof(std::uint64_t) + length, '\0');
  const std::uint64_t whole = bytes.size();
  std::memcpy(text.data(), &whole, sizeof whole);
  compress2(reinterpret_cast<Bytef*>(text.data() + sizeof whole), &length, reinterpret_cast<const Bytef*>(bytes.data()),
            bytes.size(), Z_BEST_SPEED);  // fails for want of room only
  text.resize(sizeof whole + length);
  return text;
}

/// Nothing when it is not what `packed` made.
std::optional<std::string> unpacked(std::string_view text) {
  std::uint64_t whole = 0;
  if (text.size() < sizeof whole) return std::nullopt;
  std::memcpy(&whole, text.data(), sizeof whole);
  if (whole / deflated_most > text.size()) return std::nullopt;
  std::string bytes(whole, '\0');
  uLongf length = whole;
  const auto* from = reinterpret_cast<const Bytef*>(text.data() + sizeof whole);
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length, from, text.size() - sizeof whole) != Z_OK ||
      length != whole)
    return std::nullopt;
  return bytes;
}

/// Of a row as a whole: bytes that were right under another key, or as another part, are wrong here.
std::int64_t checksum(std::string_view point, std::string_view made, std::string_view build, std::int64_t part,
                      std::int64_t parts, std::string_view bytes) {
  Fingerprint sum;
  for (const std::string_view text : {point, made, build}) sum.add(text.size()).add(text);
  sum.add(static_cast<std::uint64_t>(part)).add(static_cast<std::uint64_t>(parts)).add(bytes);
  return static_cast<std::int64_t>(sum.value());
}

}  // namespace

/// A prepared statement with its values; finalized when left.
class ResultStore::Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    if (sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr) != SQLITE_OK) statement_ = nullptr;
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& operator<<(std::string_view text) {
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    return *this;
  }
  Statement& operator<<(std::int64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, number);
    return *this;
  }
  Statement& bytes(std::string_view bytes) {  // which outlive the statement
    sqlite3_bind_blob64(statement_, ++bound_, bytes.data() == nullptr ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
    return *this;
  }
  /// True while there are rows.
  bool row() { return statement_ != nullptr && (code_ = sqlite3_step(statement_)) == SQLITE_ROW; }
  bool done() { return statement_ != nullptr && (code_ = sqlite3_step(statement_)) == SQLITE_DONE; }
  bool damaged() const { return statement_ == nullptr || (code_ != SQLITE_ROW && code_ != SQLITE_DONE); }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string_view blob(int column) const {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0, code_ = SQLITE_DONE;
};

ResultStore::ResultStore(std::string file, std::string build, Damaged damaged)
    : file_(std::move(file)), build_(std::move(build)) {
  if (file_ != in_memory)
    for (const char* part : {"", "-wal", "-shm", "-journal"}) config::require_regular_if_there(file_ + part);
  try {
    try {
      open();
    } catch (const UnreadableStore& error) {
      if (damaged == Damaged::refused) throw;
      set_aside(error.what());
      open();
    }
  } catch (const std::runtime_error& error) {
    sqlite3_close(database_);
    throw InputError("{}: cannot be used ({}). Choose another folder with --out?", file_, error.what());
  }
  if (file_ != in_memory) folder_.emplace(std::filesystem::path(file_).parent_path().string());
}

ResultStore::~ResultStore() { sqlite3_close(database_); }

/// Throws UnreadableStore when the file is not a sound store of this form, std::runtime_error when it cannot be had.
void ResultStore::open() {
  // The folder may be reached by links; one in the place of the store is not followed.
  const bool in_file = file_ != in_memory;
  const std::filesystem::path path(file_);
  std::error_code failed;
  const auto folder = std::filesystem::canonical(path.has_parent_path() ? path.parent_path() : ".", failed);
  const std::string name = in_file && !failed ? (folder / path.filename()).string() : file_;
  if (in_file && std::filesystem::is_symlink(std::filesystem::symlink_status(name, failed)))
    throw std::runtime_error("it is a link");
  int tables = 0;
  StoreFile opened = open_store_file(name, !in_file, [&](sqlite3* database) {
    tables = number_of(database, "SELECT count(*) FROM sqlite_master");
    if (tables > 0 && number_of(database, "PRAGMA application_id") != application_id)
      throw UnreadableStore("it is another program's database");
    if (const int found = number_of(database, "PRAGMA user_version"); tables > 0 && found != schema)
      throw UnreadableStore(fmt::format("it has form {}, this version writes form {}", found, schema));
  });
  database_ = opened.database;
  if (!opened.notice.empty()) notices_.push_back(fmt::format("{}: {}", file_, opened.notice));
  const std::string create = fmt::format(
      "BEGIN IMMEDIATE;"
      "CREATE TABLE IF NOT EXISTS results (point TEXT NOT NULL, made TEXT NOT NULL, build TEXT NOT NULL,"
      " part INTEGER NOT NULL, parts INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL,"
      " PRIMARY KEY (point, made, build, part));"
      "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value INTEGER NOT NULL);"
      "PRAGMA application_id={};PRAGMA user_version={};COMMIT",
      application_id, schema);
  if (!run(create.c_str())) cannot_open(database_);
  if (tables > 0 && number_of(database_, "SELECT count(*) FROM pragma_quick_check WHERE quick_check <> 'ok'") > 0)
    throw UnreadableStore("it is damaged");
  was_unfinished_ = number_of(database_, "SELECT count(*) FROM state WHERE name = 'unfinished' AND value = 1") > 0;
}

void ResultStore::set_aside(const std::string& reason) {
  sqlite3_close(database_);
  database_ = nullptr;
  if (file_ == in_memory) return;
  const std::string kept = file_ + ".unreadable";
  std::error_code failed;
  std::filesystem::rename(file_, kept, failed);
  for (const char* companion : {"-wal", "-shm"}) std::filesystem::remove(file_ + companion, failed);
  notices_.push_back(
      fmt::format("{}: is no store of this version ({}). Its finished points are not used; it was renamed to {}", file_,
                  reason, kept));
}

bool ResultStore::run(const char* sql) { return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

void ResultStore::failed_to_keep(const std::string& reason) {
  if (std::exchange(told_full_, true)) return;
  notices_.push_back(fmt::format(
      "{}: takes no more ({}); what ends from here on is kept in memory and lost if the run stops", file_, reason));
}

void ResultStore::keep(const ResultKey& key, const std::string& bytes) {
  const std::string small = packed(bytes);
  const std::size_t parts = small.size() / part_bytes + 1;
  bool kept = run("BEGIN IMMEDIATE");
  // Parts that a damaged disk left under this key would be read with the new ones.
  Statement drop(database_, "DELETE FROM results WHERE point = ? AND made = ? AND build = ?");
  drop << key.point << key.made << build_;
  kept = kept && drop.done();
  for (std::size_t part = 0; kept && part < parts; ++part) {
    const auto piece = std::string_view(small).substr(part * part_bytes, part_bytes);
    Statement insert(database_, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert << key.point << key.made << build_ << static_cast<std::int64_t>(part) << static_cast<std::int64_t>(parts)
           << checksum(key.point, key.made, build_, static_cast<std::int64_t>(part), static_cast<std::int64_t>(parts),
                       piece);
    kept = insert.bytes(piece).done();
  }
  if (kept && run("COMMIT")) return;
  failed_to_keep(sqlite3_errmsg(database_));
  run("ROLLBACK");
  unwritten_[key] = bytes;
}

std::optional<std::string> ResultStore::find(const ResultKey& key) {
  if (const auto found = unwritten_.find(key); found != unwritten_.end()) return found->second;
  Statement select(database_,
                   "SELECT part, parts, checksum, bytes FROM results WHERE point = ? AND made = ? AND build = ? "
                   "ORDER BY part");
  select << key.point << key.made << build_;
  std::string bytes;
  std::int64_t next = 0, parts = 0;
  for (; select.row(); ++next) {
    parts = select.number(1);
    const auto piece = select.blob(3);
    if (select.number(0) != next || checksum(key.point, key.made, build_, next, parts, piece) != select.number(2))
      return std::nullopt;
    bytes += piece;
  }
  if (select.damaged() || next == 0 || next != parts) return std::nullopt;
  return unpacked(bytes);
}

bool ResultStore::contains(const ResultKey& key) { return find(key).has_value(); }

void ResultStore::begin() { run("INSERT OR REPLACE INTO state VALUES ('unfinished', 1)"); }

void ResultStore::end(const std::set<std::string>& points, const std::function<void()>& swap_in) {
  const bool writing = run("BEGIN IMMEDIATE");
  swap_in();
  if (folder_ && folder_->alone()) {
    run("CREATE TEMP TABLE wanted (point TEXT PRIMARY KEY)");
    for (const auto& point : points) (Statement(database_, "INSERT INTO wanted VALUES (?)") << point).done();
    (Statement(database_, "DELETE FROM results WHERE build <> ? OR point NOT IN (SELECT point FROM wanted)") << build_)
        .done();
  }
  run("INSERT OR REPLACE INTO state VALUES ('unfinished', 0)");
  if (writing) run("COMMIT");
}

void ResultStore::take_all_of(const ResultStore& from) {
  Statement select(
      from.database_,
      "SELECT point, made, part, parts, checksum, bytes FROM results WHERE build = ? ORDER BY point, made");
  select << build_;
  bool kept = run("BEGIN IMMEDIATE");
  while (kept && select.row()) {
    if (checksum(select.blob(0), select.blob(1), build_, select.number(2), select.number(3), select.blob(5)) !=
        select.number(4))
      continue;  // damaged: it counts as missing
    Statement insert(database_, "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?)");
    insert << select.blob(0) << select.blob(1) << build_ << select.number(2) << select.number(3) << select.number(4);
    kept = insert.bytes(select.blob(5)).done();
  }
  if (kept && select.damaged()) {
    const std::string reason = sqlite3_errmsg(from.database_);
    run("ROLLBACK");
    throw InputError("{}: cannot be read to its end ({}). Run its shard again?", from.file_, reason);
  }
  if (kept && run("COMMIT")) return;
  const std::string reason = sqlite3_errmsg(database_);
  run("ROLLBACK");
  throw InputError("{}: takes no more ({}). Choose another folder with --out?", file_, reason);
}

std::uint64_t ResultStore::of_other_builds() {
  Statement select(database_, "SELECT count(DISTINCT point) FROM results WHERE build <> ? AND made <> 'measured'");
  select << build_;
  return select.row() ? static_cast<std::uint64_t>(select.number(0)) : 0;
}

}  // namespace orrery::study
