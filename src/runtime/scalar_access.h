// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_SCALAR_ACCESS_H_
#define BELAY_RUNTIME_SCALAR_ACCESS_H_

// Scalar loads and stores of guest code, on the road to the chip.

#include <cstdint>

#include "runtime/guest_fault.h"

namespace belay::runtime {

// kOrdered: ordered with the other pipes by compiler auto-sync.
enum class AccessKind { kRaw, kOrdered };

// Where a scalar access of the running block is to be made, valid until the
// next call; outside a block, and on the block's own stack, `pointer` itself.
// Ends the block when the address is not the kernel's to touch. A block that
// reads one global address again and again lets the others run.
void* AccessScalar(const void* pointer, uint64_t bytes, bool write,
                   AccessKind kind, const GuestPlace& place);

// The same past the data cache: in global memory itself.
void* AccessScalarDirect(const void* pointer, uint64_t bytes, bool write,
                         const GuestPlace& place);

// An access that compiled code is about to make at the address itself, whatever
// the data cache holds: the lines under it are written back and forgotten
// first, so that the access finds what the core wrote and later reads through
// the cache find what the access wrote. Nothing happens for the one access that
// AccessScalar has just been asked about.
void AnnounceScalar(const void* pointer, uint64_t bytes, bool write,
                    const GuestPlace& place);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_SCALAR_ACCESS_H_
