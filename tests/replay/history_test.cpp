// What caused what, told event by event: ties, small logs, and the bottlenecks of one flow.
#include "sim/engine/history.hpp"

#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/engine/flow/sharing.hpp"
#include "sim/engine/resources.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using engine::History;
using engine::MessageId;
using engine::ResourceId;
using engine::RouteId;
using test::near;

namespace {

CriticalPath path_of(History& history, const std::vector<std::string>& names, const std::vector<PhaseRecord>& phases) {
  test::Cluster cluster = test::Cluster(2).place({0, 1});
  const FunctionProgram program("test", 2, [](Rank) -> Generator<Step> { co_return; });
  const test::SecondsAsFlops compute;
  const ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                          &cluster.layout, &compute,          cluster.options};
  const auto routes = build_routes(cluster.platform, cluster.network());
  return history.result(engine::Resources(input, *routes), names, phases);
}

/// Six ranks that work, send, wait and change phases at random, without end, with a log of so many events.
class RandomRun {
 public:
  explicit RandomRun(std::size_t events_max) : history_(ranks, events_max) {}

  CriticalPath play(int steps) {
    for (int i = 0; i < steps; ++i) {
      now_ += 1.0 + draw(7);
      const std::uint32_t from = draw(ranks);
      history_.worked(Rank{from}, draw(2) == 0 ? PathKind::computation : PathKind::send_overhead, phase_[from], now_);
      if (draw(3) == 0) message(draw(slots), from);
      if (i % 100 < 60 && i % 10 == 0) end_phase(static_cast<std::uint32_t>(i % 100 / 10));
      if (i % 1000 == 999) history_.barrier(Rank{from}, 0, ranks);
    }
    for (std::uint32_t r = 0; r < ranks; ++r) end_phase(r), history_.finished(Rank{r});
    return path_of(history_, {"even", "odd"}, records_);
  }

 private:
  static constexpr std::uint32_t ranks = 6, slots = 8;

  std::uint32_t draw(std::uint32_t below) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33) % below;
  }
  void message(std::uint32_t slot, std::uint32_t from) {
    History::Ends& ends = ends_[slot];
    const MessageId message{slot};
    if (ends.from == any_rank) {
      ends = {Rank{from}, Rank{(from + 1 + draw(ranks - 1)) % ranks}};
      return history_.sent(message, ends.from, {0.25, 0.125});
    }
    if (draw(2) == 0) history_.met(message, ends.to);
    const engine::Hold holds[] = {{ResourceId{0}, 0.25}, {engine::no_resource, 0.25}};
    history_.flowed(message, ends, now_ - 0.5, PathKind::transfer, holds, now_);
    history_.waited(ends.to, message, ends);
    history_.forget(message);
    ends = {any_rank, any_rank};
  }
  void end_phase(std::uint32_t rank) {
    const std::uint32_t number = ended_[rank]++;
    if (number == records_.size())
      records_.push_back({number % 2 == 0 ? "even" : "odd", number / 2, Seconds{-1.0}, {}, {}, {}, {}});
    const double time = now_ - begins_[rank];
    PhaseRecord& record = records_[number];
    history_.phase_ended(number, number % 2, Rank{rank}, begins_[rank], now_, time > record.time.si());
    record.time = std::max(record.time, Seconds{time});
    begins_[rank] = now_;
    phase_[rank] = (number + 1) % 2;
  }

  History history_;
  std::uint64_t state_ = 1;
  double now_ = 0.0;
  std::array<History::Ends, slots> ends_ = [] {
    std::array<History::Ends, slots> none;
    none.fill({any_rank, any_rank});
    return none;
  }();
  std::array<double, ranks> begins_{};
  std::array<std::uint32_t, ranks> ended_{}, phase_{};
  std::vector<PhaseRecord> records_;
};

void check_same(const PathTotals& a, const PathTotals& b) {
  CHECK(a.time.si() == near(b.time.si(), 1e-12));
  CHECK(a.left_out == b.left_out);
  for (std::size_t k = 0; k < path_kinds; ++k) CHECK(a.kinds[k].si() == near(b.kinds[k].si(), 1e-12));
  CHECK(a.own_limit.si() == near(b.own_limit.si(), 1e-12));
  CHECK(a.late.si() == near(b.late.si(), 1e-12));
  REQUIRE(a.computing.size() == b.computing.size());
  for (std::size_t i = 0; i < a.computing.size(); ++i) {
    CHECK(a.computing[i].rank == b.computing[i].rank);
    CHECK(a.computing[i].time.si() == near(b.computing[i].time.si(), 1e-12));
  }
}

/// Rank 0 waits for two messages that come at one moment; who sent the first event of its path.
Rank first_of(std::array<std::uint32_t, 2> senders) {
  History history(3);
  for (const std::uint32_t r : {1u, 2u}) history.worked(Rank{r}, PathKind::computation, 0, 1.0);
  for (std::uint32_t i = 0; i < 2; ++i) history.sent(MessageId{i}, Rank{senders[i]}, {});
  for (std::uint32_t i = 0; i < 2; ++i) history.delayed(MessageId{i}, {Rank{senders[i]}, Rank{0}}, 3.0);
  for (std::uint32_t i = 0; i < 2; ++i) history.waited(Rank{0}, MessageId{i}, {Rank{senders[i]}, Rank{0}});
  for (const std::uint32_t r : {1u, 2u, 0u}) history.finished(Rank{r});
  return path_of(history, {}, {}).segments.front().rank;
}

}  // namespace

TEST_SUITE("replay/history") {
  TEST_CASE("Of two messages that come at one moment the lower sender's leads the path whichever is told first") {
    CHECK(first_of({1, 2}) == Rank{1});
    CHECK(first_of({2, 1}) == Rank{1});
  }

  TEST_CASE("A sender whose own message came through does not go on from another of the same moment") {
    History history(3);
    history.worked(Rank{2}, PathKind::computation, 0, 1.0);
    history.worked(Rank{1}, PathKind::computation, 0, 2.0);
    history.sent(MessageId{0}, Rank{2}, {});
    history.sent(MessageId{1}, Rank{1}, {});
    history.delayed(MessageId{0}, {Rank{2}, Rank{0}}, 3.0);
    history.delayed(MessageId{1}, {Rank{1}, Rank{2}}, 3.0);
    history.waited(Rank{2}, MessageId{0}, {Rank{2}, Rank{0}});
    history.waited(Rank{2}, MessageId{1}, {Rank{1}, Rank{2}});
    history.worked(Rank{2}, PathKind::computation, 0, 4.0);
    for (const std::uint32_t r : {0u, 1u, 2u}) history.finished(Rank{r});
    CHECK(path_of(history, {}, {}).segments.front().rank == Rank{2});
  }

  TEST_CASE("The path is the same however often its log is tidied up") {
    const CriticalPath often = RandomRun(1024).play(20'000), never = RandomRun(100'000).play(20'000);
    check_same(often.run, never.run);
    CHECK(often.run.left_out == Seconds{});
    REQUIRE(often.phases.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) check_same(often.phases[i], never.phases[i]);
    CHECK(often.segments_in_all == never.segments_in_all);
    REQUIRE(often.segments.size() <= never.segments.size());
    for (std::size_t i = 0; i < often.segments.size(); ++i) {
      CHECK(often.segments[i].begin == never.segments[i].begin);
      CHECK(often.segments[i].rank == never.segments[i].rank);
    }
  }

  TEST_CASE("A flow that two resources hold back by turns had each of them for half of its time") {
    // Both carry 10 B/s; now on the one, now on the other a second flow of 5 B takes half of it for a second.
    engine::RouteTable routes;
    const ResourceId both[] = {ResourceId{0}, ResourceId{1}};
    const RouteId route = routes.add(both);
    const RouteId alone[] = {routes.add({&both[0], 1}), routes.add({&both[1], 1})};
    engine::Sharing sharing(routes, [](ResourceId) { return 10.0; });
    sharing.remember_bottlenecks();
    std::vector<engine::FlowId> ended;
    sharing.start(engine::FlowId{0}, route, 1000.0, 0.0);
    double begins_later = 0.0;
    for (std::uint32_t second = 0; second < 12; ++second) {
      sharing.start(engine::FlowId{second + 1}, alone[second % 2], 5.0, 0.0);
      sharing.settle();
      sharing.advance(sharing.next_date(), ended);
      if (second == 7) begins_later = sharing.now();
    }
    sharing.settle();
    for (const double began : {0.0, begins_later}) {
      std::vector<engine::Hold> by;
      sharing.holds_of(route, 0.0, began, by);
      REQUIRE(by.size() == 2);
      for (const engine::Hold& hold : by) CHECK(hold.seconds == near((12.0 - began) / 2.0, 1e-9));
      CHECK(by[0].by == ResourceId{0});
    }
  }
}
