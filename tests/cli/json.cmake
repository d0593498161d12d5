# cmake -DFILE=<json> -P json.cmake: fails when the file is not one JSON object or array.
file(READ ${FILE} text)
string(JSON kind ERROR_VARIABLE problem TYPE "${text}")
if(problem OR NOT kind MATCHES "OBJECT|ARRAY")
  message(FATAL_ERROR "${FILE} is not JSON: ${problem}${kind}")
endif()
