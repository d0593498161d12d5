#include "sim/study/play/gpu_fallback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <variant>

#include "sim/core/collective_call.hpp"

namespace orrery::study {

namespace {

constexpr std::uint32_t steps_seen = 4096;  // of rank 0

/// The first all-to-all of rank 0, posted all at once.
const CollectiveCall* linear_alltoall(Generator<Step>& steps) {
  for (std::uint32_t i = 0; i < steps_seen; ++i) {
    const Step* step = steps.next();
    if (step == nullptr) return nullptr;
    const auto* begin = std::get_if<CollectiveBegin>(step);
    if (begin == nullptr) continue;
    const std::string_view algorithm = begin->call->algorithm;
    if (algorithm == "basic_linear" || algorithm == "ompi_basic_linear") return begin->call;
  }
  return nullptr;
}

bool asked_for_rails(const LoadedPoint& point) {
  return std::ranges::any_of(point.parameters.rendered(), [](const auto& setting) {
    return setting.second == "nccl" || setting.second == "nccl_pxn";
  });
}

}  // namespace

std::string fallback_notice(const LoadedPoint& point) {
  const Layout& layout = point.layout;
  if (!layout.gpus || layout.ranks() < fallback_told_from || !asked_for_rails(point)) return "";
  auto steps = point.program->steps(Rank{0});
  const CollectiveCall* const call = linear_alltoall(steps);
  if (call == nullptr || call->group.size() < fallback_told_from) return "";
  std::map<std::uint32_t, std::uint32_t> of_node;
  for (Member m = 0; m < call->group.size(); ++m) ++of_node[layout.domain(call->group.rank(m))];
  const auto [least, most] =
      std::ranges::minmax_element(of_node, {}, [](const auto& node) { return node.second; });
  if (least->second == most->second) return "";
  const std::uint64_t members = call->group.size();
  return fmt::format(
      "an {} of {} GPUs cannot go along rails ('nccl_pxn'), as nodes have {} to {} of them: all its {} messages go at "
      "once ('{}'), which takes minutes to play. Place a multiple of {} ranks, as {}?",
      operation_name(call->operation), members, least->second, most->second, members * (members - 1), call->algorithm,
      most->second, members / most->second * most->second);
}

}  // namespace orrery::study
