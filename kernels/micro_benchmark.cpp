#include "kernels/micro_benchmark.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return parts;
}

}  // namespace

std::vector<Bytes> parse_sizes(std::string_view text, const std::string& where) {
  std::vector<Bytes> sizes;
  for (const auto part : split(text)) {
    const auto parsed = parse_quantity(part, Dimension::data);
    if (!parsed.si) throw InputError("{}: size '{}' {}", where, part, parsed.problem);
    if (*parsed.si < 0.0 || *parsed.si > 1e15)
      throw InputError("{}: size '{}' lies outside 0 B..1e15 B. Choose one inside?", where, part);
    sizes.emplace_back(*parsed.si);
  }
  if (sizes.empty()) throw InputError("{}: '{}' names no size (a list such as '1B,64B,4KiB'). Name one?", where, text);
  return sizes;
}

std::vector<BenchmarkPoint> points_of_sizes(const Parameters& parameters, const std::string& kernel, double per) {
  std::vector<BenchmarkPoint> points;
  for (const auto size : parse_sizes(parameters.text("sizes"), kernel)) points.push_back({"", size, per});
  return points;
}

std::vector<std::uint32_t> parse_counts(std::string_view text, const std::string& where) {
  std::vector<std::uint32_t> counts;
  for (const auto part : split(text)) {
    std::uint32_t count = 0;
    const auto [rest, status] = std::from_chars(part.data(), part.data() + part.size(), count);
    if (status != std::errc() || rest != part.data() + part.size() || count < 1 || count > 1'000'000)
      throw InputError("{}: '{}' is not a whole number in 1..1000000. Write for example '1,2,4'?", where, part);
    counts.push_back(count);
  }
  if (counts.empty()) throw InputError("{}: '{}' names no number (a list such as '1,2,4'). Name one?", where, text);
  return counts;
}

std::vector<Key> micro_benchmark_parameters(std::vector<Key> own) {
  own.push_back(word_key("sizes", "1B,64B,1KiB,16KiB,64KiB,1MiB", "message sizes, a list with units"));
  own.push_back(count_key("repetitions", 1, "repetitions per point (1 is enough without noise)", 1, 1e6));
  return own;
}

void require_ranks(const std::string& kernel, std::uint32_t ranks, std::uint32_t needed, const std::string& why) {
  if (ranks < needed)
    throw InputError("{}: {} rank{} cannot run it ({} at least {}). Give it {}?", kernel, ranks, ranks == 1 ? "" : "s",
                     why, needed, needed);
}

}  // namespace orrery
