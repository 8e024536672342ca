// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_STREAM_H_
#define BELAY_RUNTIME_STREAM_H_

// Streams: work is done at once, in the order it is given; a stream remembers
// the first error, as the real runtime does until it is synchronised.

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/device.h"

namespace belay::runtime {

struct Stream {
  int error = 0;        // first error since creation
  std::string message;  // of that error
};

// A new stream, and its end; false when the handle is not a live stream's.
void* CreateStream();
bool DestroyStream(void* handle);

// The stream behind a handle; nullptr is the default stream. Null when the
// handle is not a live stream's.
Stream* FindStream(void* handle);

// Launches and leaves an error in the stream (nullptr: the default stream).
// Launches of several host threads follow one another.
void LaunchOnStream(void* stream, const Kernel& kernel, uint64_t blocks,
                    const void* arguments, size_t bytes, uint64_t pc);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_STREAM_H_
