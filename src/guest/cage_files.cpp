// SPDX-License-Identifier: Apache-2.0
#include "guest/cage_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.h"
#include "guest/channel.h"

namespace belay::guest {
namespace {

// The kernel's interface by numbers of its documentation: the headers a
// machine has may be older than its kernel.
enum FileRight : uint64_t {
  kExecute = 1 << 0,
  kWriteFile = 1 << 1,
  kReadFile = 1 << 2,
  kReadFolder = 1 << 3,
  kUntilReparent = (1 << 13) - 1,  // all rights of version 1
  kReparent = 1 << 13,             // version 2
  kTruncate = 1 << 14,             // version 3
  kDeviceControl = 1 << 15,        // version 5
};
// Making devices, sockets, pipes and links is nobody's business.
constexpr uint64_t kMakeFolder = 1 << 7;
constexpr uint64_t kMakeFile = 1 << 8;
constexpr uint64_t kRemoveFolder = 1 << 4;
constexpr uint64_t kRemoveFile = 1 << 5;
constexpr uint64_t kAnyNetwork = 3;  // version 4: bind and connect by TCP
constexpr uint64_t kAnyScope = 3;    // version 6: abstract sockets, signals

constexpr uint64_t kRead = kReadFile | kReadFolder;
constexpr uint64_t kWrite = kRead | kWriteFile | kMakeFolder | kMakeFile |
                            kRemoveFolder | kRemoveFile | kReparent | kTruncate;
constexpr uint64_t kOnFiles = kExecute | kWriteFile | kReadFile | kTruncate;

struct Ruleset {
  uint64_t files = 0;
  uint64_t network = 0;
  uint64_t scope = 0;
};

int Version() {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0,
                                  LANDLOCK_CREATE_RULESET_VERSION));
}

[[noreturn]] void Fail(const std::string& what) {
  throw InternalError(
      fmt::format("[cage] landlock: {}: {}", what, std::strerror(errno)));
}

// False where there is no such file.
bool Allow(int ruleset, const std::string& path, uint64_t rights) {
  const Descriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) return false;
  struct stat about{};
  if (fstat(place.get(), &about) != 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = S_ISDIR(about.st_mode) ? rights : rights & kOnFiles;
  rule.parent_fd = place.get();
  if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
              0) != 0) {
    Fail("no rule for " + path);
  }
  return true;
}

}  // namespace

bool FileRulesAreAvailable() { return Version() >= 1; }

void EnterFileRules(const std::vector<std::string>& readable,
                    const std::vector<std::string>& writable) {
  const int version = Version();
  Ruleset rules;
  rules.files = kUntilReparent;
  if (version >= 2) rules.files |= kReparent;
  if (version >= 3) rules.files |= kTruncate;
  if (version >= 5) rules.files |= kDeviceControl;
  size_t size = sizeof rules.files;
  if (version >= 4) {
    rules.network = kAnyNetwork;
    size += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scope = kAnyScope;
    size += sizeof rules.scope;
  }
  const Descriptor ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, size, 0)));
  if (!ruleset.valid()) Fail("no set of rules");
  for (const std::string& path : readable) {
    Allow(ruleset.get(), path, kRead & rules.files);
  }
  for (const std::string& path : writable) {
    if (!Allow(ruleset.get(), path, kWrite & rules.files)) {
      Fail("cannot be written: " + path);
    }
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    Fail("cannot be closed");
  }
}

}  // namespace belay::guest
