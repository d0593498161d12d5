#include "kernels/kernel.hpp"

#include <fmt/format.h>

#include "kernels/collectives/algorithm.hpp"
#include "sim/core/collective_call.hpp"

namespace orrery {

namespace {

/// "MPI_Allreduce" and "all-reduce" as "allreduce".
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_' && c != '-') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return letters.starts_with("mpi") ? letters.substr(3) : letters;
}

/// Users look for MPI's operations among the kernels.
std::string as_collective(std::string_view name) {
  for (std::size_t i = 0; i < collectives::planned_operations; ++i)
    if (const std::string operation = operation_names[i]; plain(operation) == plain(name))
      return fmt::format(
          "an operation of kernel 'collective'). Write '--kernel collective --param operation={0}', or in a file "
          "'kernel: {{name: collective, operation: {0}}}'?",
          operation);
  return "";
}

}  // namespace

Catalogue<KernelEntry>& kernels() {
  static Catalogue<KernelEntry> catalogue("kernel", as_collective);
  return catalogue;
}

}  // namespace orrery
