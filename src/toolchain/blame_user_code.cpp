// SPDX-License-Identifier: Apache-2.0
#include "toolchain/blame_user_code.h"

#include <algorithm>

namespace belay::toolchain {
namespace {

// What a static_assert says, without the condition before it.
void KeepAssertedText(std::string& message) {
  if (!message.starts_with("static assertion failed")) return;
  const size_t text = message.find("': ");
  if (text != std::string::npos) message.erase(0, text + 3);
}

}  // namespace

void BlameUserCode(const std::string& headers, Diagnostic& diagnostic) {
  const auto is_ours = [&](const SourceLocation& place) {
    return !headers.empty() && place.file.starts_with(headers);
  };
  if (!is_ours(diagnostic.location)) return;
  auto& notes = diagnostic.notes;
  const auto use =
      std::find_if(notes.begin(), notes.end(), [&](const DiagnosticNote& note) {
        return note.location.known() && !is_ours(note.location);
      });
  if (use == notes.end()) return;
  diagnostic.location = use->location;
  notes.erase(use);
  std::erase_if(notes, [&](const DiagnosticNote& note) {
    return is_ours(note.location);
  });
  KeepAssertedText(diagnostic.message);
}

}  // namespace belay::toolchain
