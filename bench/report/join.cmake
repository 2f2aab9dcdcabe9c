# Joins the report's page, style sheet, scripts and uPlot into one text, and writes it as a C++
# source with the parts before and after the data:
#
#   cmake -D FOLDER=<bench/report> -D UPLOT=<node_modules/uplot> -D SCRIPTS=a.js:b.js
#         -D OUTPUT=<source> -P join.cmake

file(READ ${UPLOT}/LICENSE license)
file(READ ${UPLOT}/dist/uPlot.iife.min.js library)
file(READ ${UPLOT}/dist/uPlot.min.css style)
file(READ ${FOLDER}/page.css own_style)
string(APPEND style "\n${own_style}")

# uPlot uses the screen's pixel ratio. Paper needs at least two.
set(script "'use strict';\n(() => {\n/* uPlot: ${license}*/\n")
string(APPEND script "const uPlot = ((devicePixelRatio) => {\n${library}\nreturn uPlot;\n")
string(APPEND script "})(Math.max(2, window.devicePixelRatio));\n")
string(REPLACE ":" ";" names "${SCRIPTS}")
foreach(name IN LISTS names)
  file(READ ${FOLDER}/${name} text)
  string(APPEND script "${text}")
endforeach()
string(APPEND script "})();\n")
string(TOLOWER "${script}" lower)
if(lower MATCHES "</script|<!--")
  message(FATAL_ERROR "A script of the report has what would end it in a page: ${CMAKE_MATCH_0}")
endif()

file(READ ${FOLDER}/page.html page)
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
string(FIND "${page}" "@DATA@" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${FOLDER}/page.html has no place for the data")
endif()
string(SUBSTRING "${page}" 0 ${at} before)
math(EXPR at "${at} + 6")
string(SUBSTRING "${page}" ${at} -1 after)

file(WRITE ${OUTPUT} "#include \"bench/report_text.h\"

namespace berth::bench {

std::string_view report_before_data() {
  return R\"berth_page(${before})berth_page\";
}

std::string_view report_after_data() {
  return R\"berth_page(${after})berth_page\";
}

}  // namespace berth::bench
")
