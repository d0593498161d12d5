/// A refused input, as data. Only `text()` forms the sentence; programs read the fields.
///
/// A sentence is written once, as the template of its fields:
///
///     throw InputError("{}: '{}' is '{}' (a whole number). Write '{}'?", where, key, text, nearest);
///                       place  subject value      rule             remedy
///
/// The template is split before its values are inserted, so a value may contain any character.
/// Form: `place: problem (rule). Remedy?` Only the problem is required. The quoted texts of a remedy are valid
/// replacements. A last value that is a Refusal is extended: "{}:{}: {}" puts a place before it.
///
/// Checked  tests/unit/core/refusal_test.cpp
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace orrery {

/// Rule and remedy computed from the value, such as the known names and the nearest of them.
struct Advice {
  std::string rule, remedy;
  std::vector<std::string> instead;
  std::string text() const;  ///< " (rule). Remedy?"
};

struct Refusal {
  std::string place;                 ///< "mine.yaml:42:14", "--ranks", "orrery run"
  std::string problem;               ///< "'latency' is '1.3' without a unit"
  std::string subject;               ///< the key or name with the problem, "latency"
  std::string value;                 ///< the wrong text, "1.3"
  std::string rule;                  ///< the valid values, "ns, us, ms, s, min, h"
  std::string remedy;                ///< what to do, "Write '1.3us'?"
  std::vector<std::string> instead;  ///< what may be written for the value, "1.3us"
  std::vector<std::string> named;    ///< every text in quotes of the problem, such as "latency" and "1.3"
  std::string end;                   ///< "." of a sentence that ends with its rule

  Refusal() = default;
  /// A template without values: its braces are literal.
  template <std::size_t length>
  Refusal(const char (&text)[length]) : Refusal(made(text, nullptr, {})) {}
  template <class First, class... Rest>
  Refusal(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest) {
    const auto values = fmt::make_format_args(first, rest...);
    const fmt::format_args all(values);
    *this = made(fmt::string_view(text), &all, inner(0, first, rest...));
  }
  /// A sentence whose parts are not known, such as a library's message.
  static Refusal sentence(std::string text);

  std::string text() const;
  bool empty() const { return place.empty() && problem.empty(); }
  /// All fields as bytes, to send from one process to another, and back. Bytes of another form become a sentence.
  std::string bytes() const;
  static Refusal from_bytes(const std::string& bytes);
  /// With an outer place before the existing one: "file: kernel".
  Refusal at(const std::string& outer) const;
  /// With a second sentence on its own line; its rule and remedy become those of the result.
  Refusal then(const Refusal& further) const;

 private:
  /// The last value if it has parts of its own: an Advice, or a Refusal from reading something inside.
  struct Inner {
    std::size_t index = 0;
    const Advice* advice = nullptr;
    const Refusal* refusal = nullptr;
  };
  template <class First, class... Rest>
  static Inner inner(std::size_t index, const First& first, const Rest&... rest) {
    if constexpr (std::is_same_v<First, Advice>)
      return {index, &first, nullptr};
    else if constexpr (std::is_same_v<First, Refusal>)
      return {index, nullptr, &first};
    else if constexpr (sizeof...(rest) > 0)
      return inner(index + 1, rest...);
    else
      return {};
  }
  void go_on_with(const Refusal& inner);
  static Refusal made(fmt::string_view text, const fmt::format_args* values, const Inner& inner);
};

/// A place split into parts: "mine.yaml:42:14". Line and column are 0 if missing; the file is empty if it is no place.
struct FilePlace {
  std::string file;
  std::size_t line = 0, column = 0;
};
FilePlace file_place(std::string_view place);

}  // namespace orrery

/// Formats both types as their text.
template <class Told>
requires(std::is_same_v<Told, orrery::Advice> || std::is_same_v<Told, orrery::Refusal>) struct fmt::formatter<Told> {
  template <class Context>
  constexpr auto parse(Context& context) {
    return context.begin();
  }
  template <class Context>
  auto format(const Told& told, Context& context) const {
    const std::string text = told.text();
    return std::copy(text.begin(), text.end(), context.out());
  }
};
