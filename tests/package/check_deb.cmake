# Packs the build tree BUILD into FOLDER, unpacks the package there and runs it
# on EXAMPLE from where it lies.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
get_filename_component(tools ${CMAKE_COMMAND} DIRECTORY)
execute_process(
  COMMAND ${tools}/cpack -G DEB -B ${FOLDER}
  WORKING_DIRECTORY ${BUILD}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB package ${FOLDER}/*.deb)
execute_process(
  COMMAND dpkg-deb -f ${package} Depends
  OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
foreach(name clang-19 libclang-cpp19 libllvm19 libfmt9 libstdc\\+\\+6)
  if(NOT depends MATCHES ${name})
    message(FATAL_ERROR "the package does not depend on ${name}: ${depends}")
  endif()
endforeach()
execute_process(
  COMMAND dpkg-deb -x ${package} ${FOLDER}/root COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${FOLDER}/root/usr/bin/belay run ${EXAMPLE} 4
  OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "0 wrong")
  message(FATAL_ERROR "unexpected output: ${output}")
endif()
