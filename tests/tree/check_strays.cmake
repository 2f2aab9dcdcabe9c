# Checks that every source file is named in a CMakeLists.txt, and every *_test.cc in a berth_test():
#
#   cmake -D ROOT=<tree> -D LISTED=<build>/listed.cmake -P check_strays.cmake

cmake_policy(VERSION 3.25)
include(${LISTED})

set(found)
file(GLOB_RECURSE files ${ROOT}/abi/* ${ROOT}/engine/* ${ROOT}/cli/* ${ROOT}/plugins/* ${ROOT}/loadgen/*
     ${ROOT}/bench/* ${ROOT}/tests/*)
list(FILTER files INCLUDE REGEX "\\.(h|hpp|cc|c|fbs|js|mjs|html|css)$")
if(NOT ROOT MATCHES "/planted_tree$")
  list(FILTER files EXCLUDE REGEX "/planted_tree/")
endif()
foreach(file IN LISTS files)
  file(RELATIVE_PATH name ${ROOT} ${file})
  if(file MATCHES "_test\\.cc$" AND NOT file IN_LIST BERTH_LISTED_TESTS)
    string(APPEND found "${name}: in no berth_test()\n")
  elseif(NOT file IN_LIST BERTH_LISTED)
    string(APPEND found "${name}: in no CMakeLists.txt\n")
  endif()
endforeach()

if(found)
  list(SORT found)
  message(FATAL_ERROR "Strays:\n${found}")
endif()
list(LENGTH files count)
message("${count} files")
