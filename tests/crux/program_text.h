// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_PROGRAM_TEXT_H_
#define BELAY_TESTS_CRUX_PROGRAM_TEXT_H_

// Runs the first kernel of a program given as text.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "call.h"
#include "crux/check.h"
#include "crux/interpret/interpret.h"

namespace belay::testing {

// Arguments as call.h spells them; "?y" wants the optional output y.
inline crux::interpret::Results RunText(
    const std::string& text, const std::vector<std::string>& arguments,
    const crux::interpret::Options& given = {}) {
  const crux::Checked checked = crux::Check("program.crux", text);
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    if (diagnostic.severity != Severity::kError) continue;
    ADD_FAILURE() << ToText(diagnostic) << "\nin\n" << text;
  }
  if (!checked.ok()) return {};
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments bound;
  for (const std::string& argument : arguments) {
    if (argument.starts_with('?')) {
      bound.wanted.insert(argument.substr(1));
    } else {
      AddArgument(kernel, argument, bound);
    }
  }
  crux::interpret::Options options = given;
  options.file = "program.crux";
  return Interpret(kernel, bound, options);
}

// The numbers of an output of a run without findings.
inline std::vector<double> NumbersIn(const crux::interpret::Results& results,
                                     const std::string& name = "y") {
  for (const Diagnostic& diagnostic : results.diagnostics) {
    ADD_FAILURE() << ToText(diagnostic);
  }
  const crux::interpret::OutputTensor* output = results.Find(name);
  if (output == nullptr) {
    ADD_FAILURE() << "no output " << name;
    return {};
  }
  return NumbersOf(output->array);
}

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_PROGRAM_TEXT_H_
