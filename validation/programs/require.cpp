#include "validation/programs/require.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/hpl/steps.hpp"
#include "sim/core/error.hpp"

namespace orrery::programs {

namespace {

constexpr std::array<std::string_view, 5> computed{"fft", "hpl", "stencil", "summa", "wave2d"};

void require_doubles(const std::string& kernel, const Parameters& parameters) {
  if (const double bytes = parameters.bytes("element").si(); bytes != 8.0)
    throw InputError("{}: 'element' is {:g} B (computed in double precision: 8 B). Write 'element: 8B'?", kernel,
                     bytes);
}

void require_transform(const Parameters& parameters) {
  if (parameters.text("form") == "pencil")
    throw InputError("fft: 'form' is 'pencil' (computed for real: six-step and slab). Choose 'slab'?");
  if (parameters.text("data") == "real")
    throw InputError("fft: 'data' is 'real' (computed for real: complex numbers). Choose 'complex'?");
  if (parameters.text("alltoall") == "bruck")
    throw InputError(
        "fft: 'alltoall' is 'bruck', which passes blocks on (computed for real: each goes straight). Choose 'pair'?");
}

void require_stencil(const Parameters& parameters) {
  if (parameters.text("barrier") == "bsponmpi")
    throw InputError(
        "stencil: 'barrier' is 'bsponmpi', whose all-to-all carries the borders (computed for real: messages between "
        "neighbours). Choose 'bsp-sync'?");
}

void require_linpack(const Parameters& parameters, std::uint32_t ranks) {
  const hpl::Plan plan(parameters, ranks);
  const auto refuse = [](const Refusal& what) { throw InputError("hpl: {}", what); };
  if (plan.p != 1)
    refuse(Refusal("a grid of {} x {} (computed for real with whole columns: one process row). Set 'p: 1' and 'q: {}'?",
                   plan.p, plan.q, ranks));
  if (plan.looks_ahead() > 0)
    refuse(Refusal("'depth' is {} (computed for real without look-ahead: 0). Set 'depth: 0'?", plan.depth));
  if (plan.q > 1 && !hpl::probes(plan.broadcast))
    refuse(Refusal("'bcast' is '{}', in pieces (computed for real: panels are broadcast whole). Set 'bcast: 1ring'?",
                   parameters.text("bcast")));
  if (plan.collapses_pivots)
    refuse("'collapse-pivots' is true (computed for real: a panel is factored column by column). Remove it?");
}

}  // namespace

void require_computable(const std::string& kernel, const Parameters& parameters, std::uint32_t ranks) {
  if (std::ranges::find(computed, kernel) == computed.end())
    throw InputError(
        "{}: this kernel has no data to compute with (fft, hpl, stencil, summa and wave2d have). Write "
        "'--compute spin'?",
        kernel);
  if (kernel == "hpl")
    require_linpack(parameters, ranks);
  else if (kernel == "fft")
    require_transform(parameters);
  else
    require_doubles(kernel, parameters);
  if (kernel == "stencil") require_stencil(parameters);
  if (!parameters.boolean("compute"))
    throw InputError(
        "{}: 'compute' is false, so that there is nothing to compute (true with '--compute "
        "real'). Remove it?",
        kernel);
}

}  // namespace orrery::programs
