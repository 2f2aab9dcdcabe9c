# What shortens builds: less optimisation where speed does not matter, precompiled headers, and
# several sources in one compilation (BERTH_QUICK_TESTS and BERTH_QUICK_MODULES in options.cmake).

# Under sanitizers, most build time is spent optimising the inserted code. What takes part in no
# decision is compiled in three quarters of the time with half of the optimisations.
function(berth_cold target)
  if(BERTH_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(${target} PRIVATE -O1)
    # With half of the optimisations g++ 12 warns of copies that are never made.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
  endif()
endfunction()

# Coverage instrumentation for libFuzzer; only fuzz targets are linked with it.
function(berth_steer target)
  if(BERTH_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# berth_pch_KIND holds the precompiled headers of a kind of targets, compiled with the same flags.
if(BERTH_QUICK_MODULES OR BERTH_QUICK_TESTS)
  set(headers <algorithm> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
      <unordered_map> <vector>)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/empty.cc CONTENT "")
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/main.cc CONTENT "int main() {}\n")
endif()
if(BERTH_QUICK_MODULES)
  foreach(kind module cold)
    add_library(berth_pch_${kind} STATIC ${CMAKE_BINARY_DIR}/empty.cc)
    target_link_libraries(berth_pch_${kind} PRIVATE berth_flags)
    target_precompile_headers(berth_pch_${kind} PRIVATE ${headers})
  endforeach()
  berth_steer(berth_pch_module)
  berth_cold(berth_pch_cold)
endif()
if(BERTH_QUICK_TESTS)
  add_executable(berth_pch_test ${CMAKE_BINARY_DIR}/main.cc)
  target_link_libraries(berth_pch_test PRIVATE rapidcheck lib::gtest_main berth_flags)
  target_precompile_headers(berth_pch_test PRIVATE ${headers} <gmock/gmock.h> <gtest/gtest.h>
                            <rapidcheck.h>)
  berth_cold(berth_pch_test)
endif()

function(berth_join target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# In larger compilations g++ inlines less: with all modules joined a decision took 5 % more
# instructions. So what decides is joined in no build that is measured.
function(berth_quick target kind)
  target_precompile_headers(${target} REUSE_FROM berth_pch_${kind})
  # Of headers that were precompiled, and in larger compilations, g++ 12 warns of copies of strings
  # that are never made.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
  if(NOT (ARGN STREQUAL HOT AND CMAKE_BUILD_TYPE STREQUAL Release))
    berth_join(${target})
  endif()
endfunction()
