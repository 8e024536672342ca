// SPDX-License-Identifier: Apache-2.0
// Build-time tool: precompiles the headers kernels include.

#include <cstdio>

#include "base/diagnostic.h"
#include "guest/program.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: belay_precompile HEADER OUTPUT\n");
    return 2;
  }
  belay::toolchain::CompileOptions options =
      belay::guest::DefaultCompileOptions();
  options.precompiled_header.clear();
  const auto result =
      belay::toolchain::BuildPrecompiledHeader(options, argv[1], argv[2]);
  for (const belay::Diagnostic& diagnostic : result.diagnostics) {
    std::fputs(belay::ToText(diagnostic).c_str(), stderr);
  }
  return result.ok ? 0 : 1;
}
