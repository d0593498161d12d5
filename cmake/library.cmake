# Package liborrery-dev: all of the program as one library, and a CMake package that makes programs of it with kernels and
# models of one's own (orrery_program). Catalogue entries enter themselves, so such a program takes the archive as a whole.
set(objects "")
foreach(part IN ITEMS system core config platforms kernels models engine show read study measuring cluster cli real_commands)
  list(APPEND objects $<TARGET_OBJECTS:orrery_${part}>)
endforeach()
add_library(orrery_library STATIC sim/cli/main.cpp ${objects})
target_link_libraries(orrery_library PRIVATE orrery_flags)
set_target_properties(orrery_library PROPERTIES OUTPUT_NAME orrery)
set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
install(TARGETS orrery_library ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY sim platforms kernels models DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery COMPONENT dev
  FILES_MATCHING PATTERN "*.hpp" PATTERN "sim/engine/simgrid" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/generated/sim/core/version.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery/sim/core COMPONENT dev)
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/orreryConfig.cmake.in ${PROJECT_BINARY_DIR}/orreryConfig.cmake INSTALL_DESTINATION ${folder}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orreryConfig.cmake ${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake DESTINATION ${folder} COMPONENT dev)
