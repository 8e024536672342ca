# Runs the installed program on EXAMPLE from another folder, and looks whether
# it used the precompiled header of its PREFIX.
execute_process(
  COMMAND ${PREFIX}/bin/belay run ${EXAMPLE} 4
  WORKING_DIRECTORY ${PREFIX}
  OUTPUT_VARIABLE output
  COMMAND_ERROR_IS_FATAL ANY)
if(NOT output MATCHES "0 wrong")
  message(FATAL_ERROR "unexpected output: ${output}")
endif()
foreach(command "chips" "explain;BLY-N101")
  execute_process(
    COMMAND ${PREFIX}/bin/belay ${command}
    OUTPUT_VARIABLE output
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output MATCHES "ascend910b1|BLY-N101")
    message(FATAL_ERROR "belay ${command}: unexpected output: ${output}")
  endif()
endforeach()

# Which files the program reads: only those of its prefix are Belay's.
find_program(strace strace)
if(strace)
  execute_process(
    COMMAND ${strace} -f -e trace=openat,open -o ${PREFIX}/opened
      ${PREFIX}/bin/belay run ${EXAMPLE} 1
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${PREFIX}/opened opened)
  if(NOT opened MATCHES "share/belay/kernel.pch[^\n]*= [0-9]")
    message(FATAL_ERROR "the installed precompiled header was not opened")
  endif()
endif()
