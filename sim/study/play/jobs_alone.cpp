#include "sim/study/play/jobs_alone.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/compute/slowed.hpp"
#include "models/stats/repeated.hpp"
#include "platforms/energy.hpp"
#include "sim/engine/isolate.hpp"
#include "sim/engine/wire_format.hpp"

namespace orrery::study {

namespace {

constexpr std::size_t links_shown_max = 64;

/// An engine of which a process holds one simulation plays each in a child.
RunResult played_by(const std::string& engine, const ReplayInput& input, const std::string& name) {
  if (make_engine(engine, "engine")->reentrant()) return make_engine(engine, "engine")->replay(input);
  const engine::Task task{name, [&](const ReplayProgress& tell) {
                            ReplayInput own = input;
                            own.options.progress = tell;
                            return engine::to_bytes(make_engine(engine, "engine")->replay(own));
                          }};
  const auto told = [&](std::size_t, double simulated_s, std::uint64_t messages) {
    if (input.options.progress) input.options.progress(simulated_s, messages);
  };
  return engine::from_bytes(engine::run_isolated(1, {task}, {}, {}, told).front().value());
}

/// Of the repetitions, each from the end of the one before, or from the job's start.
JobTimes times_of(const JobRecord& job) {
  std::vector<Seconds> times;
  Seconds begin = job.start;
  for (const Seconds end : job.ends) {
    times.push_back(end - begin);
    begin = end;
  }
  const auto count = static_cast<std::uint32_t>(times.size());
  const RepeatedTime all = stats::repeated_time(job.name, std::move(times));
  return {count, all.median, all.low, all.high};
}

/// What the links that it shares did to a job, beside what they do to it alone: in a repetition, on average.
void keep_shared(JobRecord& job, const JobRecord& alone) {
  const auto mean = [](Seconds all, const JobRecord& of) { return all / static_cast<double>(of.ends.size()); };
  for (JobLink& link : job.links) {
    const auto same = std::ranges::find(alone.links, link.name, &JobLink::name);
    if (same != alone.links.end()) link.alone = mean(same->bound, alone);
    link.bound = mean(link.bound, job);
  }
  std::erase_if(job.links, [](const JobLink& link) { return link.sharers == 0; });
  if (job.links.size() > links_shown_max) job.links.resize(links_shown_max);
}

/// Its computation under power caps while the ranks of other jobs on its nodes, if any, are idle and draw nothing; none:
/// as together.
std::unique_ptr<ComputeModel> compute_alone(const LoadedPoint& point, std::size_t j) {
  std::vector<double> factors = slowed_by_caps(*point.platform, point.layout);
  if (factors.empty()) return {};
  const std::vector<double> alone = slowed_by_caps(*point.platform, point.of_jobs[j]->layout);
  std::uint32_t rank = 0;
  for (std::size_t before = 0; before < j; ++before) rank += point.jobs[before].ranks;
  bool differs = false;
  for (std::size_t i = 0; i < point.jobs[j].ranks; ++i, ++rank) {
    const double own = alone.empty() ? 1.0 : alone[i];
    differs = differs || own != factors[rank];
    factors[rank] = own / factors[rank];
  }
  if (!differs) return {};
  const std::shared_ptr<const ComputeModel> together(point.compute.get(), [](const ComputeModel*) {});
  return std::make_unique<SlowedTime>(together, std::move(factors));
}

}  // namespace

RunResult play_jobs(const LoadedPoint& point, const ReplayOptions& options, const std::string& engine) {
  const ReplayInput input = point.replay_input(options);
  RunResult together = played_by(engine, input, "jobs together");
  ReplayInput alone = input;
  alone.options.intervals_max = 0;
  alone.options.trace_ranks.clear();
  alone.options.trace_from_s = 0.0;
  alone.options.trace_until_s = ReplayOptions().trace_until_s;
  for (std::size_t j = 0; j < point.jobs.size(); ++j) {
    JobRecord& job = together.jobs[j];
    job.kernel = point.of_jobs[j]->kernel;
    std::vector<Job> others = point.jobs;
    for (std::size_t k = 0; k < others.size(); ++k) others[k].idle = k != j;
    if (others[j].repeat != 1)
      others[j].repeat = std::min(static_cast<std::uint32_t>(job.ends.size()), alone_repeats_max);
    alone.jobs = others;
    const auto compute = compute_alone(point, j);
    alone.compute = compute ? compute.get() : input.compute;
    const RunResult run = played_by(engine, alone, fmt::format("job '{}' alone", job.name));
    job.together = times_of(job);
    job.alone = times_of(run.jobs[j]);
    together.wall_s += run.wall_s;
    keep_shared(job, run.jobs[j]);
  }
  return together;
}

}  // namespace orrery::study
