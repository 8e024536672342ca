// SPDX-License-Identifier: Apache-2.0
#include "guest/cage_filter.h"

#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/error.h"

namespace belay::guest {
namespace {

ForbiddenCall* forbidden_place = nullptr;

// Files are the file rules' business; descriptors are those a process has or
// may open by them.
constexpr int kAllowed[] = {
    SCMP_SYS(access),
    SCMP_SYS(alarm),
    SCMP_SYS(brk),
    SCMP_SYS(clock_getres),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(copy_file_range),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(fadvise64),
    SCMP_SYS(fallocate),
    SCMP_SYS(fcntl),
    SCMP_SYS(fdatasync),
    SCMP_SYS(flock),
    SCMP_SYS(fstat),
    SCMP_SYS(fstatfs),
    SCMP_SYS(fsync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(futex),
    SCMP_SYS(getcpu),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(getegid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getpgid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getresgid),
    SCMP_SYS(getresuid),
    SCMP_SYS(getrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(getsid),
    SCMP_SYS(gettid),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getuid),
    SCMP_SYS(lseek),
    SCMP_SYS(lstat),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(memfd_create),
    SCMP_SYS(mincore),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(mmap),
    SCMP_SYS(mprotect),
    SCMP_SYS(mremap),
    SCMP_SYS(msync),
    SCMP_SYS(munmap),
    SCMP_SYS(nanosleep),
    SCMP_SYS(newfstatat),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(pause),
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(preadv2),
    SCMP_SYS(pselect6),
    SCMP_SYS(pwrite64),
    SCMP_SYS(pwritev),
    SCMP_SYS(pwritev2),
    SCMP_SYS(read),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(readv),
    SCMP_SYS(recvmsg),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rmdir),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(select),
    SCMP_SYS(sendmsg),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(setitimer),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(stat),
    SCMP_SYS(statfs),
    SCMP_SYS(statx),
    SCMP_SYS(sysinfo),
    SCMP_SYS(time),
    SCMP_SYS(times),
    SCMP_SYS(truncate),
    SCMP_SYS(umask),
    SCMP_SYS(uname),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(write),
    SCMP_SYS(writev),
};

// Refused without an end: libraries ask, and do without.
constexpr int kNotPermitted[] = {
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(mbind),
    SCMP_SYS(mlock),
    SCMP_SYS(prctl),
    SCMP_SYS(sched_setaffinity),
    SCMP_SYS(setpriority),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(utimensat),
};
constexpr int kUnknown[] = {
    SCMP_SYS(clone3),  // its flags cannot be seen; clone is tried next
    SCMP_SYS(openat2),
};

// Only for services that fork.
constexpr int kForForking[] = {
    SCMP_SYS(kill),      SCMP_SYS(prlimit64), SCMP_SYS(seccomp),
    SCMP_SYS(setrlimit), SCMP_SYS(wait4),     SCMP_SYS(waitid),
};

// The only flags with which a plain child is made.
constexpr uint64_t kPlainFork =
    CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID | 0xff;

// Ends whoever makes it, in every filter: no program of ours asks for it.
constexpr int kEndingCall = SCMP_SYS(kexec_load);

// Who has asked for what is forbidden ends by the call that always ends.
void OnForbidden(int /*signal*/, siginfo_t* info, void* /*context*/) {
  if (forbidden_place != nullptr) forbidden_place->number = info->si_syscall;
  syscall(SYS_kexec_load, 0, 0, nullptr, 0);
  _exit(128 + SIGSYS);
}

void CatchForbidden() {
  struct sigaction action{};
  action.sa_sigaction = OnForbidden;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSYS, &action, nullptr);
}

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_TRAP)) {
    Check(context_ == nullptr ? -ENOMEM : 0, "init");
    // As fast as the kernel can look calls up.
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    // Nothing secret is in reach of a speculating process.
    seccomp_attr_set(context_, SCMP_FLTATR_CTL_SSB, 1);
    Check(seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH,
                           SCMP_ACT_KILL_PROCESS),
          "other architectures");
  }
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  template <typename... Conditions>
  void Add(uint32_t action, int call, Conditions... conditions) {
    Check(seccomp_rule_add(context_, action, call, sizeof...(conditions),
                           conditions...),
          "a rule");
  }

  void Close() { Check(seccomp_load(context_), "load"); }

 private:
  static void Check(int result, const char* what) {
    if (result == 0) return;
    throw InternalError(
        fmt::format("[cage] seccomp: {}: {}", what, std::strerror(-result)));
  }

  scmp_filter_ctx context_;
};

sock_filter Statement(int code, uint32_t k) {
  return {static_cast<uint16_t>(code), 0, 0, k};
}
sock_filter Jump(int code, uint32_t k, int on_true, int on_false) {
  return {static_cast<uint16_t>(code), static_cast<uint8_t>(on_true),
          static_cast<uint8_t>(on_false), k};
}

constexpr int kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr int kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr int kReturn = BPF_RET | BPF_K;

}  // namespace

std::string NameOf(const ForbiddenCall& call) {
  const int number = call.number;
  if (number < 0) return "";
  char* name = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number);
  std::string text = name == nullptr ? fmt::format("number {}", number) : name;
  std::free(name);
  return text;
}

void SetForbiddenCallPlace(ForbiddenCall* place) {
  if (place != nullptr) place->number = -1;
  forbidden_place = place;
}
ForbiddenCall* ForbiddenCallPlace() { return forbidden_place; }

bool FilterIsAvailable() {
  const uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void EnterFilter(bool may_fork) {
  CatchForbidden();
  Filter filter;
  for (const int call : kAllowed) filter.Add(SCMP_ACT_ALLOW, call);
  for (const int call : kUnknown) filter.Add(SCMP_ACT_ERRNO(ENOSYS), call);
  for (const int call : kNotPermitted) {
    if (call != SCMP_SYS(prctl)) filter.Add(SCMP_ACT_ERRNO(EPERM), call);
  }
  // Nothing that a descriptor may be is a device to be controlled.
  filter.Add(SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl));
  for (const int option : {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE,
                           PR_SET_PDEATHSIG, PR_GET_PDEATHSIG}) {
    filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(prctl),
               SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(option)));
  }
  filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(rt_sigaction),
             SCMP_A0(SCMP_CMP_NE, SIGSYS));
  // Compilers ask for every signal, and do without.
  filter.Add(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(rt_sigaction),
             SCMP_A0(SCMP_CMP_EQ, SIGSYS));
  filter.Add(SCMP_ACT_KILL_PROCESS, kEndingCall);
  // An end by SIGKILL must mean that somebody else wanted it.
  if (may_fork) {
    for (const int call : kForForking) filter.Add(SCMP_ACT_ALLOW, call);
    filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill), SCMP_A2(SCMP_CMP_NE, SIGKILL));
    filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(clone),
               SCMP_A0(SCMP_CMP_MASKED_EQ, ~kPlainFork, 0));
  } else {
    filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(tgkill),
               SCMP_A0(SCMP_CMP_EQ, static_cast<scmp_datum_t>(getpid())),
               SCMP_A2(SCMP_CMP_NE, SIGKILL));
    filter.Add(SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), SCMP_A2(SCMP_CMP_EQ, 0));
  }
  filter.Close();
}

void EnterInnerFilter() {
  // Numbers of the machine's own architecture: the outer filter has ended all
  // others.
  constexpr uint32_t kForbid = SECCOMP_RET_TRAP;
  constexpr uint32_t kNumber = offsetof(seccomp_data, nr);
  constexpr auto argument = [](size_t index) {
    return static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * index);
  };
  constexpr long kNever[] = {SYS_clone,        SYS_kill,     SYS_wait4,
                             SYS_waitid,       SYS_seccomp,  SYS_setrlimit,
                             SYS_memfd_create, SYS_setitimer};
  std::vector<sock_filter> program;
  program.push_back(Statement(kLoad, kNumber));
  for (const long call : kNever) {
    program.push_back(Jump(kIfEqual, static_cast<uint32_t>(call), 0, 1));
    program.push_back(Statement(kReturn, kForbid));
  }
  // tgkill: itself only. prlimit64: to look only.
  program.push_back(Jump(kIfEqual, SYS_tgkill, 0, 4));
  program.push_back(Statement(kLoad, argument(0)));
  program.push_back(Jump(kIfEqual, static_cast<uint32_t>(getpid()), 1, 0));
  program.push_back(Statement(kReturn, kForbid));
  program.push_back(Statement(kReturn, SECCOMP_RET_ALLOW));
  program.push_back(Jump(kIfEqual, SYS_prlimit64, 0, 5));
  program.push_back(Statement(kLoad, argument(2)));
  program.push_back(Jump(kIfEqual, 0, 0, 2));
  program.push_back(Statement(kLoad, argument(2) + 4));
  program.push_back(Jump(kIfEqual, 0, 1, 0));
  program.push_back(Statement(kReturn, kForbid));
  // mmap: memory that is shared with nobody is counted.
  constexpr uint32_t kShared = MAP_SHARED | MAP_ANONYMOUS;
  program.push_back(Statement(kLoad, kNumber));
  program.push_back(Jump(kIfEqual, SYS_mmap, 0, 4));
  program.push_back(Statement(kLoad, argument(3)));
  program.push_back(Statement(BPF_ALU | BPF_AND | BPF_K, kShared));
  program.push_back(Jump(kIfEqual, kShared, 0, 1));
  program.push_back(Statement(kReturn, kForbid));
  program.push_back(Statement(kReturn, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()),
                          program.data()};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
              SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) != 0) {
    throw InternalError(
        fmt::format("[cage] the inner filter: {}", std::strerror(errno)));
  }
}

}  // namespace belay::guest
