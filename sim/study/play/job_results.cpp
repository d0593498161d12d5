#include "sim/study/play/job_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/study/play/jobs_apart.hpp"

namespace orrery::study {

std::vector<Metric> metrics_of_jobs(const RunResult& run) {
  std::vector<Metric> metrics;
  for (const JobRecord& job : run.jobs)
    metrics.push_back({.name = fmt::format("slowdown of {}", job.name), .value = job.slowdown(), .unit = ""});
  return metrics;
}

void count_repetitions(PointResult& point) {
  for (const JobRecord& job : point.run.jobs) {
    const std::size_t times = job.ends.size(), first = index(job.first), end = first + job.ranks;
    if (times < 2 || point.traffic.empty()) continue;
    if (point.traffic_group > 1) return point.traffic.clear();
    for (std::size_t from = first; from < end; ++from)
      for (Traffic& to : point.traffic[from]) {
        to.messages *= times;
        to.bytes *= static_cast<double>(times);
      }
  }
}

namespace {

constexpr double uneven_from = 1.2;  // of the median

bool on_same_node(const LoadedPoint& point, std::size_t a, std::size_t b) {
  const auto of_a = point.of_jobs[a]->layout.nodes(), of_b = point.of_jobs[b]->layout.nodes();
  std::vector<NodeId> both;
  std::ranges::set_intersection(of_a, of_b, std::back_inserter(both));
  return !both.empty();
}

}  // namespace

std::vector<std::string> notes_of_jobs(const RunResult& run, const LoadedPoint& point, const PointSpec& spec) {
  std::vector<std::string> notes;
  const auto& jobs = run.jobs;
  for (std::size_t a = 0; a < jobs.size(); ++a)
    for (std::size_t b = a + 1; b < jobs.size(); ++b)
      if (jobs[a].shared[b] == 0 && !on_same_node(point, a, b)) {
        const std::string meet = what_lets_meet(point, spec, a, b);
        notes.push_back(fmt::format("jobs '{}' and '{}' share no node and no link: neither can slow the other{}",
                                    jobs[a].name, jobs[b].name, meet.empty() ? "" : ". They may meet with " + meet));
      }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const JobRecord& job = jobs[j];
    if (job.together.count > job.alone.count)
      notes.push_back(fmt::format("job '{}' is played {} times alone, more often together", job.name, job.alone.count));
    if (job.together.high > uneven_from * job.together.median && job.alone.high < uneven_from * job.alone.median)
      notes.push_back(
          fmt::format("the slowdown of job '{}' is of its median repetition; beside the others some take far "
                      "longer than that (5 .. 95 %)",
                      job.name));
  }
  return notes;
}

}  // namespace orrery::study
