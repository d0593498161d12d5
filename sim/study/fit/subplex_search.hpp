/// Least error over some positive parameters, without derivatives; then the least change of them that keeps it.
///
///   search     by Rowan's subplex method, as NLopt has it: a simplex of Nelder & Mead on few parameters at a time, those
///              that moved together before. So it goes on along a kink, where one time is met and would not be if any
///              single parameter changed, and a search by single parameters stops. It begins again, with shorter steps, where
///              it ended, until that gains less than 1 %
///   go back    the parameter whose first value costs least goes back to it, the others are searched again from 10 % on,
///              and it stays there if the error is no more than e^(1/N) of what it was, else it was needed. So one
///              parameter after another: what the error does not determine stays what it was (Akaike's criterion where
///              errors of N points are Laplace's: N ln(error) + parameters is least)
///   shorten    what would do as well at half (or twice) its value, towards where it began, moves back by parts of the
///              way while that costs no more than e^(1/4N)
///
/// Parameters are searched by the logarithm of their distance from `origin`, and rounded to four significant digits, which
/// are those that are written down.
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

/// Of values in the order of the parameters.
using SearchError = std::function<double(const std::vector<double>&)>;
/// Hears before each try: the least error so far, and how many tries there were.
using SearchTell = std::function<void(double error, std::size_t tries)>;

struct SearchOptions {
  std::size_t points = 100;                        ///< N, that the error is a mean over
  double first_step = 0.405465, last_step = 0.04;  ///< ln 1.5
  double again_step = 0.1;                         ///< where it ended, and once a parameter went back
  double slack_least = 0.0005;                     ///< of the error that nobody asks for
  std::size_t tries_max = 20'000;                  ///< then it stops where it is, and `complete` says so
};

/// What the error says of one parameter beside the others.
struct FoundParameter {
  double value = 0.0;
  double larger = 0.0, smaller = 0.0;           ///< error with it 10 % larger, 10 % smaller, as far as it may be
  bool determined = true;                       ///< false: it is what it was at the start
  bool open_above = false, open_below = false;  ///< twice or half of it would do as well, beside the others as found
  bool at_most = false, at_least = false;       ///< it lies at its greatest or least permitted value
};

struct Found {
  double error_before = 0.0, error = 0.0;
  bool complete = true;  ///< false: it stopped after `tries_max` tries, and more might do better
  std::vector<FoundParameter> parameters;

  std::vector<double> values() const;
};

Found subplex_search(const std::vector<SearchedParameter>& parameters, const SearchError& error,
                     const SearchOptions& options = {}, const SearchTell& tell = {});

}  // namespace orrery::study
