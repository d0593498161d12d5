# The commit of the sources as a header, written again only when it changes: cmake -DSOURCE=... -DHEADER=... -P commit.cmake
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10 OUTPUT_VARIABLE commit ERROR_QUIET
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT commit)
  set(commit "no commit known")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define ORRERY_COMMIT \"${commit}\"\n")
