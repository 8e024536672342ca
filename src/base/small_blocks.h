// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_SMALL_BLOCKS_H_
#define BELAY_BASE_SMALL_BLOCKS_H_

// Memory for programs that make and drop small objects by the hundred thousand,
// as a compiler does: `new` takes blocks of up to 512 bytes from lists of the
// thread it is called in, and `delete` gives them back to those. A program that
// calls UseSmallBlocks has this file's operators new and delete; until the call,
// and for larger blocks, they are malloc and free.

namespace belay {

// From here on, in all threads. To be called once, while there is one thread.
// The memory stays with the process, for other blocks of the same size: not for
// a process that runs code of others, whose double frees only malloc notices.
// Changes nothing where no room for the blocks can be reserved.
void UseSmallBlocks();

}  // namespace belay

#endif  // BELAY_BASE_SMALL_BLOCKS_H_
