/// Terms of a regression as one line of text: products of powers and logarithms of named variables.
///
///   n^3/p, n^2, n^(1/3), n*log(n)/p, p*n, log(p), 1
///
///   term    factor, then '*' or '/' and a factor, any number of times
///   factor  1, a variable, log(variable), or one of these to a power: x^2, x^0.5, x^(1/3), log(p)^2
///
/// log is the natural logarithm; a coefficient covers any other base.
///
/// Checked  tests/unit/models/regression/terms_test.cpp
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

class Term {
 public:
  /// [variables] their values, in the order of the basis.
  double operator()(std::span<const double> variables) const;
  const std::string& text() const { return text_; }
  bool uses(std::size_t variable) const;
  /// The term with that variable set to 1 and its logarithm counted as 1.
  Term without(std::size_t variable, std::span<const std::string> variables) const;

 private:
  friend Term parse_term(std::string_view, std::span<const std::string>, const std::string&);
  struct Factor {
    std::size_t variable = 0;
    bool logarithm = false;
    double power = 1.0;
  };
  std::string text_;
  std::vector<Factor> factors_;
};

/// Throws InputError that begins with `where` for invalid terms and for unknown variables.
Term parse_term(std::string_view text, std::span<const std::string> variables, const std::string& where);

/// "n^3/p, n^2, 1": terms between commas; spaces are ignored. At least one, none twice.
std::vector<Term> parse_terms(std::string_view text, std::span<const std::string> variables, const std::string& where);

}  // namespace orrery
