// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_COMPILED_TEXT_H_
#define BELAY_TESTS_CRUX_COMPILED_TEXT_H_

// Tests of programs written where they are run, held to the interpreter.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiled_case.h"
#include "crux/fuzz/random_array.h"

namespace belay::testing {

class CompiledText : public ::testing::Test {
 protected:
  ~CompiledText() override;

  // Runs the text with tensors a, b, … .
  void Expect(const std::string& text, const std::vector<Array>& tensors);

  Array Numbers(DType dtype, Shape shape);

  crux::run::Runner runner_{CheckedDevice()};
  crux::fuzz::Random random_{20261116};
  int programs_ = 0;
};

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_COMPILED_TEXT_H_
