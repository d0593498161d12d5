#include <fmt/format.h>

#include <limits>

#include "kernels/collectives/translation.hpp"
#include "sim/core/elapsed.hpp"
#include "sim/core/error.hpp"

namespace orrery::collectives {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Lane {
  Generator<Action> actions;
  bool waits = false;
  std::uint32_t request = 0, turn = 0;  ///< of the wait
};

/// Requests of the lanes that wait, least turn first, so that who has no clock takes the first.
struct LaneChoice {
  std::vector<RequestId> of;
  std::vector<std::uint32_t> lanes;
  std::uint32_t found = none;
};

void fill(LaneChoice& choice, const std::vector<Lane>& lanes, const Translation& to) {
  choice.of.clear();
  choice.lanes.clear();
  choice.found = none;
  std::uint32_t least = 0;
  for (std::uint32_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].waits) continue;
    choice.of.push_back(to.request(i * lane_requests + lanes[i].request));
    choice.lanes.push_back(i);
    if (lanes[i].turn < lanes[choice.lanes[least]].turn) least = static_cast<std::uint32_t>(choice.of.size() - 1);
  }
  if (choice.of.empty()) return;
  std::swap(choice.of.front(), choice.of[least]);
  std::swap(choice.lanes.front(), choice.lanes[least]);
}

}  // namespace

Generator<Step> play_lanes(std::vector<Generator<Action>> all, Nodes nodes, Translation to) {
  std::vector<Lane> lanes;
  lanes.reserve(all.size());
  for (auto& actions : all) lanes.push_back({std::move(actions)});
  LaneChoice choice;
  choice.lanes.reserve(lanes.size());
  for (std::uint32_t next = 0; next < lanes.size(); ++next) choice.lanes.push_back(next);
  for (;;) {
    for (const std::uint32_t i : choice.lanes) {
      Lane& lane = lanes[i];
      while (!lane.waits) {
        const Action* const action = lane.actions.next();
        if (action == nullptr) break;
        if (action->request >= lane_requests)
          throw InputError(
              "collective: an algorithm of lanes uses request {} (0..{} in a lane). Use a "
              "smaller number?",
              action->request, lane_requests - 1);
        const std::uint32_t request = i * lane_requests + action->request;
        if (action->kind == Action::Kind::wait) {
          lane.waits = true;
          lane.request = action->request;
          lane.turn = action->turn;
        } else if (action->kind == Action::Kind::start_receive) {
          Action numbered = *action;
          numbered.request = request;
          co_yield to.start_receive_step(numbered);
        } else if (action->kind == Action::Kind::start_send) {
          co_yield Step(Isend{to.message(*action), to.request(request)});
        } else if (action->kind == Action::Kind::combine) {
          if (to.local.reduction && action->in.elements > 0) co_yield to.combine_step(*action);
        } else if (action->kind == Action::Kind::rearrange) {
          const GpuParameters* const gpus = nodes.gpus();
          if (gpus != nullptr && gpus->staging > BytesPerSecond{} && action->in.elements > 0)
            co_yield elapsed(to.size(action->in) / gpus->staging);
        } else if (action->kind != Action::Kind::copy) {
          throw InputError(
              "collective: an algorithm of lanes does what is not theirs (they start, wait, combine, rearrange and "
              "copy). Play it as steps?");
        }
      }
    }
    fill(choice, lanes, to);
    if (choice.of.empty()) break;
    if (choice.of.size() > 1) co_yield wait_any(choice.of, choice.found);
    const std::uint32_t chosen = choice.found == none ? 0 : choice.found;
    co_yield wait(choice.of[chosen]);
    const std::uint32_t lane = choice.lanes[chosen];
    lanes[lane].waits = false;
    choice.lanes.assign(1, lane);
  }
}

}  // namespace orrery::collectives
