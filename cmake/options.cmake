# Compiler and linker flags of all targets, as the target `berth_flags`.

option(BERTH_WERROR "Warnings are errors" OFF)
# `./dev test` compiles them for sanitizers alone: twice would cost a quarter of the time to build
# `release`, and sanitizers notice more.
option(BERTH_UNIT_TESTS "Build the tests of modules and of the runtime" ON)
option(BERTH_FUZZ "Build the fuzz targets (needs clang)" OFF)
option(BERTH_CHECK_TREE "Build the link test and compile the headers that have no source" OFF)
# Shorter builds at the price of a longer one after an edit: precompiled headers, and several sources
# in one compilation. `debug` compiles file by file: there a missing include of a source fails.
option(BERTH_QUICK_TESTS "Compile sources of tests together, with precompiled headers" OFF)
option(BERTH_QUICK_MODULES "Compile sources of modules together, with precompiled headers" OFF)
option(BERTH_REPORT "berth-bench can write its report (needs uPlot: ./dev setup)" ON)
# For gcov, with less optimisation. What tests do to plugins is not measured.
option(BERTH_COVERAGE "Count which lines of the engine's modules run" OFF)
# Calls between files are inlined, which saves 13 % of a decision's instructions. Tests link the same
# objects as they are, which takes a second instead of twenty.
option(BERTH_LINK_TIME "Optimise modules that decide (HOT) across files where programs are linked" OFF)
# `./dev build pgo` sets it. The counts are in the build folder, beside the objects.
set(BERTH_PROFILE "" CACHE STRING "generate: programs count what they run; use: compile for the counts")
set_property(CACHE BERTH_PROFILE PROPERTY STRINGS "" generate use)
set(BERTH_CPU "" CACHE STRING "For -march=: what is built needs such a processor; or empty")
set(BERTH_SANITIZE "" CACHE STRING "A list for -fsanitize=, or empty")

add_library(berth_flags INTERFACE)

target_compile_options(berth_flags INTERFACE
  # Files that are compiled together may shadow each other's names.
  -Wall -Wextra $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
  -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough -Wcast-align
  # To clang it includes changes of sign, to g++ it does not.
  -Wconversion -Wno-sign-conversion
  # Checks the annotations of engine/base/mutex.h.
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi>
  # A fused multiply-add rounds once where Go on amd64 rounds twice, and scores must be
  # bit-identical.
  -ffp-contract=off
  # Archives are position independent, so that the link test can make shared objects of them. No
  # symbol is meant to be interposed, so the compiler may still inline.
  -fno-semantic-interposition
  # Assertions and logs show file names relative to the repository.
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(BERTH_WERROR)
  target_compile_options(berth_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # False positives of g++ 12: overlapping copies in std::string's operator+ and wrong pointers in
  # inlined deallocations. AddressSanitizer finds real ones.
  target_compile_options(berth_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-free-nonheap-object -Wno-stringop-overread>)
endif()

# The usual hardening flag `-z nodlopen` is left out, because plugins are opened with dlopen.
target_compile_options(berth_flags INTERFACE -fstack-protector-strong -fstack-clash-protection)
target_link_options(berth_flags INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  target_compile_options(berth_flags INTERFACE -fcf-protection=full)
endif()

if(BERTH_SANITIZE)
  target_compile_options(berth_flags INTERFACE
    -fsanitize=${BERTH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    # The first two compare types by address, which differs across the hidden symbols of plugins.
    # The last takes an eighth of the compile time, and AddressSanitizer knows all objects.
    target_compile_options(berth_flags INTERFACE -fno-sanitize=function,vptr,object-size
      -fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/cmake/sanitizers.ignore)
  endif()
  target_link_options(berth_flags INTERFACE -fsanitize=${BERTH_SANITIZE})
  # The sanitizers describe each variable with pointers. In a program that may lie anywhere, each
  # pointer needs a relocation: a fifth of the file, and work at each start.
  target_link_options(berth_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # The inserted checks confuse the flow analysis of these warnings.
    target_compile_options(berth_flags INTERFACE
      -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds -Wno-null-dereference)
  endif()
else()
  # Requires optimisation; the sanitizers' own checks are stricter.
  target_compile_definitions(berth_flags INTERFACE $<$<CONFIG:Release>:_FORTIFY_SOURCE=2>)
endif()
if(BERTH_LINK_TIME)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(FATAL_ERROR "BERTH_LINK_TIME needs g++, whose objects can be linked in both ways")
  endif()
  target_link_options(berth_flags INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:BERTH_LINK_TIME>>,-flto=auto,-fno-lto>)
endif()
if(BERTH_CPU)
  target_compile_options(berth_flags INTERFACE -march=${BERTH_CPU})
endif()
if(BERTH_PROFILE)
  if(BERTH_PROFILE STREQUAL generate)
    set(profile -fprofile-generate -fprofile-update=prefer-atomic)
  elseif(BERTH_PROFILE STREQUAL use)
    # Code that the training did not reach is optimised as without a profile.
    set(profile -fprofile-use -fprofile-partial-training -fprofile-correction -Wno-missing-profile)
  else()
    message(FATAL_ERROR "BERTH_PROFILE is generate, use or empty, not ${BERTH_PROFILE}")
  endif()
  # Plugins hide the symbols of gcov, which then crashes in their static constructors.
  set(counted $<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>)
  target_compile_options(berth_flags INTERFACE "$<${counted}:${profile}>")
  target_link_options(berth_flags INTERFACE "$<${counted}:${profile}>")
endif()
# Bounds checks in std::span and std::vector. Not in release, where they would prevent
# vectorisation; all other presets run the same code with them.
if(BERTH_SANITIZE OR BERTH_FUZZ OR NOT CMAKE_BUILD_TYPE STREQUAL Release)
  target_compile_definitions(berth_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

if(BERTH_SANITIZE MATCHES thread)
  # Debian's TBB is not instrumented, see the script.
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/cmake/build-instrumented-tbb.sh
                  ${CMAKE_SOURCE_DIR}/build/tsan-tbb COMMAND_ERROR_IS_FATAL ANY)
  set(TBB_DIR ${CMAKE_SOURCE_DIR}/build/tsan-tbb/lib/cmake/TBB)
  # g++ warns that it does not instrument atomic fences, which TBB's headers contain.
  target_compile_options(berth_flags INTERFACE -Wno-tsan)
endif()

if(BERTH_SANITIZE)
  # With strong address space randomisation the kernel may place mappings in a sanitizer's shadow
  # memory.
  execute_process(COMMAND setarch --addr-no-randomize true RESULT_VARIABLE result ERROR_QUIET)
  if(result EQUAL 0)
    set(CMAKE_CROSSCOMPILING_EMULATOR setarch --addr-no-randomize)
  endif()
endif()

find_program(BERTH_MOLD mold)
if(BERTH_MOLD)
  target_link_options(berth_flags INTERFACE -fuse-ld=mold)
  # Line tables of some hundred programs take much of the disk. Debuggers and sanitizers read
  # compressed ones.
  target_link_options(berth_flags INTERFACE -Wl,--compress-debug-sections=zlib)
endif()
find_program(BERTH_CCACHE ccache)
if(BERTH_CCACHE)
  # By default ccache leaves out what is compiled with precompiled headers, which is nearly all here:
  # they may define macros, and clang's hold the times of files. With the inode cache it does not read
  # their 100 MB anew for each file. In depend mode it compares headers as they are: without their
  # comments, it finds a precompiled header that g++ does not recognise as made of them.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=true
      CCACHE_DEPEND=true ${BERTH_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    target_compile_options(berth_flags INTERFACE
      "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# Debug information for stack traces and profiles with line numbers. BERTH_ASSERT ignores NDEBUG;
# assertions of libraries do not.
set(CMAKE_C_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-Og -g")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g")
set(CMAKE_C_FLAGS_SANITIZED "-O1 -g1")
set(CMAKE_CXX_FLAGS_SANITIZED "-O1 -g1")
