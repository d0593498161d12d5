# What find_package gives elsewhere. Libraries of headers are those of this machine, each alone behind a link: the rest of
# /usr/include is of another system. yaml-cpp and the C++ library are built here, from sources that web/toolchain.sh fetches.
set(ORRERY_WASM_SOURCES "$ENV{HOME}/.cache/orrery/wasm" CACHE PATH "Where web/toolchain.sh put the sources of LLVM and yaml-cpp")
if(DEFINED ENV{ORRERY_WASM_SOURCES})
  set(ORRERY_WASM_SOURCES $ENV{ORRERY_WASM_SOURCES})
endif()
file(GLOB llvm_source ${ORRERY_WASM_SOURCES}/llvm-toolchain-19_*)
file(GLOB yaml_source ${ORRERY_WASM_SOURCES}/yaml-cpp-*)
if(NOT llvm_source OR NOT yaml_source)
  message(FATAL_ERROR "${ORRERY_WASM_SOURCES}: has no sources of LLVM 19 and yaml-cpp. Run web/toolchain.sh?")
endif()

set(header_links ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${header_links})
foreach(name IN ITEMS fmt nlohmann boost eigen3)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "/usr/include/${name}: not found (headers that do not depend on the system). Run web/toolchain.sh?")
  endif()
  file(CREATE_LINK /usr/include/${name} ${header_links}/${name} SYMBOLIC)
endforeach()

add_subdirectory(web/runtime)

foreach(name IN ITEMS nlohmann_json::nlohmann_json Boost::headers Eigen3::Eigen)
  add_library(${name} INTERFACE IMPORTED)
  target_include_directories(${name} SYSTEM INTERFACE ${header_links})
endforeach()
target_include_directories(Eigen3::Eigen SYSTEM INTERFACE ${header_links}/eigen3)
target_compile_definitions(Boost::headers INTERFACE _LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION)  # of Boost 1.74
add_library(fmt::fmt ALIAS orrery_wasm_fmt)
# Nothing of these is needed there: no source of the slice includes them.
foreach(name IN ITEMS Threads::Threads PkgConfig::sqlite PkgConfig::zlib PkgConfig::cairo PkgConfig::nlopt)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
set(ORRERY_WITH_SIMGRID false)
