/// The commented C++ files that `orrery new kernel | model | collective` writes: each compiles as it is, passes the
/// contract tests of its catalogue, and marks by numbers what to edit.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::cli {

/// `name`: begins with a letter; the rest of it a-z, 0-9 and '-' (of a collective '_').
std::string kernel_template(std::string_view name);
std::string model_template(std::string_view name);
/// `operation`: one of these, which have folders below kernels/collectives/algorithms; InputError for others.
std::vector<std::string> operations_with_template();
std::string collective_template(std::string_view name, std::string_view operation);

/// Each "@WORD@" of a text replaced by what it stands for.
std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string_view>> words);
/// A name as C++ has it: "halo-swap" as "halo_swap".
std::string identifier_of(std::string_view name);
/// And as a class: "HaloSwap".
std::string class_of(std::string_view name);

}  // namespace orrery::cli
