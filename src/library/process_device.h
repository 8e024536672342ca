// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIBRARY_PROCESS_DEVICE_H_
#define BELAY_LIBRARY_PROCESS_DEVICE_H_

// The device of an ordinary process, as its environment describes it.

#include "runtime/device.h"

namespace belay::library {

// Reads BELAY_CHIP, BELAY_SCHEDULE, BELAY_FUEL, BELAY_RECIP and
// BELAY_FRESH_MEMORY, which mean what the options of `belay run` mean. Throws
// UserError for a value that is none of theirs.
runtime::DeviceOptions OptionsFromEnvironment();

}  // namespace belay::library

#endif  // BELAY_LIBRARY_PROCESS_DEVICE_H_
