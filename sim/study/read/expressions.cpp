#include "sim/study/read/expressions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"
#include "sim/study/read/overrides.hpp"

namespace orrery {

using config::Document;
using config::Section;

namespace {

struct Amount {
  double number = 0.0;
  std::string unit;  ///< empty: none
};

/// "12", "0.5", "64KiB".
std::optional<Amount> amount_in(std::string_view word) {
  Amount amount;
  const auto [rest, status] = std::from_chars(word.data(), word.data() + word.size(), amount.number);
  if (status != std::errc() || !std::isfinite(amount.number)) return std::nullopt;
  amount.unit.assign(rest, word.data() + word.size());
  if (!std::ranges::all_of(amount.unit, [](unsigned char c) { return std::isalpha(c) != 0; })) return std::nullopt;
  return amount;
}

/// "layout.ranks": inside one of the sections that a point is made of.
bool is_path(std::string_view word) {
  const auto dot = word.find('.');
  return dot != std::string_view::npos && dot + 1 < word.size() &&
         std::ranges::find(point_keys(), word.substr(0, dot)) != point_keys().end();
}

bool is_operator(std::string_view word) { return word.size() == 1 && std::string_view("+-*/").find(word[0]) < 4; }

/// Words between blanks; brackets are words of their own.
std::vector<std::string> words_of(const std::string& text) {
  std::string spaced;
  for (const char c : text) spaced += c == '(' || c == ')' ? fmt::format(" {} ", c) : std::string(1, c);
  std::istringstream stream(spaced);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The scalars of a document by path, each with its value once it was asked for.
class Values {
 public:
  explicit Values(const Document& document) : document_(document), texts_(document.scalars()) {}

  const std::map<std::string, std::string>& texts() const { return texts_; }

  std::string where(const std::string& path) const {
    Section section = document_.root();
    std::size_t begin = 0;
    for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
      section = section.section(path.substr(begin, dot - begin));
      begin = dot + 1;
    }
    return section.where(path.substr(begin));
  }

  Amount of_expression(const std::string& path);
  Amount of_path(const std::string& path, const std::string& asked_by);

 private:
  const Document& document_;
  std::map<std::string, std::string> texts_;
  std::set<std::string> open_;  ///< expressions that are being worked out
};

/// One expression, from its words.
class Parser {
 public:
  Parser(Values& values, std::string path)
      : values_(values), path_(std::move(path)), text_(values.texts().at(path_)), words_(words_of(text_)) {}

  Amount whole() {
    const Amount amount = sum();
    if (at_ < words_.size()) refuse(fmt::format("'{}' is left over", words_[at_]));
    if (!std::isfinite(amount.number)) refuse("it is no number");
    return amount;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(
        "{}: '{}' cannot be worked out: {} (numbers, paths as layout.ranks, + - * / and "
        "brackets). Write '128 * layout.ranks'?",
        values_.where(path_), text_, why);
  }
  std::string next() { return at_ < words_.size() ? words_[at_] : std::string(); }

  Amount sum() {
    Amount left = product();
    for (std::string sign = next(); sign == "+" || sign == "-"; sign = next()) {
      ++at_;
      const Amount right = product();
      if (left.unit != right.unit) refuse(fmt::format("'{}' and '{}' are different units", left.unit, right.unit));
      left.number += sign == "+" ? right.number : -right.number;
    }
    return left;
  }

  Amount product() {
    Amount left = factor();
    for (std::string sign = next(); sign == "*" || sign == "/"; sign = next()) {
      ++at_;
      const Amount right = factor();
      if (!right.unit.empty() && (sign == "/" || !left.unit.empty()))
        refuse(fmt::format("the unit of '{}{}' has no place", right.number, right.unit));
      if (sign == "/" && right.number == 0.0) refuse("it divides by 0");
      left.number = sign == "*" ? left.number * right.number : left.number / right.number;
      left.unit += right.unit;
    }
    return left;
  }

  Amount factor() {
    const std::string word = next();
    if (word.empty()) refuse("it ends too early");
    ++at_;
    if (word == "(") {
      const Amount amount = sum();
      if (next() != ")") refuse("a bracket is not closed");
      ++at_;
      return amount;
    }
    if (is_path(word)) return values_.of_path(word, path_);
    const auto amount = amount_in(word);
    if (!amount) refuse(fmt::format("'{}' stands where a number or a path does", word));
    return *amount;
  }

  Values& values_;
  std::string path_, text_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

Amount Values::of_expression(const std::string& path) {
  if (!open_.insert(path).second)
    throw InputError("{}: '{}' depends on itself ('{}'). Write a number for one of them?", where(path), path,
                     texts_.at(path));
  const Amount amount = Parser(*this, path).whole();
  open_.erase(path);
  return amount;
}

Amount Values::of_path(const std::string& path, const std::string& asked_by) {
  const auto found = texts_.find(path);
  if (found == texts_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, text] : texts_)
      if (is_path(other) && amount_in(text)) known.push_back(other);
    throw InputError("{}: '{}' needs '{}', which the scenario does not say{}", where(asked_by), texts_.at(asked_by),
                     path, known_names(path, known));
  }
  if (is_expression(found->second)) return of_expression(path);
  const auto amount = amount_in(found->second);
  if (!amount)
    throw InputError(
        "{}: '{}' needs '{}', which is '{}' (a number, with a unit or without). Name another "
        "value?",
        where(asked_by), texts_.at(asked_by), path, found->second);
  return *amount;
}

std::string text_of(const Amount& amount) {
  constexpr double whole_max = 9007199254740992.0;  // 2^53
  const bool whole = amount.number == std::floor(amount.number) && std::abs(amount.number) <= whole_max;
  return (whole ? fmt::format("{}", static_cast<std::int64_t>(amount.number)) : fmt::format("{}", amount.number)) +
         amount.unit;
}

/// "32*layout.ranks", which else would be refused as a number with a strange unit.
void refuse_without_blanks(const Values& values, const std::string& path, const std::string& text) {
  if (text.find_first_of("*/+") == std::string::npos) return;
  std::string spaced;
  for (const char c : text) spaced += std::string_view("*/+").find(c) < 3 ? fmt::format(" {} ", c) : std::string(1, c);
  const auto words = words_of(spaced);
  const auto names_nothing = [&](const std::string& word) { return is_path(word) && !values.texts().contains(word); };
  const std::string apart = fmt::format("{}", fmt::join(words, " "));
  if (!is_expression(apart) || std::ranges::any_of(words, names_nothing)) return;
  throw InputError("{}: '{}' has no blanks around its operators (names have '-', files '/'). Write '{}'?",
                   values.where(path), text, apart);
}

}  // namespace

bool is_expression(const std::string& text) {
  if (text.find('.') == std::string::npos || text.find_first_of("+-*/") == std::string::npos) return false;
  bool path = false, sign = false;
  for (const auto& word : words_of(text)) {
    path = path || is_path(word);
    sign = sign || is_operator(word);
    if (!is_path(word) && !is_operator(word) && word != "(" && word != ")" && !amount_in(word)) return false;
  }
  return path && sign;
}

Document with_values(Document document) {
  Values values(document);
  std::vector<std::pair<std::string, std::string>> worked_out;
  for (const auto& [path, text] : values.texts()) {
    if (!is_path(path) || path.find('[') != std::string::npos) continue;
    if (is_expression(text))
      worked_out.emplace_back(path, text_of(values.of_expression(path)));
    else
      refuse_without_blanks(values, path, text);
  }
  Document result = document;
  for (const auto& [path, value] : worked_out)
    result = result.with(path, value, fmt::format("{}: {}", values.where(path), values.texts().at(path)));
  return result;
}

}  // namespace orrery
