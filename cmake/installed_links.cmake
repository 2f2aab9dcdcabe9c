# Run by `cmake --install` after the pages: takes the links out of the installed pages whose targets
# are not installed, such as sources, and leaves their texts.

cmake_minimum_required(VERSION 3.25)

# Of the component "development", which may be installed elsewhere at this time.
set(later include package rust)

# True if a link of a page in `folder` leads to something that is installed, or is none to a file.
function(berth_link_holds folder target result)
  set(${result} TRUE PARENT_SCOPE)
  if(target MATCHES "^#|:" OR NOT target MATCHES "^[A-Za-z0-9_./#-]+$")
    return()
  endif()
  string(REGEX REPLACE "#.*" "" file "${target}")
  string(REGEX REPLACE "/.*" "" first "${file}")
  if(EXISTS "${folder}/${file}" OR first IN_LIST later)
    return()
  endif()
  set(${result} FALSE PARENT_SCOPE)
endfunction()

# In front of "](" stands "[TEXT", whose bracket goes with the link. Pages hold brackets and
# semicolons, so nothing here is a list.
function(berth_take_links_out page)
  file(READ "${page}" rest)
  cmake_path(GET page PARENT_PATH folder)
  set(kept "")
  while(TRUE)
    string(FIND "${rest}" "](" at)
    if(at EQUAL -1)
      break()
    endif()
    string(SUBSTRING "${rest}" 0 ${at} before)
    math(EXPR at "${at} + 2")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    string(FIND "${rest}" ")" end)
    string(SUBSTRING "${rest}" 0 ${end} target)
    berth_link_holds("${folder}" "${target}" holds)
    string(FIND "${kept}${before}" "[" open REVERSE)
    # Outside of code, what stands between brackets is no longer than some words.
    if(holds OR open EQUAL -1)
      string(APPEND kept "${before}](")
      continue()
    endif()
    string(APPEND kept "${before}")
    string(SUBSTRING "${kept}" 0 ${open} front)
    math(EXPR open "${open} + 1")
    string(SUBSTRING "${kept}" ${open} -1 text)
    set(kept "${front}${text}")
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${rest}" ${end} -1 rest)
  endwhile()
  file(WRITE "${page}" "${kept}${rest}")
endfunction()

if(NOT DEFINED pages_folder)
  set(pages_folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/doc/berth")
endif()
file(GLOB_RECURSE pages "${pages_folder}/*.md")
foreach(page IN LISTS pages)
  berth_take_links_out("${page}")
endforeach()
