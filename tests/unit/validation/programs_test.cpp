// Kernels that really compute: all ranks of one in this thread, their messages through boxes, their results checked.
#include <doctest/doctest.h>

#include <barrier>
#include <deque>
#include <map>
#include <thread>

#include "kernels/kernel.hpp"
#include "sim/core/error.hpp"
#include "validation/programs/worker.hpp"

using namespace orrery;
using programs::Together;
using programs::Verdict;
using programs::Worker;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Parameters parameters_of(const std::string& kernel, const Settings& settings) {
  Parameters parameters(kernels().at(kernel, "test").parameters);
  for (const auto& [name, value] : settings) parameters.set(name, value, "test");
  return parameters;
}

/// Columns of rectangles, uneven: widths of the columns, heights within each.
std::shared_ptr<const Partition> columns_of(std::uint32_t n, const std::vector<std::uint32_t>& widths,
                                            const std::vector<std::vector<std::uint32_t>>& heights) {
  auto partition = std::make_shared<Partition>(Partition{n, n, {}});
  std::uint32_t x = 0;
  for (std::size_t c = 0; c < widths.size(); x += widths[c], ++c) {
    std::uint32_t y = 0;
    for (const std::uint32_t height : heights[c]) {
      partition->rectangles.push_back({x, y, widths[c], height});
      y += height;
    }
  }
  REQUIRE(tiling_defect(*partition) == "");
  return partition;
}

/// A program, played by its workers.
class Played {
 public:
  Played(const std::string& kernel, std::uint32_t ranks, const Settings& settings,
         std::shared_ptr<const Partition> partition = nullptr)
      : parameters_(parameters_of(kernel, settings)),
        program_(kernels().at(kernel, "test").make({parameters_, ranks, partition})) {
    for (std::uint32_t r = 0; r < ranks; ++r)
      workers_.push_back(programs::worker_for({kernel, parameters_, partition, ranks, Rank{r}}));
  }

  /// Changes what the message of that number carries.
  void spoil(std::size_t message) { spoilt_ = message; }

  Verdict run() {
    std::vector<Generator<Step>> steps;
    std::vector<const Step*> at;
    for (std::size_t r = 0; r < workers_.size(); ++r) {
      workers_[r]->begin();
      steps.push_back(program_->steps(Rank{static_cast<std::uint32_t>(r)}));
      at.push_back(steps[r].next());
    }
    open_.assign(workers_.size(), {});
    boxes_.clear();
    sent_ = 0;
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t r = 0; r < at.size(); ++r)
        for (; at[r] != nullptr && perform(r, *at[r]); at[r] = steps[r].next()) moved = true;
    }
    for (std::size_t r = 0; r < at.size(); ++r) {
      REQUIRE(at[r] == nullptr);
      workers_[r]->end();
    }
    return verdict();
  }
  std::size_t sent() const { return sent_; }

 private:
  struct Open {
    Recv recv;
    std::span<double> room;
  };
  using Box = std::tuple<std::size_t, std::size_t, std::uint32_t>;

  void send(std::size_t me, const Send& send) {
    std::vector<double> copy;
    if (workers_[me]->carries(send.tag)) {
      const auto data = workers_[me]->outgoing(send);
      REQUIRE(static_cast<double>(data.size()) * 8.0 == send.message.si());
      copy.assign(data.begin(), data.end());
      if (spoilt_ && *spoilt_ == sent_)
        for (double& value : copy) value += 0.125;
      ++sent_;
    }
    boxes_[{me, index(send.to), static_cast<std::uint32_t>(send.tag)}].push_back(std::move(copy));
  }
  Open post(std::size_t me, const Recv& recv) {
    if (!workers_[me]->carries(recv.tag)) return {recv, {}};
    return {recv, workers_[me]->room(recv)};
  }
  bool take(std::size_t me, const Open& open) {
    auto& box = boxes_[{index(open.recv.from), me, static_cast<std::uint32_t>(open.recv.tag)}];
    if (box.empty()) return false;
    REQUIRE(box.front().size() == open.room.size());
    std::copy(box.front().begin(), box.front().end(), open.room.begin());
    box.pop_front();
    if (workers_[me]->carries(open.recv.tag)) workers_[me]->arrived(open.recv);
    return true;
  }
  bool wait(std::size_t me, std::uint32_t first, std::uint32_t count) {
    for (auto open = open_[me].begin(); open != open_[me].end();) {
      if (open->first - first >= count) {
        ++open;
        continue;
      }
      if (!take(me, open->second)) return false;
      open = open_[me].erase(open);
    }
    return true;
  }
  /// False: later.
  bool perform(std::size_t me, const Step& step) {
    if (const auto* one = std::get_if<Compute>(&step)) workers_[me]->compute(*one);
    if (const auto* one = std::get_if<Send>(&step)) send(me, *one);
    if (const auto* one = std::get_if<Isend>(&step)) send(me, one->send);
    if (const auto* one = std::get_if<Recv>(&step)) {
      const Box box{index(one->from), me, static_cast<std::uint32_t>(one->tag)};
      if (boxes_[box].empty()) return false;
      return take(me, post(me, *one));
    }
    if (const auto* one = std::get_if<Irecv>(&step))
      open_[me].emplace(static_cast<std::uint32_t>(one->request), post(me, one->recv));
    if (const auto* one = std::get_if<Wait>(&step)) return wait(me, static_cast<std::uint32_t>(one->request), 1);
    if (const auto* one = std::get_if<WaitAll>(&step))
      return wait(me, static_cast<std::uint32_t>(one->first), one->count);
    if (const auto* one = std::get_if<IterationMark>(&step)) workers_[me]->iteration(one->iteration);
    REQUIRE(!std::holds_alternative<Probe>(step));
    return true;
  }

  Verdict verdict() const {
    std::vector<std::vector<double>> parts(workers_.size());
    std::barrier<> together(static_cast<std::ptrdiff_t>(workers_.size()));
    const auto combine = [&](std::size_t me, std::span<double> own, auto with) {
      parts[me].assign(own.begin(), own.end());
      together.arrive_and_wait();
      for (std::size_t i = 0; i < own.size(); ++i) {
        own[i] = parts[0][i];
        for (std::size_t r = 1; r < parts.size(); ++r) own[i] = with(own[i], parts[r][i]);
      }
      together.arrive_and_wait();
    };
    const auto all = [&](std::size_t me) -> Together {
      return {[&combine, me](std::span<double> own) { combine(me, own, [](double a, double b) { return a + b; }); },
              [&combine, me](std::span<double> own) {
                combine(me, own, [](double a, double b) { return std::max(a, b); });
              }};
    };
    std::vector<Verdict> verdicts(workers_.size());
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < workers_.size(); ++r)
      threads.emplace_back([&, r] { verdicts[r] = workers_[r]->verdict(all(r)); });
    for (auto& thread : threads) thread.join();
    for (const Verdict& verdict : verdicts) CHECK(verdict.value == verdicts[0].value);
    return verdicts[0];
  }

  Parameters parameters_;
  std::unique_ptr<Program> program_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::map<std::uint32_t, Open>> open_;
  std::map<Box, std::deque<std::vector<double>>> boxes_;
  std::size_t sent_ = 0;
  std::optional<std::size_t> spoilt_;
};

/// Which of its messages a result depends on: transforms one after another are of the same points; what the last
/// superstep of the Laplacian sends is for one that does not come, far corners of borders reach no point, and Linpack
/// sends its last panels to ranks that have nothing left to update.
enum class Matter : std::uint8_t { all, some, last_half };

/// The result is right, and again when run again; with a message changed it is not.
void computes(Played played, Matter matter = Matter::all) {
  const Verdict first = played.run();
  CHECK_MESSAGE(first.right(), first.what << ": " << first.value);
  CHECK(played.run().value == first.value);
  const std::size_t messages = played.sent(), from = matter == Matter::last_half ? messages / 2 : 0;
  std::size_t unseen = 0;
  for (std::size_t message = from; message < messages; message += std::max<std::size_t>(1, messages / 7)) {
    played.spoil(message);
    unseen += played.run().right() ? 1 : 0;
  }
  CHECK(unseen <= (matter == Matter::some ? 5u : 0u));
}

void refuses(const std::string& kernel, std::uint32_t ranks, const Settings& settings, const char* message) {
  const Parameters parameters = parameters_of(kernel, settings);
  CHECK_THROWS_WITH_AS(programs::worker_for({kernel, parameters, nullptr, ranks, Rank{0}}), message, InputError);
}

/// Says so in the words that ctest counts as skipped.
bool skipped_without(const std::string& library) {
  if (programs::libraries().find("no " + library) == std::string::npos) return false;
  MESSAGE("skipped: built without " << library);
  return true;
}

const auto uneven = [](std::uint32_t unit) {
  return columns_of(12 * unit, {5 * unit, 7 * unit}, {{3 * unit, 9 * unit}, {4 * unit, 2 * unit, 6 * unit}});
};

}  // namespace

TEST_SUITE("validation/programs") {
  TEST_CASE("The wave equation on uneven rectangles has the points of one process to the last bit") {
    computes(Played("wave2d", 5, {{"points", "24"}, {"iterations", "9"}}, uneven(2)));
    computes(Played("wave2d", 1, {{"points", "24"}, {"iterations", "9"}}, columns_of(24, {24}, {{24}})));
    computes(Played("wave2d", 5, {{"points", "12"}, {"iterations", "4"}, {"barrier", "linear"}}, uneven(1)));
  }

  TEST_CASE("The Laplacian has the points of one process to the last bit whatever the width of its borders") {
    for (const char* border : {"1", "2", "3", "5"})
      for (const char* overlap : {"true", "false"}) {
        CAPTURE(border);
        CAPTURE(overlap);
        const Settings settings{{"points", "24"}, {"iterations", "8"}, {"border", border}, {"overlap", overlap}};
        computes(Played("stencil", 5, settings, uneven(2)), Matter::some);
        computes(Played("stencil", 1, settings, columns_of(24, {24}, {{24}})));
      }
  }

  TEST_CASE("The Laplacian in two stages has the corners that its neighbours sent it") {
    for (const char* border : {"1", "2", "3"}) {
      const Settings settings{{"points", "24"}, {"iterations", "8"}, {"border", border}, {"form", "mpi"}};
      computes(Played("stencil", 6, settings, columns_of(24, {9, 8, 7}, {{14, 10}, {14, 10}, {14, 10}})));
      computes(Played("stencil", 9, settings, columns_of(24, {9, 8, 7}, {{10, 6, 8}, {10, 6, 8}, {10, 6, 8}})));
    }
  }

  TEST_CASE("SUMMA on uneven rectangles multiplies two matrices") {
    if (skipped_without("BLAS")) return;
    for (const char* stages : {"overlapping", "separate"})
      computes(Played("summa", 5, {{"blocks", "12"}, {"block", "3"}, {"stages", stages}}, uneven(1)));
    computes(Played("summa", 1, {{"blocks", "4"}, {"block", "8"}}, columns_of(4, {4}, {{4}})));
  }

  TEST_CASE("A transform in six steps is that of all points") {
    if (skipped_without("FFTW")) return;
    for (const char* transposed : {"false", "true"}) {
      computes(Played("fft", 2, {{"log2-points", "9"}, {"transposed", transposed}}));
      computes(Played("fft", 4, {{"log2-points", "10"}, {"transposed", transposed}, {"alltoall", "pair"}}));
      computes(Played("fft", 3, {{"nx", "7"}, {"ny", "3"}, {"nz", "10"}, {"transposed", transposed}}));
      computes(Played("fft", 3, {{"nx", "8"}, {"ny", "2"}, {"nz", "9"}, {"weights", "1 2 3"}, {"iterations", "2"}}),
               Matter::last_half);
    }
    computes(Played("fft", 1, {{"log2-points", "8"}}));
  }

  TEST_CASE("A transform in slabs is that of the whole box") {
    if (skipped_without("FFTW")) return;
    for (const char* transposed : {"false", "true"}) {
      const Settings sides{{"form", "slab"}, {"nx", "6"}, {"ny", "8"}, {"nz", "5"}, {"transposed", transposed}};
      for (const std::uint32_t ranks : {1u, 2u, 3u, 4u}) computes(Played("fft", ranks, sides));
      auto weighted = sides;
      weighted.insert(weighted.end(), {{"weights", "3 2 1"}, {"iterations", "2"}});
      computes(Played("fft", 3, weighted), Matter::last_half);
    }
  }

  TEST_CASE("Linpack solves its system in every form of the panel on one process row") {
    if (skipped_without("BLAS")) return;
    for (const char* fact : {"left", "crout", "right"})
      for (const std::uint32_t q : {1u, 2u, 3u})
        for (const char* order : {"32", "37", "47", "5"}) {
          CAPTURE(fact);
          CAPTURE(q);
          CAPTURE(order);
          computes(Played("hpl", q,
                          {{"order", order},
                           {"block", "8"},
                           {"p", "1"},
                           {"q", std::to_string(q)},
                           {"pfact", fact},
                           {"rfact", fact}}),
                   Matter::some);
        }
    computes(Played("hpl", 4,
                    {{"order", "61"},
                     {"block", "6"},
                     {"p", "1"},
                     {"q", "4"},
                     {"bcast", "2ringM"},
                     {"nbmin", "4"},
                     {"ndiv", "3"},
                     {"rfact", "crout"},
                     {"marks", "panels"}}),
             Matter::some);
  }

  TEST_CASE("A kernel without data to compute with is refused by name") {
    refuses("pingpong", 2, {},
            "pingpong: this kernel has no data to compute with (fft, hpl, stencil, summa and wave2d have). Write "
            "'--compute spin'?");
  }

  TEST_CASE("Linpack on several process rows or with look-ahead is refused when it computes") {
    if (skipped_without("BLAS")) return;
    refuses("hpl", 4, {{"p", "2"}, {"q", "2"}},
            "hpl: a grid of 2 x 2 (computed for real with whole columns: one process row). Set 'p: 1' and 'q: 4'?");
    refuses("hpl", 2, {{"p", "1"}, {"q", "2"}, {"depth", "1"}},
            "hpl: 'depth' is 1 (computed for real without look-ahead: 0). Set 'depth: 0'?");
  }

  TEST_CASE("A stencil whose borders travel in an all-to-all is refused when it computes") {
    refuses("stencil", 4, {{"barrier", "bsponmpi"}},
            "stencil: 'barrier' is 'bsponmpi', whose all-to-all carries the borders (computed for real: messages "
            "between neighbours). Choose 'bsp-sync'?");
  }
  TEST_CASE("A transform in pencils or without computation is refused when it computes") {
    if (skipped_without("FFTW")) return;
    refuses("fft", 4, {{"form", "pencil"}},
            "fft: 'form' is 'pencil' (computed for real: six-step and slab). Choose 'slab'?");
    refuses("fft", 2, {{"compute", "false"}},
            "fft: 'compute' is false, so that there is nothing to compute (true with '--compute real'). Remove it?");
  }
}
