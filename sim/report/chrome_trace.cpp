#include "sim/report/chrome_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/report/summary.hpp"

namespace orrery::report {

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

class Trace {
 public:
  explicit Trace(const PointResult& point) : point_(point) {
    for (const auto& placement : point.layout.placements) nodes_ = std::max(nodes_, index(placement.node) + 1);
  }

  std::string text() {
    name_rows();
    for (std::uint32_t rank = 0; rank < point_.run.timelines.size(); ++rank) add_rank(rank);
    add_phases();
    for (const auto& of_kind : point_.run.kind_loads)
      add_load(fmt::format("mean of {} {}", of_kind.resources, kind_words(of_kind.kind)), of_kind.load);
    for (const auto& resource : point_.run.resources) add_load(resource.name, resource.load);
    std::stable_sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) { return a.at_us < b.at_us; });
    std::string out = fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"point\":{},\"engine\":{},\"cut\":{}}},\n"
        "\"traceEvents\":[\n",
        quoted(point_label(point_)), quoted(point_.run.engine), point_.run.timelines_cut);
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
    for (std::uint32_t rank = 0; rank < point_.run.timelines.size(); ++rank)
      name("thread_name", process_of(rank), rank, fmt::format("rank {}", rank));
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
      add_span(activity_name(interval.activity), process_of(rank), rank, interval.begin, interval.end, args);
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
      add_span(fmt::format("{} {}", record.phase, record.iteration), phases_process(),
               static_cast<std::size_t>(std::distance(names.begin(), row)), record.begin, record.end,
               fmt::format("\"time_us\":{},\"slowest_rank\":{}", us(record.time), index(record.slowest)));
    }
  }

  void add_span(const std::string& what, std::size_t process, std::size_t thread, Seconds begin, Seconds end,
                const std::string& args) {
    events_.push_back(
        {us(begin),
         fmt::format("{{\"ph\":\"X\",\"ts\":{},\"dur\":{},\"name\":{},\"pid\":{},\"tid\":{},\"args\":{{{}}}}}",
                     us(begin), us(end - begin), quoted(what), process, thread, args)});
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
  std::size_t nodes_ = 1;
  std::vector<Event> events_;
};

}  // namespace

std::string to_chrome_trace(const PointResult& point) { return Trace(point).text(); }

}  // namespace orrery::report
