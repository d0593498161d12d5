#include "validation/mpi/gathered_times.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>
#include <utility>

namespace orrery::mpi {

namespace {

/// One line for each span: iteration, occurrence, seconds, phase.
std::string packed(const std::vector<PhaseSpan>& spans) {
  std::string text;
  for (const auto& span : spans)
    text += fmt::format("{} {} {} {}\n", span.iteration, span.occurrence, span.seconds, span.phase);
  return text;
}

void unpack(std::string_view text, LongestSpans& longest) {
  while (!text.empty()) {
    const auto length = text.find('\n');
    const std::string line(text.substr(0, length));
    text.remove_prefix(length + 1);
    char* at = nullptr;
    const auto iteration = static_cast<std::uint32_t>(std::strtoul(line.c_str(), &at, 10));
    const auto occurrence = static_cast<std::uint32_t>(std::strtoul(at, &at, 10));
    const double seconds = std::strtod(at, &at);
    longest.add({at + 1, iteration, occurrence, seconds});
  }
}

}  // namespace

LongestSpans longest_spans(const std::vector<PhaseSpan>& spans, MPI_Comm ranks) {
  int count = 1;
  MPI_Comm_size(ranks, &count);
  const std::string own = packed(spans);
  const int length = static_cast<int>(own.size());
  std::vector<int> lengths(static_cast<std::size_t>(count)), starts(static_cast<std::size_t>(count));
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, ranks);
  int all = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) starts[i] = std::exchange(all, all + lengths[i]);
  std::string text(static_cast<std::size_t>(all), ' ');
  MPI_Allgatherv(own.data(), length, MPI_CHAR, text.data(), lengths.data(), starts.data(), MPI_CHAR, ranks);
  LongestSpans longest;
  unpack(text, longest);
  return longest;
}

}  // namespace orrery::mpi
