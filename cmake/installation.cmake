# What `cmake --install` copies, by component:
#
#   programs        bin/: the programs; lib/berth/plugins/: the plugins that ship
#   documentation   share/: manual pages, completions, and the pages under share/doc/berth
#   development     include/berth: the headers of the ABI and of the SDK; share/berth/plugin.map;
#                   share/berth/rust: the crate berth-plugin; the packages for CMake and pkg-config in
#                   share/cmake/berth and share/pkgconfig; links to these beside the pages of abi/
#
# Nothing that is installed contains the path of the prefix: programs find their plugins, and
# packages their headers, relative to their own place.

# A host refuses a plugin in a folder that others may write to, whatever the umask is.
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# Everything that an installation needs.
add_custom_target(berth_product)
add_dependencies(berth_product berth_programs berth_plugins berth_documentation)
# Where sanitizers slow them down, the programs print their documentation on request alone.
if(BERTH_SANITIZE)
  add_custom_target(berth_documentation)
else()
  add_custom_target(berth_documentation ALL)
endif()

# The manual page of a program and its completion for each shell, made by the program: the target
# berth_documentation.
function(berth_documents name)
  set(man share/man/man1/${name}.1)
  set(bash share/bash-completion/completions/${name})
  set(zsh share/zsh/site-functions/_${name})
  set(fish share/fish/vendor_completions.d/${name}.fish)
  set(folder ${CMAKE_BINARY_DIR})
  set(program ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}>)
  set(files ${man} ${bash} ${zsh} ${fish})
  foreach(file IN LISTS files)
    cmake_path(GET file PARENT_PATH parent)
    file(MAKE_DIRECTORY ${folder}/${parent})
    install(FILES ${folder}/${file} DESTINATION ${parent} COMPONENT documentation)
  endforeach()
  list(TRANSFORM files PREPEND ${folder}/)
  add_custom_command(OUTPUT ${files}
    COMMAND ${program} manual > ${folder}/${man}
    COMMAND ${program} completion bash > ${folder}/${bash}
    COMMAND ${program} completion zsh > ${folder}/${zsh}
    COMMAND ${program} completion fish > ${folder}/${fish}
    DEPENDS ${name} VERBATIM)
  add_custom_target(documentation_of_${name} DEPENDS ${files})
  add_dependencies(berth_documentation documentation_of_${name})
endfunction()

# The pages, and the files that they present as a whole, in folders as in the source tree so that
# their links hold. Links to what is not installed are taken out.
function(berth_install_pages)
  file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}
       abi/*.md bench/*.md docs/*.md engine/*.md loadgen/*.md)
  foreach(page IN LISTS pages ITEMS README.md CHANGELOG.md CONTRIBUTING.md
                                    bench/report/picture.png abi/layout.list)
    cmake_path(GET page PARENT_PATH parent)
    install(FILES ${page} DESTINATION share/doc/berth/${parent} COMPONENT documentation)
  endforeach()
  install(DIRECTORY abi/examples abi/schema DESTINATION share/doc/berth/abi
          COMPONENT documentation)
  install(DIRECTORY examples DESTINATION share/doc/berth COMPONENT documentation
          PATTERN CMakeLists.txt EXCLUDE PATTERN broken-promises EXCLUDE)
  # Last: it looks at what is there.
  install(SCRIPT cmake/installed_links.cmake COMPONENT documentation)
endfunction()

berth_install_pages()

# The packages with which others build plugins, from the templates in `folder`. Their version is
# that of the ABI: headers of 1.2 serve whoever asks for 1.1.
function(berth_install_package folder)
  set(base ${CMAKE_SOURCE_DIR}/abi/include/berth/abi/base.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${base})
  file(STRINGS ${base} lines REGEX "^#define BERTH_ABI_(MAJOR|MINOR) [0-9]+$")
  string(REGEX REPLACE ".*MAJOR ([0-9]+);.*MINOR ([0-9]+)" "\\1.\\2" BERTH_ABI_VERSION "${lines}")
  if(NOT BERTH_ABI_VERSION MATCHES "^[0-9]+\\.[0-9]+$")
    message(FATAL_ERROR "${base}: expected BERTH_ABI_MAJOR and BERTH_ABI_MINOR, found ${lines}")
  endif()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/package)
  set(cmake_files share/cmake/berth)
  include(CMakePackageConfigHelpers)
  configure_package_config_file(${folder}/berth-config.cmake.in ${made}/berth-config.cmake
    INSTALL_DESTINATION ${cmake_files} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
  write_basic_package_version_file(${made}/berth-config-version.cmake
    VERSION ${BERTH_ABI_VERSION} COMPATIBILITY SameMajorVersion ARCH_INDEPENDENT)
  configure_file(${folder}/berth.pc.in ${made}/berth.pc @ONLY)
  install(FILES ${made}/berth-config.cmake ${made}/berth-config-version.cmake
                ${folder}/berth-plugin.cmake
          DESTINATION ${cmake_files} COMPONENT development)
  install(FILES ${made}/berth.pc DESTINATION share/pkgconfig COMPONENT development)
  install(FILES plugin.map DESTINATION share/berth COMPONENT development)
endfunction()
