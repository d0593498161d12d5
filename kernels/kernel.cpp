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

class WithItsInput final : public Program {
 public:
  WithItsInput(const KernelInput& input, const MakesProgram::Function& make)
      : layout_(input.layout == nullptr ? Layout{} : *input.layout), input_(input) {
    if (input.layout != nullptr) input_.layout = &layout_;
    program_ = make(input_);
  }
  WithItsInput(const WithItsInput&) = delete;
  WithItsInput& operator=(const WithItsInput&) = delete;

  std::string name() const override { return program_->name(); }
  std::uint32_t ranks() const override { return program_->ranks(); }
  Generator<Step> steps(Rank me) const override { return program_->steps(me); }
  Bytes memory(Rank me) const override { return program_->memory(me); }

 private:
  Layout layout_;
  KernelInput input_;
  std::unique_ptr<Program> program_;  // the last: it ends before what it refers to
};

}  // namespace

std::unique_ptr<Program> MakesProgram::operator()(const KernelInput& input) const {
  return std::make_unique<WithItsInput>(input, make_);
}

Catalogue<KernelEntry>& kernels() {
  static Catalogue<KernelEntry> catalogue("kernel", as_collective);
  return catalogue;
}

}  // namespace orrery
