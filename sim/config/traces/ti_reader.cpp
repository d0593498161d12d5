#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <filesystem>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/config/traces/ti_calls.hpp"
#include "sim/config/traces/trace_file.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t ranks_max = 1u << 20;

std::uint32_t rank_of(const TraceLines& at, std::string_view word) {
  std::uint32_t rank = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), rank);
  if (status != std::errc() || end != word.data() + word.size() || rank >= ranks_max)
    at.refuse(Refusal("'{}' is not a rank (RANK CALL ARGUMENTS; ranks are 0 to {}). Is the line cut off?",
                      word.substr(0, 40), ranks_max - 1));
  return rank;
}

/// The word of a line that names its rank: the first, or the second of a mark.
std::uint32_t rank_of(const TraceLines& at, const TiRank::Words& words) {
  if (words[0] != "#orrery") return rank_of(at, words[0]);
  if (words.size() < 3) at.refuse("'#orrery' without a rank and a mark ('#orrery 0 phase NAME'). Remove the line?");
  return rank_of(at, words[1]);
}

/// A trace while it is read: from one file with all ranks, or from one file each.
class TiReader {
 public:
  TiReader(std::string file, std::uint32_t ranks, std::string index = {}) : ranks_(ranks), index_(std::move(index)) {
    trace_.file = std::move(file);
    trace_.kind = "ti";
    trace_.ranks.resize(ranks);
    for (std::uint32_t r = 0; r < ranks; ++r) readers_.emplace_back(trace_, notes_, rooted_, r, ranks, index_);
    files_.resize(ranks, trace_.file);
  }

  /// `only`: the one rank this file is for, or -1.
  void read(const std::string& text, const std::string& file, std::int64_t only) {
    TraceLines at(text, file);
    TiRank::Words words;
    while (at.next(words)) {
      const std::uint32_t rank = rank_of(at, words);
      if (only >= 0 && rank != only)
        at.refuse(
            Refusal("a line of rank {} in the file of rank {} (the index gives one file to each rank). Is the "
                    "index in the wrong order?",
                    rank, only));
      if (words[0] == "#orrery")
        readers_[rank].read_mark(at, words);
      else
        readers_[rank].read(at, words);
    }
    if (only >= 0) end(static_cast<std::uint32_t>(only), file);
  }
  void end(std::uint32_t rank, const std::string& file) {
    files_[rank] = file;
    readers_[rank].finish(file);
  }

  Trace take() {
    std::vector<RankLines> lines;
    lines.reserve(ranks_);
    for (auto& reader : readers_) lines.push_back(reader.take_lines());
    require_matched(lines, trace_.groups,
                    [&](std::uint32_t rank, std::uint32_t line) { return fmt::format("{}:{}", files_[rank], line); });
    for (const auto& [note, count] : notes_) trace_.notes.push_back(fmt::format("{} {}", count, note));
    return std::move(trace_);
  }

 private:
  std::uint32_t ranks_;
  std::string index_;
  Trace trace_;
  TraceNotes notes_;
  RootedCalls rooted_;
  std::deque<TiRank> readers_;
  std::vector<std::string> files_;
};

/// The file an entry of an index names: as written, beside the index, or of that name beside the index.
std::string entry_path(const std::string& entry, const fs::path& folder) {
  std::error_code ignored;
  for (const fs::path& candidate : {fs::path(entry), folder / entry, folder / fs::path(entry).filename()})
    if (fs::is_regular_file(candidate, ignored)) return candidate.string();
  return "";
}

/// All ranks in one file; `index` names it, if one does.
Trace parse_all(const std::string& text, const std::string& file, const std::string& index) {
  TraceLines at(text, file);
  TiRank::Words words;
  std::vector<bool> seen;
  while (at.next(words)) {
    const std::uint32_t rank = rank_of(at, words);
    if (rank >= seen.size()) seen.resize(rank + 1, false);
    seen[rank] = true;
  }
  if (seen.empty()) throw InputError("{}: is empty (a trace or an index of traces). Is it cut off?", file);
  const auto missing = std::ranges::find(seen, false);
  if (missing != seen.end())
    throw InputError("{}: rank {} has no lines (ranks 0 to {} do). Is the trace cut off?", file, missing - seen.begin(),
                     seen.size() - 1);
  const auto ranks = static_cast<std::uint32_t>(seen.size());
  TiReader reader(file, ranks, ranks == 1 ? index : "");
  reader.read(text, file, -1);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) reader.end(rank, file);
  return reader.take();
}

Trace read_index(const std::string& text, const std::string& index) {
  TraceLines at(text, index);
  std::vector<std::string> files;
  TiRank::Words words;
  while (at.next(words, "")) {
    if (words.size() > 1)
      at.refuse(
          Refusal("{} words (an index has one file name per line; a trace has 'RANK CALL ARGUMENTS'). Is this a "
                  "trace?",
                  words.size()));
    const std::string entry(words[0]);
    files.push_back(entry_path(entry, fs::path(index).parent_path()));
    if (files.back().empty())
      at.refuse(
          Refusal("the trace of rank {}, '{}', does not exist (looked for as written and beside the index). Is it "
                  "missing?",
                  files.size() - 1, entry));
    if (files.size() > ranks_max) at.refuse(Refusal("more than {} files (the limit). Is this an index?", ranks_max));
  }
  if (files.empty()) throw InputError("{}: is empty (a trace or an index of traces). Is it cut off?", index);
  if (files.size() == 1) return parse_all(read_file(files[0]), files[0], index);
  TiReader reader(index, static_cast<std::uint32_t>(files.size()), index);
  for (std::size_t rank = 0; rank < files.size(); ++rank)
    reader.read(read_file(files[rank]), files[rank], static_cast<std::int64_t>(rank));
  return reader.take();
}

/// A rank that the index has no file for is a line that it lost.
Trace read_whole_index(const std::string& text, const std::string& index) {
  try {
    return read_index(text, index);
  } catch (const RankOutside& error) {
    if (file_place(error.refusal().place).file == index) throw;
    Refusal refusal = error.refusal();
    refusal.rule += fmt::format(", a line of '{}' each", index);
    refusal.remedy = "Is a line missing there?";
    throw InputError(refusal);
  }
}

/// A trace begins with the number of a rank or with a mark; an index with a file name.
bool looks_like_ti(const std::string& text, const std::string& file) {
  TraceLines at(text, file);
  TiRank::Words words;
  if (!at.next(words)) return false;
  return words.size() > 1 || std::ranges::all_of(words[0], [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Trace parse_ti(const std::string& text, const std::string& file) { return parse_all(text, file, ""); }

/// An index may hold whatever names files have: one whose first file is there is one.
void require_trace(const std::string& text, const std::string& file, std::string_view wanted) {
  TraceLines at(text, file);
  TiRank::Words words;
  if (at.next(words) && words.size() == 1 && !entry_path(std::string(words[0]), fs::path(file).parent_path()).empty())
    return;
  require_format(text, file, wanted, {"ti", "ti-index", "goal"});
}

Trace read_trace(const std::string& file) {
  const std::string text = read_file(file);
  require_trace(text, file, "a trace or a GOAL schedule");
  if (looks_like_goal(text)) return parse_goal(text, file);
  if (looks_like_ti(text, file)) return parse_ti(text, file);
  return read_whole_index(text, file);
}

}  // namespace orrery::config
