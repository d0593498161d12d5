# cmake -DOUT=file.cpp -DHTML=dir -DSCRIPTS="a.js;b.js" -P embed.cmake
# Writes the page's parts as raw string literals. Long ones are split: compilers limit a single literal.
function(literal name text)
  string(LENGTH "${text}" length)
  set(code "const std::string_view ${name} =")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 15000 piece)
    string(APPEND code "\n    R\"ORRERY(${piece})ORRERY\"")
    math(EXPR at "${at} + 15000")
  endwhile()
  set(literals "${literals}${code};\n" PARENT_SCOPE)
endfunction()

file(READ ${HTML}/report.html page)
file(READ ${HTML}/report.css css)
set(script "")
foreach(file ${SCRIPTS})
  file(READ ${HTML}/${file} text)
  string(APPEND script "${text}\n")
endforeach()

literal(report_html "${page}")
literal(report_css "${css}")
literal(script_js "${script}")
# Clang warns of literals over 64 KiB, which each compiler here can read.
file(WRITE ${OUT} "#include \"sim/show/page/html_assets.hpp\"\n\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace orrery::show::assets {\n\n${literals}\n}  // namespace orrery::show::assets\n")
