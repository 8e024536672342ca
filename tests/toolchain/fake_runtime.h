// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TOOLCHAIN_FAKE_RUNTIME_H_
#define BELAY_TESTS_TOOLCHAIN_FAKE_RUNTIME_H_

// A runtime that runs each launched kernel once, at once, and writes down what
// compiled code asked of it.

#include <cstdint>
#include <string>
#include <vector>

namespace belay::testing {

struct MemoryAccess {
  char kind;  // 'r', 'w', 'c'opy, 'm'ove, 's'et
  uint64_t bytes;
  const void* address;
  const void* caller;  // return address in guest code
};

struct Launch {
  std::string kernel;
  std::string kind;
  uint64_t bytes;
  uint64_t blocks;
  uint64_t dynamic_bytes;
  const void* stream;
};

// Ends a kernel. Thrown through guest frames.
struct KernelEnd {
  std::string why;
  const void* caller;
};

struct DivisionByZero {
  int64_t dividend;
  bool is_remainder;
  const void* caller;
};

struct Recorder {
  std::vector<MemoryAccess> accesses;
  std::vector<DivisionByZero> divisions_by_zero;
  std::vector<Launch> launches;
  std::string printed;
  // How often the budget may run out before the kernel is ended.
  int ticks_allowed = 1000;
  int ticks = 0;
  // Set when a kernel was ended.
  std::string end;
  const void* end_caller = nullptr;

  int CountOf(char kind) const;
  uint64_t BytesOf(char kind) const;
};

// The one of this process; assign {} to start anew.
Recorder& TheRecorder();

}  // namespace belay::testing

#endif  // BELAY_TESTS_TOOLCHAIN_FAKE_RUNTIME_H_
