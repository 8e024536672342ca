// SPDX-License-Identifier: Apache-2.0
#include "base/in_parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace belay {
namespace {

constexpr size_t kMostThreads = 8;

using Work = std::function<void(size_t begin, size_t end)>;
using OneByOne = std::function<void(size_t)>;

// The work of all numbers, each taken by the first thread that is free: of
// those left, one in `shares`, or a single one.
class Parts {
 public:
  Parts(size_t count, size_t shares, const Work& work)
      : shares_(shares), work_(work), failures_(count) {}

  size_t size() const { return failures_.size(); }

  // Does a part that nobody has begun; false if there is none, or none that
  // matters.
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
      next_ = size();
    }
    return true;
  }

  // When all threads are done: the exception of the lowest number.
  void Rethrow() const {
    for (const std::exception_ptr& failure : failures_) {
      if (failure != nullptr) std::rethrow_exception(failure);
    }
  }

 private:
  const size_t shares_;
  const Work& work_;
  std::atomic<size_t> next_ = 0;
  std::vector<std::exception_ptr> failures_;
};

size_t ThreadsFor(size_t count) {
  // To be told takes a system call or three.
  static const size_t cores = std::thread::hardware_concurrency();
  return std::max<size_t>(std::min({count, cores, kMostThreads}), 1);
}

// Calls `work` in this thread and in others beside it.
void InThreads(size_t threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  try {
    while (others.size() + 1 < threads) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Those that are there, and this one, do it.
  }
  work();
}

void Do(Parts& parts) {
  InThreads(ThreadsFor(parts.size()), [&] {
    while (parts.DoOne()) {
    }
  });
  parts.Rethrow();
}

// The numbers of InChains on their way.
class Chains {
 public:
  Chains(const std::vector<std::vector<size_t>>& chains, const OneByOne& work,
         const OneByOne& take)
      : work_(work), take_(take) {
    size_t count = 0;
    for (const std::vector<size_t>& numbers : chains) {
      chains_.push_back({numbers});
      count += numbers.size();
    }
    worked_.resize(count);
  }

  size_t size() const { return worked_.size(); }

  // Until nothing is left to do, in each thread. What a chain waits for comes
  // before the work of other numbers.
  void Run() {
    std::unique_lock lock(mutex_);
    while (failure_ == nullptr) {
      if (Chain* const chain = Ready(); chain != nullptr) {
        chain->taking = true;
        Call(take_, chain->numbers[chain->next], lock);
        chain->taking = false;
        ++chain->next;
      } else if (next_work_ < size()) {
        const size_t number = next_work_++;
        Call(work_, number, lock);
        worked_[number] = true;
      } else if (std::all_of(chains_.begin(), chains_.end(), HasEnded)) {
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  void Rethrow() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  struct Chain {
    const std::vector<size_t>& numbers;
    size_t next = 0;  // to be taken, or being taken
    bool taking = false;
  };

  static bool HasEnded(const Chain& chain) {
    return chain.next == chain.numbers.size();
  }

  Chain* Ready() {
    const auto ready =
        std::find_if(chains_.begin(), chains_.end(), [&](const Chain& chain) {
          return !chain.taking && !HasEnded(chain) &&
                 worked_[chain.numbers[chain.next]];
        });
    return ready == chains_.end() ? nullptr : &*ready;
  }

  void Call(const OneByOne& step, size_t number,
            std::unique_lock<std::mutex>& lock) {
    std::exception_ptr failure;
    lock.unlock();
    try {
      step(number);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure != nullptr &&
        (failure_ == nullptr || number < number_of_failure_)) {
      failure_ = failure;
      number_of_failure_ = number;
    }
    changed_.notify_all();
  }

  const OneByOne& work_;
  const OneByOne& take_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::vector<Chain> chains_;
  std::vector<bool> worked_;  // by number
  size_t next_work_ = 0;
  std::exception_ptr failure_;
  size_t number_of_failure_ = 0;
};

}  // namespace

void InParallel(size_t count, const OneByOne& work) {
  const Work each = [&](size_t begin, size_t) { work(begin); };
  Parts parts(count, std::max<size_t>(count, 1), each);
  Do(parts);
}

void InRanges(size_t count, const Work& work) {
  Parts parts(count, ThreadsFor(count) + 1, work);
  Do(parts);
}

void InChains(const std::vector<std::vector<size_t>>& chains,
              const OneByOne& work, const OneByOne& take) {
  Chains all(chains, work, take);
  InThreads(ThreadsFor(all.size()), [&] { all.Run(); });
  all.Rethrow();
}

}  // namespace belay
