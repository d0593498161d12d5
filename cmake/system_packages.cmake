# The libraries of this machine.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
if(NOT TARGET yaml-cpp::yaml-cpp)  # 0.7
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED)
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost's own package instead of a module that is gone
endif()
find_package(Boost REQUIRED)
find_package(PkgConfig REQUIRED)
set(ORRERY_WITH_SIMGRID false)
if(ORRERY_SIMGRID)
  pkg_check_modules(simgrid IMPORTED_TARGET simgrid)
  if(NOT simgrid_FOUND)
    message(FATAL_ERROR "SimGrid was not found (on Debian: apt-get install libsimgrid-dev). "
      "Install it, or configure with -DORRERY_SIMGRID=OFF?")
  elseif(simgrid_VERSION VERSION_LESS 3.32 OR simgrid_VERSION VERSION_GREATER_EQUAL 4.2)  # sim/engine/simgrid/versions.hpp
    message(FATAL_ERROR "SimGrid is ${simgrid_VERSION} (known: 3.32 to 4.1). Configure with -DORRERY_SIMGRID=OFF?")
  endif()
  set(ORRERY_WITH_SIMGRID true)
endif()
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(nlopt REQUIRED IMPORTED_TARGET nlopt)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo-pdf cairo-png)

# For what really computes (validation/compute, validation/programs); each says what it lacks without them.
set(BLA_VENDOR OpenBLAS)
find_package(BLAS QUIET)
if(NOT BLAS_FOUND)
  unset(BLA_VENDOR)
  find_package(BLAS QUIET)
endif()
pkg_check_modules(fftw QUIET IMPORTED_TARGET fftw3)
