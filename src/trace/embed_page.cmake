# Writes the parts of the timeline page as string literals.
# Wants SOURCE (folder), OUTPUT (header), SCRIPTS (files, in order, with |).
set(text "// SPDX-License-Identifier: Apache-2.0\n")
string(APPEND text "// Made from src/trace/timeline by embed_page.cmake.\n")
string(APPEND text "#include <string_view>\n\nnamespace belay::trace {\n\n")

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
append_part(kPageHtml timeline.html)
append_part(kPageStyle timeline.css)
append_part(kPageScript ${scripts})
string(APPEND text "}  // namespace belay::trace\n")
file(WRITE "${OUTPUT}" "${text}")
