/// Minimum of an error over some positive parameters, without derivatives; then the smallest changes that keep it.
///
///   search     by Rowan's subplex method, as in NLopt: a simplex of Nelder & Mead on few parameters at a time, namely
///              those that moved together before. It can therefore follow a kink, where one time is met and changing
///              any single parameter would break that, and where a search by single parameters stops. It restarts where
///              it ended, with shorter steps, until that gains less than 1 %
///   go back    the parameter whose reset to its first value costs least is reset, and the others are searched again
///              from 10 % on. It stays reset if the error is at most e^(1/N) of the error before; else it was needed.
///              This repeats for each parameter: what the error does not determine keeps its first value (Akaike's
///              criterion for Laplace errors of N points: N ln(error) + parameters is least)
///   shorten    a value whose half (or double, towards its start) would fit as well moves back in steps while the error
///              stays within e^(1/4N)
///
/// Parameters are searched by the logarithm of their distance from `origin`, and rounded to four significant digits,
/// which is the precision of the file.
///
/// Source   Rowan, Functional stability analysis of numerical algorithms, doctoral thesis, University of Texas at Austin,
///          1990; Johnson, The NLopt nonlinear-optimization package (LN_SBPLX);
///          Akaike, A new look at the statistical model identification, IEEE Trans. Automatic Control 19(6), 1974
/// Bounded  `tries_max` errors are asked for; one that is no number or infinite counts as the worst there is
/// Valid    an error that is cheap to ask again where it was asked before: nothing is remembered here. It finds one
///          valley: where there are as few points as parameters, begin from several values
/// Checked  tests/unit/study/subplex_search_test.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace orrery::study {

struct SearchedParameter {
  std::string name;
  double start = 0.0, least = 0.0, most = 0.0, origin = 0.0;
};

/// Error for these values, in the order of the parameters.
using SearchError = std::function<double(const std::vector<double>&)>;
/// Called before each try with the least error so far and the number of tries.
using SearchTell = std::function<void(double error, std::size_t tries)>;

struct SearchOptions {
  std::size_t points = 100;                        ///< N: the error is a mean over N points
  double first_step = 0.405465, last_step = 0.04;  ///< ln 1.5
  double again_step = 0.1;                         ///< for a restart, and after resetting a parameter
  double slack_least = 0.0005;                     ///< smallest error increase that counts
  std::size_t tries_max = 20'000;                  ///< then it stops, and `complete` is false
};

/// The dependence of the error on one parameter, with the others as found.
struct FoundParameter {
  double value = 0.0;
  double larger = 0.0, smaller = 0.0;           ///< error if it is 10 % larger or smaller, within its range
  bool determined = true;                       ///< false: it has its first value
  bool open_above = false, open_below = false;  ///< twice or half of it would fit as well, with the others as found
  bool at_most = false, at_least = false;       ///< it is at its largest or smallest permitted value
};

struct Found {
  double error_before = 0.0, error = 0.0;
  bool complete = true;  ///< false: it stopped after `tries_max` tries, and more tries might improve it
  std::vector<FoundParameter> parameters;

  std::vector<double> values() const;
};

Found subplex_search(const std::vector<SearchedParameter>& parameters, const SearchError& error,
                     const SearchOptions& options = {}, const SearchTell& tell = {});

}  // namespace orrery::study
