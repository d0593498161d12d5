#include "kernels/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery {

namespace {

std::vector<std::string> words_of(const std::string& text, std::string_view separators) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (separators.find(c) == std::string_view::npos) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

template <class Number>
bool parse(const std::string& word, Number& into) {
  const auto [rest, status] = std::from_chars(word.data(), word.data() + word.size(), into);
  return status == std::errc() && rest == word.data() + word.size();
}

/// Largest divisor of n that is at most `bound`.
std::uint32_t divisor_below(std::uint32_t n, double bound) {
  auto d = static_cast<std::uint32_t>(bound + 1e-9);
  while (n % d != 0) --d;
  return d;
}

}  // namespace

bool Cuts::equal() const {
  for (std::uint32_t part = 1; part < parts(); ++part)
    if (size(part) != size(0)) return false;
  return true;
}

std::uint64_t Cuts::least() const {
  std::uint64_t least = size(0);
  for (std::uint32_t part = 1; part < parts(); ++part) least = std::min(least, size(part));
  return least;
}

Cuts cut(std::uint64_t things, std::uint32_t parts, const std::vector<double>& weights) {
  std::vector<std::uint64_t> sizes(parts, things / parts);
  if (weights.empty()) {
    for (std::uint32_t part = 0; part < things % parts; ++part) ++sizes[part];
  } else {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    std::vector<double> remainders;
    std::uint64_t given = 0;
    for (std::uint32_t part = 0; part < parts; ++part) {
      const double ideal = static_cast<double>(things) * (weights[part] / sum);
      sizes[part] = static_cast<std::uint64_t>(ideal);
      remainders.push_back(ideal - std::floor(ideal));
      given += sizes[part];
    }
    std::vector<std::uint32_t> order(parts);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t part) { return remainders[part]; });
    for (std::size_t i = 0; given < things; ++i, ++given) ++sizes[order[i % parts]];
  }
  std::vector<std::uint64_t> bounds{0};
  for (const std::uint64_t size : sizes) bounds.push_back(bounds.back() + size);
  return Cuts(std::move(bounds));
}

std::vector<double> weights_from(const std::string& text, std::uint32_t parts, const std::string& where) {
  std::vector<double> weights;
  double sum = 0.0;
  for (const auto& word : words_of(text, ", ")) {
    double value = 0.0;
    if (!parse(word, value) || !(value >= 0.0 && value < 1e18))
      throw InputError("{}: '{}' is no weight (a number of 0 or more). Correct it?", where, word);
    weights.push_back(value);
    sum += value;
  }
  if (weights.empty()) return weights;
  if (weights.size() != parts)
    throw InputError("{}: {} weights for {} parts (one for each). Change their number?", where, weights.size(), parts);
  if (!(sum > 0.0)) throw InputError("{}: all weights are 0 (one at least is more). Write '1'?", where);
  return weights;
}

ProcessGrid process_grid(const std::string& text, std::size_t dimensions, std::uint32_t ranks,
                         const std::string& where) {
  ProcessGrid::Place size{1, 1, 1};
  if (text.empty()) {
    std::uint32_t rest = ranks;
    for (std::size_t d = dimensions; d-- > 1;) {
      size[d] = divisor_below(rest, portable::pow(static_cast<double>(rest), 1.0 / static_cast<double>(d + 1)));
      rest /= size[d];
    }
    size[0] = rest;
    if (size[1] < size[2]) std::swap(size[1], size[2]);
    return ProcessGrid(size);
  }
  const auto words = words_of(text, "x, ");
  std::uint64_t product = 1;
  std::size_t rest = dimensions;  // which side takes what the others leave
  for (std::size_t d = 0; d < words.size() && d < dimensions; ++d) {
    if (words[d] == "*" && rest == dimensions) {
      rest = d;
      continue;
    }
    if (!parse(words[d], size[d]) || size[d] == 0)
      throw InputError("{}: '{}' is no side (a whole number, 1 or more). Correct it?", where, words[d]);
    product *= size[d];
  }
  if (words.size() != dimensions)
    throw InputError("{}: '{}' has {} sides (it has {} dimensions). Write '{}'?", where, text, words.size(), dimensions,
                     dimensions == 2 ? "4x2" : "4x2x1");
  if (rest < dimensions && ranks % product == 0) {
    size[rest] = static_cast<std::uint32_t>(ranks / product);
    product = ranks;
  }
  if (product != ranks)
    throw InputError("{}: '{}' is a grid of {} ranks, the run has {} (they must agree). Leave it empty?", where, text,
                     product, ranks);
  return ProcessGrid(size);
}

std::array<Cuts, 3> cut_box(const Parameters& parameters, const ProcessGrid& grid, const std::string& kernel,
                            const std::string& things, const std::string& sides) {
  std::array<Cuts, 3> cuts;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto many = static_cast<std::uint64_t>(parameters.integer(fmt::format("{}-{}", things, sides[d])));
    const std::string weights = fmt::format("weights-{}", sides[d]);
    cuts[d] = cut(many, grid.size(d),
                  weights_from(parameters.text(weights), grid.size(d), fmt::format("{}: '{}'", kernel, weights)));
    if (cuts[d].least() < 1)
      throw InputError("{}: {} processes share {} {} along {} (one at least for each). Enlarge '{}-{}'?", kernel,
                       grid.size(d), many, things, sides[d], things, sides[d]);
  }
  return cuts;
}

}  // namespace orrery
