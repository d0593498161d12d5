#include "sim/config/pattern_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <sstream>
#include <vector>

#include "sim/config/files.hpp"
#include "sim/config/formats/known_formats.hpp"
#include "sim/core/error.hpp"

namespace orrery::config {

namespace {

constexpr std::uint32_t pattern_ranks_max = 1u << 24;

class PatternParser {
 public:
  PatternParser(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {}

  StagePattern parse() {
    std::istringstream in(text_);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      line.erase(std::min(line.find('#'), line.size()));
      std::istringstream fields(line);
      words_.clear();
      for (std::string word; fields >> word;) words_.push_back(word);
      if (words_.empty())
        end_of_matrix();
      else if (sparse_ || words_.front() == "ranks")
        sparse();
      else
        row();
    }
    end_of_matrix();
    end_of_stage();
    if (pattern_.ranks == 0) refuse("no stage (a matrix of 0 and 1, or 'ranks N'). Write 'ranks 4'?");
    return std::move(pattern_);
  }

 private:
  [[noreturn]] void refuse(const Refusal& what) const {
    throw InputError("{}:{}: {}", file_, std::max<std::size_t>(line_, 1), what);
  }

  std::uint32_t whole(const std::string& word, const char* name, std::uint32_t least, std::uint32_t greatest) const {
    std::uint32_t value = 0;
    const auto [rest, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc() || rest != word.data() + word.size() || value < least || value > greatest)
      refuse(Refusal("{} is '{}' (a whole number, {}..{}). Correct it?", name, word, least, greatest));
    return value;
  }

  std::uint32_t rank(const std::string& word) const { return whole(word, "a rank", 0, pattern_.ranks - 1); }

  void add(std::uint32_t from, std::uint32_t to) {
    if (from == to) refuse(Refusal("rank {0} signals itself (S({0}, {0}) is 0). Remove it?", from));
    signals_.push_back({from, to});
  }

  void end_of_stage() {
    if (!open_) return;
    pattern_.stages.emplace_back(std::move(signals_));
    signals_.clear();
    open_ = false;
  }

  void sparse() {
    if (words_.front() == "ranks") {
      if (pattern_.ranks > 0) refuse("'ranks' comes after the first stage (once, at the top). Remove it?");
      if (words_.size() != 2) refuse(Refusal("'ranks' has {} numbers (one). Write 'ranks 4'?", words_.size() - 1));
      pattern_.ranks = whole(words_[1], "'ranks'", 1, pattern_ranks_max);
      sparse_ = true;
    } else if (words_.front() == "stage") {
      if (words_.size() > 1)
        refuse(Refusal("'{}' follows 'stage' (signals have lines of their own). Remove it?", words_[1]));
      end_of_stage();
      open_ = true;
    } else {
      std::string from = words_.front();
      if (!from.ends_with(':') || words_.size() < 2)
        refuse(Refusal("'{}' is no line of a pattern ('stage', or a rank and whom it signals). Write '0: 1 2'?", from));
      if (!open_) refuse("a signal before the first 'stage'. Write 'stage' above it?");
      from.pop_back();
      for (std::size_t i = 1; i < words_.size(); ++i) add(rank(from), rank(words_[i]));
    }
  }

  void row() {
    const auto columns = static_cast<std::uint32_t>(words_.size());
    if (pattern_.ranks == 0) pattern_.ranks = columns;
    if (columns != pattern_.ranks)
      refuse(Refusal("row {} of stage {} has {} numbers (the first row has {}). Complete it?", rows_,
                     pattern_.stages.size(), columns, pattern_.ranks));
    if (rows_ == pattern_.ranks)
      refuse(Refusal("stage {} has more than {} rows (as many as columns). Put an empty line between stages?",
                     pattern_.stages.size(), pattern_.ranks));
    for (std::uint32_t to = 0; to < columns; ++to)
      if (whole(words_[to], "S(i, j)", 0, 1) == 1) add(rows_, to);
    ++rows_;
    open_ = true;
  }

  void end_of_matrix() {
    if (sparse_ || rows_ == 0) return;
    if (rows_ < pattern_.ranks)
      refuse(Refusal("stage {} has {} rows (as many as columns: {}). Complete it?", pattern_.stages.size(), rows_,
                     pattern_.ranks));
    rows_ = 0;
    end_of_stage();
  }

  const std::string& text_;
  std::string file_;
  std::size_t line_ = 0;
  std::vector<std::string> words_;
  bool sparse_ = false;  ///< signals alone
  bool open_ = false;    ///< a stage has begun
  std::uint32_t rows_ = 0;
  std::vector<Signal> signals_;
  StagePattern pattern_;
};

}  // namespace

StagePattern parse_pattern(const std::string& text, const std::string& file) {
  return PatternParser(text, file).parse();
}

StagePattern read_pattern(const std::string& file) {
  const std::string text = read_file(file);
  refuse_other_format(text, file, "a pattern of signals", {"pattern"});
  return parse_pattern(text, file);
}

std::string pattern_text(const StagePattern& pattern, const std::string& comment) {
  std::string text;
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) text += "# " + line + "\n";
  text += fmt::format("ranks {}\n", pattern.ranks);
  for (const PatternStage& stage : pattern.stages) {
    text += "stage";
    std::optional<std::uint32_t> from;
    for (const Signal& signal : stage.signals()) {
      if (from != signal.from) text += fmt::format("\n{}:", signal.from);
      text += fmt::format(" {}", signal.to);
      from = signal.from;
    }
    text += "\n";
  }
  return text;
}

}  // namespace orrery::config
