# find_package(ASC): makes ASC a language of CMake, as CANN's package does, with
# Belay's driver for a compiler. May stand before project().
get_filename_component(ASC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(ASC_INCLUDE_DIR "${ASC_PREFIX}/share/belay/include")
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

include("${CMAKE_CURRENT_LIST_DIR}/../Belay/BelayConfig.cmake")

# C++ sources beside the kernels see the same headers.
include_directories(SYSTEM "${ASC_INCLUDE_DIR}")

# Libraries of CANN that projects link by name: what Belay has of them is in
# libbelay.
foreach(name
    acl_rt ascendalog ascendcl c_sec gert graph graph_base nnopbase platform
    register rt2_registry runtime tiling_api unified_dlog)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED)
    set_target_properties(${name} PROPERTIES
      INTERFACE_LINK_LIBRARIES Belay::Plain)
  endif()
endforeach()

set(ASC_FOUND TRUE)
