#include "sim/show/summary/bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/show/summary/summary.hpp"

namespace orrery::report {

namespace {

constexpr double named_min = 0.001;    // of the path
constexpr double worth_saying = 0.05;  // beside the first

struct Words {
  PathKind kind;
  const char *name, *if_free;
};
/// Kinds of time that no resource answers for.
constexpr Words words[] = {
    {PathKind::send_overhead, "send overhead", "send overhead were zero"},
    {PathKind::receive_overhead, "receive overhead", "receive overhead were zero"},
    {PathKind::probe, "probing", "probes cost nothing"},
    {PathKind::handshake, "rendezvous handshakes", "handshakes took no time"},
    {PathKind::latency, "latency", "latency were zero"},
    {PathKind::shared_cores, "shared cores", "every rank had its own cores"},
};

/// The rank that computes longest on the path.
void locate_rank(PathCause& cause, const PathTotals& totals) {
  if (totals.computing.empty()) return;
  cause.where = fmt::format("rank {}", index(totals.computing.front().rank));
  cause.where_share = totals.computing.front().time / totals.time;
}

void add_computation(std::vector<PathCause>& causes, const PathTotals& totals) {
  const Seconds own = totals.of(PathKind::computation) - totals.late;
  causes.push_back({"computation", "", 0.0, "computing took no time", own / totals.time});
  causes.push_back({"late ranks", "", 0.0, "no rank were late", totals.late / totals.time});
  locate_rank(causes[own > totals.late ? 0 : 1], totals);
}

void add_resources(std::vector<PathCause>& causes, const CriticalPath& path, const PathTotals& totals) {
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    const auto kind = static_cast<ResourceKind>(k);
    PathCause cause{.name = resource_words(kind).all,
                    .if_free = fmt::format("{} were infinitely fast", resource_words(kind).all),
                    .share = totals.of(kind) / totals.time,
                    .saturated = true};
    for (const auto& [resource, time] : totals.resources)
      if (path.resources[resource].kind == kind) {
        cause.where = path.resources[resource].name;
        cause.where_share = time / totals.time;
        break;
      }
    causes.push_back(std::move(cause));
  }
}

/// "incoming NIC of a-0" when hardly any other resource of its kind counts, else "incoming NICs".
bool one_alone(const PathCause& cause) { return cause.saturated && cause.where_share > 0.95 * cause.share; }

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

}  // namespace

std::vector<PathCause> path_causes(const CriticalPath& path, const PathTotals& totals) {
  std::vector<PathCause> causes;
  if (!path.kept || totals.time <= Seconds{}) return causes;
  add_computation(causes, totals);
  add_resources(causes, path, totals);
  for (const Words& of : words) causes.push_back({of.name, "", 0.0, of.if_free, totals.of(of.kind) / totals.time});
  causes.push_back({"the rate limit of one message", "", 0.0, "a message could use all of its links",
                    totals.own_limit / totals.time});
  Seconds flows, explained = totals.own_limit;
  for (std::size_t k = 0; k < path_kinds; ++k)
    if (is_flow(static_cast<PathKind>(k))) flows += totals.kinds[k];
  for (const Seconds time : totals.saturated) explained += time;
  causes.push_back({"other transfers", "", 0.0, "they took no time", (flows - explained) / totals.time});
  causes.push_back({"not recorded", "", 0.0, "", totals.left_out / totals.time});
  std::erase_if(causes, [](const PathCause& cause) { return !(cause.share >= named_min); });
  std::ranges::stable_sort(causes, std::greater{}, &PathCause::share);
  return causes;
}

std::string path_subject(const PathTotals& totals) {
  if (totals.phase.empty()) return "the run";
  if (totals.phase == "communication" || totals.phase == "computation") return "the " + totals.phase;
  return fmt::format("phase '{}'", totals.phase);
}

std::string bottleneck_sentence(const PointResult& point) {
  const CriticalPath& path = point.run.critical_path;
  const PathTotals& totals = path.of_phase(point.compared_phase);
  const std::vector<PathCause> causes = path_causes(path, totals);
  if (causes.empty()) return {};
  const PathCause& first = causes.front();
  const std::string of_path = fmt::format("{} of the critical path of {}", percent(first.share), path_subject(totals));
  std::string sentence = one_alone(first) ? first.where : first.name;
  sentence += first.saturated ? ", saturated for " + of_path : ", " + of_path;
  if (!one_alone(first) && !first.where.empty() && first.where_share > 0.5 * first.share)
    sentence += fmt::format(" (mostly {})", first.where);
  for (std::size_t k = 1; k < std::min<std::size_t>(3, causes.size()) && causes[k].share >= worth_saying; ++k)
    sentence += fmt::format("{} {} {}", k == 1 ? "; then" : ",", causes[k].name, percent(causes[k].share));
  return sentence;
}

std::string path_sentence(const CriticalPath& path, const PathTotals& totals) {
  std::string sentence;
  for (const PathCause& cause : path_causes(path, totals))
    if (cause.share >= 0.01)
      sentence += fmt::format("{}{} {}", sentence.empty() ? "" : ", ", cause.name, percent(cause.share));
  return sentence;
}

}  // namespace orrery::report
