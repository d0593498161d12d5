// The critical path as a result: totals, names and the first segments. history.hpp says how it is kept.
#include <algorithm>
#include <map>

#include "sim/engine/history.hpp"
#include "sim/engine/resources.hpp"

namespace orrery::engine {

namespace {

constexpr std::size_t segments_max = 1000, named_max = 16;

template <class Item, class Make>
std::vector<Item> longest(const std::unordered_map<std::uint32_t, double>& times, Make make) {
  std::vector<std::pair<double, std::uint32_t>> sorted;
  for (const auto& [what, time] : times) sorted.emplace_back(-time, what);
  std::ranges::sort(sorted);
  if (sorted.size() > named_max) sorted.resize(named_max);
  std::vector<Item> items;
  for (const auto& [time, what] : sorted) items.push_back(make(what, Seconds{-time}));
  return items;
}

}  // namespace

/// Adds up the last part of the record's path that is not counted yet. (A rank that was slower still may follow: then
/// only what it took longer counts again.)
void History::fold(Record& record) {
  if (record.event == none) return;
  const double time = record.end - record.begin;
  const double begin = record.end - (time - record.counted);
  if (phases_.size() <= record.phase) phases_.resize(record.phase + 1);
  Sum& sum = phases_[record.phase];
  double end = record.end;
  for (Index n = record.event; end > begin && events_[n].cause != none; n = events_[n].cause) {
    const double from = std::max(begin, events_[n].begin);
    if (events_[n].summed && later(begin, events_[n].begin)) {
      if (!later(end, begin)) end = begin;
      break;
    }
    if (end > from) add(sum, record.phase, events_[n], from, end);
    end = std::min(end, from);
  }
  sum.time += record.end - begin;
  if (end > begin) sum.left_out += end - begin;
  record.counted = time;
  record.event = none;
}

CauseTime History::cause_of(const Event& event, double end) {
  const bool computes = event.kind == PathKind::computation;
  const std::uint32_t what = computes ? static_cast<std::uint32_t>(event.rank) : event.held;
  return {{event.kind, computes ? event.phase : std::uint16_t{0}, what}, end - event.begin};
}

void History::add(Sum& sum, std::uint32_t phase, const CauseTime& one) {
  const auto [cause, time] = one;
  sum.kinds[static_cast<std::size_t>(cause.kind())] += time;
  if (cause.kind() == PathKind::computation) {
    sum.computing[cause.what()] += time;
    if (phase != no_phase && cause.phase() != phase) sum.late += time;
  } else if (cause.what() == held_by_cap) {
    sum.own_limit += time;
  } else if (cause.what() != held_by_none) {
    sum.held[cause.what()] += time;
  }
}

/// All of what was added up, or so much of one event.
void History::add(Sum& sum, std::uint32_t phase, const Event& event, double begin, double end) const {
  if (event.summed) {
    for (const CauseTime& one : sums_[event.held].all()) add(sum, phase, one);
  } else {
    CauseTime one = cause_of(event, end);
    one.time = end - begin;
    add(sum, phase, one);
  }
}

void History::add_to_run(const Event& event, double end) {
  add(run_, no_phase, event, event.begin, end);
  run_.time = end;
  segments_in_all_ += event.summed ? sums_[event.held].segments() : 1;
  if (event.summed) lists_segments_ = false;
  if (lists_segments_ && segments_.size() < segments_max)
    segments_.push_back({event.kind, event.rank, event.peer, Seconds{event.begin}, Seconds{end}, event.held});
}

/// Resources by their ids still.
PathTotals History::totals(const Sum& sum, const std::string& phase) {
  PathTotals totals{.phase = phase,
                    .time = Seconds{sum.time},
                    .left_out = Seconds{sum.left_out},
                    .own_limit = Seconds{sum.own_limit},
                    .late = Seconds{sum.late}};
  for (std::size_t k = 0; k < path_kinds; ++k) totals.kinds[k] = Seconds{sum.kinds[k]};
  totals.resources = longest<PathTotals::OfResource>(sum.held, [](std::uint32_t id, Seconds time) {
    return PathTotals::OfResource{id, time};
  });
  totals.computing = longest<PathTotals::OfRank>(sum.computing, [](std::uint32_t rank, Seconds time) {
    return PathTotals::OfRank{Rank{rank}, time};
  });
  return totals;
}

/// The chain of each job, from its end to its start.
void History::add_up_jobs() {
  job_sums_.resize(jobs_.size());
  for (std::size_t j = 0; j < jobs_.size(); ++j) {
    Sum& sum = job_sums_[j];
    double end = jobs_[j].until;
    for (Index n = jobs_[j].event; n != none && events_[n].cause != none; n = events_[n].cause) {
      add(sum, no_phase, events_[n], events_[n].begin, end);
      sum.time += end - events_[n].begin;
      end = events_[n].begin;
    }
  }
}

CriticalPath History::result(const Resources& resources, const std::vector<std::string>& names,
                             const std::vector<PhaseRecord>& phases) {
  for (Record& record : records_) fold(record);
  chain_.clear();
  for (Index n = last_.event; n != none; n = events_[n].cause) chain_.push_back(n);
  if (!jobs_.empty() && chain_.size() > 1) {  // a job that began late
    const double begin = std::max(events_[chain_[chain_.size() - 2]].begin, run_.time);
    run_.left_out += begin - run_.time;
    run_.time = begin;
  }
  for (std::size_t k = chain_.size(); k-- > 1;)
    add_to_run(events_[chain_[k - 1]], k > 1 ? events_[chain_[k - 2]].begin : last_.until);

  CriticalPath path{.kept = true};
  std::unordered_map<std::uint32_t, std::uint32_t> numbers;  // in the result, of the resources named
  const auto number_of = [&](std::uint32_t id) {
    const auto [at, fresh] = numbers.try_emplace(id, static_cast<std::uint32_t>(path.resources.size()));
    if (fresh) path.resources.push_back({resources.name(ResourceId{id}), resources.kind(ResourceId{id})});
    return at->second;
  };
  const auto named = [&](const Sum& sum, const std::string& phase) {
    PathTotals of = totals(sum, phase);
    // In the order of links: that of a hash table is the library's, and so would be the last digit of these sums.
    for (const auto& [id, time] : std::map(sum.held.begin(), sum.held.end()))
      of.saturated[static_cast<std::size_t>(resources.kind(ResourceId{id}))] += Seconds{time};
    for (auto& item : of.resources) item.resource = number_of(item.resource);
    return of;
  };
  path.run = named(run_, "");
  for (const PhaseRecord& record : phases) {
    const auto name = static_cast<std::size_t>(std::ranges::find(names, record.phase) - names.begin());
    const bool known = std::ranges::any_of(path.phases, [&](const auto& of) { return of.phase == record.phase; });
    if (!known && name < phases_.size()) path.phases.push_back(named(phases_[name], record.phase));
  }
  add_up_jobs();
  for (std::size_t j = 0; j < jobs_.size(); ++j) path.jobs.push_back(named(job_sums_[j], jobs_[j].name));
  path.segments = std::move(segments_);
  for (PathSegment& segment : path.segments)
    if (segment.held_by < held_by_cap) segment.held_by = number_of(segment.held_by);
  path.segments_in_all = segments_in_all_;
  return path;
}

}  // namespace orrery::engine
