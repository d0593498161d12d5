#include "models/allocation/variant_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "models/allocation/bases.hpp"
#include "models/variant.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::size_t terms_max = 32;

std::string word_or_kernel(const ModelVariant& parts, const std::string& name, const std::string& kernel,
                           const std::string TimeBasis::*of_kernel) {
  const auto& word = parts.options.at(name);
  if (word != by_kernel) return word;
  if (const TimeBasis* known = basis_of(kernel)) return known->*of_kernel;
  throw InputError(
      "np-t: '{0}' is not known of kernel '{1}' (declared of fem-cg, fft, himeno and hpl). Write '{0}: {2}'?", name,
      kernel, name == "basis" ? "n^3/p,n^2,1" : "kernel.points");
}

double share_of(const std::string& text) {
  double k = 0.0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), k);
  if (status != std::errc() || rest != text.data() + text.size() || !(k > 0.0 && k <= 1.0))
    throw InputError("np-t: 'glitches' is '{}' (a share of the speed before, above 0 and up to 1). Write '0.9'?", text);
  return k;
}

/// Terms of n alone: those of n, p and q on one rank, each once.
std::vector<Term> without_ranks(const std::vector<Term>& terms) {
  std::vector<Term> rest;
  for (const Term& term : terms) {
    Term one = term.without(1, np_variables()).without(2, np_variables());
    if (std::ranges::find(rest, one.text(), &Term::text) == rest.end()) rest.push_back(std::move(one));
  }
  return rest;
}

}  // namespace

TimeModelChoice variant_times(const std::string& variant, const std::string& kernel) {
  const ModelVariant parts = parts_of(models().at("np-t", "np-t"), variant);
  const auto& options = parts.options;
  TimeModelChoice times;
  times.model = parts.mode == "n-t"       ? TimeModel::n_t
                : parts.mode == "p-t"     ? TimeModel::p_t
                : parts.mode == "stage-t" ? TimeModel::stage_t
                                          : TimeModel::np_t;
  times.method = options.at("fit") == "ls" ? LeastSquares::plain : LeastSquares::non_negative;
  times.relative = options.at("least") == "relative";
  times.simplify = options.at("simplify") == "true";
  times.extrapolate = options.at("extrapolate") == "true";
  if (const auto& k = options.at("glitches"); k != glitches_kept) times.glitches = share_of(k);
  const TimeBasis* known = basis_of(kernel);
  const bool staged = times.model == TimeModel::stage_t && known != nullptr && !known->stage.empty();
  const auto terms = word_or_kernel(parts, "basis", kernel, staged ? &TimeBasis::stage : &TimeBasis::np);
  times.np_terms = parse_terms(terms, np_variables(), "np-t: 'basis'");
  if (times.np_terms.size() > terms_max)
    throw InputError("np-t: 'basis' has {} terms ({} at most). Leave some out?", times.np_terms.size(), terms_max);
  const bool own = options.at("basis") != by_kernel;
  times.n_terms = own ? without_ranks(times.np_terms) : parse_terms(known->n, np_variables(), "np-t");
  times.p_terms = parse_terms(own ? "t/p,t*p,1" : known->p, p_variables(), "np-t");
  return times;
}

std::string variant_size(const std::string& variant, const std::string& kernel) {
  return word_or_kernel(parts_of(models().at("np-t", "np-t"), variant), "size", kernel, &TimeBasis::size);
}

}  // namespace orrery
