/// N-T, P-T, NP-T and a model of two stages: the time of whole runs by size and configuration of a heterogeneous
/// cluster, fitted to runs.
///
///   T(N, C) = max_i T_i(N, P)     models/allocation/execution_times.hpp has the formulas
///
///   N  1  size: a parameter of the kernel (`size`)
///   C  1  configuration (P_1, M_1, ..., P_G, M_G) that the layout amounts to (platforms/configuration.hpp)
///   P  1  ranks in all
///
/// Source   Ichikawa, Takahashi & Kawai, Optimizing process allocation of parallel programs for heterogeneous clusters,
///          sections 4 and 5, Table V
/// Valid    layouts that are configurations; one size; sizes and ranks within those fitted unless told to extrapolate
/// Differs  a basis of one's own may be any terms; runs on several sub-clusters are left out of np-t and p-t
/// Checked  tests/unit/models/np_t_test.cpp
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "models/allocation/bases.hpp"
#include "models/allocation/execution_times.hpp"
#include "models/allocation/variant_times.hpp"
#include "models/model.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery::np_t_model {

namespace {

constexpr std::string_view of_kernel = "kernel.";

double size_of(const PredictionInput& run, const std::string& size) {
  std::string asked;
  const auto value_of = [&](const std::string& path) {
    asked = path;
    return path.starts_with(of_kernel) ? run.parameters.parameter(path.substr(of_kernel.size())) : std::nullopt;
  };
  if (const auto found = size_from(size, value_of)) return *found;
  std::vector<std::string> known;
  for (const auto& [name, text] : run.parameters.rendered())
    if (run.parameters.parameter(name)) known.push_back(std::string(of_kernel) + name);
  throw InputError("np-t: 'size' is '{}'{}", size, known_names(asked, known));
}

/// What runs share that one fit goes through: all but size and layout. Asked of each run again and again, so it is
/// compared as it is, and no text is made of it.
class Group {
 public:
  explicit Group(const PredictionInput& run)
      : platform_(run.platform.name), network_(run.network.name), kernel_(run.kernel) {
    for (const auto& setting : run.settings)
      if (counts(setting.first)) settings_.push_back(setting);
  }

  bool has(const PredictionInput& run) const {
    if (run.kernel != kernel_ || run.platform.name != platform_ || run.network.name != network_) return false;
    auto next = settings_.begin();
    for (const auto& [path, value] : run.settings) {
      if (!counts(path)) continue;
      if (next == settings_.end() || next->second != value || next->first != path) return false;
      ++next;
    }
    return next == settings_.end();
  }

 private:
  static bool counts(const std::string& path) { return !path.starts_with(of_kernel) && !path.starts_with("layout"); }

  std::string platform_, network_, kernel_;
  std::vector<std::pair<std::string, std::string>> settings_;
};

Configuration require_configuration(const PredictionInput& run) {
  if (auto configuration = configuration_of(run.layout, run.platform)) return *configuration;
  throw DomainError(
      "np-t: layout '{}' is no configuration (nodes of a type with the same number of ranks on each core, "
      "none on GPUs). Write 'layout: {{configuration: ...}}'?",
      run.layout.name);
}

class NpT final : public RunModel {
 public:
  /// [runs] seconds each.
  NpT(const std::string& variant, std::span<const PredictionInput> runs, std::span<const double> seconds)
      : variant_(variant) {
    std::vector<std::vector<SizedRun>> sized;  // [groups]
    std::vector<const PredictionInput*> first;
    std::set<std::tuple<std::size_t, std::string, double>> seen;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::size_t group = group_of(runs[i]);
      if (group == groups_.size()) {
        groups_.push_back({Group(runs[i]), variant_size(variant_, runs[i].kernel)});
        first.push_back(&runs[i]);
        sized.emplace_back();
      }
      SizedRun run{require_configuration(runs[i]), size_of(runs[i], groups_[group].size), seconds[i]};
      if (!seen.emplace(group, run.configuration.text(), run.n).second)
        throw InputError(
            "np-t: two fitted runs have size {:g} and configuration ({}) and differ in "
            "something else of the kernel (np-t tells sizes apart alone). Fit to one of them?",
            run.n, run.configuration.text());
      sized[group].push_back(std::move(run));
    }
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      const PredictionInput& run = *first[group];
      times_.emplace_back(variant_times(variant_, run.kernel), run.platform, sized[group]);
    }
  }

  bool answers(const PredictionInput& run) const override { return !std::isnan(seconds(run)); }

  Seconds time(const PredictionInput& run, std::vector<Explanation>* steps) const override {
    const double t = seconds(run);
    if (std::isnan(t)) throw DomainError("np-t: {}", reason(run));
    if (steps != nullptr) explain(run, *steps);
    return Seconds(t);
  }

  std::vector<std::string> notes(const PredictionInput& run) const override {
    const ExecutionTimes& times = times_.at(group_of(run));
    const Configuration configuration = require_configuration(run);
    std::vector<std::string> notes;
    const bool outside = !times.beyond(configuration, n_of(run)).empty();
    // Of n-t there are as many fits as configurations: what they share is said once.
    const bool own = times.choice().model == TimeModel::n_t;
    if (own) notes.push_back("n-t: each configuration has a fit of its own");
    for (const FittedTime* fit : times.fits_of(configuration)) {
      if (outside) notes.push_back(beyond_words(*fit, own));
      if (!own) notes.push_back(words_of(*fit));
    }
    return notes;
  }

  std::string reason(const PredictionInput& run) const {
    const std::size_t group = group_of(run);
    if (group == times_.size()) return "no fitted run has the same settings. Name one in 'fit-on'?";
    return times_[group].reason(require_configuration(run), n_of(run));
  }

 private:
  /// As many as there are: of none.
  std::size_t group_of(const PredictionInput& run) const {
    return static_cast<std::size_t>(
        std::ranges::find_if(groups_, [&](const Known& known) { return known.group.has(run); }) - groups_.begin());
  }

  double n_of(const PredictionInput& run) const { return size_of(run, groups_.at(group_of(run)).size); }

  double seconds(const PredictionInput& run) const {
    const std::size_t group = group_of(run);
    if (group == times_.size()) return ExecutionTimes::unknown;
    return times_[group].time(require_configuration(run), size_of(run, groups_[group].size));
  }

  /// The sub-cluster that decides, then the others for how much less they take.
  void explain(const PredictionInput& run, std::vector<Explanation>& steps) const {
    const ExecutionTimes& times = times_.at(group_of(run));
    const Configuration configuration = require_configuration(run);
    const double n = n_of(run);
    if (times.choice().model == TimeModel::n_t) {
      steps.push_back({fmt::format("T({:g}) of ({})", n, configuration.text()), Seconds(seconds(run))});
      return;
    }
    for (std::uint32_t type = 0; type < configuration.parts.size(); ++type) {
      const auto part = configuration.parts[type];
      if (part.nodes == 0) continue;
      const auto [own, shared] = times.time_of_part(type, part, n, run.layout.ranks(), configuration.nodes() == 1);
      steps.push_back({fmt::format("T({:g}, {}) of {}, {} to a core", n, run.layout.ranks(),
                                   run.platform.node_types[type].name, part.per_core),
                       Seconds(own + shared)});
    }
  }

  static std::string beyond_words(const FittedTime& fit, bool own) {
    const std::string sizes = fmt::format("extrapolated beyond sizes {:g}..{:g}", fit.n_least, fit.n_most);
    return own ? sizes : fmt::format("{} or {:g}..{:g} ranks of {}", sizes, fit.p_least, fit.p_most, fit.of);
  }

  static std::string words_of(const FittedTime& fitted) {
    std::string text = fmt::format("{}: T =", fitted.of);
    bool first = true;
    for (std::size_t j = 0; j < fitted.terms.size(); ++j) {
      const double k = fitted.fit.coefficients[j];
      if (k == 0.0) continue;
      text += fmt::format("{}({:.3g} +- {:.2g}) {}", first ? " " : " + ", k, fitted.fit.confidence[j],
                          fitted.terms[j].text());
      first = false;
    }
    if (first) text += " 0";
    text += fmt::format(" through {} runs, condition {:.2g}, deviation {:.2g}", fitted.runs, fitted.fit.condition,
                        fitted.fit.deviation);
    if (fitted.left_out) text += fmt::format(", of runs left out {:.2g}", *fitted.left_out);
    if (fitted.excluded > 0) text += fmt::format("; {} glitches left out", fitted.excluded);
    return text;
  }

  std::string variant_;
  struct Known {
    Group group;
    std::string size;  ///< which parameter is n
  };
  std::vector<Known> groups_;
  std::vector<ExecutionTimes> times_;  ///< [groups]
};

/// Structure alone, before anything is played: every run takes a second, and nothing is a glitch.
void check(const std::string& variant, std::span<const PredictionInput> fitted,
           std::span<const PredictionInput> asked) {
  if (fitted.empty())
    throw InputError("np-t: there is no run to fit to (some of one node type). Name some in 'fit-on'?");
  const NpT model(variant, fitted, std::vector<double>(fitted.size(), 1.0));
  const bool extrapolates = parts_of(models().at("np-t", "np-t"), variant).options.at("extrapolate") == "true";
  for (const auto& run : asked)
    if (!model.answers(run) && !extrapolates) throw DomainError("np-t: {}", model.reason(run));
}

const bool entered = models().add(
    {.name = "np-t",
     .summary = "Whole runs by size and configuration of a heterogeneous cluster, fitted: N-T, P-T, NP-T models",
     .source = "Ichikawa, Takahashi & Kawai, Optimizing process allocation of parallel programs for heterogeneous "
               "clusters, sections 4 and 5, Table V",
     .page =
         "T(N, C) = max_i T_i(N, P)   over the sub-clusters (node types) of configuration C = (P1, M1, P2, M2, ...)\n"
         "np-t  T_i(N, P) is a sum of terms, per sub-cluster and ranks to a core M_i, fitted to runs on it alone\n"
         "p-t   T_i(N, P) is a sum of terms in T_i(N) of the fewest nodes beyond one, and P\n"
         "n-t   T(N) of each configuration by itself\n"
         "stage-t  T = max_i A_i + max_i B_i of such fits: B the terms with q, the ranks on other nodes; A the others\n"
         "One node alone has an n-t model. Terms by kernel, and which parameter is N:\n" +
         bases_text() +
         "\nmodels:\n"
         "  - {name: np-t, fit-on: {kernel.order: [400, 800, 1600, 3200]}}\n"
         "  - {name: np-t, mode: n-t, fit: ls, extrapolate: true, fit-on: {...}}\n"
         "  - {name: np-t, size: kernel.points, basis: 'n^2/p,n,1,log(p)', fit-on: {...}}   # any kernel",
     .assumptions = {"runs differ in size and configuration alone; the slowest sub-cluster's ranks decide",
                     "ranks of a sub-cluster take as long beside ranks of others as beside as many of their own"},
     .modes = {"np-t", "p-t", "n-t", "stage-t"},
     .options = {word_key("fit", "nnls", "nnls: non-negative least squares; ls: plain least squares", {"nnls", "ls"}),
                 word_key("basis", by_kernel,
                          "terms in n, p and q (ranks on other nodes), without spaces, as in n^3/p,n^2,log(p),1"),
                 word_key("size", by_kernel, "parameter that is n, as in kernel.order or 2^kernel.log2-points"),
                 word_key("glitches", glitches_kept,
                          "k: exclude a size whose speed is at most k times that of the next smaller size"),
                 word_key("simplify", "false", "true: drop terms that do not reduce the error of left-out runs",
                          {"false", "true"}),
                 word_key("least", "absolute", "deviations to minimize (least squares)", {"absolute", "relative"}),
                 word_key("extrapolate", "false",
                          "true: predict beyond the fitted sizes and ranks; parts without a fit are left out",
                          {"false", "true"})},
     .check_runs = check,
     .fit_runs = [](const std::string& variant, std::span<const TimedRun> runs) -> std::unique_ptr<RunModel> {
       std::vector<PredictionInput> inputs;
       std::vector<double> seconds;
       for (const auto& run : runs) {
         inputs.push_back(run.input);
         seconds.push_back(run.makespan.si());
       }
       return std::make_unique<NpT>(variant, inputs, seconds);
     }});

}  // namespace

}  // namespace orrery::np_t_model
