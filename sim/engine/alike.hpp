/// Identical intervals of groups of ranks, simulated once.
///
/// A stretch is an interval in which the members of a group communicate only with each other: from the begin of a
/// collective on, through further ones and the computation between them, until a member needs another rank. If its
/// messages go over links between GPUs that no other rank uses meanwhile, its result follows only from
///
///   the script of each member     when each comes after the first     the parameters of the links between them
///
/// The first stretch of a kind runs on its own engine. Each identical one reuses its times, bytes and loads, shifted to
/// its own dates. Members are held until the last has come, because no collective of a stretch releases a member
/// earlier.
///
/// These conditions are checked; if one does not hold, the run is simulated whole (Unalike):
///
///   links     no other flow begins on a link between the first use and the last, or is on one when the first member
///             comes; two consecutive stretches do not use a link at the same time
///   cores     ranks that share a GPU with a member wait for a message of a member that has not been sent
///   scripts   all steps are known without a clock, requests are waited for within the stretch, and no receive is from
///             any source
///   order     no message takes the least loaded route of the moment
///
/// Dates of members count as equal if they differ only by the rounding of the dates.
///
/// Valid    collectives have tags or communicators of their own
/// Checked  tests/replay/alike_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/engine/ids.hpp"
#include "sim/engine/loads.hpp"
#include "sim/engine/resources.hpp"

namespace orrery::engine {

/// Whether no member of such a collective leaves it before all have come.
bool holds_all(Operation operation);

/// Thrown if a run cannot continue like this: it is then simulated whole.
struct Unalike {
  std::string why;
};

/// Distinguishes scripts by 128 bits.
struct Fingerprint {
  std::uint64_t a = 0x243F6A8885A308D3ull, b = 0x13198A2E03707344ull;
  void add(std::uint64_t value) {
    a = (a ^ value) * 0x9E3779B97F4A7C15ull;
    a ^= a >> 32;
    b = (b + value) * 0xBF58476D1CE4E5B9ull;
    b ^= b >> 29;
  }
  void add(double value);
  auto operator<=>(const Fingerprint&) const = default;
};

/// The steps of one member in a stretch. Ranks are member numbers, compute steps are seconds.
struct Script {
  std::vector<Step> steps;
  std::deque<CollectiveCall> calls;  ///< the marks among the steps point to these
  std::uint32_t collectives = 0;
  std::uint64_t messages = 0;
  double bytes = 0.0;
  std::uint32_t first_request = 0xffffffffu, last_request = 0;  ///< range of the requests opened or waited for
  Fingerprint print;

  void clear();
  void add(const Step& step);
  void begin_collective(const CollectiveCall& call);
  /// Whether all its requests are waited for within the stretch.
  bool closes_requests() const;
};

/// The result of a stretch; dates are s after the last member came.
struct Stretch {
  struct Doing {
    Activity activity;
    double begin, end;
  };
  struct OnLink {
    double bytes = 0.0, busy = 0.0, first = 0.0, last = 0.0;
    std::vector<LoadPiece> pieces = {};
  };
  std::vector<double> came, ends;          ///< [members]
  std::vector<std::vector<Doing>> doings;  ///< [members]
  std::vector<OnLink> links;               ///< [links of the group]
  std::vector<CollectiveRecord> collectives;
  std::uint64_t messages = 0, unexpected = 0;
};

class Alike {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Member {
    const Script* script = nullptr;
    const Step* next = nullptr;  ///< after the stretch; null: its program is over
    double came = 0.0;
    std::uint32_t calls = 0;  ///< collectives begun
    std::uint32_t under_way = none;
  };
  struct Group {
    bool fits = false;
    std::uint32_t kind = 0;  ///< equal for groups with identical links
    ChannelKind channel = ChannelKind::shared_memory;
    std::vector<Rank> ranks;
    std::vector<Member> members;
    std::vector<ResourceId> links;
    std::vector<Rank> beside;  ///< on the GPUs of the members
    bool open = false;         ///< some members have come, not all
    std::uint32_t came = 0, opens_at = 0, decided = 0;
    std::uint64_t whole = 0, whole_ended = 0;  ///< collectives played whole; their ends at members
  };
  struct UnderWay {
    const Stretch* stretch = nullptr;
    std::uint32_t group = 0, left = 0;
    double last_came = 0.0;
  };
  struct RankState {
    std::uint32_t group = none, member = 0;
    std::uint32_t inside = none;  ///< the group whose collective the rank is in, if played whole
  };

  explicit Alike(const ReplayInput& run) : input(run), rank_states(run.layout->ranks()) {}

  /// The number of this group; `fresh`: it is new.
  std::pair<std::uint32_t, bool> number_of(const orrery::Group& group);
  std::uint32_t kind_of(const std::vector<double>& parameters);
  /// Returns the stored script with equal content, so that few are kept.
  const Script* known(Script& script);

  // Use of links and cores by others, and until when a stretch uses them.
  void flow_starts(std::span<const ResourceId> route, double now);
  void flow_ends(std::span<const ResourceId> route);
  void core_taken(Rank rank, double now) const;
  bool is_idle(const Group& group) const;
  void open(const Group& group);
  void close(const Group& group, const Stretch& stretch, double last_came);

  /// An identical stretch that was played before, or null.
  const Stretch* find(const Group& group, double now) const;
  const Stretch* keep(const Group& group, double now, Stretch stretch);
  /// Too few are identical.
  bool is_in_vain() const { return repeated.played > 64 && 2 * repeated.played > repeated.stretches; }
  std::uint32_t begin(UnderWay under_way);
  void collective_ended(Rank rank) {
    std::uint32_t& inside = rank_states[index(rank)].inside;
    if (inside != none) ++groups[inside].whole_ended;
    inside = none;
  }

  /// The ranks that share time-shared cores, or a GPU.
  std::span<const Rank> on_cores(ResourceId cores) const {
    const auto found = by_cores.find(cores);
    return found == by_cores.end() ? std::span<const Rank>{} : std::span<const Rank>{found->second};
  }
  /// Use of a resource by reused stretches, in addition to the engine's count.
  Use use(ResourceId resource) const { return index(resource) < uses.size() ? uses[index(resource)] : Use{}; }

  ReplayInput input;
  std::deque<Group> groups;
  std::vector<RankState> rank_states;  ///< [ranks]
  std::unordered_map<ResourceId, std::vector<Rank>> by_cores;
  std::vector<UnderWay> under_way;
  std::vector<std::uint32_t> free_under_way;
  std::vector<Use> uses;  ///< [resources]
  Script scratch;
  Repeated repeated;

 private:
  struct OfLink {
    std::uint32_t flows = 0, opened = 0;
    double until = -1.0;  ///< a stretch uses it until then
  };
  OfLink& of(ResourceId link) {
    if (index(link) >= links_.size()) links_.resize(2 * index(link) + 1);
    return links_[index(link)];
  }
  static bool is_over(double until, double now) { return until - now <= 1e-12 + 1e-12 * now; }
  static Fingerprint print_of(const Group& group, double now);

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  std::map<std::vector<double>, std::uint32_t> kinds_;
  std::map<Fingerprint, std::unique_ptr<Script>> scripts_;
  std::map<Fingerprint, std::vector<std::unique_ptr<Stretch>>> stretches_;
  std::vector<OfLink> links_;
  std::vector<OfLink> cores_;  ///< [ranks] that share a GPU with members
};

}  // namespace orrery::engine
