// SPDX-License-Identifier: Apache-2.0
#include "base/small_blocks.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

#ifdef BELAY_PLAIN_NEW

void belay::UseSmallBlocks() {}

#else

namespace belay {
namespace {

constexpr size_t kStep = 16;  // sizes of blocks are multiples of it
constexpr size_t kLargest = 512;
constexpr size_t kSizes = kLargest / kStep;
constexpr size_t kRoom = size_t{1} << 30;   // reserved, used as needed
constexpr size_t kChunk = size_t{1} << 16;  // has blocks of one size only
// What a thread takes at a time, and half of what it keeps.
constexpr size_t kBatch = size_t{1} << 13;

// One that nobody uses.
struct Block {
  explicit Block(Block* behind) : next(behind) {}

  Block* next;       // of its list
  Block* next_list;  // of the first of a list, in SharedLists
};
static_assert(sizeof(Block) <= kStep);

constexpr size_t SizeAt(size_t which) { return (which + 1) * kStep; }
constexpr int64_t MostKept(size_t which) {
  return static_cast<int64_t>(2 * kBatch / SizeAt(which));
}
static_assert(MostKept(kSizes - 1) > 1);

// Where blocks lie. Until it is reserved no address is in it.
constexpr uintptr_t kNoRoom = ~uintptr_t{kRoom - 1};
constinit uintptr_t room = kNoRoom;
std::array<uint8_t, kRoom / kChunk> size_of_chunk;  // which, by chunk

// Lists that no thread has.
class SharedLists {
 public:
  // Null: there is no room left.
  Block* Take(size_t which) {
    const std::lock_guard lock(mutex_);
    if (Block* const list = lists_[which]; list != nullptr) {
      lists_[which] = list->next_list;
      return list;
    }
    return Made(which);
  }

  void Give(size_t which, Block* list) {
    const std::lock_guard lock(mutex_);
    list->next_list = lists_[which];
    lists_[which] = list;
  }

 private:
  struct Rest {  // of the last chunk for a size
    std::byte* begin = nullptr;
    std::byte* end = nullptr;
  };

  Block* Made(size_t which) {
    const size_t size = SizeAt(which);
    Rest& rest = rests_[which];
    if (static_cast<size_t>(rest.end - rest.begin) < size) {
      if (used_ == kRoom) return nullptr;
      size_of_chunk[used_ / kChunk] = static_cast<uint8_t>(which);
      auto* const chunk = reinterpret_cast<std::byte*>(room + used_);
      rest = {chunk, chunk + kChunk};
      used_ += kChunk;
    }
    const size_t count =
        std::min(kBatch, static_cast<size_t>(rest.end - rest.begin)) / size;
    Block* list = nullptr;
    for (size_t i = count; i > 0; --i) {
      list = new (rest.begin + (i - 1) * size) Block(list);
    }
    rest.begin += count * size;
    return list;
  }

  std::mutex mutex_;
  std::array<Block*, kSizes> lists_ = {};
  std::array<Rest, kSizes> rests_ = {};
  size_t used_ = 0;
};
constinit SharedLists shared;

// Those of a thread. Plain data: blocks are taken and given while others of its
// objects are destroyed.
struct OwnLists {
  std::array<Block*, kSizes> first = {};
  // How many more a list may get, about; 0 as well where it never had one.
  std::array<int64_t, kSizes> left = {};
};
[[gnu::tls_model("initial-exec")]]  // it is in a program, not in a library
constinit thread_local OwnLists own;

// Shares a thread's lists when it ends.
struct AtEnd {
  ~AtEnd() {
    for (size_t which = 0; which < kSizes; ++which) {
      if (own.first[which] == nullptr) continue;
      shared.Give(which, own.first[which]);
      own.first[which] = nullptr;
    }
  }
  bool armed = false;
};
thread_local AtEnd at_end;

[[gnu::noinline]] void* FromMalloc(size_t size) {
  for (;;) {
    if (void* const block = std::malloc(std::max<size_t>(size, 1))) {
      return block;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// Where the thread's list is empty.
[[gnu::noinline]] void* FromShared(size_t size) {
  if (room == kNoRoom) return FromMalloc(size);
  at_end.armed = true;
  const size_t which = (size - 1) / kStep;
  Block* const list = shared.Take(which);
  if (list == nullptr) return FromMalloc(size);
  own.first[which] = list->next;
  own.left[which] =
      MostKept(which) + 1 - static_cast<int64_t>(kBatch / SizeAt(which));
  return list;
}

// Where the thread's list has got its last block, or its first one.
[[gnu::noinline]] void ToShared(size_t which) {
  at_end.armed = true;
  own.left[which] = MostKept(which);
  if (own.first[which]->next == nullptr) {
    --own.left[which];
    return;
  }
  shared.Give(which, own.first[which]);
  own.first[which] = nullptr;
}

inline void* Taken(size_t size) {
  if (size - 1 >= kLargest) return FromMalloc(size);
  const size_t which = (size - 1) / kStep;
  Block* const block = own.first[which];
  if (block == nullptr) return FromShared(size);
  own.first[which] = block->next;
  __builtin_prefetch(block->next, 1);  // the next call reads it
  ++own.left[which];
  return block;
}

inline void Given(void* memory) {
  const uintptr_t at = reinterpret_cast<uintptr_t>(memory) - room;
  if (at >= kRoom) return std::free(memory);
  const size_t which = size_of_chunk[at / kChunk];
  own.first[which] = new (memory) Block(own.first[which]);
  if (--own.left[which] < 0) ToShared(which);
}

}  // namespace

void UseSmallBlocks() {
  void* const reserved =
      mmap(nullptr, kRoom, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return;
  // Pages that are touched for the first time are most of what a short run
  // takes; where there are no large ones, small ones do.
  madvise(reserved, kRoom, MADV_HUGEPAGE);
  room = reinterpret_cast<uintptr_t>(reserved);
}

}  // namespace belay

void* operator new(size_t size) { return belay::Taken(size); }
void operator delete(void* memory) noexcept { belay::Given(memory); }
void operator delete(void* memory, size_t) noexcept { belay::Given(memory); }

#endif
