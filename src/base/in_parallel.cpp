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

using Work = std::function<void(size_t begin, size_t end)>;
using Take = std::function<void(size_t)>;

// The work of all numbers, each taken by the first thread that is free: of
// those left, one in `shares`, or a single one.
class Parts {
 public:
  Parts(size_t count, size_t shares, const Work& work)
      : shares_(shares), work_(work), done_(count), failures_(count) {}

  size_t size() const { return done_.size(); }
  // Nobody begins another part.
  void Stop() { next_ = size(); }

  // Does a part that nobody has begun; false if there is none.
  bool DoOne() {
    size_t begin = next_;
    size_t end = begin;
    do {
      if (begin >= size()) return false;
      end = begin + std::max<size_t>((size() - begin) / shares_, 1);
    } while (!next_.compare_exchange_weak(begin, end));
    try {
      work_(begin, end);
    } catch (...) {
      failures_[begin] = std::current_exception();
    }
    for (size_t i = begin; i < end; ++i) {
      done_[i].store(true);
      done_[i].notify_all();
    }
    return true;
  }

  // Does other parts, or waits, until this number is done. Throws the exception
  // of the part that it is the first of.
  void Finish(size_t i) {
    while (!done_[i].load()) {
      if (!DoOne()) done_[i].wait(false);
    }
    if (failures_[i] != nullptr) std::rethrow_exception(failures_[i]);
  }

 private:
  const size_t shares_;
  const Work& work_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::atomic<bool>> done_;
  std::vector<std::exception_ptr> failures_;
};

size_t ThreadsFor(size_t count) {
  const size_t cores = std::thread::hardware_concurrency();
  return std::max<size_t>(std::min({count, cores, kMostThreads}), 1);
}

void Do(Parts& parts, const Take& take) {
  const size_t threads = ThreadsFor(parts.size());
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
    for (size_t i = 0; i < parts.size(); ++i) {
      parts.Finish(i);
      take(i);
    }
  } catch (...) {
    parts.Stop();
    throw;
  }
}

}  // namespace

void InParallel(size_t count, const std::function<void(size_t)>& work) {
  const Work each = [&](size_t begin, size_t) { work(begin); };
  Parts parts(count, std::max<size_t>(count, 1), each);
  Do(parts, [](size_t) {});
}

void InRanges(size_t count, const Work& work, const Take& take) {
  Parts parts(count, 4 * ThreadsFor(count), work);
  Do(parts, take);
}

void InRanges(size_t count, const Work& work) {
  Parts parts(count, ThreadsFor(count) + 1, work);
  Do(parts, [](size_t) {});
}

}  // namespace belay
