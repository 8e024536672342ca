// SPDX-License-Identifier: Apache-2.0
#include "guest/namespaces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <string>

namespace belay::guest {
namespace {

constexpr int kNeeded = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
constexpr int kWelcome = CLONE_NEWUTS | CLONE_NEWNS;

bool WriteFile(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool ok =
      write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return ok;
}

// Who is not root may make namespaces inside one of users, where its own user
// and group stay what they are.
bool EnterUserNamespace() {
  const unsigned user = geteuid();
  const unsigned group = getegid();
  if (unshare(CLONE_NEWUSER) != 0) return false;
  return WriteFile("/proc/self/setgroups", "deny") &&
         WriteFile("/proc/self/uid_map", fmt::format("{0} {0} 1", user)) &&
         WriteFile("/proc/self/gid_map", fmt::format("{0} {0} 1", group));
}

}  // namespace

bool EnterNamespaces() {
  if (unshare(kNeeded) != 0) {
    if (!EnterUserNamespace() || unshare(kNeeded) != 0) return false;
  }
  if (unshare(kWelcome) == 0) {
    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  }
  return true;
}

void HideOtherProcesses() {
  mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

}  // namespace belay::guest
