// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CAGE_FILES_H_
#define BELAY_GUEST_CAGE_FILES_H_

// The cage's rules for files, by Landlock.

#include <string>
#include <vector>

namespace belay::guest {

bool FileRulesAreAvailable();

// From here on only these can be opened, for ever; descriptors that are open
// stay so. `readable` that are not there are left out. Signals and sockets
// reach nobody outside, where the kernel can do that. Throws InternalError
// where a folder to be written is missing, or the kernel refuses.
void EnterFileRules(const std::vector<std::string>& readable,
                    const std::vector<std::string>& writable);

}  // namespace belay::guest

#endif  // BELAY_GUEST_CAGE_FILES_H_
