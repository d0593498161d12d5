#include "platforms/simgrid_protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "platforms/simgrid_units.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

constexpr const char* smpi_latency_factors =
    "65472:11.6436;15424:3.48845;9376:2.59299;5776:2.18796;3484:1.88101;1426:1.61075;732:1.9503;257:1.95341;0:2.01467";
constexpr const char* smpi_bandwidth_factors =
    "65472:0.940694;15424:0.697866;9376:0.58729;5776:1.08739;3484:0.77493;1426:0.608902;732:0.341987;257:0.338112;"
    "0:0.812084";

/// Of messages longer than `above`: `values` are a factor, or an offset and a slope.
struct SizeRegime {
  double above = 0.0;
  std::vector<double> values;
};

class ProtocolReader {
 public:
  ProtocolReader(SimgridElements& elements, bool smpi_factors) : elements_(elements), smpi_factors_(smpi_factors) {}

  SimgridProtocol read() {
    overhead("send-overhead", "smpi/os");
    if (stated("smpi/ois") || stated("smpi/os")) overhead("isend-overhead", "smpi/ois");
    overhead("receive-overhead", "smpi/or");
    both("eager", fmt::format("{:.0f}B", threshold()));
    both("handshake", "0");
    result_.of_network.emplace_back("copies: [0, 0]");
    result_.of_shared_memory.emplace_back("copies: [1, 0]");
    const bool latency = factors("latency-factor", "smpi/lat-factor", "network/latency-factor", smpi_latency_factors);
    const bool bandwidth =
        factors("wire-efficiency", "smpi/bw-factor", "network/bandwidth-factor", smpi_bandwidth_factors);
    result_.assumed = fmt::format("as SMPI has it: {}, {}; the sender waits for messages from {:.0f} B on",
                                  overheads_ ? "the overheads of the file's <config>" : "no overheads",
                                  smpi_factors_          ? "SMPI's own factors of the size"
                                  : latency || bandwidth ? "the factors of the file's <config>"
                                                         : "but without its factors of the size",
                                  threshold());
    if (!smpi_factors_ && (!latency || !bandwidth))
      elements_.note(
          fmt::format("SMPI multiplies {}: left out, so short messages take half of SMPI's time (import with "
                      "--smpi-factors to have them, or give smpirun '{}')",
                      latency     ? "bandwidths by factors of the size, 0.34 to 1.09"
                      : bandwidth ? "latencies by factors of the size, 1.6 to 11.6"
                                  : "latencies by 1.6 to 11.6 and bandwidths by 0.34 to 1.09, by the size of the "
                                    "message",
                      latency     ? "--cfg=smpi/bw-factor:1"
                      : bandwidth ? "--cfg=smpi/lat-factor:1"
                                  : "--cfg=smpi/bw-factor:1 --cfg=smpi/lat-factor:1"),
          1);
    note_others();
    return std::move(result_);
  }

 private:
  bool stated(const char* property) const { return elements_.properties.contains(property); }
  std::string where(const char* property) const {
    const auto found = elements_.properties.find(property);
    return fmt::format("{}: <config> {}",
                       elements_.where(found == elements_.properties.end() ? 1 : found->second.second), property);
  }
  void both(const char* key, const std::string& value) {
    for (auto* keys : {&result_.of_network, &result_.of_shared_memory})
      keys->push_back(fmt::format("{}: {}", key, value));
  }
  double threshold() const {
    const auto found = elements_.properties.find("smpi/send-is-detached-thresh");
    return found == elements_.properties.end()
               ? 65536.0
               : simgrid_number(found->second.first, where("smpi/send-is-detached-thresh"), "the threshold");
  }

  [[noreturn]] void refuse(const char* property, const std::string& text, const char* form) const {
    elements_.refuse(elements_.properties.at(property).second,
                     Refusal("<config> {} is '{}' ({}). Correct it?", property, shown(text), form));
  }

  /// "0:a:b;100:c:d", or one number. In order of the size.
  std::vector<SizeRegime> regimes(const char* property, const std::string& text, std::size_t values,
                                  const char* form) const {
    std::vector<SizeRegime> found;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(';', begin), text.size());
      std::vector<double> numbers;
      for (std::size_t at = begin; at <= end;) {
        const std::size_t colon = std::min(text.find(':', at), end);
        double value = 0.0;
        const auto [rest, status] = std::from_chars(text.data() + at, text.data() + colon, value);
        if (status != std::errc() || rest != text.data() + colon || !std::isfinite(value) || value < 0.0)
          refuse(property, text, form);
        numbers.push_back(value);
        at = colon + 1;
      }
      if (numbers.size() == 1 && values == 1 && begin == 0 && end == text.size()) numbers.insert(numbers.begin(), 0.0);
      if (numbers.size() < 2 || numbers.size() > values + 1) refuse(property, text, form);
      numbers.resize(values + 1, 0.0);
      found.push_back({numbers[0], {numbers.begin() + 1, numbers.end()}});
      begin = end + 1;
    }
    std::ranges::sort(found, {}, &SizeRegime::above);
    return found;
  }
  /// The first size of a regime. SMPI takes the one before up to its threshold.
  static double first(const std::vector<SizeRegime>& regimes, std::size_t i) {
    return i == 0 ? 0.0 : std::floor(regimes[i].above) + 1.0;
  }

  void overhead(const char* key, const char* property) {
    if (!stated(property)) return both(key, "0s");
    overheads_ = true;
    const std::vector<SizeRegime> all =
        regimes(property, elements_.properties.at(property).first, 2, "'size:offset:slope' joined by ';'");
    std::vector<std::string> points;
    const auto point = [&](double size, const SizeRegime& regime, const std::string& more = "") {
      points.push_back(
          fmt::format("{{from: {:.0f}B, time: {:.9g}s{}}}", size, regime.values[0] + regime.values[1] * size, more));
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool last = i + 1 == all.size();
      const double begin = first(all, i), end = last ? begin : first(all, i + 1) - 1.0;
      if (!last && end < begin) continue;
      point(begin, all[i],
            last && all[i].values[1] > 0.0 ? fmt::format(", then-per-byte: {:.9g}s/B", all[i].values[1]) : "");
      if (end > begin) point(end, all[i]);
    }
    both(key, fmt::format("[{}]", fmt::join(points, ", ")));
  }

  /// Whether the file, or SMPI, has any.
  bool factors(const char* key, const char* property, const char* plain, const char* defaults) {
    const bool own = stated(property);
    const char* from = own ? property : plain;
    if (!own && !stated(plain) && !smpi_factors_) return false;
    const bool of_file = own || (stated(plain) && !smpi_factors_);
    const std::vector<SizeRegime> all =
        regimes(of_file ? from : property, of_file ? elements_.properties.at(from).first : std::string(defaults), 1,
                "'size:factor' joined by ';'");
    const bool efficiency = key == std::string_view("wire-efficiency");
    std::vector<std::string> steps;
    bool above = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double value = all[i].values[0];
      above |= value > 1.0;
      steps.push_back(fmt::format("{{from: {:.0f}B, factor: {:.9g}}}", first(all, i),
                                  std::clamp(value, 1e-3, efficiency ? 1.0 : 1e7)));
    }
    if (efficiency && above)
      elements_.note("a bandwidth factor above 1 is taken as 1: a link carries no more than its bandwidth here", 1);
    const std::string value = fmt::format("[{}]", fmt::join(steps, ", "));
    result_.of_network.push_back(fmt::format("{}: {}", key, value));
    result_.of_shared_memory.push_back(fmt::format("{}: {}", efficiency ? "bandwidth-factor" : key, value));
    return true;
  }

  /// What else <config> says.
  void note_others() {
    constexpr std::string_view read[] = {"smpi/os",
                                         "smpi/ois",
                                         "smpi/or",
                                         "smpi/lat-factor",
                                         "smpi/bw-factor",
                                         "network/latency-factor",
                                         "network/bandwidth-factor",
                                         "smpi/send-is-detached-thresh"};
    constexpr std::pair<std::string_view, const char*> meanings[] = {
        {"network/", "the network model of SimGrid: here links are shared max-min fairly"},
        {"cpu/", "SimGrid's model of cores: here ranks share them fairly"},
        {"host/", "SimGrid's model of hosts: here networks and cores are reckoned apart"},
        {"smpi/coll", "SMPI's choice of collectives: state 'collectives' of the kernel"},
        {"smpi/", "a cost of SMPI: write it into 'protocol' where that has a key for it"}};
    for (const auto& [id, property] : elements_.properties) {
      if (std::ranges::find(read, id) != std::end(read)) continue;
      const auto meaning = std::ranges::find_if(meanings, [&](const auto& each) { return id.starts_with(each.first); });
      elements_.note(fmt::format("<config> '{}' is left out{}", shown(id),
                                 meaning == std::end(meanings) ? "" : fmt::format(" ({})", meaning->second)),
                     property.second);
    }
  }

  SimgridElements& elements_;
  bool smpi_factors_, overheads_ = false;
  SimgridProtocol result_;
};

}  // namespace

SimgridProtocol protocol_of(SimgridElements& elements, bool smpi_factors) {
  return ProtocolReader(elements, smpi_factors).read();
}

}  // namespace orrery
