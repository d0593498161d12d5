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
  target_link_libraries(orrery_${name} PUBLIC orrery_flags ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()
