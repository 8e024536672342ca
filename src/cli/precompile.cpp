// SPDX-License-Identifier: Apache-2.0
// Build-time tool: precompiles the headers that kernels include, for vector or
// with --cube for cube cores, or with --host what the host code of operators
// includes.

#include <cstdio>
#include <cstring>

#include "base/diagnostic.h"
#include "guest/program.h"

int main(int argc, char** argv) {
  const auto has_option = [&](const char* name) {
    return argc == 4 && std::strcmp(argv[3], name) == 0;
  };
  const bool host_only = has_option("--host");
  const bool cube = has_option("--cube");
  if (argc != 3 && !host_only && !cube) {
    std::fprintf(stderr,
                 "usage: belay_precompile HEADER OUTPUT [--host|--cube]\n");
    return 2;
  }
  belay::toolchain::CompileOptions options =
      host_only ? belay::guest::DefaultHostCompileOptions()
                : belay::guest::DefaultCompileOptions();
  options.precompiled_header.clear();
  if (cube) options.core = belay::toolchain::CoreType::kCube;
  const auto result =
      belay::toolchain::BuildPrecompiledHeader(options, argv[1], argv[2]);
  for (const belay::Diagnostic& diagnostic : result.diagnostics) {
    std::fputs(belay::ToText(diagnostic).c_str(), stderr);
  }
  return result.ok ? 0 : 1;
}
