// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_DIAGNOSTIC_H_
#define BELAY_BASE_DIAGNOSTIC_H_

// What Belay tells a user about his program: one record, printed as text with
// a caret or as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace belay {

enum class Severity { kError, kWarning, kNote };

std::string_view NameOf(Severity severity);

// A place in a source file. Lines and columns count from 1; 0 means unknown.
// `end_column` is one past the last column of what is meant on that line.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function;
  int end_column = 0;

  bool known() const { return !file.empty() && line > 0; }
};

// A further sentence that belongs to a diagnostic, with or without a place.
struct DiagnosticNote {
  std::string message;
  SourceLocation location;
};

// One finding. `code` is stable ("BLY-N101") and has a page under
// docs/diagnostics/. `message` names the operation, the rule and the actual
// value. `fix` says what to do, or is empty.
struct Diagnostic {
  std::string code;
  Severity severity = Severity::kError;
  std::string message;
  SourceLocation location;
  std::string core;  // "aiv 3" or empty
  std::string pipe;  // "V", "MTE2", … or empty
  std::vector<DiagnosticNote> notes;
  std::string fix;
};

// Text as compilers print it: "file:line:col: error: message [code]", the
// source line with a caret when the file can be read, notes, then the fix.
// `color` adds ANSI colours.
std::string ToText(const Diagnostic& diagnostic, bool color = false);

void to_json(nlohmann::json& json, const Diagnostic& diagnostic);
void from_json(const nlohmann::json& json, Diagnostic& diagnostic);

}  // namespace belay

#endif  // BELAY_BASE_DIAGNOSTIC_H_
