// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_TASK_QUEUE_H_
#define BELAY_RUNS_TASK_QUEUE_H_

// Which sample a worker takes next: one of the task it has just judged, whose
// truths it holds, or one of the task with the most to do that nobody is on, so
// that no worker is left alone with a long one at the end.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace belay::runs {

class TaskQueue {
 public:
  // What a sample of the task costs, in any unit; 1 unless told.
  void SetCost(const std::string& task, double cost) { costs_[task] = cost; }

  void Add(const std::string& task, size_t sample) {
    waiting_[task].push_back(sample);
    ++size_;
  }
  // One that is to be tried again goes first.
  void AddAgain(const std::string& task, size_t sample) {
    waiting_[task].push_front(sample);
    ++size_;
  }

  bool empty() const { return size_ == 0; }

  // `own` is the worker's last task, `busy` those of the others.
  std::optional<size_t> Take(const std::string& own,
                             const std::multiset<std::string>& busy) {
    auto best = waiting_.find(own);
    if (best == waiting_.end()) {
      double most = 0;
      bool best_is_free = false;
      for (auto one = waiting_.begin(); one != waiting_.end(); ++one) {
        const bool free = !busy.contains(one->first);
        if (free < best_is_free) continue;
        const double work = WorkOf(one->first, one->second.size());
        if (free == best_is_free && work <= most) continue;
        best = one;
        best_is_free = free;
        most = work;
      }
    }
    if (best == waiting_.end()) return std::nullopt;
    const size_t sample = best->second.front();
    best->second.pop_front();
    --size_;
    if (best->second.empty()) waiting_.erase(best);
    return sample;
  }

 private:
  double WorkOf(const std::string& task, size_t samples) const {
    const auto cost = costs_.find(task);
    return static_cast<double>(samples) *
           (cost == costs_.end() ? 1 : cost->second);
  }

  std::map<std::string, double> costs_;
  std::map<std::string, std::deque<size_t>> waiting_;  // never an empty one
  size_t size_ = 0;
};

}  // namespace belay::runs

#endif  // BELAY_RUNS_TASK_QUEUE_H_
