#include "sim/show/page/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

/// A JSON string literal, whatever bytes a name holds.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// The format's time unit is the microsecond.
double us(Seconds t) { return t.si() * 1e6; }

struct Event {
  double at_us;
  std::string json;
};

std::uint32_t index32(Rank rank) { return static_cast<std::uint32_t>(rank); }

class Trace {
 public:
  explicit Trace(const PointResult& point) : point_(point) {
    for (const auto& placement : point.layout.placements) nodes_ = std::max(nodes_, index(placement.node) + 1);
  }

  std::string text() {
    name_rows();
    for (std::uint32_t rank = 0; rank < point_.run.timelines.size(); ++rank) add_phases_of(rank);
    add_collectives();
    for (std::uint32_t rank = 0; rank < point_.run.timelines.size(); ++rank) add_rank(rank);
    for (const Delivery& delivery : point_.run.deliveries) add_arrow(delivery);
    add_phases();
    for (const auto& of_kind : point_.run.kind_loads)
      add_load(fmt::format("mean of {} {}", of_kind.resources, resource_words(of_kind.kind).all), of_kind.load);
    for (const auto& resource : point_.run.resources) add_load(resource.name, resource.load);
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.at_us < b.at_us; });
    std::string out = fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"point\":{},\"engine\":{},\"cut\":{},\"bin_us\":{}}},\n"
        "\"traceEvents\":[\n",
        quoted(point_label(point_)), quoted(point_.run.engine), point_.run.timelines_cut, us(point_.run.timelines_bin));
    for (std::size_t i = 0; i < events_.size(); ++i) out += events_[i].json + (i + 1 < events_.size() ? ",\n" : "\n");
    return out + "]}\n";
  }

 private:
  std::size_t phases_process() const { return nodes_; }
  std::size_t load_process() const { return nodes_ + 1; }
  std::size_t process_of(std::uint32_t rank) const {
    return rank < point_.layout.ranks() ? index(point_.layout.of(Rank{rank}).node) : 0;
  }

  void name(const char* what, std::size_t process, std::size_t thread, const std::string& text) {
    events_.push_back(
        {0.0, fmt::format("{{\"ph\":\"M\",\"ts\":0,\"name\":\"{}\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}}}",
                          what, process, thread, quoted(text))});
  }

  void name_rows() {
    for (std::size_t node = 0; node < nodes_; ++node)
      name("process_name", node, 0,
           node < point_.node_names.size() ? point_.node_names[node] : fmt::format("node {}", node));
    name("process_name", phases_process(), 0, "phases");
    name("process_name", load_process(), 0, "load of resources (%)");
    const auto& rows = point_.run.timelines;
    const bool some = std::ranges::any_of(rows, [](const auto& row) { return !row.empty(); });
    for (std::uint32_t rank = 0; rank < rows.size(); ++rank)
      if (!some || !rows[rank].empty() || rows.size() <= 256)
        name("thread_name", process_of(rank), rank, fmt::format("rank {}", rank));
  }

  /// Around the activities of a rank: each stretch of time in one phase. Slices of a thread nest; of two that begin
  /// together the first added is the outer one.
  void add_phases_of(std::uint32_t rank) {
    const auto& phases = point_.run.phases;
    const auto& timeline = point_.run.timelines[rank];
    if (phases.size() < 2) return;
    for (auto first = timeline.begin(); first != timeline.end();) {
      const auto next = std::find_if(first, timeline.end(), [&](const Interval& i) { return i.phase != first->phase; });
      const Seconds end = std::max(std::prev(next)->end, first->begin);
      if (first->phase < phases.size())
        add_span("phase", fmt::format("{} {}", phases[first->phase].phase, phases[first->phase].iteration),
                 process_of(rank), rank, first->begin, end, "");
      first = next;
    }
  }

  void add_collectives() {
    for (const CollectiveSpan& span : point_.run.collective_spans)
      if (span.end > span.begin)
        add_span("collective", operation_name(span.operation), process_of(index32(span.rank)), index(span.rank),
                 span.begin, span.end,
                 fmt::format("\"algorithm\":{},\"bytes\":{}", quoted(span.algorithm), span.bytes.si()));
  }

  /// From the slice that sends to the one that receives; an arrow needs both.
  void add_arrow(const Delivery& delivery) {
    const Interval* const from = interval_at(delivery.from, delivery.sent, false);
    const Interval* const to = interval_at(delivery.to, delivery.received, true);
    if (from == nullptr || to == nullptr) return;
    // A slice does not hold its own end: the arrow ends a moment before.
    const double end = us(std::min(delivery.received, to->end - 1e-3 * (to->end - to->begin)));
    ++arrows_;
    const auto add = [&](char kind, double at, Rank rank) {
      events_.push_back({at, fmt::format("{{\"ph\":\"{}\",\"ts\":{},\"id\":{},\"cat\":\"message\",\"name\":\"message\","
                                         "\"pid\":{},\"tid\":{}{}}}",
                                         kind, at, arrows_, process_of(index32(rank)), index(rank),
                                         kind == 'f' ? ",\"bp\":\"e\"" : "")});
    };
    add('s', us(delivery.sent), delivery.from);
    add('f', std::max(end, us(delivery.sent)), delivery.to);
  }

  /// The interval of a rank that holds a date: with its end but without its begin, or the other way round.
  const Interval* interval_at(Rank rank, Seconds date, bool with_end) const {
    const auto& timeline = point_.run.timelines[index(rank)];
    const auto at = std::partition_point(timeline.begin(), timeline.end(),
                                         [&](const Interval& i) { return with_end ? i.end < date : i.end <= date; });
    if (at == timeline.end() || (with_end ? at->begin >= date : at->begin > date)) return nullptr;
    return &*at;
  }

  void add_rank(std::uint32_t rank) {
    const auto& phases = point_.run.phases;
    for (const auto& interval : point_.run.timelines[rank]) {
      std::string args = interval.phase < phases.size()
                             ? fmt::format("\"phase\":{},\"iteration\":{}", quoted(phases[interval.phase].phase),
                                           phases[interval.phase].iteration)
                             : "\"phase\":null";
      if (interval.peer != any_rank) args += fmt::format(",\"peer\":{}", index(interval.peer));
      if (interval.message.si() > 0.0) args += fmt::format(",\"message_B\":{}", interval.message.si());
      add_span("activity", activity_name(interval.activity), process_of(rank), rank, interval.begin, interval.end,
               args);
    }
  }

  void add_phases() {
    std::vector<std::string> names;
    for (const auto& record : point_.run.phases) {
      auto row = std::find(names.begin(), names.end(), record.phase);
      if (row == names.end()) {
        row = names.insert(names.end(), record.phase);
        name("thread_name", phases_process(), names.size() - 1, record.phase);
      }
      add_span("phase", fmt::format("{} {}", record.phase, record.iteration), phases_process(),
               static_cast<std::size_t>(std::distance(names.begin(), row)), record.begin, record.end,
               fmt::format("\"time_us\":{},\"slowest_rank\":{}", us(record.time), index(record.slowest)));
    }
  }

  void add_span(const char* category, const std::string& what, std::size_t process, std::size_t thread, Seconds begin,
                Seconds end, const std::string& args) {
    events_.push_back(
        {us(begin),
         fmt::format(
             "{{\"ph\":\"X\",\"ts\":{},\"dur\":{},\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"args\":{{{}}}}}",
             us(begin), us(end - begin), category, quoted(what), process, thread, args)});
  }

  void add_load(const std::string& what, const std::vector<double>& load) {
    const double bin_us = load.empty() ? 0.0 : us(point_.run.makespan) / static_cast<double>(load.size());
    double before = -1.0;
    for (std::size_t bin = 0; bin < load.size(); ++bin) {
      if (load[bin] == before) continue;  // a counter keeps its value until the next event
      before = load[bin];
      const double at = bin_us * static_cast<double>(bin);
      events_.push_back({at, fmt::format("{{\"ph\":\"C\",\"ts\":{},\"name\":{},\"pid\":{},\"args\":{{\"load\":{}}}}}",
                                         at, quoted(what), load_process(), 100.0 * before)});
    }
  }

  const PointResult& point_;
  std::size_t nodes_ = 1, arrows_ = 0;
  std::vector<Event> events_;
};

}  // namespace

std::string to_chrome_trace(const PointResult& point) { return Trace(point).text(); }

}  // namespace orrery::show
