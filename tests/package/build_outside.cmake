# Configures and builds the project SOURCE in BINARY with COMPILER against the
# package in PREFIX; OPTIONS go to the configuration.
file(REMOVE_RECURSE ${BINARY})
set(ENV{CXX} ${COMPILER})
execute_process(
  COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BINARY}
    -DCMAKE_PREFIX_PATH=${PREFIX} ${OPTIONS}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${BINARY} --parallel 2
  COMMAND_ERROR_IS_FATAL ANY)
