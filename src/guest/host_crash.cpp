// SPDX-License-Identifier: Apache-2.0
#include "guest/host_crash.h"

#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "runtime/operators/host_messages.h"

namespace belay::guest {
namespace {

constexpr size_t kHandlerStackBytes = 64 << 10;
// How much longer than its processor time a child may take by the clock.
constexpr double kWallFactor = 6;

HostCrashReport* shared = nullptr;
const char* module_file = nullptr;
uint64_t stack_end = 0;

struct Image {
  uint64_t base = 0;
  uint64_t low = 0;
  uint64_t high = 0;
};

// Finds the code of the module among the loaded objects.
int FindImage(dl_phdr_info* info, size_t, void* argument) {
  auto& image = *static_cast<Image*>(argument);
  if (std::strcmp(info->dlpi_name, module_file) != 0) return 0;
  image.base = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    image.low = info->dlpi_addr + segment.p_vaddr;
    image.high = image.low + segment.p_memsz;
  }
  return 1;
}

struct Registers {
  uint64_t pc;
  uint64_t stack;
};

Registers ReadRegisters(const ucontext_t& context) {
#if defined(__x86_64__)
  return {static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]),
          static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {context.uc_mcontext.pc, context.uc_mcontext.sp};
#else
#error "no register access for this machine"
#endif
}

// The crash itself when it is in the module, then what on the stack looks like
// a return address into it: library functions keep no frame pointers.
void CollectPlaces(const Registers& registers, HostCrashReport& report) {
  Image image;
  dl_iterate_phdr(FindImage, &image);
  const auto add = [&](uint64_t pc) {
    if (pc < image.low || pc >= image.high) return;
    if (report.place_count == HostCrashReport::kMaxPlaces) return;
    report.places[report.place_count++] = pc - image.base;
  };
  add(registers.pc);
  for (uint64_t at = registers.stack & ~uint64_t{7};
       at + sizeof(uint64_t) <= stack_end; at += sizeof(uint64_t)) {
    add(*reinterpret_cast<const uint64_t*>(at) - 1);
  }
}

void OnSignal(int signal, siginfo_t* info, void* raw_context) {
  HostCrashReport& report = *shared;
  if (report.signal == 0) {
    report.signal = signal;
    report.timed_out = signal == SIGPROF || signal == SIGALRM;
    report.address = signal == SIGSEGV || signal == SIGBUS
                         ? reinterpret_cast<uint64_t>(info->si_addr)
                         : 0;
    std::strncpy(report.question, runtime::LastHostQuestion(),
                 sizeof(report.question) - 1);
    std::strncpy(report.null_answer, runtime::LastNullAnswer(),
                 sizeof(report.null_answer) - 1);
    CollectPlaces(ReadRegisters(*static_cast<ucontext_t*>(raw_context)),
                  report);
  }
  _exit(1);
}

timeval ToTime(double seconds) {
  timeval time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_usec =
      static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  return time;
}

void SetLimits(const HostLimits& limits) {
  itimerval timer{};
  timer.it_value = ToTime(limits.seconds);
  setitimer(ITIMER_PROF, &timer, nullptr);
  timer.it_value = ToTime(limits.seconds * kWallFactor);
  setitimer(ITIMER_REAL, &timer, nullptr);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit memory{limits.bytes, limits.bytes};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

}  // namespace

void GuardHostCode(HostCrashReport& report, const char* module,
                   const HostLimits& limits) {
  shared = &report;
  module_file = module;
  stack_end = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, kHandlerStackBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kHandlerStackBytes;
  sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = OnSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGPROF, SIGALRM}) {
    sigaction(signal, &action, nullptr);
  }
  SetLimits(limits);
}

}  // namespace belay::guest
