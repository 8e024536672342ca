// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_COMPILED_CASE_H_
#define BELAY_TESTS_CRUX_COMPILED_CASE_H_

// A kernel compiled and run on the chip under every checker, held to the
// interpreter: integers and what has no bound to move it equal, floating
// numbers within the bound of their exact value.

#include <string>

#include "crux/interpret/interpret.h"
#include "crux/run/runner.h"

namespace belay::testing {

// A device with all checkers.
runtime::DeviceOptions CheckedDevice();

// What differs, and every diagnostic of the compiled run; empty when nothing
// is wrong. At most `most` elements are listed.
std::string DifferencesOfCompiled(crux::run::Runner& runner,
                                  const crux::typed::Kernel& kernel,
                                  const crux::interpret::Arguments& arguments,
                                  size_t most = 4);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_COMPILED_CASE_H_
