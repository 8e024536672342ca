// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_COMPILED_CASE_H_
#define BELAY_TESTS_CRUX_COMPILED_CASE_H_

// A kernel compiled and run on the chip under every checker, held to the
// interpreter: integers and what has no bound to move it equal, floating
// numbers within the bound of their exact value. The interpreter cuts loops
// into the pieces that the compiled kernel took, and answers fits() alike.

#include <memory>
#include <string>
#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/run/runner.h"

namespace belay::testing {

// A device with all checkers.
runtime::DeviceOptions CheckedDevice();

// What a call of a prepared kernel must give, by the interpreter.
struct Wanted {
  crux::interpret::Results exact;  // with bounds
  crux::interpret::Results real;   // in float64
  std::string problems;            // of the interpreter itself

  Wanted(const crux::run::Prepared& prepared,
         const crux::interpret::Arguments& arguments);
};

// What a comparison looked at.
struct Compared {
  size_t held = 0;      // elements held to a value or a bound
  size_t in_doubt = 0;  // elements without a bound: anything may be there
};

// Launches it. What differs, and every diagnostic of the run; empty when
// nothing is wrong. At most `most` elements are listed. A bug of ours that
// throws is among the problems.
std::string DifferencesOf(crux::run::Runner& runner,
                          const crux::run::Prepared& prepared,
                          crux::interpret::HostCall& call,
                          const crux::interpret::Arguments& arguments,
                          const Wanted& wanted, Compared& compared,
                          size_t most = 4);

struct CompiledCase {
  std::string refusal;   // "BLY-X301: why": not compiled, and told so
  std::string problems;  // empty: nothing is wrong
  Compared compared;
  // Of what was run; no tiles when it was refused.
  crux::CompiledVariant variant;
};

// Compiles and launches a call.
CompiledCase RunCompiled(crux::run::Runner& runner,
                         const crux::typed::Kernel& kernel,
                         const crux::interpret::Arguments& arguments,
                         size_t most = 4);

// The same in short: a refusal counts as a problem.
std::string DifferencesOfCompiled(crux::run::Runner& runner,
                                  const crux::typed::Kernel& kernel,
                                  const crux::interpret::Arguments& arguments,
                                  size_t most = 4);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_COMPILED_CASE_H_
