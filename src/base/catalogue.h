// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_CATALOGUE_H_
#define BELAY_BASE_CATALOGUE_H_

// The stable codes of diagnostics. Each has a page docs/diagnostics/<code>.md.

#include <span>
#include <string_view>

#include "base/diagnostic.h"

namespace belay {

struct CodeInfo {
  std::string_view code;  // "BLY-N101"
  Severity severity;
  std::string_view title;
};

// In the order of diagnostic_codes.def, which is the order of the codes within
// each letter.
std::span<const CodeInfo> AllCodes();

// Null if there is no such code.
const CodeInfo* FindCode(std::string_view code);

// code::kN101 is "BLY-N101": a code that does not exist does not compile.
namespace code {
#define BELAY_CODE(name, severity, title) \
  inline constexpr char k##name[] = "BLY-" #name;
#include "base/diagnostic_codes.def"
#undef BELAY_CODE
}  // namespace code

}  // namespace belay

#endif  // BELAY_BASE_CATALOGUE_H_
