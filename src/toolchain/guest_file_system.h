// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_GUEST_FILE_SYSTEM_H_
#define BELAY_TOOLCHAIN_GUEST_FILE_SYSTEM_H_

// The file system as the front end sees it: the real one, with raw attributes
// of the device language made readable in the user's files, and with a record
// of everything that was looked at.

#include <llvm/Support/VirtualFileSystem.h>

#include <string>

#include "toolchain/input_files.h"

namespace belay::toolchain {

class GuestFileSystem final : public llvm::vfs::ProxyFileSystem {
 public:
  // `headers` is Belay's include directory. Appends to `record`, which must
  // outlive this.
  GuestFileSystem(std::string headers, InputFiles* record);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override;

 private:
  bool IsUsers(llvm::StringRef path) const;
  void Note(const std::string& path, const llvm::vfs::Status& status);

  std::string headers_;
  InputFiles* record_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_GUEST_FILE_SYSTEM_H_
