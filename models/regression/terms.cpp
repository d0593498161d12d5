#include "models/regression/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

/// Reads a term from left to right.
class Reader {
 public:
  Reader(std::string_view text, std::span<const std::string> variables, const std::string& where)
      : text_(text), variables_(variables), where_(where) {}

  bool at_end() const { return at_ == text_.size(); }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view name() {
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] >= 'a' && text_[at_] <= 'z') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  double number() {
    double value = 0.0;
    const auto [rest, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (status != std::errc() || !std::isfinite(value)) refuse();
    at_ = static_cast<std::size_t>(rest - text_.data());
    return value;
  }
  /// 2, 0.5, (1/3)
  double power() {
    if (!take("(")) return number();
    const double above = number(), below = take("/") ? number() : 1.0;
    if (!take(")") || below == 0.0) refuse();
    return above / below;
  }
  std::size_t variable(std::string_view name) const {
    const auto found = std::ranges::find(variables_, name);
    if (found == variables_.end())
      throw InputError("{}: term '{}' has an unknown variable '{}'{}", where_, text_, name,
                       known_names(name, variables_));
    return static_cast<std::size_t>(found - variables_.begin());
  }
  [[noreturn]] void refuse() const {
    throw InputError(
        "{}: '{}' is no term (powers and logarithms of variables, as in n^3/p, n*log(n), n^(1/3) or 1). "
        "Correct it?",
        where_, text_);
  }

 private:
  std::string_view text_;
  std::span<const std::string> variables_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

double Term::operator()(std::span<const double> variables) const {
  double product = 1.0;
  for (const auto& [variable, logarithm, power] : factors_) {
    const double base = logarithm ? portable::log(variables[variable]) : variables[variable];
    product *= power == 1.0 ? base : portable::pow(base, power);
  }
  return product;
}

bool Term::uses(std::size_t variable) const {
  return std::ranges::any_of(factors_, [&](const Factor& factor) { return factor.variable == variable; });
}

Term Term::without(std::size_t variable, std::span<const std::string> variables) const {
  Term rest;
  for (const Factor& factor : factors_) {
    if (factor.variable == variable) continue;
    const std::string base =
        factor.logarithm ? fmt::format("log({})", variables[factor.variable]) : variables[factor.variable];
    const double power = std::abs(factor.power);
    if (rest.text_.empty() && factor.power < 0.0) rest.text_ = "1";
    if (!rest.text_.empty()) rest.text_ += factor.power < 0.0 ? "/" : "*";
    rest.text_ += power == 1.0 ? base : fmt::format("{}^{:g}", base, power);
    rest.factors_.push_back(factor);
  }
  if (rest.text_.empty()) rest.text_ = "1";
  return rest;
}

Term parse_term(std::string_view text, std::span<const std::string> variables, const std::string& where) {
  Term term;
  std::ranges::copy_if(text, std::back_inserter(term.text_), [](char c) { return c != ' '; });
  Reader reader(term.text_, variables, where);
  bool divides = false;
  do {
    if (!reader.take("1")) {
      Term::Factor factor;
      factor.logarithm = reader.take("log(");
      const auto name = reader.name();
      if (name.empty()) reader.refuse();
      factor.variable = reader.variable(name);
      if (factor.logarithm && !reader.take(")")) reader.refuse();
      if (reader.take("^")) factor.power = reader.power();
      if (divides) factor.power = -factor.power;
      term.factors_.push_back(factor);
    }
    divides = reader.take("/");
  } while (divides || reader.take("*"));
  if (!reader.at_end()) reader.refuse();
  return term;
}

std::vector<Term> parse_terms(std::string_view text, std::span<const std::string> variables, const std::string& where) {
  std::vector<Term> terms;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    terms.push_back(parse_term(text.substr(at, end - at), variables, where));
    for (std::size_t i = 0; i + 1 < terms.size(); ++i)
      if (terms[i].text() == terms.back().text())
        throw InputError("{}: term '{}' is there twice (each once). Remove one?", where, terms.back().text());
    at = end + 1;
  }
  return terms;
}

}  // namespace orrery
