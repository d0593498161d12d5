/// MPI's own functions, past the wrappers, and the second name of each wrapper.
///
///   int MPI_Send(...) { ... ORRERY_MPI(Send)(...) ... }
///   ORRERY_WRAPS(Send)      PMPI_Send is the wrapper too
///
/// The Fortran bindings of Open MPI and MPICH, with mpif.h, mpi or mpi_f08, are C functions that convert their
/// arguments and call PMPI_Send: wrapping that name too records Fortran with no line of it here, whatever the compiler
/// makes of names. MPI's own is then found with dlsym, behind the preloaded library.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#define ORRERY_MPI(name)                                                                               \
  ([] {                                                                                                \
    static const auto real = reinterpret_cast<decltype(&MPI_##name)>(dlsym(RTLD_NEXT, "PMPI_" #name)); \
    return real;                                                                                       \
  }())

#define ORRERY_WRAPS(name) extern "C" decltype(MPI_##name) PMPI_##name __attribute__((alias("MPI_" #name)));
