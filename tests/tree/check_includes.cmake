# Checks that no file includes a header of a module that it may not use, and that every source first
# includes the header of its own name, which proves that this header compiles alone.
#
#   cmake -D ROOT=<tree> -D LISTED=<build>/listed.cmake -P check_includes.cmake
#
# Test programs may use everything. CMakeLists.txt files tell which files belong to them.

cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/modules.cmake)
include(${LISTED})

# Sets `out` to the module, `abi` or plugins/NAME that contains a path, or to an empty text.
function(owner_of path out)
  set(owner)
  if(path MATCHES "^engine/([^/]+)/|^(cli|loadgen|bench)/")
    set(owner ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  elseif(path MATCHES "^(plugins/[^/]+)/")
    set(owner ${CMAKE_MATCH_1})
  elseif(path MATCHES "^(abi/include/)?berth/(abi|c|sdk|schema)/")
    set(owner abi)
  endif()
  set(${out} "${owner}" PARENT_SCOPE)
endfunction()

set(found)
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/engine/* ${ROOT}/cli/* ${ROOT}/plugins/* ${ROOT}/loadgen/*
     ${ROOT}/bench/* ${ROOT}/abi/include/*)
list(FILTER files INCLUDE REGEX "\\.(h|hpp|cc|c)$")
foreach(file IN LISTS files)
  if(${ROOT}/${file} IN_LIST BERTH_LISTED_PROGRAMS)
    continue()
  endif()
  owner_of(${file} owner)
  file(STRINGS ${ROOT}/${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
  string(REGEX REPLACE "\\.cc$" ".h" own ${file})
  if(file MATCHES "\\.cc$" AND EXISTS ${ROOT}/${own})
    list(GET lines 0 first)
    if(NOT first STREQUAL "#include \"${own}\"")
      string(APPEND found "${file}: the first include is not ${own}\n")
    endif()
  endif()
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[^<\"]*[<\"]([^>\"]*)[>\"].*" "\\1" header "${line}")
    owner_of(${header} used)
    if(used STREQUAL "" OR used STREQUAL owner OR used IN_LIST BERTH_MAY_USE_${owner})
      continue()
    endif()
    if(owner STREQUAL plugins/testing)  # linked into plugin tests, never into a plugin
      continue()
    endif()
    if(owner MATCHES "^plugins/")
      if(NOT used STREQUAL abi)
        string(APPEND found "${file}: a plugin may not use ${header}\n")
      endif()
    else()
      string(APPEND found "${file}: ${owner} may not use ${used} (${header})\n")
    endif()
  endforeach()
endforeach()

if(found)
  message(FATAL_ERROR "Includes are not as they should be (see cmake/modules.cmake):\n${found}")
endif()
list(LENGTH files count)
message("${count} files")
