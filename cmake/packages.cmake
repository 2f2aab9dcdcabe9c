# Debian packages of the installation, made by `cpack` in a build folder:
#
#   berth       the programs, the plugins, manual pages, completions and pages
#   berth-dev   what authors of plugins need
#   berth-dbgsym, from berth: debug symbols
#
# dpkg-shlibdeps finds the libraries that `berth` depends on.

set(BERTH_PACKAGE_MAINTAINER "Berth maintainers <maintainers@localhost>" CACHE STRING
    "The maintainer that Debian packages name: NAME <ADDRESS>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME berth)
set(CPACK_PACKAGE_CONTACT "${BERTH_PACKAGE_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian_layout.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME berth)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION admin)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION
"scheduler of pods that decides as kube-scheduler does
Berth reads a cluster and a stream of pods and decides on which node each pod
runs, with the verdicts, reasons, scores and ties of kube-scheduler. Every
policy is a plugin, a shared object behind a C ABI. The package has the
programs berth, berth-loadgen and berth-bench, and the default plugins.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME berth-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "berth (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++ | clang, cmake, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cargo")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"headers of Berth's plugin ABI, its C++ SDK and its Rust crate
C headers of the ABI between Berth and its plugins, a header-only SDK for
C++20, a crate for Rust, and packages for CMake and pkg-config with which
plugins are built.")

include(CPack)
cpack_add_component_group(runtime)
cpack_add_component_group(development)
cpack_add_component(programs GROUP runtime)
cpack_add_component(documentation GROUP runtime)
cpack_add_component(development GROUP development)
