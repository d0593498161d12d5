/// Orrery in the browser: a request as JSON on standard input, its answer on standard output, messages on standard
/// error, and the exit code of the program. The answer of what fails is the refusal as JSON. One module is one request: a host makes a new instance for the next.
#include <cstdio>
#include <string>

#include "sim/core/error.hpp"
#include "sim/core/printable.hpp"
#include "sim/core/tell.hpp"
#include "sim/study/play/events.hpp"
#include "web/driver/request.hpp"

namespace {

std::string standard_input() {
  std::string text;
  char piece[65536];
  while (const std::size_t got = std::fread(piece, 1, sizeof piece, stdin)) text.append(piece, got);
  return text;
}

}  // namespace

int main() {
  int code = 0;
  try {
    code = orrery::web::carry_out(standard_input());
  } catch (const orrery::Error& error) {
    orrery::tell("{}\n", orrery::printable(error.what()));
    orrery::study::error_event(error.exit_code(), error.refusal());
    code = error.exit_code();
  } catch (const std::exception& error) {
    orrery::tell("orrery: internal error: {}. Please report it with the request and its files.\n", error.what());
    code = 1;
  }
  if (code != 0) orrery::say_as_it_is(orrery::study::last_error());
  std::fflush(stdout);
  std::fflush(stderr);
  return code;
}
