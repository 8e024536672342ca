// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_CHECK_H_
#define BELAY_CRUX_CHECK_H_

// The front end in one call: text to typed tree, or to messages.

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "crux/typed.h"

namespace belay::crux {

struct Checked {
  // Null if there is an error.
  std::unique_ptr<typed::Program> program;
  // In the order of the source; warnings may come with a program.
  std::vector<Diagnostic> diagnostics;

  bool ok() const { return program != nullptr; }
};

// `name` is what messages call the file. Never throws for what the text holds:
// any bytes give a program or at least one error.
Checked Check(const std::string& name, std::string text);

// The text of a program. Throws UserError if it cannot be read.
std::string ReadProgram(const std::string& path);

// Throws UserError if the file cannot be read.
Checked CheckFile(const std::string& path);

}  // namespace belay::crux

#endif  // BELAY_CRUX_CHECK_H_
