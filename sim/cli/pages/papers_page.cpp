#include "sim/cli/pages/papers_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "sim/core/quantity_text.hpp"
#include "sim/core/scenario_result.hpp"

namespace orrery::cli {

namespace {

constexpr const char* papers_opening =
    R"(# What the papers print, and what comes here

Every number that a paper prints and a scenario can hold, beside ours, made from the runs themselves. *Error* is ours less theirs over
theirs, or how many times theirs ours is. *Held* is the bound that `orrery run --check` puts on it: what is reached, rounded up, so
that it is noticed when it gets worse (*-10 % to 5 %* bounds the error itself, of a share the share). Letters name causes, below each table.
Nothing here was fitted to the number it stands beside, unless its cause says so. `docs/papers/make.sh` makes this page, and a test holds
it to the runs.

)";

std::string value_text(double value, const std::string& unit) {
  if (unit == "s") return to_text(Seconds(value));
  if (unit == "%") return fmt::format("{:.2g} %", 100.0 * value);
  return unit.empty() ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, unit);
}

std::string error_text(const PrintedValue& value) {
  if (value.published == 0.0) return value.ours == 0.0 ? "0 %" : "-";
  const double ratio = value.ours / value.published;
  if (ratio >= 0.5 && ratio < 2.0) return fmt::format("{:+.1f} %", 100.0 * value.error());
  return fmt::format("{:.2g} times", ratio);
}

/// What a cell may not hold ends it.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

std::string letter(std::size_t index) {
  return index < 26 ? std::string(1, static_cast<char>('a' + index)) : letter(index / 26 - 1) + letter(index % 26);
}

std::string table(const ScenarioResult& result) {
  std::vector<std::string> causes;
  std::string text = "| what | where | printed | ours | error | held | cause |\n|---|---|---:|---:|---:|---|---|\n";
  for (const PrintedValue& value : result.printed) {
    std::string cause;
    if (!value.why.empty()) {
      const auto known = std::ranges::find(causes, value.why);
      cause = letter(static_cast<std::size_t>(known - causes.begin()));
      if (known == causes.end()) causes.push_back(value.why);
    }
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", cell(value.what), cell(value.at),
                        value_text(value.published, value.unit), value_text(value.ours, value.unit), error_text(value),
                        value.bound.empty() ? "-" : value.bound, cause);
  }
  for (std::size_t c = 0; c < causes.size(); ++c)
    text += fmt::format("{}{}: {}\n", c == 0 ? "\n- " : "- ", letter(c), causes[c]);
  return text;
}

struct Paper {
  std::string name;
  std::vector<const ScenarioResult*> results;
};

/// "rico-gallego16" of "rico-gallego16-table2": up to the '-' after its year, or to the first one.
std::string paper_of(const std::string& scenario) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = scenario.find('-'); at != std::string::npos; at = scenario.find('-', at + 1))
    if (at > 0 && digit(scenario[at - 1])) return scenario.substr(0, at);
  return scenario.substr(0, scenario.find('-'));
}

std::vector<Paper> papers_of(const std::vector<ScenarioResult>& results) {
  std::vector<Paper> papers;
  for (const auto& result : results) {
    if (result.printed.empty()) continue;
    const std::string name = paper_of(result.name);
    auto paper = std::ranges::find(papers, name, &Paper::name);
    if (paper == papers.end()) paper = papers.insert(papers.end(), {name, {}});
    paper->results.push_back(&result);
  }
  return papers;
}

/// How far numbers lie from what is printed.
class Errors {
 public:
  void add(const PrintedValue& value) {
    if (value.published == 0.0) return;
    all_.push_back(std::abs(value.error()));
    near_ += all_.back() <= 0.1 ? 1u : 0u;
    const double ratio = value.ours / value.published;
    twice_ += ratio >= 0.5 && ratio <= 2.0 ? 1u : 0u;
  }
  bool none() const { return all_.empty(); }

  /// numbers | median error | within a tenth | within a factor of 2
  std::string cells() const {
    auto sorted = all_;
    std::ranges::sort(sorted);
    const std::size_t n = sorted.size();
    const double median = n == 0 ? 0.0 : (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0;
    return fmt::format("{} | {:.0f} % | {} | {}", n, 100.0 * median, near_, twice_);
  }

 private:
  std::vector<double> all_;
  std::size_t near_ = 0, twice_ = 0;
};

/// "mean epsilon of choices" of "mean epsilon of choices by np-t": of which model or of which runs is left out.
std::string kind_of(const std::string& what) {
  return what.substr(0, std::min(what.find(" by np-t"), what.find(" that np-t")));
}

std::string summary_row(const Paper& paper) {
  Errors errors;
  for (const auto* result : paper.results)
    for (const auto& value : result->printed) errors.add(value);
  return fmt::format("| [{0}](#{0}) | {1} | {2} |\n", paper.name, paper.results.size(), errors.cells());
}

/// A row for each kind of number, in the order in which they come.
std::string kind_rows(const Paper& paper) {
  std::vector<std::pair<std::string, Errors>> kinds;
  for (const auto* result : paper.results)
    for (const auto& value : result->printed) {
      const std::string kind = kind_of(value.what);
      auto found = std::ranges::find(kinds, kind, &std::pair<std::string, Errors>::first);
      if (found == kinds.end()) found = kinds.insert(kinds.end(), {kind, {}});
      found->second.add(value);
    }
  std::string text;
  for (const auto& [kind, errors] : kinds)
    if (!errors.none()) text += fmt::format("| {} | {} | {} |\n", paper.name, cell(kind), errors.cells());
  return text;
}

}  // namespace

std::string papers_page(const std::vector<ScenarioResult>& results) {
  const auto papers = papers_of(results);
  std::string text = papers_opening;
  text += "| paper | scenarios | numbers | median error | within a tenth | within a factor of 2 |\n";
  text += "|---|---:|---:|---:|---:|---:|\n";
  for (const auto& paper : papers) text += summary_row(paper);
  text += "\nThe same by what is printed: times, counts, and how far models err (an error of an error).\n\n";
  text += "| paper | what | numbers | median error | within a tenth | within a factor of 2 |\n";
  text += "|---|---|---:|---:|---:|---:|\n";
  for (const auto& paper : papers) text += kind_rows(paper);
  for (const auto& paper : papers) {
    text += fmt::format("\n## {}\n", paper.name);
    for (const auto* result : paper.results)
      text += fmt::format("\n### {}\n\n{} ({})\n\n{}", result->name, result->title, result->source, table(*result));
  }
  return text;
}

}  // namespace orrery::cli
