/// A phase's messages as a pattern of signals: which rank signals which in each stage, whatever the size.
///
/// Stages are those of the phase: dependency levels, unless the kernel declares others. A level is the earliest at
/// which a message can be sent. A rank that waits for a later stage of its algorithm without need therefore sends in an
/// earlier one here.
///
/// Checked  tests/unit/models/barrier_matrix_test.cpp
#pragma once

#include "sim/core/phase.hpp"
#include "sim/core/stage_pattern.hpp"

namespace orrery {

StagePattern pattern_of(const Phase& phase);

}  // namespace orrery
