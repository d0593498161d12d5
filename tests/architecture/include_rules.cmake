# Who may include whom (see CONTRIBUTING.md). Run by ctest: cmake -DROOT=<source> -P include_rules.cmake
# folder | own prefixes it may include | system headers it must never include
set(rules
  "sim/system|sim/system|simgrid/ yaml-cpp/ boost/ nlohmann/ CLI/ Eigen/ fmt/"
  "sim/core|sim/core|simgrid/ yaml-cpp/ boost/ nlohmann/ CLI/ Eigen/"
  "sim/config|sim/core sim/config|simgrid/ boost/ CLI/ Eigen/"
  "platforms|sim/core sim/config platforms|simgrid/ yaml-cpp/ CLI/ nlohmann/"
  "kernels|sim/core kernels|simgrid/ yaml-cpp/ boost/ nlohmann/ CLI/"
  "models|sim/core platforms models|simgrid/ yaml-cpp/ CLI/ nlohmann/"
  "sim/engine|sim/core platforms sim/engine|yaml-cpp/ CLI/ nlohmann/"
  "sim/show|sim/core sim/show|simgrid/ yaml-cpp/ CLI/ boost/"
  "sim/study|sim/core sim/system sim/config platforms kernels models sim/engine sim/show sim/study|simgrid/ yaml-cpp/ CLI/ mpi.h"
  "sim/study/read|sim/core sim/system sim/config platforms kernels models sim/engine sim/study/read|nlohmann/"
  "sim/study/judge|sim/core sim/config sim/show/summary models sim/study/read sim/study/judge|nlohmann/"
  "sim/cli|sim/ platforms kernels models|simgrid/ yaml-cpp/ mpi.h"
  "sim/cli/pages|sim/core sim/config platforms kernels models sim/engine sim/show sim/study sim/cli/outline.hpp sim/cli/pages|CLI/"
  "web|sim/ platforms kernels models web|simgrid/ yaml-cpp/ CLI/ mpi.h sqlite3"
  "validation/commands|sim/ platforms kernels models validation/cluster validation/mpi validation/programs validation/commands|simgrid/ yaml-cpp/ mpi.h"
  "validation/cluster|sim/core sim/system sim/config platforms validation/cluster|simgrid/ yaml-cpp/ CLI/ nlohmann/ mpi.h"
  "validation/programs|sim/core kernels validation/programs|simgrid/ yaml-cpp/ nlohmann/ CLI/ mpi.h"
  "validation/mpi|sim/core sim/config platforms kernels models sim/engine sim/study/read validation/mpi validation/programs|simgrid/ yaml-cpp/ nlohmann/"
  "validation/record|validation/record|simgrid/ yaml-cpp/ nlohmann/ CLI/ boost/ fmt/"
  "validation/bench|sim/ platforms kernels models validation/bench|simgrid/ yaml-cpp/")
set(broken "")
foreach(rule IN LISTS rules)
  string(REPLACE "|" ";" parts "${rule}")
  list(GET parts 0 folder)
  list(GET parts 1 allowed)
  list(GET parts 2 forbidden)
  string(REPLACE " " ";" allowed "${allowed}")
  string(REPLACE " " ";" forbidden "${forbidden}")
  file(GLOB_RECURSE files ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.hpp)
  foreach(file IN LISTS files)
    file(RELATIVE_PATH name ${ROOT} ${file})
    file(STRINGS ${file} includes REGEX "^#include [<\"]")
    foreach(line IN LISTS includes)
      string(REGEX REPLACE "^#include [<\"]([^>\"]+)[>\"].*" "\\1" header "${line}")
      if(line MATCHES "^#include \"(sim|platforms|kernels|models|validation)/")
        set(ok FALSE)
        foreach(prefix IN LISTS allowed)
          string(FIND "${header}" "${prefix}" at)
          if(at EQUAL 0)
            set(ok TRUE)
          endif()
        endforeach()
        if(NOT ok)
          string(APPEND broken "${name} includes ${header} (${folder} may include: ${allowed})\n")
        endif()
      endif()
      foreach(prefix IN LISTS forbidden)
        string(FIND "${header}" "${prefix}" at)
        if(at EQUAL 0)
          string(APPEND broken "${name} includes <${header}> (never in ${folder})\n")
        endif()
      endforeach()
      if(header MATCHES "^(sqlite3|zlib)" AND NOT name MATCHES "^sim/study/store/")
        string(APPEND broken "${name} includes <${header}> (only in sim/study/store)\n")
      endif()
      if(header MATCHES "^nlopt" AND NOT name MATCHES "^sim/study/fit/")
        string(APPEND broken "${name} includes <${header}> (only in sim/study/fit)\n")
      endif()
      if(header MATCHES "^(linux/|elf|link\\.h|sched\\.h|sys/(prctl|epoll|signalfd|eventfd|syscall)\\.h)" AND name MATCHES "^(sim|platforms|kernels|models)/"
         AND NOT name MATCHES "^sim/system/")
        string(APPEND broken "${name} includes <${header}> (what only Linux has: only in sim/system)\n")
      endif()
      if(header MATCHES "^simgrid/" AND NOT name MATCHES "^sim/engine/simgrid/")
        string(APPEND broken "${name} includes <${header}> (only in sim/engine/simgrid)\n")
      endif()
    endforeach()
  endforeach()
endforeach()
# Numbers of tests are compared by tests/support/relative.hpp: beside doctest's own scale of 1, nothing equals a microsecond.
file(GLOB_RECURSE files ${ROOT}/tests/*.cpp ${ROOT}/tests/*.hpp ${ROOT}/validation/*.cpp)
foreach(file IN LISTS files)
  file(STRINGS ${file} lines REGEX "Approx[ \t]*[({]|doctest::Approx")
  if(lines)
    file(RELATIVE_PATH name ${ROOT} ${file})
    string(APPEND broken "${name} compares by doctest::Approx (use near() of tests/support/relative.hpp)\n")
  endif()
endforeach()
if(broken)
  message(FATAL_ERROR "rules broken:\n${broken}")
endif()
