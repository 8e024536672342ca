// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_POISONED_PAGES_H_
#define BELAY_NPU_POISONED_PAGES_H_

// Memory full of kPoison that takes room only where it is touched.

#include <cstdint>

namespace belay::npu {

// Makes the file that MapPoisoned maps, as the first call of that does: for
// processes that may not make files later.
void PreparePoisonedPages();

// Replaces what is mapped at [address, address + bytes), both multiples of the
// page size, by readable and writable pages that hold kPoison. Costs a system
// call for each 4 MiB, and a page fault for each page that is touched later.
// False when the system has no such memory: what is mapped there, old or new,
// must be filled by the caller.
bool MapPoisoned(uint64_t address, uint64_t bytes);

}  // namespace belay::npu

#endif  // BELAY_NPU_POISONED_PAGES_H_
