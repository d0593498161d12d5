#include "sim/engine/job_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/engine/history.hpp"
#include "sim/engine/resources.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t links_max = 256;         // of a job, kept for what is made of them
constexpr std::size_t repeats_at_once = 1000;  // that take no time

}  // namespace

JobRuns::JobRuns(std::span<const Job> jobs, std::uint32_t ranks) : jobs_(jobs.begin(), jobs.end()) {
  for (std::uint32_t j = 0; j < jobs_.size(); ++j) {
    const auto first = static_cast<std::uint32_t>(of_rank_.size());
    State& state = states_.emplace_back();
    state.ranks = {first, first + jobs_[j].ranks};
    state.left = jobs_[j].ranks;
    of_rank_.resize(state.ranks.end, j);
    if (jobs_[j].repeat > 0 && !jobs_[j].idle) ++waited_for_;
  }
  if (of_rank_.size() != ranks)
    throw InputError("jobs: have {} ranks, the program has {} (they must agree)", of_rank_.size(), ranks);
}

bool JobRuns::ends(Rank rank, double now) {
  State& its = state(rank);
  if (its.at_end++ == 0) its.ends.emplace_back();
  its.ends.back() = std::max(its.ends.back(), Seconds{now});
  if (its.at_end < its.ranks.end - its.ranks.first) return false;
  its.at_end = 0;
  return true;
}

bool JobRuns::goes_on(Rank rank) {
  const Job& its = job(rank);
  const std::vector<Seconds>& ends = state(rank).ends;
  if (its.repeat > 0) return ends.size() < its.repeat;
  if (waited_for_ == 0) return false;
  if (ends.size() > repeats_at_once && ends[ends.size() - 1 - repeats_at_once] == ends.back())
    throw ReplayError(
        "job '{}': {} repetitions take no time, so that it would repeat for ever (t={:.6g}s). Give it work, "
        "or a number of repetitions?",
        its.name, repeats_at_once, ends.back().si());
  return true;
}

void JobRuns::ended(Rank rank, double now) {
  State& its = state(rank);
  if (job(rank).idle) return;
  if (its.ends.empty()) its.ends.emplace_back();
  if (job(rank).repeat == 1) its.ends.back() = std::max(its.ends.back(), Seconds{now});
  if (--its.left == 0 && job(rank).repeat > 0) --waited_for_;
}

void JobRuns::carried(Rank from, std::span<const ResourceId> route, double bytes) {
  std::vector<double>& sums = state(from).carried;
  for (const ResourceId id : route) {
    if (index(id) >= sums.size()) sums.resize(index(id) + 1, 0.0);
    sums[index(id)] += bytes;
  }
}

std::vector<JobRecord> JobRuns::records(const Resources& resources, const History* history) const {
  const auto uses = [this](std::size_t job, std::size_t id) {
    return id < states_[job].carried.size() && states_[job].carried[id] > 0.0;
  };
  std::vector<JobRecord> records;
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    const State& its = states_[j];
    JobRecord& record = records.emplace_back();
    record.name = jobs_[j].name;
    record.first = Rank{its.ranks.first};
    record.ranks = jobs_[j].ranks;
    record.start = jobs_[j].start;
    record.ends = its.ends;
    record.sent = its.sent;
    record.shared.assign(jobs_.size(), 0);
    for (std::size_t id = 0; id < its.carried.size(); ++id) {
      if (!uses(j, id)) continue;
      const ResourceId resource{static_cast<std::uint32_t>(id)};
      if (resources.kind(resource) == ResourceKind::copy) continue;  // a rank's own
      if (resources.capacity(resource) == not_shared) continue;
      std::uint32_t sharers = 0;
      for (std::size_t other = 0; other < jobs_.size(); ++other) {
        record.shared[other] += uses(other, id);
        sharers += other != j && uses(other, id);
      }
      const double bound = history != nullptr ? history->held(j, resource) : 0.0;
      if (sharers > 0 || bound > 0.0)
        record.links.push_back(
            {resources.name(resource), resources.kind(resource), Bytes{its.carried[id]}, sharers, Seconds{bound}, {}});
    }
    std::ranges::stable_sort(record.links, [](const JobLink& a, const JobLink& b) {
      return a.bound != b.bound ? a.bound > b.bound : a.bytes > b.bytes;
    });
    if (record.links.size() > links_max) record.links.resize(links_max);
  }
  return records;
}

}  // namespace orrery::engine
