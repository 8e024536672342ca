// SPDX-License-Identifier: Apache-2.0
#include "fake_runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include "belay/guest_abi.h"

namespace belay::testing {

constexpr int64_t kSlice = 10'000;

int Recorder::CountOf(char kind) const {
  int count = 0;
  for (const MemoryAccess& access : accesses) count += access.kind == kind;
  return count;
}

uint64_t Recorder::BytesOf(char kind) const {
  uint64_t bytes = 0;
  for (const MemoryAccess& access : accesses)
    if (access.kind == kind) bytes += access.bytes;
  return bytes;
}

Recorder& TheRecorder() {
  static Recorder recorder;
  return recorder;
}

namespace {

Launch g_next_launch;

void Note(char kind, const void* address, uint64_t bytes, const void* caller) {
  TheRecorder().accesses.push_back({kind, bytes, address, caller});
}

}  // namespace
}  // namespace belay::testing

using belay::testing::g_next_launch;
using belay::testing::KernelEnd;
using belay::testing::Note;
using belay::testing::TheRecorder;

extern "C" {

int64_t belay_budget = belay::testing::kSlice;
uint64_t belay_scalar_work[2] = {0, 0};

const void* belay_read(const void* address, uint64_t bytes) {
  Note('r', address, bytes, __builtin_return_address(0));
  return address;
}

void* belay_write(void* address, uint64_t bytes) {
  Note('w', address, bytes, __builtin_return_address(0));
  return address;
}

const void* belay_get_value(const void* address, uint64_t bytes, uint64_t,
                            uint64_t) {
  Note('g', address, bytes, __builtin_return_address(0));
  return address;
}

void belay_memcpy(void* to, const void* from, uint64_t bytes) {
  Note('c', to, bytes, __builtin_return_address(0));
  std::memcpy(to, from, bytes);
}

void belay_memmove(void* to, const void* from, uint64_t bytes) {
  Note('m', to, bytes, __builtin_return_address(0));
  std::memmove(to, from, bytes);
}

void belay_memset(void* to, int value, uint64_t bytes) {
  Note('s', to, bytes, __builtin_return_address(0));
  std::memset(to, value, bytes);
}

void belay_tick() {
  belay_budget = belay::testing::kSlice;
  if (++TheRecorder().ticks > TheRecorder().ticks_allowed)
    throw KernelEnd{"out of fuel", __builtin_return_address(0)};
}

void belay_divide_by_zero(int64_t dividend, uint32_t is_remainder) {
  TheRecorder().divisions_by_zero.push_back(
      {dividend, is_remainder != 0, __builtin_return_address(0)});
}

void belay_unreachable() {
  throw KernelEnd{"unreachable", __builtin_return_address(0)};
}

int belay_printf(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  TheRecorder().printed += text;
  return length;
}

void belay_assert_fail(const char* expression, const char*, unsigned line,
                       const char*) {
  throw KernelEnd{
      "assert " + std::string(expression) + " " + std::to_string(line),
      __builtin_return_address(0)};
}

void belay_trap() { throw KernelEnd{"trap", __builtin_return_address(0)}; }

void belay_configure_launch(uint64_t blocks, uint64_t dynamic_bytes,
                            void* stream) {
  g_next_launch.blocks = blocks;
  g_next_launch.dynamic_bytes = dynamic_bytes;
  g_next_launch.stream = stream;
}

void belay_launch(const belay::abi::KernelRecord* kernel, const void* arguments,
                  uint64_t bytes) {
  g_next_launch.kernel = kernel->name;
  g_next_launch.kind = kernel->kind;
  g_next_launch.bytes = bytes;
  TheRecorder().launches.push_back(g_next_launch);
  std::string copy(static_cast<const char*>(arguments), bytes);
  belay_budget = belay::testing::kSlice;
  try {
    kernel->entry(copy.data());
  } catch (const KernelEnd& end) {
    TheRecorder().end = end.why;
    TheRecorder().end_caller = end.caller;
  }
}

}  // extern "C"
