// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_PROJECT_H_
#define BELAY_GUEST_OPERATOR_PROJECT_H_

// Where the sources of an operator project lie.

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::guest {

struct OperatorProject {
  std::string folder;
  std::vector<std::string> host_sources;    // sorted
  std::vector<std::string> kernel_sources;  // sorted; one of them has the entry
  std::vector<std::string> include_dirs;    // for both
};

// Looks for op_host and op_kernel in `folder`, then in the only folder below it
// that has them, then for host and kernel sources lying in `folder` itself.
// Sources are *.cpp, *.cc and *.cxx at any depth; those of the aclnn layer and
// of tests are left out. Throws UserError saying what is missing.
OperatorProject FindOperatorProject(const std::string& folder);

// The kernel source that belongs to the entry `kernel`: of that name, or the
// only one that defines such a function, or the only one there is. Empty when
// there is none.
std::string FindKernelSource(const OperatorProject& project,
                             const std::string& kernel);

// The error of a project without one.
Diagnostic NoKernelSource(const OperatorProject& project,
                          const std::string& kernel);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_PROJECT_H_
