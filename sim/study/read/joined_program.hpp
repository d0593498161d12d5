/// Several programs as one, each on ranks of its own that follow those of the one before, with its own compute model.
/// Ranks of messages and groups are moved, nothing else: tags and communicators meet none of another job, since no
/// rank of it sends here. A phase is called by its job, "stencil: communication".
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

/// The parts' programs and models outlive what is made of them.
std::unique_ptr<Program> joined_program(const std::vector<JoinedPart>& parts);
std::unique_ptr<ComputeModel> joined_compute(const std::vector<JoinedPart>& parts);

}  // namespace orrery
