# Tests of loops that are built for several instruction sets (engine/base/vectorise.h), once for each of
# them. Tests of a set that the processor lacks are skipped. SOURCES: the tests, compiled once;
# VECTORISED: the sources of the loops, and whatever is compiled with them.
function(berth_vector_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "SOURCES;VECTORISED;DEPENDS;LIBRARIES")
  set(skips ${CMAKE_SOURCE_DIR}/tests/vectors/instruction_set.cc)
  berth_listed(${skips})
  berth_list_in(BERTH_LISTED_PROGRAMS ${skips})
  if(BERTH_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR
     NOT CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
    return()
  endif()
  berth_listed(${ARG_SOURCES})
  berth_list_in(BERTH_LISTED_PROGRAMS ${ARG_SOURCES})
  berth_resolve(uses "${ARG_DEPENDS}" "${ARG_LIBRARIES}")
  set(cases ${name}_cases)
  add_library(${cases} OBJECT ${ARG_SOURCES})
  target_link_libraries(${cases} PRIVATE rapidcheck lib::gtest_main ${uses} berth_flags)
  target_include_directories(${cases} PRIVATE ${CMAKE_SOURCE_DIR})
  # As the programs that they are linked into: precompiled headers want the same.
  set_target_properties(${cases} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${cases} PRIVATE -fPIE)
  berth_optimise(${cases} cold)
  if(BERTH_QUICK_TESTS)
    berth_quick(${cases} test)
  endif()
  foreach(instructions IN ITEMS x86-64 x86-64-v3 x86-64-v4)
    set(target ${name}_${instructions}_test)
    berth_test_program(${target} test SOURCES ${skips} DEPENDS ${ARG_DEPENDS}
                       LIBRARIES ${ARG_LIBRARIES} rapidcheck gtest_main)
    set(loops ${name}_${instructions}_loops)
    set(attribute "__attribute__((target(\"arch=${instructions}\")))")
    add_library(${loops} OBJECT ${ARG_VECTORISED})
    target_link_libraries(${loops} PRIVATE ${uses} berth_flags)
    target_include_directories(${loops} PRIVATE ${CMAKE_SOURCE_DIR})
    target_compile_options(${loops} PRIVATE $<$<CONFIG:Release>:-O3>)
    target_compile_definitions(${loops} PRIVATE "BERTH_VECTORISE=${attribute}"
                               "BERTH_SDK_VECTORISE=${attribute}")
    target_link_libraries(${target} PRIVATE ${cases} ${loops})
    target_compile_definitions(${target} PRIVATE BERTH_INSTRUCTION_SET="${instructions}")
    add_dependencies(berth_tests ${target})
    gtest_discover_tests(${target} TEST_PREFIX ${name}.${instructions}. DISCOVERY_MODE PRE_TEST
                         DISCOVERY_TIMEOUT 120
                         PROPERTIES LABELS unit TIMEOUT ${BERTH_TEST_TIMEOUT})
  endforeach()
endfunction()
