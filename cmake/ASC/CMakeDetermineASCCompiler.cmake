# The compiler of the ASC language: Belay's driver beside this package. The C++
# compiler it calls is CMAKE_ASC_HOST_COMPILER, else CXX, else c++.
get_filename_component(belay_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.."
  ABSOLUTE)
if(NOT CMAKE_ASC_COMPILER)
  set(CMAKE_ASC_COMPILER "${belay_prefix}/bin/belay-c++" CACHE FILEPATH
    "Compiler of the ASC language")
endif()
if(NOT CMAKE_ASC_HOST_COMPILER)
  if(CMAKE_CXX_COMPILER)
    set(CMAKE_ASC_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
  elseif(NOT "$ENV{CXX}" STREQUAL "")
    set(CMAKE_ASC_HOST_COMPILER "$ENV{CXX}")
  else()
    set(CMAKE_ASC_HOST_COMPILER c++)
  endif()
endif()
find_program(CMAKE_AR ar)
mark_as_advanced(CMAKE_ASC_COMPILER CMAKE_AR)
set(CMAKE_ASC_COMPILER_ENV_VAR ASC)
configure_file(
  "${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)
