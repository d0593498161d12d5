#include <doctest/doctest.h>

#include <deque>

#include "platforms/configuration.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using test::near;

namespace {

const ModelEntry& entry() { return models().at("np-t", "test"); }

Platform single_cores() {
  Platform platform = test::two_types();
  for (auto& type : platform.node_types) type.sockets = type.cores_per_socket = 1;
  platform.node_counts.assign(platform.node_types.size(), 4);
  return platform;
}

/// Runs of a kernel with a size, on nodes of the first type of a cluster of one-core nodes.
class Runs {
 public:
  const PredictionInput& add(std::int64_t order, std::uint32_t nodes, std::uint32_t per_core = 1) {
    test::Run& run = runs_.emplace_back();
    run.platform = single_cores();
    run.kernel = kernel;
    run.parameters = Parameters({count_key("order", 1, "a side")});
    run.parameters.set("order", std::to_string(order), "test");
    Configuration configuration{.parts = std::vector<Configuration::Part>(run.platform.node_types.size())};
    configuration.parts[0] = {nodes, per_core};
    run.layout = layout_of(configuration, run.platform);
    inputs_.push_back(run.input());
    return inputs_.back();
  }
  void time(double seconds) { timed_.push_back({inputs_.back(), Seconds(seconds), Seconds(0.0)}); }
  std::unique_ptr<RunModel> model(const std::string& variant) const { return entry().fit_runs(variant, timed_); }
  std::vector<PredictionInput> fitted() const {
    std::vector<PredictionInput> all;
    for (const auto& run : timed_) all.push_back(run.input);
    return all;
  }
  std::string kernel = "hpl";

 private:
  std::deque<test::Run> runs_;  // inputs refer to these
  std::deque<PredictionInput> inputs_;
  std::vector<TimedRun> timed_;
};

double law(double n, double p) { return 2e-9 * n * n * n / p + 1e-6 * n * n; }

Runs squares() {
  Runs runs;
  for (const std::int64_t n : {400, 800, 1600, 3200})
    for (std::uint32_t nodes = 1; nodes <= 4; ++nodes) {
      runs.add(n, nodes);
      runs.time(law(static_cast<double>(n), nodes));
    }
  return runs;
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("models/np-t") {
  TEST_CASE("NP-T fitted to runs of Linpack tells a size between and says what it was fitted to") {
    Runs runs = squares();
    const auto model = runs.model("np-t");
    std::vector<Explanation> steps;
    const auto& asked = runs.add(2000, 3);
    CHECK(model->time(asked, &steps) / Seconds(law(2000, 3)) == near(1.0, 1e-6));
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].text.starts_with("T(2000, 3) of "));
    REQUIRE(model->notes(asked).size() == 1);
    CHECK(model->notes(asked)[0].find("through 12 runs") != std::string::npos);
    CHECK(model->notes(asked)[0].find("n^3/p") != std::string::npos);
  }
  TEST_CASE("NP-T refuses sizes and ranks beyond its runs before anything is played unless told to extrapolate") {
    Runs runs = squares();
    const std::vector<PredictionInput> asked{runs.add(6400, 4)};
    CHECK(message_of([&] { entry().check_runs("np-t", runs.fitted(), asked); })
              .ends_with("lies outside the fitted range 400..3200 of " + single_cores().node_types[0].name +
                         ", 1 to a core (no extrapolation). Fit to it too, or set 'extrapolate: true'?"));
    CHECK(message_of([&] { entry().check_runs("np-t extrapolate=true", runs.fitted(), asked); }) == "accepted");
    const auto model = runs.model("np-t extrapolate=true");
    CHECK(model->time(asked[0]) / Seconds(law(6400, 4)) == near(1.0, 1e-6));
    CHECK(model->notes(asked[0])[0] == "extrapolated beyond sizes 400..3200 or 2..4 ranks of " +
                                           single_cores().node_types[0].name + ", 1 to a core");
  }
  TEST_CASE("NP-T told to extrapolate leaves out what no fit says anything of") {
    Runs runs = squares();
    const auto& two_to_a_core = runs.add(800, 2, 2);
    const auto model = runs.model("np-t extrapolate=true");
    CHECK_FALSE(model->answers(two_to_a_core));
    CHECK(model->answers(runs.add(800, 2)));
  }
  TEST_CASE("NP-T takes a basis of one line for any kernel and refuses to guess one") {
    Runs runs = squares();
    runs.kernel = "wave2d";
    Runs others;
    others.kernel = "wave2d";
    for (const std::int64_t n : {400, 800, 1600})
      for (std::uint32_t nodes = 1; nodes <= 4; ++nodes) {
        others.add(n, nodes);
        others.time(law(static_cast<double>(n), nodes));
      }
    const auto model = others.model("np-t basis=n^3/p,n^2 size=kernel.order");
    CHECK(model->time(others.add(1000, 2)) / Seconds(law(1000, 2)) == near(1.0, 1e-9));
    CHECK(message_of([&] { others.model("np-t"); }) ==
          "np-t: 'size' is not known of kernel 'wave2d' (declared of fem-cg, fft, himeno and hpl). Write 'size: "
          "kernel.points'?");
    CHECK(message_of([&] { others.model("np-t size=kernel.order"); }) ==
          "np-t: 'basis' is not known of kernel 'wave2d' (declared of fem-cg, fft, himeno and hpl). Write 'basis: "
          "n^3/p,n^2,1'?");
    CHECK(message_of([&] { others.model("np-t size=kernel.ordr basis=n"); }) ==
          "np-t: 'size' is 'kernel.ordr' (known: kernel.order). Did you mean 'kernel.order'?");
    CHECK(message_of([&] { others.model("np-t size=kernel.order basis=n glitches=2"); }) ==
          "np-t: 'glitches' is '2' (a share of the speed before, above 0 and up to 1). Write '0.9'?");
  }
  TEST_CASE("NP-T refuses to be fitted to no run") {
    CHECK(message_of([&] { entry().check_runs("np-t", {}, {}); }) ==
          "np-t: there is no run to fit to (some of one node type). Name some in 'fit-on'?");
  }
  TEST_CASE("NP-T refuses two runs of one size and configuration and a layout that is no configuration") {
    Runs runs = squares();
    runs.add(400, 2);
    runs.time(1.0);
    CHECK(message_of([&] { runs.model("np-t"); }).find("differ in something else of the kernel") != std::string::npos);
    test::Run uneven;
    uneven.kernel = "hpl";
    uneven.parameters = Parameters({count_key("order", 1, "a side")});
    CHECK(message_of([&] { squares().model("np-t")->time(uneven.input()); }).find("is no configuration") !=
          std::string::npos);
  }
}
