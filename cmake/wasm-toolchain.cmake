# WebAssembly by Debian's clang 19, lld and wasi-libc (web/toolchain.sh installs them). The C++ library is web/runtime.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(ORRERY_WEB ON)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
foreach(language IN ITEMS C CXX)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
  set(CMAKE_${language}_FLAGS_INIT "-fwasm-exceptions -mbulk-memory")
endforeach()
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # there is no library to link with yet
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
