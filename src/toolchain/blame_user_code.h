// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_BLAME_USER_CODE_H_
#define BELAY_TOOLCHAIN_BLAME_USER_CODE_H_

// A refusal that stands in Belay's headers is the fault of whoever used them.

#include <string>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Moves a diagnostic that lies below `headers` to the first of its notes that
// does not, which is the use in the user's code, and drops what it says about
// the inside of the headers. Others stay as they are.
void BlameUserCode(const std::string& headers, Diagnostic& diagnostic);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_BLAME_USER_CODE_H_
