// SPDX-License-Identifier: Apache-2.0
#include "base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace belay {
namespace {

constexpr size_t kMostThreads = 8;

// The work of all numbers, each taken by the first thread that is free.
class Parts {
 public:
  Parts(size_t count, const std::function<void(size_t)>& work)
      : work_(work), done_(count), failures_(count) {}

  size_t size() const { return done_.size(); }
  // Nobody begins another part.
  void Stop() { next_ = size(); }

  // Does a part that nobody has begun; false if there is none.
  bool DoOne() {
    const size_t i = next_++;
    if (i >= size()) return false;
    try {
      work_(i);
    } catch (...) {
      failures_[i] = std::current_exception();
    }
    done_[i].store(true);
    done_[i].notify_all();
    return true;
  }

  // Does other parts, or waits, until this one is done. Throws its exception.
  void Finish(size_t i) {
    while (!done_[i].load()) {
      if (!DoOne()) done_[i].wait(false);
    }
    if (failures_[i] != nullptr) std::rethrow_exception(failures_[i]);
  }

 private:
  const std::function<void(size_t)>& work_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::atomic<bool>> done_;
  std::vector<std::exception_ptr> failures_;
};

}  // namespace

void InParallel(size_t count, const std::function<void(size_t)>& work,
                const std::function<void(size_t)>& take) {
  Parts parts(count, work);
  const size_t cores = std::thread::hardware_concurrency();
  const size_t threads = std::min({count, cores, kMostThreads});
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < threads) {
      others.emplace_back([&parts] {
        while (parts.DoOne()) {
        }
      });
    }
  } catch (const std::system_error&) {
    // Those that are there, and this one, do it.
  }
  try {
    for (size_t i = 0; i < count; ++i) {
      parts.Finish(i);
      take(i);
    }
  } catch (...) {
    parts.Stop();
    throw;
  }
}

void InParallel(size_t count, const std::function<void(size_t)>& work) {
  InParallel(count, work, [](size_t) {});
}

}  // namespace belay
