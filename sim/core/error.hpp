/// The four kinds of error a user meets, each with its exit code. Nothing else is thrown on purpose.
///
///   InputError 2   a file or flag of the user        DomainError 3   a formula outside its range
///   ReplayError 4  the program cannot finish         BoundError 5    a tolerance is broken under --check
///   Interrupted 130  Ctrl-C                          Skipped 77      not possible on this machine
///
/// Form: `where: what is wrong, with the value (the rule or the known names). One suggestion?`
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& what) : std::runtime_error(whole(what)), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  /// what() ends at a NUL, and a message quotes what files have: "\\x00" stands for it.
  static std::string whole(std::string text) {
    for (auto at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) text.replace(at, 1, "\\x00");
    return text;
  }

  int exit_code_;
};

struct InputError : Error {
  explicit InputError(const std::string& what) : Error(2, what) {}
};
struct DomainError : Error {
  explicit DomainError(const std::string& what) : Error(3, what) {}
};
struct ReplayError : Error {
  explicit ReplayError(const std::string& what) : Error(4, what) {}
};
struct BoundError : Error {
  explicit BoundError(const std::string& what) : Error(5, what) {}
};
struct Skipped : Error {
  explicit Skipped(const std::string& what) : Error(77, what) {}
};
struct Interrupted : Error {
  explicit Interrupted(const std::string& what) : Error(130, what) {}
};

}  // namespace orrery
