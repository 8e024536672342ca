// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_LAUNCH_FUNCTIONS_H_
#define BELAY_REWRITE_LAUNCH_FUNCTIONS_H_

// What ACLRT_LAUNCH_KERNEL(k)(blocks, stream, …) calls: a function with C
// linkage for each kernel, and the header that declares it.

#include <string>
#include <vector>

#include "rewrite/kernels.h"

namespace belay::rewrite {

// Whether the kernel gets such a function: defined in this source, in no
// namespace, no template.
bool HasLaunchFunction(const Kernel& kernel);

// "aclrtlaunch_k.h" and its text.
std::string LaunchHeaderName(const Kernel& kernel);
std::string LaunchHeader(const Kernel& kernel);

// The definition, to stand behind the kernel's.
std::string LaunchFunction(const Kernel& kernel);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_LAUNCH_FUNCTIONS_H_
