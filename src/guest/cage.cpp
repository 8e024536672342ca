// SPDX-License-Identifier: Apache-2.0
#include "guest/cage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "guest/cage_files.h"
#include "guest/cage_filter.h"
#include "guest/namespaces.h"

namespace belay::guest {
namespace {

constexpr rlim_t kMostOpenFiles = 256;

bool NamespacesAreAvailable() {
  const pid_t probe = fork();
  if (probe == 0) _exit(EnterNamespaces() ? 0 : 1);
  int status = 0;
  return probe > 0 && waitpid(probe, &status, 0) == probe &&
         WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Soft and hard. What was lower before stays.
void Limit(decltype(RLIMIT_CPU) what, const char* name, rlim_t soft,
           rlim_t hard) {
  rlimit now{};
  getrlimit(what, &now);
  const rlimit limit{std::min(soft, now.rlim_max),
                     std::min(hard, now.rlim_max)};
  if (setrlimit(what, &limit) != 0) {
    throw InternalError(fmt::format("[cage] the limit {} cannot be set: {}",
                                    name, std::strerror(errno)));
  }
}

// Of address space, now.
uint64_t MappedBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  unsigned long long pages = 0;
  if (file == nullptr || std::fscanf(file, "%llu", &pages) != 1) {
    throw InternalError("[cage] /proc/self/statm cannot be read");
  }
  std::fclose(file);
  return pages * static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
}

// When memory is short, let it be this one.
void OfferToOutOfMemoryKiller() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t ignored = write(fd, "1000", 4);
  close(fd);
}

void LimitTime(double cpu_seconds) {
  // The soft limit's signal can be caught, the hard one's cannot.
  const auto seconds =
      static_cast<rlim_t>(std::max(1.0, std::ceil(cpu_seconds)));
  Limit(RLIMIT_CPU, "of processor time", seconds, seconds + 1);
}

void SetLimits(const CageOptions& options) {
  const CageLimits& limits = options.limits;
  LimitTime(limits.cpu_seconds);
  const rlim_t memory = MappedBytes() + limits.memory_bytes;
  Limit(RLIMIT_AS, "of memory", memory, memory);
  Limit(RLIMIT_FSIZE, "of files", limits.file_bytes, limits.file_bytes);
  Limit(RLIMIT_STACK, "of the stack", limits.stack_bytes, limits.stack_bytes);
  Limit(RLIMIT_CORE, "of core files", 0, 0);
  Limit(RLIMIT_NOFILE, "of open files", kMostOpenFiles, kMostOpenFiles);
  Limit(RLIMIT_MSGQUEUE, "of message queues", 0, 0);
  Limit(RLIMIT_MEMLOCK, "of locked memory", 0, 0);
  if (!options.may_fork) Limit(RLIMIT_NPROC, "of processes", 0, 0);
}

void DropPrivileges() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(SYS_capset, &header, none) != 0 ||
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
    throw InternalError(fmt::format("[cage] privileges cannot be dropped: {}",
                                    std::strerror(errno)));
  }
}

}  // namespace

std::string CageStrength::ToText() const {
  std::string text;
  const auto add = [&](bool has, const char* name) {
    if (!has) return;
    if (!text.empty()) text += ", ";
    text += name;
  };
  add(seccomp, "seccomp");
  add(landlock, "landlock");
  add(namespaces, "namespaces");
  return text.empty() ? "limits only" : text;
}

CageStrength AvailableCage() {
  static const CageStrength strength = [] {
    CageStrength found;
    found.seccomp = FilterIsAvailable();
    found.landlock = FileRulesAreAvailable();
    found.namespaces = NamespacesAreAvailable();
    return found;
  }();
  return strength;
}

void EnterCage(const CageOptions& options) {
  OfferToOutOfMemoryKiller();
  const CageStrength strength = AvailableCage();
  SetLimits(options);
  DropPrivileges();
  if (strength.landlock) EnterFileRules(options.readable, options.writable);
  if (strength.seccomp) EnterFilter(options.may_fork);
}

void EnterInnerCage(double cpu_seconds) {
  // A fork begins with no processor time used.
  LimitTime(cpu_seconds);
  if (AvailableCage().seccomp) EnterInnerFilter();
}

std::string LastForbiddenCall() {
  const ForbiddenCall* place = ForbiddenCallPlace();
  return place == nullptr ? "" : NameOf(*place);
}

std::vector<std::string> SystemLibraries() {
  return {"/dev/null", "/dev/urandom", "/dev/zero",  "/etc/ld.so.cache", "/lib",
          "/lib64",    "/usr/lib",     "/usr/lib64", "/usr/local/lib"};
}

std::vector<std::string> SystemHeaders() { return {"/usr/include"}; }

}  // namespace belay::guest
