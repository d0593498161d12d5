/// HPL: LU factorisation with row partial pivoting and back substitution, N x N on a P x Q grid of processes.
///
/// The parts have one file each, next to this one: plan (ownership), factor and pivot (panels), pivot_rows, broadcast
/// and long_broadcast, swap and roll (row swaps), update, solve; work has the costs of local work.
///
/// Source   A. Petitet, R. C. Whaley, J. Dongarra & A. Cleary, HPL 2.2, 2016, netlib.org/benchmark/hpl: the routines
///          named in each part
/// Differs  pivots are drawn evenly from the rows left, or their expectation is used; synchronous sends of 'long' and
///          'longM' are plain ones; messages of equilibration are left out
/// Checked  tests/unit/kernels/hpl_test.cpp, tests/contract/every_kernel_test.cpp, docs/hpl.md
#include <algorithm>
#include <vector>

#include "kernels/hpl/steps.hpp"
#include "kernels/kernel.hpp"

namespace orrery::hpl_kernel {

namespace {

constexpr const char* page =
    R"(Panel k: columns j = k NB .. j + jb - 1, M = N - j rows. Its diagonal block is on process row k mod P and column
k mod Q. mp, n: my rows and columns of what is left; m2: mp without the diagonal block. Messages of one panel:

  step        who                  message [bytes]                         how many
  factor      its process column   c = 8 (jb + 4), c0 = 8 (2 jb + 4)       per column of jb, P = 2^h: P h
              pivot exchange       c0 from those d < 2^s in stage s        = P h c + (P-1) 8 jb bytes
                                   P not 2^h, p2 < P: also c and 8 jb      p2 log2 p2 + 3 (P - p2)
  broadcast   each process row     L = 8 (m2 jb + jb^2 + jb + 1)           Q-1, each of L  (rings)
              long, longM          pieces of L / Q, L / (Q-1)              (Q-1) + Q (Q-1);  (Q-1) + (Q-1)(Q-2)
  swap        each column          U = 8 jb n, W = 8 (n+1) len             U: P-1;  W: those with len > 0
   bin-exch                        P not 2^h: U also goes to the others twice
   long                            8 n rows: scattered, then rolled        (P-1) + P (P-1)
  update      everyone             -
  back        per block: 8 kb up its column (P-1 times), 8 rows to the next column (each process row)

  computes    factor jb^2 (mp - jb/3) flops as dgemm, dtrsm, dgemv, dscal, idamax; rows gathered as dlaswp02N;
              update dtrsm n jb^2, dgemm 2 m2 n jb;  copies dlaswp*, dlatcpy, dlacpy.
              N^3 2/3 + N^2 3/2 flops in all; Gflop/s = these / makespan, as HPL reports

depth 0 does the steps one after another. depth d >= 1: the column that owns the next panel applies the d pending ones
to it first and factors it; everybody then applies the oldest while the new panel is on its way. Ranks ask for it
between parts of their update (MPI_Iprobe): with ring broadcasts it is received and passed on as soon as it is there.
Its swap is then done twice on that column (jb columns, then the others). 'long' and 'longM' do not ask: they block.

'len' pivot rows of a group depend on the matrix. pivots: random draws them evenly from the rows left, as HPL's own
matrix of random numbers has them; expected takes jb (its rows)/M. collapse-pivots: the jb exchanges of a panel become
one, each message standing for jb (their overheads, latencies and bytes), and the work between them is done after it:
for grids of many rows. What it changes is measured in docs/hpl.md.
HPL.dat: 'hpl-dat: FILE' sets the parameters from such a file, and plays all runs that it lists. Defaults are those of HPL 2.2's own file, the first of
each list; an unset p and q make the grid as square as the ranks allow.)";

using namespace hpl;

class Hpl final : public Program {
 public:
  explicit Hpl(const KernelInput& input) : ranks_(input.ranks), plan_(input.parameters, input.ranks) {}

  std::string name() const override { return "hpl"; }
  std::uint32_t ranks() const override { return ranks_; }

  /// The matrix with its right-hand side; panels are added to it.
  Bytes memory(Rank me) const override {
    const GridPosition place(plan_, me);
    return doubles(static_cast<double>(Panel(place, 0).mine) * columns_from(place, 0));
  }

  Generator<Step> steps(Rank me) const override {
    const GridPosition place(plan_, me);
    if (!plan_.marks_panels) co_yield phase("hpl");
    if (plan_.looks_ahead() == 0)
      co_yield elements_of(in_order(place));
    else
      co_yield elements_of(looking_ahead(place));
    if (plan_.marks_panels) co_yield phase("solve");
    co_yield elements_of(solve(place));
  }

 private:
  /// HPL_pdgesv0
  static Generator<Step> in_order(const GridPosition& place) {
    Cast none;
    for (std::uint32_t k = 0; k < place.plan.panels(); ++k) {
      const Panel panel(place, k);
      co_yield elements_of(factor_and_send(place, panel));
      if (place.plan.marks_panels) co_yield phase("update");
      const std::uint32_t columns = columns_from(place, k) - (panel.current_column() ? panel.jb : 0);
      co_yield elements_of(update(place, panel, columns, none));
    }
  }

  /// HPL_pdgesvK2
  static Generator<Step> looking_ahead(const GridPosition& place) {
    const Plan& plan = place.plan;
    const std::uint32_t depth = std::min(plan.looks_ahead(), plan.panels());
    std::vector<Panel> pending;
    Cast none;
    for (std::uint32_t k = 0; k < depth; ++k) {
      pending.emplace_back(place, k);
      co_yield elements_of(factor_and_send(place, pending.back()));
      std::uint32_t columns = 0;  // mine of the panels that are factored before the look-ahead begins
      for (std::uint32_t next = k + 1; next < depth; ++next) {
        const Panel panel(place, next);
        columns += panel.current_column() ? panel.jb : 0;
      }
      co_yield elements_of(update(place, pending.back(), columns, none));
    }
    for (std::uint32_t k = depth; k < plan.panels(); ++k) {
      const Panel panel(place, k);
      if (plan.marks_panels) co_yield iteration(k);
      if (plan.marks_panels) co_yield phase("panel");
      const std::uint32_t ahead = panel.current_column() ? panel.jb : 0;
      for (const Panel& factored : pending) co_yield elements_of(update(place, factored, ahead, none));
      co_yield elements_of(factor(place, panel));
      co_yield elements_of(pack(place, panel));
      if (plan.marks_panels) co_yield phase("update");
      Cast cast{&panel, true};
      co_yield elements_of(update(place, pending.front(), columns_from(place, k) - ahead, cast));
      pending.erase(pending.begin());
      pending.push_back(panel);
    }
    const std::uint32_t right_hand_side = columns_from(place, plan.panels());
    for (const Panel& factored : pending) co_yield elements_of(update(place, factored, right_hand_side, none));
  }

  static Generator<Step> factor_and_send(const GridPosition& place, const Panel& panel) {
    if (place.plan.marks_panels) co_yield iteration(panel.k);
    if (place.plan.marks_panels) co_yield phase("panel");
    co_yield elements_of(factor(place, panel));
    co_yield elements_of(pack(place, panel));
    Cast cast{&panel, true};
    co_yield elements_of(finish(place, cast));
  }

  std::uint32_t ranks_;
  Plan plan_;
};

std::vector<Key> parameters() {
  return {
      count_key("order", 1000, "N: unknowns", 1, 1e8),
      count_key("block", 128, "NB: columns of a panel", 1, 1e6),
      count_key("p", 0, "P: rows of the process grid (0: follows from the ranks)", 0, 1e6),
      count_key("q", 0, "Q: columns of the process grid (0: follows from the ranks)", 0, 1e6),
      word_key("mapping", "row", "PMAP: numbering of ranks in the grid", {"row", "column"}),
      word_key("pfact", "left", "PFACT: factorisation of narrow panels", words_of(factorisation_words)),
      count_key("nbmin", 2, "NBMIN: columns at which the recursion stops", 1, 1e6),
      count_key("ndiv", 2, "NDIV: parts of each recursion", 2, 1e6),
      word_key("rfact", "left", "RFACT: recursive factorisation", words_of(factorisation_words)),
      word_key("bcast", "1ring", "BCAST: broadcast of a panel", words_of(broadcast_words)),
      count_key("depth", 0, "DEPTH: panels of look-ahead", 0, 16),
      word_key("swap", "mix", "SWAP: row swaps by binary exchange, spread-roll ('long'), or by width",
               words_of(swap_words)),
      count_key("threshold", 64, "largest width at which 'mix' uses binary exchange", 0, 1e9),
      word_key("pivots", "random",
               "random: uniformly random pivots; expected: each process row holds its expected share",
               words_of(pivot_words)),
      count_key("pivot-seed", 1, "seed of random pivots", 0, 1e15),
      flag_key("copy-rows", true, "false: gathering and scattering panel rows takes no time"),
      flag_key("copy-panel", true, "true: pack panels before sending"),
      flag_key("collapse-pivots", false, "true: simulate the pivot exchanges of a panel as one"),
      flag_key("compute", true, "false: no computation"),
      word_key("marks", "run", "run: one phase for the run; panels: 'panel' and 'update' per panel, and 'solve'",
               {"run", "panels"}),
  };
}

/// HPL_pdtest.c; its wall time is the longest of any process, here from the start of the run.
std::vector<Metric> gflops(const Parameters& parameters, const RunResult& run) {
  const auto n = static_cast<double>(parameters.integer("order"));
  const double seconds = run.makespan.si();
  if (!(seconds > 0.0)) return {};
  return {{"Gflop/s", (n / 1e9) * (n / seconds) * (2.0 / 3.0 * n + 3.0 / 2.0), "Gflop/s"}};
}

const bool entered = kernels().add({
    .name = "hpl",
    .summary = "Linpack: dense LU with row pivoting, look-ahead and back substitution, as in HPL 2.2",
    .source = "Petitet, Whaley, Dongarra & Cleary, HPL 2.2, 2016",
    .page = page,
    .parameters = parameters(),
    .communication_phase = "hpl",
    .works = {Work::dgemm, Work::dtrsm, Work::dtrsv, Work::dgemv, Work::idamax, Work::dscal, Work::daxpy, Work::dlatcpy,
              Work::dlacpy, Work::dlaswp01t, Work::dlaswp02n, Work::dlaswp03t, Work::dlaswp04t},
    .small = {{"order", "29"}, {"block", "4"}},  // the example of HPL.dat: 7 blocks and a rest
    .metrics = gflops,
    .make = [](const KernelInput& input) { return std::make_unique<Hpl>(input); },
});

}  // namespace

}  // namespace orrery::hpl_kernel
