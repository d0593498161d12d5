#include "sim/core/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace orrery {

namespace {

using View = std::string_view;

/// The template with the number of its value in every placeholder, so that its parts may be filled one by one. The
/// placeholder of an advice goes.
std::string numbered(View text, std::optional<std::size_t> advice) {
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] != '{' && text[i] != '}') continue;
    if (i + 1 < text.size() && text[i + 1] == text[i]) {  // "{{" and "}}" are letters
      result += text[++i];
      continue;
    }
    if (text[i] == '}' || (text[i + 1] >= '0' && text[i + 1] <= '9')) continue;
    if (advice == next) {
      result.pop_back();
      i = text.find('}', i);
    } else {
      result += std::to_string(next);
    }
    ++next;
  }
  return result;
}

bool ends_word(View text, std::size_t at) { return at >= text.size() || View(" ,.;:)?").find(text[at]) != View::npos; }

/// A text in quotes that begins at or behind `from`: what stands between them. An apostrophe inside a word is none.
std::optional<std::pair<std::size_t, std::size_t>> quoted(View text, std::size_t from) {
  for (std::size_t open = text.find('\'', from); open != View::npos; open = text.find('\'', open + 1)) {
    if (open > 0 && View(" (").find(text[open - 1]) == View::npos) continue;
    for (std::size_t close = text.find('\'', open + 1); close != View::npos; close = text.find('\'', close + 1))
      if (ends_word(text, close + 1)) return std::pair(open + 1, close);
  }
  return std::nullopt;
}

/// Where "place: " ends, in a template that opens with one.
std::size_t length_of_place(View text) {
  for (std::size_t colon = text.find(": "); colon != View::npos; colon = text.find(": ", colon + 1)) {
    const View before = text.substr(0, colon);
    if (before.find(" (") != View::npos || before.find(". ") != View::npos) break;
    const auto quote = quoted(text, 0);
    if (!quote || quote->first > colon || quote->second < colon) return colon + 2;
  }
  return 0;
}

/// Where the remedy begins: the last sentence of a template that ends as a question.
std::size_t begin_of_remedy(View text) {
  if (!text.ends_with('?')) return text.size();
  for (std::size_t dot = text.rfind(". "); dot != View::npos && dot > 0; dot = text.rfind(". ", dot - 1)) {
    const char next = dot + 2 < text.size() ? text[dot + 2] : ' ';
    if ((next >= 'A' && next <= 'Z') || next == '{') return dot + 2;
  }
  return text.find(' ') == View::npos ? text.size() : 0;
}

/// Where " (rule)" begins in a problem that ends with it.
std::size_t begin_of_rule(View problem) {
  if (!problem.ends_with(')')) return problem.size();
  int depth = 0;
  for (std::size_t i = problem.size(); i-- > 0;) {
    depth += problem[i] == ')' ? 1 : problem[i] == '(' ? -1 : 0;
    if (depth == 0) return i == 0 || problem[i - 1] == ' ' ? i : problem.size();
  }
  return problem.size();
}

struct Parts {
  View place, problem, rule, remedy, end;
};

Parts parts_of(View text) {
  Parts parts;
  const std::size_t problem = length_of_place(text);
  if (problem > 0) parts.place = text.substr(0, problem - 2);
  View rest = text.substr(problem);
  const std::size_t remedy = begin_of_remedy(rest);
  parts.remedy = rest.substr(remedy);
  rest = rest.substr(0, remedy);
  if (!parts.remedy.empty() && rest.ends_with(". ")) rest.remove_suffix(2);
  if (parts.remedy.empty() && rest.ends_with(").")) {
    parts.end = rest.substr(rest.size() - 1);
    rest.remove_suffix(1);
  }
  const std::size_t rule = begin_of_rule(rest);
  if (rule < rest.size()) parts.rule = rest.substr(rule + 1, rest.size() - rule - 2);
  parts.problem = rest.substr(0, rule);
  if (!parts.rule.empty() && parts.problem.ends_with(' ')) parts.problem.remove_suffix(1);
  return parts;
}

/// Of "'latency' is '1.3'" both, of "unknown engine 'flo'" the value alone.
std::pair<View, View> subject_and_value(View problem) {
  const auto first = quoted(problem, 0);
  if (!first) return {};
  const View one = problem.substr(first->first, first->second - first->first);
  const View behind = problem.substr(first->second + 1);
  const bool is_text = behind.starts_with(" is '"), is_other = behind.starts_with(" is {");
  if (first->first != 1 || !(is_text || is_other || behind.starts_with(" has "))) return {{}, one};
  if (is_other) return {one, behind.substr(4, behind.find('}') - 3)};
  const auto second = quoted(problem, first->second + 1);
  if (!second) return {{}, one};
  return {one, problem.substr(second->first, second->second - second->first)};
}

}  // namespace

Refusal Refusal::made(fmt::string_view text, const fmt::format_args* values, const Inner& inner) {
  const bool whole = inner.advice == nullptr && inner.refusal == nullptr;
  const View given(text.data(), text.size());
  const std::string own =
      values ? numbered(given, whole ? std::nullopt : std::optional(inner.index)) : std::string(given);
  const auto filled = [&](View part) {
    return values ? fmt::vformat(fmt::string_view(part.data(), part.size()), *values) : std::string(part);
  };
  const Parts parts = parts_of(own);
  const auto [subject, value] = subject_and_value(parts.problem);
  Refusal result;
  result.place = filled(parts.place);
  result.problem = filled(parts.problem);
  result.subject = filled(subject);
  result.value = filled(value);
  result.rule = filled(parts.rule);
  result.remedy = filled(parts.remedy);
  result.end = parts.end;
  const auto all_quoted = [&](View part) {
    std::vector<std::string> texts;
    for (auto found = quoted(part, 0); found; found = quoted(part, found->second + 1))
      texts.push_back(filled(part.substr(found->first, found->second - found->first)));
    return texts;
  };
  result.named = all_quoted(parts.problem);
  result.instead = all_quoted(parts.remedy);
  if (inner.advice != nullptr) {
    if (result.problem.ends_with(' ')) result.problem.pop_back();
    result.rule = inner.advice->rule;
    result.remedy = inner.advice->remedy;
    result.instead = inner.advice->instead;
    result.end = ".";
  }
  if (inner.refusal != nullptr) result.go_on_with(*inner.refusal);
  return result;
}

void Refusal::go_on_with(const Refusal& inner) {
  if (!inner.place.empty()) place += (place.empty() ? "" : ": ") + inner.place;
  problem += inner.problem;
  if (inner.problem.empty() && problem.ends_with(' ')) problem.pop_back();
  named.insert(named.end(), inner.named.begin(), inner.named.end());
  if (value.empty()) subject = inner.subject, value = inner.value;
  rule = inner.rule;
  remedy = inner.remedy;
  end = inner.end;
  instead = inner.instead;
}

Refusal Refusal::sentence(std::string text) {
  Refusal result;
  result.problem = std::move(text);
  return result;
}

namespace {

/// "problem (rule). Remedy?"
std::string with_advice(std::string text, const std::string& rule, const std::string& remedy) {
  if (!rule.empty()) text += (text.empty() ? "(" : " (") + rule + ")";
  if (!remedy.empty()) return text + (text.empty() ? "" : ". ") + remedy;
  return text;
}

}  // namespace

std::string Advice::text() const {
  return (rule.empty() ? "" : " ") + with_advice("", rule, remedy) + (remedy.empty() ? "." : "");
}

std::string Refusal::text() const {
  return (place.empty() ? "" : place + ": ") + with_advice(problem, rule, remedy) + (remedy.empty() ? end : "");
}

Refusal Refusal::at(const std::string& outer) const {
  Refusal result = *this;
  result.place = place.empty() ? outer : outer + ": " + place;
  return result;
}

Refusal Refusal::then(const Refusal& further) const {
  Refusal result = *this;
  result.problem += "\n";
  result.go_on_with(further);
  return result;
}

namespace {

/// "4:text" of each field.
std::string counted(const std::string& field) { return fmt::format("{}:{}", field.size(), field); }

/// The next of them, which is taken off; nothing where there is none.
std::optional<std::string> take_counted(View& bytes) {
  std::size_t length = 0;
  const auto [end, status] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
  if (status != std::errc()) return std::nullopt;
  const auto begin = static_cast<std::size_t>(end - bytes.data()) + 1;
  if (begin > bytes.size() || *end != ':' || length > bytes.size() - begin) return std::nullopt;
  std::string field(bytes.substr(begin, length));
  bytes.remove_prefix(begin + length);
  return field;
}

}  // namespace

std::string Refusal::bytes() const {
  std::string all;
  for (const std::string* field : {&place, &problem, &subject, &value, &rule, &remedy, &end}) all += counted(*field);
  all += fmt::format("{};", named.size());
  for (const auto* texts : {&named, &instead})
    for (const std::string& one : *texts) all += counted(one);
  return all;
}

Refusal Refusal::from_bytes(const std::string& bytes) {
  Refusal result;
  View left = bytes;
  for (std::string* field :
       {&result.place, &result.problem, &result.subject, &result.value, &result.rule, &result.remedy, &result.end}) {
    auto read = take_counted(left);
    if (!read) return sentence(bytes);
    *field = std::move(*read);
  }
  std::size_t names = 0;
  const auto [end, status] = std::from_chars(left.data(), left.data() + left.size(), names);
  if (status != std::errc()) return sentence(bytes);
  left.remove_prefix(std::min(left.size(), static_cast<std::size_t>(end - left.data()) + 1));
  while (auto one = take_counted(left))
    (result.named.size() < names ? result.named : result.instead).push_back(std::move(*one));
  return result;
}

FilePlace file_place(View place) {
  place = place.substr(0, place.find(": "));
  std::size_t numbers[2] = {0, 0};
  int count = 0;
  while (count < 2) {
    const auto colon = place.rfind(':');
    const View digits = colon == View::npos ? View() : place.substr(colon + 1);
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != View::npos) break;
    numbers[1] = numbers[0];
    numbers[0] = std::stoul(std::string(digits));
    place = place.substr(0, colon);
    ++count;
  }
  if (count == 0) return {};
  return {std::string(place), numbers[0], numbers[1]};
}

}  // namespace orrery
