#include "sim/study/read/job_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/core/error.hpp"
#include "sim/study/read/keys.hpp"
#include "sim/study/read/keys_detail.hpp"
#include "sim/study/read/point_spec.hpp"

namespace orrery {

using config::Document;
using config::Section;
using config::Value;

namespace scenario_detail {

namespace {

constexpr std::uint32_t repeat_most = 1'000'000;

std::uint32_t times_of(const Value& value) {
  const std::string text = value.written();
  if (text == JobSpec::endless) return 0;
  std::uint32_t times = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), times);
  if (status != std::errc() || rest != text.data() + text.size() || times == 0 || times > repeat_most)
    value.refuse(Refusal("(1..{}, or '{}'). Write 'repeat: {}'?", repeat_most, JobSpec::endless, JobSpec::endless));
  return times;
}

}  // namespace

const config::Fields<JobSpec>& job_fields() {
  static const config::Fields<JobSpec> fields{
      {.name = "jobs[]", .about = "One of several programs that run at the same time, each on separate nodes."},
      {{&JobSpec::name, {.name = "name", .example = "stencil", .about = "name of the job in results"}},
       section({.name = "kernel", .example = "{name: summa, blocks: 64}", .about = "program of the job"},
               kernel_fields().mapping()),
       section({.name = "layout",
                .example = "{ranks: 8, per-node: 4}",
                .about = "placement of its ranks, as if the job had the whole machine"},
               layout_in_scenario_keys()),
       section({.name = "partition",
                .absent = "{algorithm: beaumont-columns}",
                .example = "{algorithm: rows}",
                .about = "grid division among ranks, for kernels on a grid"},
               partition_fields().mapping()),
       section({.name = "compute",
                .absent = "that of the scenario, else of the platform",
                .example = "{model: roofline}",
                .about = "compute model of the job"},
               compute_fields().mapping()),
       {&JobSpec::nodes,
        {{"contiguous", JobSpec::Nodes::contiguous},
         {"interleaved", JobSpec::Nodes::interleaved},
         {"random", JobSpec::Nodes::random}},
        {.name = "nodes",
         .fallback = "contiguous",
         .example = "interleaved",
         .about = "its nodes among those that earlier jobs left free: contiguous: the first; interleaved: in turn with "
                  "other interleaved jobs; random: randomized, also in their order. A layout with 'node-list' or "
                  "'placement' keeps its nodes"}},
       {&JobSpec::seed,
        {.name = "seed", .most = 1e9, .fallback = "1", .example = "7", .about = "seed of 'nodes: random'"}},
       {&JobSpec::start,
        {.name = "start", .most = 1e6, .fallback = "0s", .example = "1ms", .about = "start time of its ranks"}},
       {[](JobSpec& job, const Value& value) { job.repeat = times_of(value); },
        {.name = "repeat",
         .fallback = "1",
         .example = JobSpec::endless,
         .about = "number of repetitions; each begins when all its ranks have ended the one before. until-others-end: "
                  "repeat until all jobs with a number have ended"}},
       {&JobSpec::share,
        {.name = "share",
         .fallback = "false",
         .example = "true",
         .about = "true: it may use nodes of other jobs, and shares their cores, memory and adapters"}}}};
  return fields;
}

}  // namespace scenario_detail

namespace {

JobSpec read_job(const Document& document, const Section& section) {
  JobSpec job{.where = section.where("name")};
  config::read_fields(section, scenario_detail::job_fields(), job);
  section.finish();
  if (job.name.empty() || job.name.find_first_of(".:, ") != std::string::npos)
    section.refuse("name", Refusal("'name' is '{}' (a word without blanks, dots, commas and colons). Write 'name: "
                                   "stencil'?",
                                   job.name));
  if (section.has("nodes")) job.nodes_where = section.where("nodes");
  if (section.has("seed") && job.nodes != JobSpec::Nodes::random)
    section.refuse("seed", "'seed' without 'nodes: random' (nothing is drawn). Remove it?");
  Document own = document.with("jobs", "[]", job.where).with("kernel", section.value("kernel"));
  own = own.with("layout", section.value("layout"));
  for (const char* key : {"partition", "compute"})
    if (const auto value = section.optional(key)) own = own.with(key, *value);
  if (document.root().has("what-if")) own = own.with("what-if", "none", job.where);  // of the machine that all share
  auto point = std::make_shared<PointSpec>(read_point(own, {}));
  if (section.has("partition") && !point->partition)
    section.refuse("partition", Refusal("kernel '{}' has no grid, so 'partition' would have no effect. Remove it?",
                                        point->kernel.name));
  job.point = std::move(point);
  return job;
}

}  // namespace

std::vector<JobSpec> read_jobs(const Document& document) {
  const Section root = document.root(scenario_keys());
  std::vector<JobSpec> jobs;
  for (const Value& item : root.optional_list("jobs")) {
    jobs.push_back(read_job(document, item.section()));
    const auto same = std::ranges::find(jobs, jobs.back().name, &JobSpec::name);
    if (&*same != &jobs.back())
      item.section().refuse("name", Refusal("two jobs are called '{}'. Call one otherwise?", same->name));
  }
  if (jobs.empty()) return jobs;
  for (const char* key : {"kernel", "layout", "partition"})
    if (root.has(key))
      root.refuse(key, Refusal("'{}' beside 'jobs' (each job has its own). Move it into one of them?", key));
  if (root.has("failures"))
    root.refuse("failures", "'failures' beside 'jobs' (it is of one program). Ask it of each job alone?");
  if (std::ranges::all_of(jobs, [](const JobSpec& job) { return job.repeat == 0; }))
    throw InputError("{}: every job repeats '{}' (one at least must end by itself). Give one a number?",
                     jobs.front().where, JobSpec::endless);
  return jobs;
}

}  // namespace orrery
