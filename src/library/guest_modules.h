// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIBRARY_GUEST_MODULES_H_
#define BELAY_LIBRARY_GUEST_MODULES_H_

// The objects of an ordinary process that kernel code may come from.

namespace belay::library {

// Registers with the runtime every object loaded since the last call, except
// the library itself and the program interpreter's own pages. Cheap when
// nothing was loaded.
void RegisterLoadedModules();

}  // namespace belay::library

#endif  // BELAY_LIBRARY_GUEST_MODULES_H_
