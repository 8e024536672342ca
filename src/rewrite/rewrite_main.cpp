// SPDX-License-Identifier: Apache-2.0
// The `belay-rewrite` program: one AscendC source to ordinary C++.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/error.h"
#include "rewrite/rewrite_files.h"

int main(int argc, char** argv) {
  CLI::App app{
      "Turns k<<<…>>>(…), raw [aicore] attributes and kernels named like "
      "functions of the C library into C++ for any compiler."};
  app.name("belay-rewrite");
  belay::rewrite::FileOptions options;
  app.add_option("SOURCE", options.source, "The AscendC source")->required();
  app.add_option("-o", options.output, "The C++ file to write")->required();
  app.add_option("-I", options.include_dirs,
                 "Folder in which quoted includes are looked for")
      ->allow_extra_args(false);
  app.add_option("--launch-headers", options.launch_headers,
                 "Folder for the headers aclrtlaunch_<kernel>.h");
  app.add_option("--depfile", options.dependencies,
                 "Make rule of the files that were read");
  app.footer("Example:\n  belay-rewrite add.asc -o add.cpp");
  CLI11_PARSE(app, argc, argv);
  try {
    belay::rewrite::RewriteFile(options);
  } catch (const belay::UserError& error) {
    std::fprintf(stderr, "belay-rewrite: error: %s\n", error.what());
    return 2;
  }
  return 0;
}
