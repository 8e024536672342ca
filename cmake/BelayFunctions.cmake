# Functions for projects that build AscendC with an ordinary C++ compiler.

# Gives `target` one source for each FILE, in which launches are plain calls.
function(_belay_rewrite target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LAUNCH_HEADERS" "FILES")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/belay/${target}")
  set(include_dirs "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  get_target_property(sources ${target} SOURCES)
  foreach(file IN LISTS arg_FILES)
    get_filename_component(path "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    set(output "${folder}/${name}.cpp")
    set(headers)
    if(arg_LAUNCH_HEADERS)
      set(headers --launch-headers "${arg_LAUNCH_HEADERS}")
    endif()
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${Belay_REWRITE}" "${path}" -o "${output}" ${headers}
        --depfile "${output}.d"
        "$<$<BOOL:${include_dirs}>:-I$<JOIN:${include_dirs},;-I>>"
      DEPENDS "${path}" "${Belay_REWRITE}"
      DEPFILE "${output}.d"
      COMMENT "Rewriting ${name}"
      COMMAND_EXPAND_LISTS
      VERBATIM)
    target_sources(${target} PRIVATE "${output}")
    if(sources)
      list(REMOVE_ITEM sources "${file}" "${path}")
    endif()
  endforeach()
  # The files themselves are no longer compiled.
  if(sources)
    get_target_property(all ${target} SOURCES)
    set(kept)
    foreach(source IN LISTS all)
      get_filename_component(path "${source}" ABSOLUTE)
      set(is_rewritten FALSE)
      foreach(file IN LISTS arg_FILES)
        get_filename_component(rewritten "${file}" ABSOLUTE)
        if(path STREQUAL rewritten)
          set(is_rewritten TRUE)
        endif()
      endforeach()
      if(NOT is_rewritten)
        list(APPEND kept "${source}")
      endif()
    endforeach()
    set_property(TARGET ${target} PROPERTY SOURCES "${kept}")
  endif()
  # Properties rather than target_link_libraries, which may have been called
  # with or without keywords.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Belay::Acl)
  set_property(TARGET ${target} APPEND PROPERTY
    INTERFACE_LINK_LIBRARIES Belay::Plain)
endfunction()

# belay_rewrite_launches(target FILE…)
# Sources of `target`, or new ones, in which k<<<blocks, l2, stream>>>(…),
# [aicore] attributes and kernels named like functions of the C library stand.
function(belay_rewrite_launches target)
  _belay_rewrite(${target} FILES ${ARGN})
endfunction()

# belay_add_kernels(target FILE…)
# The same for files that define kernels. For each kernel there is a header
# aclrtlaunch_<kernel>.h, which `target` and those who link it can include.
function(belay_add_kernels target)
  set(headers "${CMAKE_CURRENT_BINARY_DIR}/belay/${target}/include")
  file(MAKE_DIRECTORY "${headers}")
  _belay_rewrite(${target} LAUNCH_HEADERS "${headers}" FILES ${ARGN})
  set_property(TARGET ${target} APPEND PROPERTY INCLUDE_DIRECTORIES
    "${headers}")
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    "${headers}")
endfunction()

# The names CANN's own CMake files give to these.

# ascendc_library(target STATIC|SHARED FILE…): a library of kernels.
function(ascendc_library target type)
  add_library(${target} ${type})
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON)
  belay_add_kernels(${target} ${ARGN})
endfunction()

function(ascendc_compile_definitions target)
  target_compile_definitions(${target} ${ARGN})
endfunction()

function(ascendc_compile_options target)
  target_compile_options(${target} ${ARGN})
endfunction()

function(ascendc_include_directories target)
  target_include_directories(${target} ${ARGN})
endfunction()
