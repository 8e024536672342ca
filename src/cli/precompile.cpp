// SPDX-License-Identifier: Apache-2.0
// Build-time tool: precompiles the headers that kernels, or with --host
// the host code of operators, include.

#include <cstdio>
#include <cstring>

#include "base/diagnostic.h"
#include "guest/program.h"

int main(int argc, char** argv) {
  const bool host_only = argc == 4 && std::strcmp(argv[3], "--host") == 0;
  if (argc != 3 && !host_only) {
    std::fprintf(stderr, "usage: belay_precompile HEADER OUTPUT [--host]\n");
    return 2;
  }
  belay::toolchain::CompileOptions options =
      host_only ? belay::guest::DefaultHostCompileOptions()
                : belay::guest::DefaultCompileOptions();
  options.precompiled_header.clear();
  const auto result =
      belay::toolchain::BuildPrecompiledHeader(options, argv[1], argv[2]);
  for (const belay::Diagnostic& diagnostic : result.diagnostics) {
    std::fputs(belay::ToText(diagnostic).c_str(), stderr);
  }
  return result.ok ? 0 : 1;
}
