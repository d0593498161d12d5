#include "sim/study/play/unreceived_note.hpp"

#include <fmt/format.h>

namespace orrery::study {

namespace {

std::string of_pair(const UnreceivedOf& of) {
  return fmt::format("{} of tag {}{} from rank {} to rank {}", of.messages, of.tag,
                     of.communicator == 0 ? "" : fmt::format(" in communicator {}", of.communicator), index(of.from),
                     index(of.to));
}

}  // namespace

std::string unreceived_sentence(const Unreceived& found) {
  if (found.messages == 0) return "";
  std::string pairs;
  for (const UnreceivedOf& of : found.first) pairs += (pairs.empty() ? "" : ", ") + of_pair(of);
  if (found.kinds > found.first.size())
    pairs += fmt::format(" and {} more pairs or tags", found.kinds - found.first.size());
  return fmt::format(
      "{} message{} never received: {}. Every rank came to its end all the same, but MPI calls such a "
      "program erroneous. Does a rank forget a receive?",
      found.messages, found.messages == 1 ? " was" : "s were", pairs);
}

}  // namespace orrery::study
