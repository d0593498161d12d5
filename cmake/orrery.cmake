# orrery_library(NAME [OBJECT] SOURCES ... [PUBLIC ...] [PRIVATE ...]): one target per folder, alias orrery::NAME.
# Catalogue folders (kernels, models ...) are OBJECT libraries: a STATIC one drops self-registering files.
function(orrery_library name)
  cmake_parse_arguments(arg "OBJECT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(arg_OBJECT)
    add_library(orrery_${name} OBJECT ${arg_SOURCES})
  else()
    add_library(orrery_${name} STATIC ${arg_SOURCES})
  endif()
  add_library(orrery::${name} ALIAS orrery_${name})
  set_target_properties(orrery_${name} PROPERTIES EXPORT_NAME ${name})
  target_link_libraries(orrery_${name} PUBLIC orrery_flags ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# orrery_install(NAME): installs one target, its public headers, and enters it in the exported package.
function(orrery_install name)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  install(TARGETS orrery_${name} EXPORT orreryTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/orrery)
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/orrery/${folder}
    FILES_MATCHING PATTERN "*.hpp")
endfunction()
