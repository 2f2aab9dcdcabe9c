# The functions for CMakeLists.txt files. Files are listed by name, with paths relative to the
# folder; a header is listed beside its source. The test `tree.strays` finds files that are not
# listed.
#
#   berth_module(NAME [SOURCES a.cc a.h ...] [DEPENDS module|abi ...] [LIBRARIES name ...] [COLD])
#     The static library `berth_NAME`. DEPENDS must be in the table of modules.cmake. LIBRARIES
#     takes the short names of libraries.cmake (tbb dll fmt simdjson ...) or any target, such as one
#     made by berth_flatbuffers(). Without .cc files it is an interface library. COLD: the code runs
#     so rarely that sanitizer builds neither optimise it, which would take long, nor instrument it
#     for libFuzzer; `release` optimises it less.
#
#   berth_executable(NAME SOURCES main.cc ... [DEPENDS module ...] [LIBRARIES name ...]
#                    [EXPORTS symbol ...] [INTERNAL])
#     build/<preset>/bin/NAME, with mimalloc as its allocator unless a sanitizer has its own.
#     EXPORTS names the only symbols that it exports, to which libraries can be bound. INTERNAL: other
#     programs start it, not people; it has no manual and is in build/<preset>/lib/berth.
#
#   berth_plugin(NAME SOURCES a.cc ... [NAME PluginName] [EXPORT symbol] [TEST_ONLY] [OF_CASES])
#     build/<preset>/lib/berth/plugins/NAME.so, compiled against the ABI headers alone, with one
#     exported symbol: berth_plugin_entry_v1, or EXPORT. TEST_ONLY puts it into
#     test/plugins instead, OF_CASES into lib/berth/test-plugins, where the program finds plugins of
#     conformance cases.
#
#   berth_test(NAME SOURCES a_test.cc ... [DEPENDS module|abi ...] [LIBRARIES name ...]
#              [PLUGIN plugin] [NEEDS target ...] [PARALLEL] [SERIAL] [SLOW] [TIMEOUT seconds])
#     A GoogleTest executable build/<preset>/test/NAME_test. Each case is a test `NAME.Suite.Case`.
#     googletest's main, gmock and RapidCheck are linked. PLUGIN also links the objects of a plugin.
#     NEEDS names targets to build first (`berth_plugins` is all plugins, `berth` the command).
#     PARALLEL: uses threads, so it also runs under ThreadSanitizer. SLOW: neither built nor run
#     under sanitizers. SERIAL: measures time, so nothing else runs at the same time. The code sees
#     the macros BERTH_SOURCE_DIR, BERTH_BUILD_DIR and BERTH_SHARED_DIR.
#
#   berth_benchmark(NAME SOURCES a_bench.cc ... [DEPENDS module|abi ...] [LIBRARIES name ...]
#                   [PLUGIN plugin] [NEEDS target ...] [SMALL filter])
#     A Google Benchmark executable build/<preset>/benchmark/NAME (use BENCHMARK_MAIN), and a test
#     `bench.NAME` that runs it briefly: all benchmarks, or those that match SMALL, a
#     --benchmark_filter.
#
#   berth_fuzzer(NAME SOURCES a_fuzz.cc ... [DEPENDS module|abi ...]
#                [LIBRARIES name ...] [NEEDS target ...] [CORPUS folder])
#     With BERTH_FUZZ: a libFuzzer executable build/asan/fuzz/NAME, and a test `fuzz.NAME` that runs
#     it for BERTH_FUZZ_RUNS executions on top of CORPUS, which it does not modify.
#
#   berth_flatbuffers(TARGET SCHEMAS a.fbs ...)
#     An interface library with the generated headers, included as "berth/schema/a_generated.h".
#
#   The interface library `berth_shipped_plugins` provides "berth/shipped_plugins.h" with the names of
#   the plugins that ship.
#   The interface library `berth_build_info` provides "berth/build_info.h" with the version, the
#   commit and the compiler: BERTH_BUILD_VERSION, BERTH_BUILD_COMMIT, BERTH_BUILD_COMPILER.
#
#   berth_listed(file ...)
#     Names files that belong to no target, for the stray check.

include(GoogleTest)

# The ABI headers, for plugins and for modules that may use `abi`.
add_library(berth_abi INTERFACE)
target_include_directories(berth_abi INTERFACE ${CMAKE_SOURCE_DIR}/abi/include)

string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}" BERTH_BUILD_FLAGS)
string(APPEND BERTH_BUILD_FLAGS "$<$<BOOL:${BERTH_CPU}>: -march=${BERTH_CPU}>"
       "$<$<BOOL:${BERTH_PROFILE}>: -fprofile-${BERTH_PROFILE}>"
       "$<$<OR:$<BOOL:${BERTH_LINK_TIME}>,$<BOOL:${CMAKE_INTERPROCEDURAL_OPTIMIZATION}>>: -flto>")

# Checks in each build whether the commit has changed.
add_custom_target(berth_build_info_write
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${CMAKE_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
          -D "COMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
          -D "FLAGS=${BERTH_BUILD_FLAGS}"
          -D OUTPUT=${CMAKE_BINARY_DIR}/generated/berth/build_info.h
          -P ${CMAKE_SOURCE_DIR}/cmake/build_info.cmake
  BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/berth/build_info.h VERBATIM)
add_library(berth_build_info INTERFACE)
add_dependencies(berth_build_info berth_build_info_write)
target_include_directories(berth_build_info INTERFACE ${CMAKE_BINARY_DIR}/generated)

# The names of the plugins that ship, each once, by which a program knows that one is absent.
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/generated/berth/shipped_plugins.h CONTENT
[[#pragma once

#include <string_view>

namespace berth {
inline constexpr std::string_view kShippedPlugins[] = {
    "$<JOIN:$<TARGET_PROPERTY:berth_plugins,BERTH_PLUGIN_NAMES>,"$<COMMA> ">"};
}  // namespace berth
]])
add_library(berth_shipped_plugins INTERFACE)
target_include_directories(berth_shipped_plugins INTERFACE ${CMAKE_BINARY_DIR}/generated)

add_custom_target(berth_programs)        # all executables that ship
add_custom_target(berth_plugins)         # all plugins that ship
add_custom_target(berth_tests)           # all test executables
add_custom_target(berth_sanitized_tests) # tests that run under AddressSanitizer
add_custom_target(berth_parallel_tests)  # tests that run under ThreadSanitizer
add_custom_target(berth_fuzzers)         # all fuzz targets

set(BERTH_FUZZ_RUNS 20000 CACHE STRING "Executions of each fuzz target as a test")
set(BERTH_FUZZ_SEED 0 CACHE STRING "Of the inputs that fuzz targets make; 0: a drawn one")
set(BERTH_FUZZ_SECONDS 60 CACHE STRING "Seconds after which that stops all the same")
set(BERTH_TEST_TIMEOUT 900)

function(berth_list_in property)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    set_property(GLOBAL APPEND PROPERTY ${property} ${file})
  endforeach()
endfunction()

function(berth_listed)
  berth_list_in(BERTH_LISTED ${ARGN})
endfunction()

# Sets `out` to the targets for DEPENDS and LIBRARIES.
function(berth_resolve out depends libraries)
  set(targets)
  foreach(name IN LISTS depends)
    list(APPEND targets berth_${name})
  endforeach()
  foreach(name IN LISTS libraries)
    if(TARGET lib::${name})
      list(APPEND targets lib::${name})
    else()
      list(APPEND targets ${name})
    endif()
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# Sets `out` to the external libraries of a module and of all its dependencies.
function(berth_closure out module)
  get_property(libraries GLOBAL PROPERTY BERTH_LIBRARIES_${module})
  get_property(depends GLOBAL PROPERTY BERTH_USES_${module})
  foreach(name IN LISTS depends)
    berth_closure(more ${name})
    list(APPEND libraries ${more})
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  set(${out} ${libraries} PARENT_SCOPE)
endfunction()

# Writes the input of the checks in tests/tree, at the end of configuring.
function(berth_write_lists)
  set(text "# What the CMakeLists.txt name.\n")
  foreach(list BERTH_LISTED BERTH_LISTED_PROGRAMS BERTH_LISTED_TESTS)
    get_property(files GLOBAL PROPERTY ${list})
    list(JOIN files "\n  " files)
    string(APPEND text "set(${list}\n  ${files})\n")
  endforeach()
  file(WRITE ${CMAKE_BINARY_DIR}/listed.cmake "${text}")
endfunction()
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL berth_write_lists)

function(berth_check_edges module)
  foreach(name IN LISTS ARGN)
    if(NOT name IN_LIST BERTH_MAY_USE_${module})
      message(FATAL_ERROR "module ${module} may not use ${name}: see cmake/modules.cmake")
    endif()
  endforeach()
endfunction()

# Compiles the headers that no source of the same name includes first: each one alone where files are
# compiled one by one, else those of a target as one, since each takes 2 s to read.
function(berth_check_headers target library)
  if(NOT BERTH_CHECK_TREE)
    return()
  endif()
  set(units)
  foreach(header IN LISTS ARGN)
    string(REGEX REPLACE "\\.(h|hpp)$" ".cc" source ${header})
    if(NOT header MATCHES "\\.(h|hpp)$" OR source IN_LIST ARGN)
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH header)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${target}-${source})
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"@header@\"\n" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(${target}_headers OBJECT ${units})
    target_link_libraries(${target}_headers PRIVATE ${library})
    target_include_directories(${target}_headers PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_options(${target}_headers PRIVATE -O0 -g0)
    if(BERTH_QUICK_MODULES)
      set_target_properties(${target}_headers PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    endif()
  endif()
endfunction()

# HOT and COLD: see berth_optimise.
function(berth_module name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "COLD;HOT" "" "SOURCES;DEPENDS;LIBRARIES")
  berth_check_edges(${name} ${ARG_DEPENDS})
  berth_listed(${ARG_SOURCES})
  berth_resolve(uses "${ARG_DEPENDS}" "${ARG_LIBRARIES}")
  set(units ${ARG_SOURCES})
  list(FILTER units EXCLUDE REGEX "\\.h$")
  if(units)
    add_library(berth_${name} STATIC ${units})
    set(scope PUBLIC)
    target_link_libraries(berth_${name} PRIVATE berth_flags)
    set(kind module)
    if(ARG_HOT)
      set(kind hot)
    elseif(ARG_COLD)
      set(kind cold)
    endif()
    berth_optimise(berth_${name} ${kind})
    if(BERTH_QUICK_MODULES)
      # Coverage takes less time to build where everything is joined.
      if(BERTH_COVERAGE AND kind STREQUAL hot)
        set(kind module)
      endif()
      berth_quick(berth_${name} ${kind})
    endif()
    if(BERTH_COVERAGE AND BERTH_FOLDER_${name} MATCHES "^(engine|cli)(/|$)")
      # Less optimisation brings warnings of its own.
      target_compile_options(berth_${name} PRIVATE
                             --coverage -fprofile-update=atomic -Og -Wno-error)
      target_link_options(berth_${name} INTERFACE --coverage)
    endif()
    set_property(GLOBAL APPEND PROPERTY BERTH_ARCHIVES ${name})
  else()
    add_library(berth_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(berth_${name} ${scope} ${CMAKE_SOURCE_DIR})
  target_link_libraries(berth_${name} ${scope} ${uses})
  berth_check_headers(berth_${name} berth_${name} ${ARG_SOURCES})
  set_property(GLOBAL PROPERTY BERTH_USES_${name} ${ARG_DEPENDS})
  set_property(GLOBAL PROPERTY BERTH_LIBRARIES_${name} ${ARG_LIBRARIES})
endfunction()

# What a program that hosts plugins exports, so that plugins are bound to it
# (engine/host/faults/ended_by_plugin.h).
set(BERTH_ENDING_FUNCTIONS exit quick_exit _exit _Exit)

function(berth_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "INTERNAL" "" "SOURCES;DEPENDS;LIBRARIES;EXPORTS")
  berth_listed(${ARG_SOURCES})
  berth_resolve(uses "${ARG_DEPENDS}" "${ARG_LIBRARIES}")
  add_executable(${name} ${ARG_SOURCES})
  add_dependencies(berth_programs ${name})
  # The allocator comes first, otherwise allocator calls of other libraries are bound before it.
  if(NOT BERTH_SANITIZE)
    target_link_libraries(${name} PRIVATE lib::mimalloc)
  endif()
  target_link_libraries(${name} PRIVATE ${uses} berth_flags)
  # Exported symbols of the program could replace a plugin's own.
  if(NOT BERTH_SANITIZE)
    set(map ${CMAKE_SOURCE_DIR}/cmake/executable.map)
    if(ARG_EXPORTS)
      set(map ${CMAKE_BINARY_DIR}/maps/${name}.map)
      list(JOIN ARG_EXPORTS "; " symbols)
      file(CONFIGURE OUTPUT ${map} CONTENT "{ global: @symbols@; local: *; };\n" @ONLY)
      list(TRANSFORM ARG_EXPORTS PREPEND -Wl,--export-dynamic-symbol=)
    endif()
    target_link_options(${name} PRIVATE -Wl,--version-script=${map} ${ARG_EXPORTS})
  endif()
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  set(folder bin)
  if(ARG_INTERNAL)
    set(folder lib/berth)
  else()
    # Their own sources are command lines.
    berth_optimise(${name} cold)
    if(BERTH_QUICK_MODULES)
      berth_join(${name})
    endif()
    berth_documents(${name})
  endif()
  set_target_properties(${name} PROPERTIES BERTH_LINK_TIME ${BERTH_LINK_TIME}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  install(TARGETS ${name} RUNTIME DESTINATION ${folder} COMPONENT programs)
endfunction()

# Appends the name of a plugin that ships to the property BERTH_PLUGIN_NAMES of berth_plugins:
# NodeName for the file node_name.so, unless another one is given.
function(berth_ships name)
  if(ARGC GREATER 1)
    set_property(TARGET berth_plugins APPEND PROPERTY BERTH_PLUGIN_NAMES ${ARGV1})
    return()
  endif()
  string(REPLACE "_" ";" words ${name})
  set(camel)
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND camel ${first}${rest})
  endforeach()
  set_property(TARGET berth_plugins APPEND PROPERTY BERTH_PLUGIN_NAMES ${camel})
endfunction()

function(berth_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "TEST_ONLY;OF_CASES;APART" "EXPORT;NAME" "SOURCES")
  berth_listed(${ARG_SOURCES})
  if(NOT ARG_EXPORT)
    set(ARG_EXPORT berth_plugin_entry_v1)
  endif()
  set(map ${CMAKE_BINARY_DIR}/maps/${ARG_EXPORT}.map)
  file(CONFIGURE OUTPUT ${map} CONTENT "{ global: @ARG_EXPORT@; local: *; };\n" @ONLY)
  set(target berth_plugin_${name})
  add_library(${target} MODULE ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE berth_abi berth_flags)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  if(BERTH_QUICK_MODULES AND NOT (ARG_APART AND CMAKE_BUILD_TYPE STREQUAL Release))
    berth_join(${target})
    if(ARG_SOURCES MATCHES "\\.cc")
      target_precompile_headers(${target} REUSE_FROM berth_pch_plugin)
    endif()
  endif()
  berth_check_headers(${target} berth_abi ${ARG_SOURCES})
  set(folder lib/berth/plugins)
  if(ARG_TEST_ONLY)
    set(folder test/plugins)
    add_dependencies(berth_tests ${target})
  elseif(ARG_OF_CASES)
    set(folder lib/berth/test-plugins)
    add_dependencies(berth_sanitized_tests ${target})
    add_dependencies(berth_parallel_tests ${target})
  else()
    berth_ships(${name} ${ARG_NAME})
    install(TARGETS ${target} LIBRARY DESTINATION ${folder} COMPONENT programs)
    add_dependencies(berth_plugins ${target})
  endif()
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL ""
    PREFIX "" SUFFIX .so OUTPUT_NAME ${name} LINK_DEPENDS ${map}
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  # clang's sanitizers put their runtime into the executable, so plugins may have undefined symbols.
  if(NOT BERTH_SANITIZE OR CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  # Each plugin contains its own C++ library with hidden symbols, so that it shares only the C ABI
  # with the engine and can be built by another compiler. (With sanitizers, new and delete must be
  # theirs.)
  if(NOT BERTH_SANITIZE)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--exclude-libs,ALL
                        -Wl,--gc-sections)
  endif()
endfunction()

# Common parts of tests, benchmarks and fuzzers.
function(berth_test_program target folder)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "PLUGIN" "SOURCES;DEPENDS;LIBRARIES;NEEDS")
  berth_listed(${ARG_SOURCES})
  berth_list_in(BERTH_LISTED_PROGRAMS ${ARG_SOURCES})
  berth_resolve(uses "${ARG_DEPENDS}" "${ARG_LIBRARIES}")
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${uses} berth_flags)
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
  if(BERTH_QUICK_TESTS)
    berth_join(${target})
  endif()
  target_compile_definitions(${target} PRIVATE
    BERTH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" BERTH_BUILD_DIR="${CMAKE_BINARY_DIR}"
    BERTH_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/${folder})
  if(ARG_PLUGIN)
    target_link_libraries(${target} PRIVATE $<TARGET_OBJECTS:berth_plugin_${ARG_PLUGIN}> berth_abi)
  endif()
  if(ARG_NEEDS)
    add_dependencies(${target} ${ARG_NEEDS})
  endif()
endfunction()

function(berth_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "PARALLEL;SERIAL;SLOW" "PLUGIN;TIMEOUT"
                        "SOURCES;DEPENDS;LIBRARIES;NEEDS")
  if(ARG_SLOW AND BERTH_SANITIZE)
    berth_listed(${ARG_SOURCES})
    return()
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
             OUTPUT_VARIABLE folder)
  if(NOT BERTH_UNIT_TESTS AND NOT ARG_SLOW AND
     (NOT folder MATCHES "^tests/" OR folder STREQUAL tests/runtime))
    berth_listed(${ARG_SOURCES})
    berth_list_in(BERTH_LISTED_PROGRAMS ${ARG_SOURCES})
    berth_list_in(BERTH_LISTED_TESTS ${ARG_SOURCES})
    return()
  endif()
  set(target ${name}_test)
  berth_test_program(${target} test SOURCES ${ARG_SOURCES} ${CMAKE_SOURCE_DIR}/tests/own_folder.cc
                     DEPENDS ${ARG_DEPENDS}
                     LIBRARIES ${ARG_LIBRARIES} rapidcheck gtest_main NEEDS ${ARG_NEEDS}
                     PLUGIN ${ARG_PLUGIN})
  berth_optimise(${target} cold)  # what a test measures and checks is in the modules
  if(BERTH_QUICK_TESTS)
    berth_quick(${target} test)
  endif()
  berth_list_in(BERTH_LISTED_TESTS ${ARG_SOURCES})
  add_dependencies(berth_tests ${target})
  # One combined label, because gtest_discover_tests() does not accept a list. The test presets
  # filter by its parts.
  set(label unit)
  if(ARG_PARALLEL)
    add_dependencies(berth_parallel_tests ${target})
    string(APPEND label -parallel)
  endif()
  add_dependencies(berth_sanitized_tests ${target})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT ${BERTH_TEST_TIMEOUT})
  endif()
  # Tests are listed when ctest starts instead of at the end of the build: a crash while listing is
  # then a failed test.
  gtest_discover_tests(${target} TEST_PREFIX ${name}. DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS ${label} TIMEOUT ${ARG_TIMEOUT}
                       RUN_SERIAL ${ARG_SERIAL})
endfunction()

function(berth_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "PLUGIN;SMALL" "SOURCES;DEPENDS;LIBRARIES;NEEDS")
  set(target ${name}_bench)
  berth_test_program(${target} benchmark SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS}
                     LIBRARIES ${ARG_LIBRARIES} benchmark NEEDS ${ARG_NEEDS} PLUGIN ${ARG_PLUGIN})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  if(NOT ARG_SMALL)
    set(ARG_SMALL .)
  endif()
  add_test(NAME bench.${name}
    COMMAND ${target} --benchmark_min_time=0.001 --benchmark_filter=${ARG_SMALL})
  set_tests_properties(bench.${name} PROPERTIES LABELS bench-slow TIMEOUT ${BERTH_TEST_TIMEOUT})
endfunction()

function(berth_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "CORPUS" "SOURCES;DEPENDS;LIBRARIES;NEEDS")
  berth_listed(${ARG_SOURCES})
  berth_list_in(BERTH_LISTED_PROGRAMS ${ARG_SOURCES})
  if(NOT BERTH_FUZZ)
    return()
  endif()
  set(target ${name}_fuzz)
  berth_test_program(${target} fuzz SOURCES ${ARG_SOURCES} DEPENDS ${ARG_DEPENDS}
                     LIBRARIES ${ARG_LIBRARIES} NEEDS ${ARG_NEEDS})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
  berth_steer(${target})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  add_dependencies(berth_fuzzers ${target})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/corpus/${name})
  set(corpus)
  if(ARG_CORPUS)
    cmake_path(ABSOLUTE_PATH ARG_CORPUS NORMALIZE OUTPUT_VARIABLE corpus)
  endif()
  math(EXPR timeout "${BERTH_FUZZ_SECONDS} + ${BERTH_TEST_TIMEOUT}")
  # libFuzzer writes new inputs to the first folder, which is in the build tree and never the kept
  # corpus.
  # The entropic schedule takes more time than what it schedules.
  add_test(NAME fuzz.${name} COMMAND ${target} -runs=${BERTH_FUZZ_RUNS} -seed=${BERTH_FUZZ_SEED}
           -entropic=0 -max_total_time=${BERTH_FUZZ_SECONDS} -timeout=20 -rss_limit_mb=4096
           -print_final_stats=1 -artifact_prefix=${CMAKE_BINARY_DIR}/${name}-
           ${CMAKE_BINARY_DIR}/corpus/${name} ${corpus})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT ${timeout})
endfunction()

# Generated code requires the exact version of the flatbuffers headers, so it is never committed.
function(berth_flatbuffers target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SCHEMAS")
  set(folder ${CMAKE_BINARY_DIR}/generated/berth/schema)
  set(headers)
  foreach(schema IN LISTS ARG_SCHEMAS)
    cmake_path(ABSOLUTE_PATH schema NORMALIZE)
    cmake_path(GET schema STEM stem)
    cmake_path(GET schema PARENT_PATH include)
    list(APPEND schemas ${schema})
    add_custom_command(
      OUTPUT ${folder}/${stem}_generated.h
      COMMAND ${BERTH_FLATC} --cpp --scoped-enums --reflect-names -I ${include} -o ${folder}
              ${schema}
      # A schema may include its siblings. Generating it again is cheap.
      DEPENDS ${ARG_SCHEMAS}
      COMMENT "flatc ${stem}.fbs" VERBATIM)
    list(APPEND headers ${folder}/${stem}_generated.h)
  endforeach()
  berth_listed(${ARG_SCHEMAS})
  add_custom_target(${target}_generate DEPENDS ${headers})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_generate)
  target_include_directories(${target} SYSTEM INTERFACE ${CMAKE_BINARY_DIR}/generated)
endfunction()
