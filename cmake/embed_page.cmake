# Writes the parts of a web page as string literals.
# Wants SOURCE (folder of the parts), NAME (of the page: NAME.html, NAME.css),
# NAMESPACE, OUTPUT (header), SCRIPTS (files, in order, with |).
set(text "// SPDX-License-Identifier: Apache-2.0\n")
string(APPEND text "// Made from the page '${NAME}' by embed_page.cmake.\n")
string(APPEND text "#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n")

function(append_part name)
  set(all "")
  foreach(file ${ARGN})
    file(READ "${SOURCE}/${file}" part)
    # The licence is said once for the page, not once for each part.
    string(REGEX REPLACE "^(//|/\\*|<!--) SPDX[^\n]*\n" "" part "${part}")
    string(APPEND all "${part}")
  endforeach()
  string(APPEND text "inline constexpr std::string_view ${name} =\n")
  string(APPEND text "    R\"page(${all})page\";\n\n")
  set(text "${text}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" scripts "${SCRIPTS}")
append_part(kPageHtml ${NAME}.html)
append_part(kPageStyle ${NAME}.css)
append_part(kPageScript ${scripts})
string(APPEND text "}  // namespace ${NAMESPACE}\n")
file(WRITE "${OUTPUT}" "${text}")
