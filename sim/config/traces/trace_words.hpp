/// Private to the readers of traces: a text file line by line, each line as words, with the place of every problem.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/collective_call.hpp"
#include "sim/core/refusal.hpp"

namespace orrery::config {

/// SMPI's word for an operation: the same as ours except 'reducescatter'.
const char* ti_operation_name(Operation operation);

/// A group as one word: 'FIRST:STRIDE:COUNT', or the ranks, '3,1,5'.
std::string group_text(const Group& group);
/// Empty if the text is no group of ranks below `ranks`.
std::optional<Group> parse_group(std::string_view text, std::uint32_t ranks, Communicator communicator);

/// Walks the lines of a text, which must outlive it. `file` begins messages.
class TraceLines {
 public:
  TraceLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// The next line that is neither empty nor a comment, as words; false at the end. Comments begin with '#' and are
  /// skipped unless they begin with `kept`.
  bool next(std::vector<std::string_view>& words, std::string_view kept = "#orrery");
  std::uint32_t line() const { return line_; }
  const std::string& file() const { return file_; }

  [[noreturn]] void refuse(const Refusal& problem) const;
  std::string where() const;  ///< "file:line"

  /// A number from 0 to 1e30; integers may be written as 1e6. `name` is its name in the message.
  double number(std::string_view word, const char* name) const;
  double whole(std::string_view word, const char* name, double maximum = 1e15) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace orrery::config
