#include "sim/replay/wire_format.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace orrery::replay {

namespace {

/// Copied as they are in memory. Not an Interval: its padding would make equal results differ.
template <class T>
constexpr bool plain =
    std::is_trivially_copyable_v<T> && !std::is_same_v<T, Interval> && !std::is_same_v<T, PathSegment> &&
    !std::is_same_v<T, PathTotals::OfResource> && !std::is_same_v<T, PathTotals::OfRank>;

class Writer {
 public:
  std::string bytes;

  template <class T>
  requires plain<T>
  void operator()(const T& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    if constexpr (plain<T>)
      bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& value : values) (*this)(value);
  }
  void operator()(const PhaseRecord& r) { visit(*this, r); }
  void operator()(const CollectiveRecord& r) { visit(*this, r); }
  void operator()(const ResourceRecord& r) { visit(*this, r); }
  void operator()(const KindLoad& k) { visit(*this, k); }
  void operator()(const Interval& i) { visit(*this, i); }
  void operator()(const CollectiveSpan& s) { visit(*this, s); }
  void operator()(const PathSegment& s) { visit(*this, s); }
  void operator()(const PathResource& r) { visit(*this, r); }
  void operator()(const PathTotals& t) { visit(*this, t); }
  void operator()(const PathTotals::OfResource& r) { visit(*this, r); }
  void operator()(const PathTotals::OfRank& r) { visit(*this, r); }

  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PathSegment>
  static void visit(Visitor& v, Record& s) { v(s.kind), v(s.rank), v(s.peer), v(s.begin), v(s.end), v(s.held_by); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PathResource>
  static void visit(Visitor& v, Record& r) { v(r.name), v(r.kind); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PathTotals::OfResource>
  static void visit(Visitor& v, Record& r) { v(r.resource), v(r.time); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PathTotals::OfRank>
  static void visit(Visitor& v, Record& r) { v(r.rank), v(r.time); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PathTotals>
  static void visit(Visitor& v, Record& t) {
    v(t.phase), v(t.time), v(t.left_out), v(t.kinds), v(t.saturated), v(t.own_limit), v(t.late), v(t.resources),
        v(t.computing);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, CriticalPath>
  static void visit(Visitor& v, Record& p) {
    v(p.kept), visit(v, p.run), v(p.phases), v(p.resources), v(p.segments), v(p.segments_in_all);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, PhaseRecord>
  static void visit(Visitor& v, Record& r) {
    v(r.phase), v(r.iteration), v(r.time), v(r.slowest), v(r.begin), v(r.end), v(r.traffic);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, CollectiveRecord>
  static void visit(Visitor& v, Record& r) {
    v(r.operation), v(r.name), v(r.algorithm), v(r.ranks), v(r.bytes), v(r.calls), v(r.time), v(r.time_max), v(r.late),
        v(r.messages), v(r.steps);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, ResourceRecord>
  static void visit(Visitor& v, Record& r) {
    v(r.name), v(r.kind), v(r.capacity), v(r.bytes), v(r.busy), v(r.load), v(r.link);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, KindLoad>
  static void visit(Visitor& v, Record& k) { v(k.kind), v(k.resources), v(k.capacity), v(k.bytes), v(k.load); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, Interval>
  static void visit(Visitor& v, Record& i) { v(i.activity), v(i.begin), v(i.end), v(i.peer), v(i.message), v(i.phase); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, CollectiveSpan>
  static void visit(Visitor& v, Record& s) {
    v(s.rank), v(s.operation), v(s.algorithm), v(s.bytes), v(s.begin), v(s.end);
  }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, FanIn>
  static void visit(Visitor& v, Record& f) { v(f.port), v(f.senders), v(f.bytes), v(f.buffer), v(f.at); }
  template <class Visitor, class Record>
  requires std::is_same_v<std::remove_const_t<Record>, RunResult>
  static void visit(Visitor& v, Record& r) {
    v(r.engine), v(r.makespan), v(r.messages), v(r.unexpected_messages), v(r.imbalance), visit(v, r.fan_in),
        v(r.phases), v(r.collectives), v(r.resources), v(r.kind_loads), v(r.activity_shares), v(r.activity_times),
        v(r.activity_group), v(r.timelines), v(r.timelines_cut), v(r.deliveries), v(r.collective_spans),
        visit(v, r.critical_path), v(r.wall_s);
  }
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
  requires plain<T>
  void operator()(T& value) { std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value); }
  void operator()(std::string& text) {
    const std::size_t size = count(1);
    text.assign(take(size), size);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(count(plain<T> ? sizeof(T) : 1));
    if constexpr (plain<T>) {
      if (!values.empty())
        std::memcpy(static_cast<void*>(values.data()), take(values.size() * sizeof(T)), values.size() * sizeof(T));
    } else {
      for (T& value : values) (*this)(value);
    }
  }
  void operator()(PhaseRecord& r) { Writer::visit(*this, r); }
  void operator()(CollectiveRecord& r) { Writer::visit(*this, r); }
  void operator()(ResourceRecord& r) { Writer::visit(*this, r); }
  void operator()(KindLoad& k) { Writer::visit(*this, k); }
  void operator()(Interval& i) { Writer::visit(*this, i); }
  void operator()(CollectiveSpan& s) { Writer::visit(*this, s); }
  void operator()(PathSegment& s) { Writer::visit(*this, s); }
  void operator()(PathResource& r) { Writer::visit(*this, r); }
  void operator()(PathTotals& t) { Writer::visit(*this, t); }
  void operator()(PathTotals::OfResource& r) { Writer::visit(*this, r); }
  void operator()(PathTotals::OfRank& r) { Writer::visit(*this, r); }

 private:
  std::size_t count(std::size_t size_of_one) {
    std::size_t value = 0;
    (*this)(value);
    if (value > (bytes_.size() - at_) / size_of_one) throw std::runtime_error("a result was cut short");
    return value;
  }
  const char* take(std::size_t size) {
    if (size > bytes_.size() - at_) throw std::runtime_error("a result was cut short");
    const char* here = bytes_.data() + at_;
    at_ += size;
    return here;
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_bytes(const RunResult& result) {
  Writer writer;
  Writer::visit(writer, result);
  return std::move(writer.bytes);
}

RunResult from_bytes(const std::string& bytes) {
  Reader reader(bytes);
  RunResult result;
  Writer::visit(reader, result);
  return result;
}

}  // namespace orrery::replay
