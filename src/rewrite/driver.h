// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_DRIVER_H_
#define BELAY_REWRITE_DRIVER_H_

// belay-c++: takes the command line of the AscendC compiler and gives that of
// an ordinary C++ compiler.

#include <string>
#include <vector>

namespace belay::rewrite {

// Where things lie on this machine.
struct Installation {
  std::string headers;   // folder of kernel_operator.h
  std::string library;   // folder of libbelay.so
  std::string compiler;  // unless the command line names one
};

// A source on the command line and what stands for it.
struct RewrittenSource {
  std::string source;
  std::string output;
};

struct DriverPlan {
  // The compiler and its arguments, one after another until one fails.
  std::vector<std::vector<std::string>> commands;
  std::vector<RewrittenSource> sources;  // to be rewritten first
  std::vector<std::string> include_dirs;
};

// `arguments` without the program's name. `temporary` is a folder for what
// nobody needs later. Throws UserError for an architecture other than the
// simulated chip's.
DriverPlan PlanCommand(const std::vector<std::string>& arguments,
                       const Installation& installation,
                       const std::string& temporary);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_DRIVER_H_
