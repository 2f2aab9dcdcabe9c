# What shortens builds: less optimisation where speed does not matter, precompiled headers, and
# several sources in one compilation (BERTH_QUICK_TESTS and BERTH_QUICK_MODULES in options.cmake).

# The flags of a kind of targets:
#   hot     decisions run it
#   module  other modules
#   cold    no test waits for it
# Under sanitizers, most build time is spent optimising the inserted code: what is not hot takes half
# of it without.
function(berth_optimise target kind)
  if(BERTH_SANITIZE AND NOT kind STREQUAL hot)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release AND kind STREQUAL cold)
    target_compile_options(${target} PRIVATE -O1)
    # With half of the optimisations g++ 12 warns of copies that are never made.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  endif()
  if(BERTH_LINK_TIME AND kind STREQUAL hot)
    target_compile_options(${target} PRIVATE -flto -ffat-lto-objects)
  endif()
  if(NOT kind STREQUAL cold)
    berth_steer(${target})
  endif()
endfunction()

# For sources of loops over columns (engine/base/vectorise.h): -O2 of this compiler leaves them
# alone. Where programs are optimised as they are linked, g++ 12 makes the variants for other
# processors with -O2 whatever the source asks for, so these sources are not part of it.
function(berth_vectorise)
  set_source_files_properties(${ARGN} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3;-fno-lto>")
endfunction()

# Coverage instrumentation for libFuzzer; only fuzz targets are linked with it.
function(berth_steer target)
  if(BERTH_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    if(NOT BERTH_SANITIZE)
      # To note the numbers that are compared takes most of the time of an execution.
      target_compile_options(${target} PRIVATE -fno-sanitize-coverage=trace-cmp)
    endif()
  endif()
endfunction()

# berth_pch_KIND holds the precompiled headers of a kind of targets, compiled with the same flags.
# Most of the time to compile a file goes into reading headers.
if(BERTH_QUICK_MODULES OR BERTH_QUICK_TESTS)
  set(berth_headers <algorithm> <array> <atomic> <bit> <chrono> <cstdint> <deque> <functional> <map>
      <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <thread>
      <unordered_map> <utility> <variant> <vector> <boost/unordered/unordered_flat_map.hpp>
      <boost/unordered/unordered_flat_set.hpp>)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/empty.cc CONTENT "")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/main.cc CONTENT "int main() {}\n")
endif()
if(BERTH_QUICK_MODULES)
  set(kinds module cold)
  if(BERTH_SANITIZE)
    list(APPEND kinds hot)  # else those of other modules fit
  endif()
  foreach(kind IN LISTS kinds)
    add_library(berth_pch_${kind} STATIC ${CMAKE_BINARY_DIR}/empty.cc)
    target_link_libraries(berth_pch_${kind} PRIVATE berth_flags)
    target_precompile_headers(berth_pch_${kind} PRIVATE ${berth_headers})
    berth_optimise(berth_pch_${kind} ${kind})
  endforeach()
  # Two fifths of the time to compile a plugin goes into the SDK.
  add_library(berth_pch_plugin STATIC ${CMAKE_BINARY_DIR}/empty.cc)
  target_link_libraries(berth_pch_plugin PRIVATE berth_abi berth_flags)
  target_precompile_headers(berth_pch_plugin PRIVATE <berth/sdk/sdk.hpp>)
  set_target_properties(berth_pch_plugin PROPERTIES POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endif()
if(BERTH_QUICK_TESTS)
  add_executable(berth_pch_test ${CMAKE_BINARY_DIR}/main.cc)
  target_link_libraries(berth_pch_test PRIVATE rapidcheck lib::gtest_main berth_flags)
  target_precompile_headers(berth_pch_test PRIVATE ${berth_headers} <gmock/gmock.h> <gtest/gtest.h>
                            <rapidcheck.h>)
  berth_optimise(berth_pch_test cold)
endif()

function(berth_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# Joined files cost the modules that decide 0.1 % more instructions a decision where programs are
# optimised as they are linked, and take a quarter of the time to compile.
function(berth_quick target kind)
  berth_join(${target})
  if(NOT kind STREQUAL test)  # whose sources may share more names
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 32)
  endif()
  if(NOT TARGET berth_pch_${kind})
    set(kind module)
  endif()
  target_precompile_headers(${target} REUSE_FROM berth_pch_${kind})
  # Of headers that were precompiled, and in larger compilations, g++ 12 warns of copies of strings
  # that are never made.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
endfunction()
