#include "sim/cli/pages/barrier_c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/pattern_knowledge.hpp"

namespace orrery::cli {

namespace {

/// Names that the file cannot give to its function.
bool taken(const std::string& name) {
  static constexpr std::string_view words =
      " alignas alignof auto bool break case char const constexpr continue default do double else enum "
      "extern false float for goto if inline int long nullptr register restrict return short signed sizeof "
      "static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned "
      "void volatile while _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 "
      "_Decimal64 _Generic _Imaginary _Noreturn _Static_assert _Thread_local NULL size_t CALL RECEIVE "
      "SIGNAL WAIT ";
  return name.starts_with("MPI_") || words.find(" " + name + " ") != words.npos;
}

void require(const StagePattern& pattern, const std::string& name) {
  const auto of_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 || !std::ranges::all_of(name, of_word))
    throw InputError(
        "--emit-c: '{}' is no name of a C function (letters, digits and '_'). Choose '--name "
        "my_barrier'?",
        name);
  if (taken(name))
    throw InputError(
        "--emit-c: '{}' is taken (a word of C, of MPI or a macro of the file). Choose '--name my_barrier'?", name);
  if (pattern.ranks > barrier_c_ranks_max)
    throw InputError("--emit-c: {} ranks (at most {}, each has code of its own). Save the pattern with -o?",
                     pattern.ranks, barrier_c_ranks_max);
  if (const auto pair = first_ignorance(pattern))
    throw InputError(
        "--emit-c: rank {} leaves without knowing that rank {} has arrived (the pattern is no "
        "barrier). Choose another?",
        pair->who, pair->of);
}

/// The most requests that a rank has open.
std::size_t requests_of(const StagePattern& pattern) {
  std::size_t most = 1;
  for (const PatternStage& stage : pattern.stages)
    for (std::uint32_t rank = 0; rank < pattern.ranks; ++rank)
      most = std::max(most, stage.sent_by(rank).size() + stage.received_by(rank).size());
  return most;
}

std::string process(const StagePattern& pattern, std::uint32_t rank) {
  std::string text = fmt::format("    case {}:\n", rank);
  for (const PatternStage& stage : pattern.stages) {
    const auto sent = stage.sent_by(rank), received = stage.received_by(rank);
    std::size_t request = 0;
    for (const Signal& signal : received) text += fmt::format("      RECEIVE({}, {});\n", signal.from, request++);
    for (const Signal& signal : sent) text += fmt::format("      SIGNAL({}, {});\n", signal.to, request++);
    if (request > 0) text += fmt::format("      WAIT({});\n", request);
  }
  return text + "      break;\n";
}

/// A name of a file may end the comment.
std::string harmless(std::string line) {
  for (std::size_t end = line.find("*/"); end != std::string::npos; end = line.find("*/")) line.insert(end + 1, " ");
  return line;
}

constexpr const char* c_opening = R"(#include <mpi.h>
#include <stddef.h>

/* No other message of the communicator may have this tag during the call. */
#ifndef {0}_TAG
#define {0}_TAG 32767
#endif

#define CALL(call)                       \
  do {{                                   \
    const int error = (call);            \
    if (error != MPI_SUCCESS) return error; \
  }} while (0)
#define RECEIVE(from, number) CALL(MPI_Irecv(NULL, 0, MPI_BYTE, from, {0}_TAG, comm, &requests[number]))
#define SIGNAL(to, number) CALL(MPI_Issend(NULL, 0, MPI_BYTE, to, {0}_TAG, comm, &requests[number]))
#define WAIT(count) CALL(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE))

int {0}(MPI_Comm comm);

int {0}(MPI_Comm comm) {{
  MPI_Request requests[{1}];
  int rank, size;
  CALL(MPI_Comm_rank(comm, &rank));
  CALL(MPI_Comm_size(comm, &size));
  if (size != {2}) return MPI_ERR_COMM;
  (void)requests;
  switch (rank) {{
)";

constexpr const char* c_closing = R"(    default:
      break;
  }
  return MPI_SUCCESS;
}

#undef CALL
#undef RECEIVE
#undef SIGNAL
#undef WAIT
)";

}  // namespace

std::string barrier_c(const StagePattern& pattern, const std::string& name, const std::string& comment) {
  require(pattern, name);
  std::string text = "/*\n";
  std::istringstream lines(comment);
  for (std::string line; std::getline(lines, line);) text += " * " + harmless(line) + "\n";
  text += fmt::format(
      " * {} stages, {} signals; proved by K = I + S, K = K + K S: every one of {} processes knows of all.\n"
      " */\n",
      pattern.stages.size(), pattern.signals(), pattern.ranks);
  text += fmt::format(fmt::runtime(c_opening), name, requests_of(pattern), pattern.ranks);
  for (std::uint32_t rank = 0; rank < pattern.ranks; ++rank) text += process(pattern, rank);
  return text + c_closing;
}

}  // namespace orrery::cli
