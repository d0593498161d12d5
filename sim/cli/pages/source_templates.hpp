/// The commented C++ files of `orrery new kernel | model | collective`: each compiles without changes, passes the
/// contract tests of its catalogue, and numbers the places to edit.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cli {

/// `name`: begins with a letter, then a-z, 0-9 and '-' (for a collective '_').
std::string kernel_template(std::string_view name);
std::string model_template(std::string_view name);
/// `operation`: one of those with a folder below kernels/collectives/algorithms; InputError for others.
std::vector<std::string> operations_with_template();
std::string collective_template(std::string_view name, std::string_view operation);

/// The text with each "@WORD@" replaced by its value.
std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string_view>> words);
/// A name as an identifier of C++: "halo-swap" as "halo_swap".
std::string identifier_of(std::string_view name);
/// A name as a class: "HaloSwap".
std::string class_of(std::string_view name);

}  // namespace orrery::cli
