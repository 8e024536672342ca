# belay_embed_page(NAME FOLDER NAMESPACE OUTPUT SCRIPT…): makes OUTPUT, a header
# with kPageHtml, kPageStyle and kPageScript, from FOLDER/NAME.html, NAME.css and
# the scripts there, in the order the page runs them.
function(belay_embed_page name folder namespace output)
  list(JOIN ARGN "|" scripts)
  list(TRANSFORM ARGN PREPEND ${folder}/ OUTPUT_VARIABLE files)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND}
      -DSOURCE=${folder} -DNAME=${name} -DNAMESPACE=${namespace}
      -DOUTPUT=${output} "-DSCRIPTS=${scripts}"
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS
      ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
      ${folder}/${name}.css ${folder}/${name}.html ${files}
    COMMENT "Putting the page '${name}' together"
    VERBATIM
  )
endfunction()
