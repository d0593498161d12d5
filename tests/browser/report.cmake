# Opens reports in headless Chromium and uses every control: no script error, no blocked request, every saved SVG is XML.
# cmake -DSAMPLE=<report sample program> -DSCRATCH=<dir> -DPROBE=<probe.js> -P report.cmake
find_program(CHROMIUM NAMES chromium chromium-browser google-chrome)
if(NOT CHROMIUM)
  message(STATUS "skipped: Chromium is not installed (Debian package chromium)")
  return()
endif()
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
execute_process(COMMAND ${SAMPLE} ${SCRATCH} COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PROBE} probe)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../unit/show/ticks.json ticks)
string(PREPEND probe "const tick_cases = ${ticks}\n")

# page name | what the probe must report | width of the window
foreach(expected "report|drawings 26 tables 32 problems 0|1280" "report|drawings 26 tables 32 problems 0|390"
    "odd|drawings 26 tables 32 problems 0|1280" "odd|drawings 26 tables 32 problems 0|390"
    "extreme|problems 0|1280" "extreme|problems 0|390" "many|problems 0|1280" "sweep|problems 0|1280" "sweep|problems 0|390" "one|problems 0|1280" "empty|drawings 0 tables 0 problems 0|1280")
  string(REPLACE "|" ";" expected "${expected}")
  list(GET expected 0 page)
  list(GET expected 1 wanted)
  list(GET expected 2 width)
  file(READ ${SCRATCH}/${page}.html html)
  string(REPLACE "</body>" "<script>\n${probe}</script></body>" html "${html}")
  file(WRITE ${SCRATCH}/${page}_probed.html "${html}")
  execute_process(
    COMMAND ${CHROMIUM} --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
      --disable-component-update --disable-sync --user-data-dir=${SCRATCH}/profile --virtual-time-budget=20000
      --window-size=${width},1000 --dump-dom file://${SCRATCH}/${page}_probed.html
    OUTPUT_VARIABLE dom ERROR_VARIABLE log TIMEOUT 100)
  string(REGEX MATCH "<pre id=\"probe\">drawings [^<]* end" found "${dom}")
  string(FIND "${found}" "${wanted}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "${page}.html: wanted '${wanted}', found '${found}'\n${log}")
  endif()
  message(STATUS "${page}.html, ${width} px: ${wanted}")
endforeach()

# On paper: a report of 32 points, and one of 1,000, of which the table prints a part.
foreach(expected "report|10" "many|12" "sweep|14" "one|7" "empty|1")
  string(REPLACE "|" ";" expected "${expected}")
  list(GET expected 0 page)
  list(GET expected 1 most)
  execute_process(
    COMMAND ${CHROMIUM} --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
      --disable-component-update --disable-sync --user-data-dir=${SCRATCH}/profile --virtual-time-budget=20000
      --no-pdf-header-footer --print-to-pdf=${SCRATCH}/${page}.pdf file://${SCRATCH}/${page}.html
    OUTPUT_QUIET ERROR_VARIABLE log TIMEOUT 100)
  file(STRINGS ${SCRATCH}/${page}.pdf sheets REGEX "/Type ?/Page($|[^a-z])")
  list(LENGTH sheets count)
  if(count EQUAL 0 OR count GREATER most)
    message(FATAL_ERROR "${page}.html: ${count} pages on paper (1 to ${most})\n${log}")
  endif()
  message(STATUS "${page}.html on paper: ${count} pages")
endforeach()
