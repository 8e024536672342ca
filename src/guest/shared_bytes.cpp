// SPDX-License-Identifier: Apache-2.0
#include "guest/shared_bytes.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace belay::guest {

SharedBytes::SharedBytes(size_t bytes) : bytes_(std::max<size_t>(bytes, 1)) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw UserError(fmt::format("[run] no memory for {} bytes of results: {}",
                                bytes, std::strerror(errno)));
  }
  data_ = static_cast<std::byte*>(memory);
}

SharedBytes::~SharedBytes() { munmap(data_, bytes_); }

}  // namespace belay::guest
