#include "sim/show/summary/bottleneck.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

constexpr double named_min = 0.001;   // of the path
constexpr double worth_saying = 0.1;  // beside the first
constexpr double uneven_min = 0.05;   // of computation, beyond the others
constexpr double hardly_max = 0.01;   // of the slowest's computation, such as what a stream of messages computes

struct Words {
  PathKind kind;
  const char *name, *if_free, *said;
};
/// Kinds of time that no resource answers for.
constexpr Words words[] = {
    {PathKind::send_overhead, "send overhead", "send overhead were zero", "send overhead"},
    {PathKind::receive_overhead, "receive overhead", "receive overhead were zero", "receive overhead"},
    {PathKind::probe, "probing", "probes cost nothing", "probing"},
    {PathKind::handshake, "rendezvous handshakes", "handshakes took no time", "rendezvous handshakes"},
    {PathKind::latency, "latency", "latency were zero", "latency"},
    {PathKind::sleep, "sleep", "no rank slept", "ranks that sleep"},
    {PathKind::shared_cores, "shared cores", "every rank had its own cores", "ranks sharing cores"},
};

/// The rank that computes longest on the path.
void locate_rank(PathCause& cause, const PathTotals& totals) {
  if (totals.computing.empty()) return;
  cause.where = fmt::format("rank {}", index(totals.computing.front().rank));
  cause.where_share = totals.computing.front().time / totals.time;
}

void add_computation(std::vector<PathCause>& causes, const PathTotals& totals) {
  const Seconds own = totals.of(PathKind::computation) - totals.late;
  causes.push_back({"computation", "", 0.0, "computing took no time", "computation", own / totals.time});
  causes.push_back(
      {"late ranks", "", 0.0, "no rank were late", "computation of late ranks", totals.late / totals.time});
  locate_rank(causes[own > totals.late ? 0 : 1], totals);
}

void add_resources(std::vector<PathCause>& causes, const CriticalPath& path, const PathTotals& totals) {
  for (std::size_t k = 0; k < resource_kinds; ++k) {
    const auto kind = static_cast<ResourceKind>(k);
    PathCause cause{.name = resource_words(kind).all,
                    .if_free = fmt::format("{} were infinitely fast", resource_words(kind).all),
                    .said = fmt::format("transfers that saturate {}", resource_words(kind).all),
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

/// Hardly any other resource of its kind counts.
bool one_alone(const PathCause& cause) { return cause.saturated && cause.where_share > 0.95 * cause.share; }

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

/// "20 % longer than", "3.1 times as long as"
std::string compared_to(double beyond) {
  return beyond < 1.0 ? fmt::format("{} longer than", percent(beyond))
                      : fmt::format("{:.2g} times as long as", beyond + 1.0);
}

/// How even computation is over the ranks that compute: " (rank 3 computes 20 % longer than the others)". Empty where
/// ranks are known in groups only, or where the slowest is like the median and others compute much less.
std::string evenness(const RunResult& run) {
  const auto& times = run.activity_times;
  if (times.empty() || run.activity_group != 1) return {};
  const std::vector<Seconds>& of = times[static_cast<std::size_t>(Activity::compute)];
  if (of.size() < 2) return {};
  std::vector<Seconds> others = of;
  const auto slowest = std::ranges::max_element(others);
  const auto rank = slowest - others.begin();
  const Seconds most = *slowest;
  others.erase(slowest);
  const auto hardly = std::erase_if(others, [&](Seconds time) { return time > Seconds{} && time < hardly_max * most; });
  if (others.empty()) return {};
  const std::string rest =
      hardly > 0 ? fmt::format("; {} rank{} hardly compute{}", hardly, hardly > 1 ? "s" : "", hardly > 1 ? "" : "s")
                 : "";
  std::ranges::sort(others);
  const Seconds median = others[others.size() / 2];
  if (median <= Seconds{}) return {};
  const auto beyond = [](Seconds longer, Seconds shorter) { return longer / shorter - 1.0; };
  if (beyond(most, median) < uneven_min) {
    const bool even = others.front() > Seconds{} && beyond(most, others.front()) < uneven_min;
    const double within = 100.0 * beyond(most, others.front());
    return even ? fmt::format(" (even: {} compute equally long{}{})",
                              hardly > 0 ? fmt::format("{} ranks", others.size() + 1) : "all ranks",
                              within < 0.05 ? "" : fmt::format(" within {:.1f} %", within), rest)
                : "";
  }
  const bool alike = others.front() > Seconds{} && beyond(others.back(), others.front()) < uneven_min;
  return fmt::format(" (rank {} computes {} {}{})", rank, compared_to(beyond(most, median)),
                     alike ? "the others" : "the median of the others", rest);
}

/// "transfers that saturate incoming NICs (mostly that of a-1)"
std::string said_of(const PathCause& cause) {
  if (one_alone(cause))
    return fmt::format("transfers that saturate {}{}", cause.where.starts_with("both ") ? "" : "the ", cause.where);
  if (!cause.where.empty() && cause.name != "computation" && cause.where_share > 0.5 * cause.share)
    return fmt::format("{} (mostly {})", cause.said, cause.where);
  return cause.said;
}

std::string then(const std::vector<PathCause>& causes) {
  return causes.size() > 1 && causes[1].share >= worth_saying
             ? fmt::format(", {} {}", percent(causes[1].share), causes[1].name)
             : "";
}

}  // namespace

std::vector<PathCause> path_causes(const CriticalPath& path, const PathTotals& totals) {
  std::vector<PathCause> causes;
  if (!path.kept || totals.time <= Seconds{}) return causes;
  add_computation(causes, totals);
  add_resources(causes, path, totals);
  for (const Words& of : words)
    causes.push_back({of.name, "", 0.0, of.if_free, of.said, totals.of(of.kind) / totals.time});
  causes.push_back({"the rate limit of one message", "", 0.0, "a message could use all of its links",
                    "transfers at the rate limit of one message", totals.own_limit / totals.time});
  Seconds flows, explained = totals.own_limit;
  for (std::size_t k = 0; k < path_kinds; ++k)
    if (is_flow(static_cast<PathKind>(k))) flows += totals.kinds[k];
  for (const Seconds time : totals.saturated) explained += time;
  causes.push_back(
      {"other transfers", "", 0.0, "they took no time", "other transfers", (flows - explained) / totals.time});
  causes.push_back({"not recorded", "", 0.0, "", "not recorded", totals.left_out / totals.time});
  std::erase_if(causes, [](const PathCause& cause) { return !(cause.share >= named_min); });
  std::ranges::stable_sort(causes, std::greater{}, &PathCause::share);
  return causes;
}

std::string path_subject(const PathTotals& totals) {
  if (totals.phase.empty()) return "the run";
  if (totals.phase == "communication" || totals.phase == "computation") return "the " + totals.phase;
  return fmt::format("phase '{}'", totals.phase);
}

std::string AnswerPart::text(const std::string& closing_instead) const {
  return opening + took + percent(causes.front().share) + closing_instead + said + more;
}

std::string Answer::run_text() const {
  std::string text;
  for (const AnswerPart& part : of_run) text += (text.empty() ? "" : "; ") + part.text();
  return more_jobs == 0 ? text : text + fmt::format("; and {} more jobs", more_jobs);
}

std::string Answer::phase_text() const { return of_phase ? of_phase->text() : ""; }

namespace {

/// Of several jobs each has its own: "job 'a': 61 % is computation".
Answer answer_of_jobs(const CriticalPath& path) {
  constexpr std::size_t said_max = 4;
  Answer answer;
  for (std::size_t j = 0; j < std::min(said_max, path.jobs.size()); ++j) {
    const std::vector<PathCause> causes = path_causes(path, path.jobs[j]);
    if (causes.empty()) continue;
    answer.share = std::max(answer.share, causes.front().share);
    answer.of_run.push_back(
        {fmt::format("job '{}': ", path.jobs[j].phase), " is ", causes, said_of(causes.front()), "", then(causes)});
  }
  if (path.jobs.size() > said_max) answer.more_jobs = path.jobs.size() - said_max;
  return answer;
}

}  // namespace

Answer answer_of(const PointResult& point) {
  const CriticalPath& path = point.run.critical_path;
  if (path.kept && !path.jobs.empty()) return answer_of_jobs(path);
  const std::vector<PathCause> causes = path_causes(path, path.run);
  if (causes.empty()) return {};
  const PathCause& first = causes.front();
  const std::string even = first.name == "computation" ? evenness(point.run) : "";
  Answer answer{.of_run = {{"", " of the run is ", causes, said_of(first), "", even + then(causes)}},
                .share = first.share};
  const PathTotals& compared = path.of_phase(point.compared_phase);
  if (&compared == &path.run || compared.time > 0.999 * path.run.time) return answer;
  const std::vector<PathCause> own = path_causes(path, compared);
  if (own.empty()) return answer;
  answer.of_phase = AnswerPart{fmt::format("of {} ", path_subject(compared)), " is ",   own, said_of(own.front()),
                               fmt::format("({}) ", to_text(compared.time)),  then(own)};
  return answer;
}

std::string bottleneck_kind(const Answer& answer) {
  std::string kind;
  for (const AnswerPart& part : answer.of_run) kind += part.opening + part.causes.front().name + "\n";
  return kind;
}

std::string bottleneck_sentence(const Answer& answer) {
  const std::string phase = answer.phase_text();
  return phase.empty() ? answer.run_text() : answer.run_text() + "; " + phase;
}

std::string path_sentence(const CriticalPath& path, const PathTotals& totals) {
  std::string sentence;
  for (const PathCause& cause : path_causes(path, totals))
    if (cause.share >= 0.01)
      sentence += fmt::format("{}{} {}", sentence.empty() ? "" : ", ", cause.name, percent(cause.share));
  return sentence;
}

}  // namespace orrery::show
