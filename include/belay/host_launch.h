// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_HOST_LAUNCH_H_
#define BELAY_HOST_LAUNCH_H_

// Launching kernels from host code that another compiler than Belay's builds:
// what belay-rewrite turns k<<<blocks, l2, stream>>>(…) into, and what the unit
// test interface (tikicpulib.h) is made of.

#include <stddef.h>
#include <stdint.h>

#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>

#include "belay/guest_abi.h"

extern "C" {

// Device memory of `bytes`, and its end. Null when there is no more.
void* belay_gm_alloc(size_t bytes);
void belay_gm_free(void* memory);

// Which cores kernels of the unit test interface run on from now on; the
// values of KernelMode.
void belay_set_kernel_mode(int mode);
// The kind of kernels that goes with it; "aicore" before any was set.
const char* belay_kernel_mode_kind(void);

// A stream for one launch. Closing it gives the text of what went wrong on it,
// valid until the thread closes the next one, or nullptr.
void* belay_open_stream(void);
const char* belay_close_stream(void* stream);
}

namespace belay::host {

// A kernel did what the chip forbids. The text is the first line of the
// diagnostic, which was printed whole. Thrown after the launch has ended, on
// the caller's stack.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// First argument of the functions that call a kernel: marks their frames.
struct Caller {};

// A null pointer whose value no compiler knows beforehand: a kernel that reads
// through it must be seen to do so.
struct NullArgument {
  NullArgument(decltype(nullptr)) {}
  template <typename T>
  operator T*() const {
    T* volatile null = nullptr;
    return null;
  }
};
template <typename T>
using ArgumentOf =
    std::conditional_t<std::is_same_v<T, decltype(nullptr)>, NullArgument, T>;

// What a block starts with: a callable and its arguments, copied to the
// block's stack byte by byte.
template <typename Call, typename... Arguments>
struct Packed {
  static_assert((std::is_trivially_copyable_v<Arguments> && ...),
                "[launch] a kernel's arguments must be trivially copyable");
  Call call;
  std::tuple<Arguments...> arguments;

  // Equal kernels are not folded into one: their lines differ.
#if !defined(__clang__)
  __attribute__((no_icf))
#endif
  static void
  Enter(void* packed) {
    static_cast<Packed*>(packed)->Run(std::index_sequence_for<Arguments...>{});
  }

  template <size_t... i>
  __attribute__((always_inline)) inline void Run(std::index_sequence<i...>) {
    call(Caller{}, std::get<i>(arguments)...);
  }
};

// k<<<…>>>: everything but the arguments.
template <typename Call>
class Launcher {
 public:
  Launcher(const char* name, const char* kind, uint64_t blocks, void* stream,
           Call call)
      : name_(name),
        kind_(kind),
        blocks_(blocks),
        stream_(stream),
        call_(call) {}

  template <typename... Arguments>
  void operator()(Arguments... arguments) const {
    using Block = Packed<Call, ArgumentOf<Arguments>...>;
    const Block packed{call_, {ArgumentOf<Arguments>(arguments)...}};
    belay_configure_launch(blocks_, 0, stream_);
    const abi::KernelRecord kernel{name_,        kind_,   Block::Enter,
                                   nullptr,      nullptr, sizeof...(Arguments),
                                   sizeof packed};
    belay_launch(&kernel, &packed, sizeof packed);
  }

 private:
  const char* name_;
  const char* kind_;
  uint64_t blocks_;
  void* stream_;
  Call call_;
};

// The second word of a launch, a size in bytes or null, says nothing here.
template <typename Call, typename Blocks, typename Bytes = decltype(nullptr)>
Launcher<Call> Prepare(const char* name, const char* kind, Call call,
                       Blocks blocks, Bytes = nullptr, void* stream = nullptr) {
  return {name, kind, static_cast<uint64_t>(blocks), stream, call};
}

// A launch of the unit test interface: throws KernelFault.
template <typename Call, typename... Arguments>
void RunOrThrow(const char* name, uint64_t blocks, Call call,
                Arguments... arguments) {
  void* stream = belay_open_stream();
  Prepare(name, belay_kernel_mode_kind(), call, blocks, nullptr,
          stream)(arguments...);
  if (const char* fault = belay_close_stream(stream)) throw KernelFault(fault);
}

}  // namespace belay::host

#endif  // BELAY_HOST_LAUNCH_H_
