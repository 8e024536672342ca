// SPDX-License-Identifier: Apache-2.0
#include "guest/crash.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "guest/child.h"
#include "runtime/device.h"
#include "runtime/guest_memory.h"

namespace belay::guest {
namespace {

using runtime::Block;
using runtime::Device;

constexpr size_t kHandlerStackBytes = 256 << 10;

struct Registers {
  uint64_t pc;
  uint64_t frame;
};

Registers ReadRegisters(const ucontext_t& context) {
#if defined(__x86_64__)
  return {static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]),
          static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RBP])};
#elif defined(__aarch64__)
  return {context.uc_mcontext.pc, context.uc_mcontext.regs[29]};
#else
#error "no register access for this machine"
#endif
}

// Lets the interrupted code go on in `function` on a fresh stack.
void Redirect(ucontext_t& context, void (*function)(), uint64_t stack) {
#if defined(__x86_64__)
  // As after a call: the stack is 8 bytes off its 16-byte alignment.
  context.uc_mcontext.gregs[REG_RSP] =
      static_cast<greg_t>((stack & ~uint64_t{15}) - 8);
  context.uc_mcontext.gregs[REG_RIP] =
      static_cast<greg_t>(reinterpret_cast<uint64_t>(function));
#elif defined(__aarch64__)
  context.uc_mcontext.sp = stack & ~uint64_t{15};
  context.uc_mcontext.pc = reinterpret_cast<uint64_t>(function);
#endif
}

struct Crash {
  int signal = 0;
  bool divided_by_zero = false;
  uint64_t address = 0;
  Registers registers{};
};
Crash crash;
HostCrash host_crash = HostCrash::kReport;
struct sigaction earlier[NSIG];

// The innermost place in guest code: the crash itself, or whoever called the
// library function it happened in.
uint64_t GuestPc(const std::vector<uint64_t>& callers) {
  if (runtime::FindGuestModule(crash.registers.pc) != nullptr) {
    return crash.registers.pc;
  }
  return callers.empty() ? 0 : callers.front();
}

npu::Fault DescribeCrash(const Block* block) {
  npu::Fault fault;
  if (block != nullptr) {
    fault.callers = runtime::GuestCallers(
        *block->fiber, reinterpret_cast<const void*>(crash.registers.frame));
  }
  fault.pc = GuestPc(fault.callers);
  if (block != nullptr && block->fiber->InGuard(crash.address)) {
    fault.diagnostic.code = "BLY-G102";
    fault.diagnostic.message = "the kernel's stack overflows";
    fault.diagnostic.fix =
        "keep large arrays in UB or global memory and avoid recursion";
    fault.callers.clear();
    return fault;
  }
  if (block != nullptr && crash.divided_by_zero) {
    fault.diagnostic.code = "BLY-G103";
    fault.diagnostic.message = "integer division by zero";
    fault.diagnostic.fix =
        "check the divisor; tiling values that are 0 are a common cause";
    return fault;
  }
  fault.diagnostic.code = "BLY-G106";
  fault.diagnostic.message =
      fmt::format("{} code crashed: {}, address {:#x}",
                  block != nullptr ? "kernel" : "host",
                  DescribeSignal(crash.signal), crash.address);
  return fault;
}

// Runs on the dead block's stack, which nothing needs any more.
void EndBlock() {
  Device& device = *Device::Get();
  device.Abort(DescribeCrash(device.current()));
}

void OnSignal(int signal, siginfo_t* info, void* raw_context) {
  auto& context = *static_cast<ucontext_t*>(raw_context);
  Device* device = Device::Get();
  Block* block = device == nullptr ? nullptr : device->current();
  if (host_crash == HostCrash::kPassOn &&
      (block == nullptr || runtime::Fiber::Running() == nullptr)) {
    // The instruction runs again and meets the earlier handler.
    sigaction(signal, &earlier[signal], nullptr);
    return;
  }
  crash.signal = signal;
  crash.divided_by_zero = signal == SIGFPE && info->si_code == FPE_INTDIV;
  crash.address = reinterpret_cast<uint64_t>(info->si_addr);
  crash.registers = ReadRegisters(context);
  if (block != nullptr && signal != SIGABRT) {
    block->fiber->ForgetFrames();
    Redirect(context, EndBlock, block->fiber->high());
    return;
  }
  // A second crash, in here, ends the process: the parent reports that one.
  ::signal(signal, SIG_DFL);
  std::fflush(stdout);
  if (device != nullptr) device->Raise(DescribeCrash(nullptr));
  _exit(1);
}

}  // namespace

void PrepareThreadForCrashes() {
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) == 0) {
    return;
  }
  void* memory = mmap(nullptr, kHandlerStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack = {};
  stack.ss_sp = memory;
  stack.ss_size = kHandlerStackBytes;
  sigaltstack(&stack, nullptr);
}

void CatchCrashes(HostCrash in_host_code) {
  host_crash = in_host_code;
  PrepareThreadForCrashes();
  struct sigaction action{};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    sigaction(signal, &action, &earlier[signal]);
  }
  if (in_host_code == HostCrash::kReport) {
    sigaction(SIGABRT, &action, &earlier[SIGABRT]);
  }
}

}  // namespace belay::guest
