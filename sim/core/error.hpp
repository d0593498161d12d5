/// The four kinds of error a user meets, each with its exit code. Nothing else is thrown on purpose.
///
///   InputError 2   a file or flag of the user        DomainError 3   a formula outside its range
///   ReplayError 4  the program cannot finish         BoundError 5    a tolerance is broken under --check
///   Interrupted 130  Ctrl-C                          Skipped 77      not possible on this machine
///
/// The content of an error is a Refusal: its fields are data, and its text is made of them.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "sim/core/refusal.hpp"

namespace orrery {

class Error : public std::runtime_error {
 public:
  Error(int exit_code, Refusal refusal)
      : std::runtime_error(whole(refusal.text())), refusal_(std::move(refusal)), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }
  const Refusal& refusal() const { return refusal_; }

 private:
  /// what() ends at a NUL, and messages quote file contents: a NUL is printed as "\\x00".
  static std::string whole(std::string text) {
    for (auto at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) text.replace(at, 1, "\\x00");
    return text;
  }

  Refusal refusal_;
  int exit_code_;
};

template <int code>
struct ErrorOfKind : Error {
  explicit ErrorOfKind(Refusal refusal) : Error(code, std::move(refusal)) {}
  template <class First, class... Rest>
  explicit ErrorOfKind(fmt::format_string<First, Rest...> text, First&& first, Rest&&... rest)
      : Error(code, Refusal(text, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

struct InputError : ErrorOfKind<2> {
  using ErrorOfKind::ErrorOfKind;
};
struct DomainError : ErrorOfKind<3> {
  using ErrorOfKind::ErrorOfKind;
};
struct ReplayError : ErrorOfKind<4> {
  using ErrorOfKind::ErrorOfKind;
};
struct BoundError : ErrorOfKind<5> {
  using ErrorOfKind::ErrorOfKind;
};
struct Skipped : ErrorOfKind<77> {
  using ErrorOfKind::ErrorOfKind;
};
struct Interrupted : ErrorOfKind<130> {
  using ErrorOfKind::ErrorOfKind;
};

}  // namespace orrery
