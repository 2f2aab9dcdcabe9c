# Writes the build information of `berth version` if it changed:
#
#   cmake -D SOURCE=<repo> -D OUTPUT=<header> -D VERSION=<x.y.z> -D COMPILER=<text>
#         -P build_info.cmake
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE
                RESULT_VARIABLE result ERROR_QUIET)
# A source archive has no git history.
if(NOT result EQUAL 0)
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#pragma once

#define BERTH_BUILD_VERSION "@VERSION@"
#define BERTH_BUILD_COMMIT "@COMMIT@"
#define BERTH_BUILD_COMPILER "@COMPILER@"
#define BERTH_BUILD_FLAGS "@FLAGS@"
]])
