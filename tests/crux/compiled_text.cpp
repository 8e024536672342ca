// SPDX-License-Identifier: Apache-2.0
#include "compiled_text.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "crux/check.h"

namespace belay::testing {

CompiledText::~CompiledText() { fmt::print("{} programs\n", programs_); }

void CompiledText::Expect(const std::string& text,
                          const std::vector<Array>& tensors) {
  const crux::Checked checked = crux::Check("program", text);
  ASSERT_TRUE(checked.ok()) << text << checked.diagnostics.front().message;
  crux::interpret::Arguments arguments;
  for (size_t i = 0; i < tensors.size(); ++i) {
    arguments.tensors[std::string(1, static_cast<char>('a' + i))] = {
        {tensors[i]}, false};
  }
  ++programs_;
  std::string differs;
  try {
    differs = DifferencesOfCompiled(runner_, *checked.program->kernels.front(),
                                    arguments);
  } catch (const InternalError& error) {
    differs = error.what();
  }
  EXPECT_TRUE(differs.empty())
      << text << "a: " << ToText(tensors.front().shape) << "\n"
      << differs;
}

Array CompiledText::Numbers(DType dtype, Shape shape) {
  return crux::fuzz::RandomArray(random_, dtype, std::move(shape));
}

}  // namespace belay::testing
