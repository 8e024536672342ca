// SPDX-License-Identifier: Apache-2.0
#include "toolchain/guest_file_system.h"

#include <llvm/Support/MemoryBuffer.h>

#include <utility>

#include "toolchain/hash.h"
#include "toolchain/host_compiler.h"
#include "toolchain/raw_attributes.h"

namespace belay::toolchain {
namespace {

using llvm::ErrorOr;
using llvm::vfs::File;
using llvm::vfs::Status;

// A file whose text was read and perhaps changed, at the same length.
class ReadFile final : public File {
 public:
  ReadFile(Status status, std::unique_ptr<llvm::MemoryBuffer> text)
      : status_(std::move(status)), text_(std::move(text)) {}

  ErrorOr<Status> status() override { return status_; }
  ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(
      const llvm::Twine& name, int64_t, bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_->getBuffer(), name);
  }
  std::error_code close() override { return {}; }

 private:
  Status status_;
  std::unique_ptr<llvm::MemoryBuffer> text_;
};

bool AsksForTime(llvm::StringRef text) {
  return text.contains("__DATE__") || text.contains("__TIME__") ||
         text.contains("__TIMESTAMP__");
}

bool AsksCoreType(llvm::StringRef text) {
  return text.contains("g_coreType") || text.contains("ASCEND_IS_AI") ||
         text.contains("__DAV_C220_CUBE__") || text.contains("__DAV_CUBE__");
}

}  // namespace

GuestFileSystem::GuestFileSystem(std::string headers, InputFiles* record)
    : ProxyFileSystem(llvm::vfs::getRealFileSystem()),
      headers_(std::move(headers) + "/"),
      record_(record) {}

bool GuestFileSystem::IsUsers(llvm::StringRef path) const {
  return !path.starts_with(headers_) && !path.ends_with(".pch") &&
         !IsSystemHeader(path);
}

void GuestFileSystem::Note(const std::string& path, const Status& status) {
  if (status.isDirectory()) return;
  record_->stamps[path] = {status.getSize(),
                           status.getLastModificationTime().time_since_epoch() /
                               std::chrono::nanoseconds(1)};
}

ErrorOr<Status> GuestFileSystem::status(const llvm::Twine& path) {
  ErrorOr<Status> result = ProxyFileSystem::status(path);
  const std::string name = path.str();
  if (!result) {
    record_->absent.insert(name);
  } else if (!record_->contents.count(name)) {
    Note(name, *result);
  }
  return result;
}

ErrorOr<std::unique_ptr<File>> GuestFileSystem::openFileForRead(
    const llvm::Twine& path) {
  ErrorOr<std::unique_ptr<File>> file = ProxyFileSystem::openFileForRead(path);
  const std::string name = path.str();
  if (!file) {
    record_->absent.insert(name);
    return file;
  }
  const ErrorOr<Status> status = (*file)->status();
  if (!status) return status.getError();
  if (!IsUsers(name) || !status->isRegularFile()) {
    Note(name, *status);
    return file;
  }
  auto text = (*file)->getBuffer(path);
  if (!text) return text.getError();
  const llvm::StringRef original = (*text)->getBuffer();
  record_->stamps.erase(name);
  record_->contents[name] = HashOf(original);
  record_->depends_on_time |= AsksForTime(original);
  record_->asks_core_type |= AsksCoreType(original);
  if (const auto changed = ReplaceRawAttributes(original))
    *text = llvm::MemoryBuffer::getMemBufferCopy(*changed, name);
  return std::make_unique<ReadFile>(*status, std::move(*text));
}

}  // namespace belay::toolchain
