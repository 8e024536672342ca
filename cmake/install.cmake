# What `cmake --install` and CPack take along. Everything is found relative to
# the programs and the library, so a prefix may be moved as a whole.
include(GNUInstallDirs)

# Installing takes what is built; it does not build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
set(belay_share share/belay)
set(belay_packages lib/cmake)

set_target_properties(belay_precompile PROPERTIES OUTPUT_NAME belay-precompile)
install(TARGETS belay belay_driver belay_precompile belay_rewrite_program
  RUNTIME DESTINATION bin)
install(TARGETS belay_library belay_torch LIBRARY DESTINATION lib)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/data
    ${PROJECT_SOURCE_DIR}/tasks
  DESTINATION ${belay_share})
# Answers of tasks may be kernels from there.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/crux
  DESTINATION ${belay_share}/examples)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/diagnostics
  DESTINATION ${belay_share}/docs)

include(CMakePackageConfigHelpers)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/BelayConfig.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/BelayConfig.cmake
  INSTALL_DESTINATION ${belay_packages}/Belay
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/BelayConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(
  FILES
    ${CMAKE_CURRENT_LIST_DIR}/BelayFunctions.cmake
    ${PROJECT_BINARY_DIR}/cmake/BelayConfig.cmake
    ${PROJECT_BINARY_DIR}/cmake/BelayConfigVersion.cmake
  DESTINATION ${belay_packages}/Belay)
install(DIRECTORY ${CMAKE_CURRENT_LIST_DIR}/ASC
  DESTINATION ${belay_packages})
# Projects of the older kind include this file by its path in CANN's tree.
install(FILES ${CMAKE_CURRENT_LIST_DIR}/ascendc.cmake
  DESTINATION ${belay_share}/tools/tikcpp/ascendc_kernel_cmake)

# A precompiled header names the files it was made from, so it is made where
# they are installed. A staged install leaves that to the package's own script.
configure_file(
  ${CMAKE_CURRENT_LIST_DIR}/precompile_installed.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/precompile_installed.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/cmake/precompile_installed.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME belay)
set(CPACK_PACKAGE_VENDOR "Belay")
set(CPACK_PACKAGE_CONTACT "Belay developers <belay@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "Runs Ascend NPU kernels on any machine, on a simulated NPU")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Headers of the C++ library, and clang's own, are read when kernels compile.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19, g++")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/postinst
  ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
