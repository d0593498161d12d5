/// Cores of hosts with more ranks than cores, whose ranks keep theirs while they wait (NodeType::waiting polls): each
/// rank has its part until its program ends, so work has the same speed whatever the other ranks do.
///
///   speed of a rank   min(k, level) / k     k its cores; `level` deals the cores of the host out, max-min fair, among
///                                           the ranks of it whose programs have not ended
///
/// This needs no flow and no engine: a timer ends each work. When a rank ends, the work of the others ends sooner: each
/// gets another timer, and its earlier timer is stale.
///
/// Checked  tests/replay/waiting_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/layout.hpp"

namespace orrery::engine {

class KeptCores {
 public:
  KeptCores(const Platform& platform, const Layout& layout);

  /// Whether any rank keeps a core that others need.
  bool any() const { return !hosts_.empty(); }
  bool keeps(Rank rank) const { return rank_states_[index(rank)].host != none; }
  /// Work of `seconds` for a rank that keeps its core: its end, as far as known now.
  double begin(Rank rank, double seconds, double now);
  /// A timer of a rank that keeps its core: true if its work ends now, false if the timer is stale.
  bool ends(Rank rank, double now);
  /// Its program has ended: `sooner` is called with the new end of the others' work.
  void leave(Rank rank, double now, const std::function<void(Rank, double)>& sooner);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct RankState {  ///< of a rank
    std::uint32_t host = none;
    double cores = 1.0, speed = 1.0;
    double left = 0.0, since = 0.0, end = 0.0;  ///< of its work at speed 1, at `since`; its end
    bool at_work = false;
  };
  struct Host {
    double cores = 0.0;
    std::vector<Rank> ranks;  ///< not ended
  };
  void deal_out(Host& host);

  std::vector<RankState> rank_states_;  ///< [ranks]
  std::vector<Host> hosts_;
};

}  // namespace orrery::engine
