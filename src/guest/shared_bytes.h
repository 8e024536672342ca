// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_SHARED_BYTES_H_
#define BELAY_GUEST_SHARED_BYTES_H_

// Memory that a process and the children it starts later share.

#include <cstddef>

namespace belay::guest {

class SharedBytes {
 public:
  // All zero. Throws UserError when there is not so much memory.
  explicit SharedBytes(size_t bytes);
  ~SharedBytes();
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;

  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  size_t bytes_;
};

}  // namespace belay::guest

#endif  // BELAY_GUEST_SHARED_BYTES_H_
