// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FORMAT_H_
#define BELAY_CRUX_FORMAT_H_

// The canonical form of a Crux file: four blanks a level, 80 columns, Black's
// spacing and trailing commas. Comments stay. Formatting again changes nothing.

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::crux {

struct Formatted {
  bool ok = false;  // false: the text has syntax errors and is left alone
  std::string text;
  std::vector<Diagnostic> diagnostics;
};

Formatted Format(const std::string& name, std::string text);

}  // namespace belay::crux

#endif  // BELAY_CRUX_FORMAT_H_
