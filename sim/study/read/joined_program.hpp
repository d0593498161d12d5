/// Several programs as one, each on separate ranks that follow those of the one before, with its own compute model.
/// Only the ranks of messages and groups are changed: tags and communicators cannot meet those of another job, because
/// no rank of it sends here. A phase has the name of its job, "stencil: communication".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/core/compute_model.hpp"
#include "sim/core/program.hpp"

namespace orrery {

struct JoinedPart {
  std::string name;  ///< of the job
  const Program* program = nullptr;
  const ComputeModel* compute = nullptr;
};

/// The parts' programs and models must outlive the result.
std::unique_ptr<Program> joined_program(const std::vector<JoinedPart>& parts);
std::unique_ptr<ComputeModel> joined_compute(const std::vector<JoinedPart>& parts);

}  // namespace orrery
