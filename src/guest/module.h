// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_MODULE_H_
#define BELAY_GUEST_MODULE_H_

// Loading a compiled guest into this process.

#include <string>

#include "belay/guest_abi.h"
#include "runtime/guest_memory.h"

namespace belay::guest {

struct LoadedModule {
  runtime::GuestModule image;
  int (*main)(int argc, char** argv, char** environment) = nullptr;
  // Ended by a record without a name; null when there are no kernels.
  const abi::KernelRecord* kernels = nullptr;
};

// Loads a shared object, runs its static initialisers and registers its image
// with the runtime. Throws UserError when it cannot be loaded; `main` stays
// null when the guest has none.
LoadedModule LoadModule(const std::string& path);

}  // namespace belay::guest

#endif  // BELAY_GUEST_MODULE_H_
