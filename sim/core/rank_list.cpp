#include "sim/core/rank_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/core/error.hpp"

namespace orrery {

std::vector<Rank> ranks_listed(std::string_view text, std::uint32_t ranks, const std::string& what) {
  std::vector<Rank> listed;
  std::vector<bool> taken(ranks, false);
  while (!text.empty()) {
    const auto part = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    std::uint32_t first = 0, last = 0;
    const char* const end = part.data() + part.size();
    auto parsed = std::from_chars(part.data(), end, first);
    last = first;
    if (parsed.ec == std::errc() && parsed.ptr != end && *parsed.ptr == '-')
      parsed = std::from_chars(parsed.ptr + 1, end, last);
    if (parsed.ec != std::errc() || parsed.ptr != end || last < first || last >= ranks)
      throw InputError("{} names '{}' (ranks 0..{}, as '0,2,5-7'). Write '0-{}'?", what, part, ranks - 1, ranks - 1);
    for (std::uint32_t rank = first; rank <= last; ++rank) {
      if (taken[rank]) throw InputError("{} names rank {} twice. Name it once?", what, rank);
      taken[rank] = true;
      listed.push_back(Rank{rank});
    }
  }
  return listed;
}

}  // namespace orrery
