/// What every file of wrappers uses.
#pragma once

#include "validation/record/real_mpi.hpp"
#include "validation/record/recorder.hpp"

/// "(a, b)" as a, b: parameters of a wrapper, and how it passes them on.
#define ORRERY_LIST(...) __VA_ARGS__

/// Opens a wrapper: `entry`, and how often and long this function is called.
#define ORRERY_ENTRY(name)                               \
  static orrery::record::CallTime time_of("MPI_" #name); \
  const orrery::record::Entry entry(time_of)

/// Of one that may find nothing.
#define ORRERY_POLL(name)                                \
  static orrery::record::CallTime time_of("MPI_" #name); \
  orrery::record::Poll poll(time_of)

using orrery::record::bytes_of;  // NOLINT: a header of wrappers alone
using orrery::record::Recorder;  // NOLINT
