/// Before every source where the library is libc++: what it lacks of C++17. Floating point is read from LLVM 20 on.
#pragma once
#ifndef _LIBCPP_BUILDING_LIBRARY
#include <charconv>
#if _LIBCPP_VERSION < 200000
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

_LIBCPP_BEGIN_NAMESPACE_STD

/// strtod reads more than from_chars does: spaces and a plus before the number, 0x and a fraction in base 16. The
/// locale is always "C": nothing here sets one.
inline from_chars_result from_chars(const char* first, const char* last, double& value,
                                    chars_format = chars_format::general) {
  const char* at = first != last && *first == '-' ? first + 1 : first;
  const auto begins = [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == 'i' || c == 'I' || c == 'n' || c == 'N';
  };
  if (at == last || !begins(*at)) return {first, errc::invalid_argument};
  const char* stop = at;
  while (stop != last && *stop != 'x' && *stop != 'X') ++stop;
  const std::string text(first, stop);
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* const rest = first + (end - text.c_str());
  if (std::isinf(read) && *at != 'i' && *at != 'I') return {rest, errc::result_out_of_range};
  value = read;
  return {rest, errc{}};
}

_LIBCPP_END_NAMESPACE_STD
#endif
#endif
