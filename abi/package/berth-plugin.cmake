# berth_add_plugin(NAME SOURCES file...)
#
# The shared object NAME.so in the folder `plugins` of the build folder, which `berth run --plugins`
# takes. C sources are C11 and C++ sources C++20 unless CMAKE_C_STANDARD or CMAKE_CXX_STANDARD says
# otherwise. `cmake --install` copies it to lib/berth/plugins below the prefix: with --prefix
# ~/.local, `berth` finds it there without an option. The version of the project, if it has one, is
# that of a plugin in C++ that states none itself.
function(berth_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES")
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "expected berth_add_plugin(NAME SOURCES file...), found "
                        "berth_add_plugin(${ARGV})")
  endif()
  set(c 11)
  set(cxx 20)
  if(CMAKE_C_STANDARD)
    set(c ${CMAKE_C_STANDARD})
  endif()
  if(CMAKE_CXX_STANDARD)
    set(cxx ${CMAKE_CXX_STANDARD})
  endif()
  add_library(${name} MODULE ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE berth::plugin)
  if(PROJECT_VERSION)
    target_compile_definitions(${name} PRIVATE "BERTH_PLUGIN_VERSION=\"${PROJECT_VERSION}\"")
  endif()
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX .so
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/plugins"
    C_STANDARD ${c} C_STANDARD_REQUIRED ON CXX_STANDARD ${cxx} CXX_STANDARD_REQUIRED ON)
  install(TARGETS ${name} LIBRARY DESTINATION lib/berth/plugins)
endfunction()
