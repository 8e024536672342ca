// SPDX-License-Identifier: Apache-2.0
#include "npu/poisoned_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "npu/on_chip_memory.h"

namespace belay::npu {
namespace {

constexpr uint64_t kPoisonFileBytes = 4 << 20;

// An anonymous file of poison that nobody can write to any more; -1 where there
// is none. Children that are forked later share it.
int MakePoisonFile() {
  const int file =
      memfd_create("belay-poison", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  void* memory = MAP_FAILED;
  if (ftruncate(file, kPoisonFileBytes) == 0) {
    memory = mmap(nullptr, kPoisonFileBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                  file, 0);
  }
  if (memory != MAP_FAILED) {
    std::memset(memory, kPoison, kPoisonFileBytes);
    munmap(memory, kPoisonFileBytes);
    const int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (fcntl(file, F_ADD_SEALS, seals) == 0) return file;
  }
  close(file);
  return -1;
}

// The file of this process and of those it is forked from. Who closes all that
// he inherits closes it, too: a forked process looks whether it is still there.
class PoisonFile {
 public:
  int Get() {
    if (owner_ == getpid()) return file_;
    owner_ = getpid();
    struct stat now{};
    if (file_ >= 0 && fstat(file_, &now) == 0 &&
        now.st_ino == identity_.st_ino && now.st_dev == identity_.st_dev) {
      return file_;
    }
    file_ = MakePoisonFile();
    if (file_ >= 0) fstat(file_, &identity_);
    return file_;
  }

 private:
  int file_ = -1;
  pid_t owner_ = 0;
  struct stat identity_{};
};

PoisonFile poison_file;

}  // namespace

void PreparePoisonedPages() { poison_file.Get(); }

bool MapPoisoned(uint64_t address, uint64_t bytes) {
  const int file = poison_file.Get();
  if (file < 0) return false;
  for (uint64_t done = 0; done < bytes; done += kPoisonFileBytes) {
    void* at = reinterpret_cast<void*>(address + done);
    if (mmap(at, std::min(kPoisonFileBytes, bytes - done),
             PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
             file, 0) != at) {
      return false;
    }
  }
  return true;
}

}  // namespace belay::npu
