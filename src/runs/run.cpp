// SPDX-License-Identifier: Apache-2.0
#include "runs/run.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "bench/case.h"
#include "runs/store.h"

namespace belay::runs {
namespace {

using nlohmann::json;

// A call costs as much as so many elements, however few it has.
constexpr double kElementsOfACall = 100'000;

class RunUnderWay {
 public:
  RunUnderWay(const RunPlan& plan, Progress& progress)
      : plan_(plan), progress_(progress), store_(plan.store) {
    for (const bench::Task* task : plan.tasks) tasks_[task->id] = task;
    results_.resize(plan.samples.size());
    for (size_t i = 0; i < plan.samples.size(); ++i) {
      const Sample& sample = plan.samples[i];
      keys_.push_back(KeyOf(sample, TaskOf(sample).hash, plan.conditions));
      alike_[keys_.back()].push_back(i);
    }
  }

  RunEnd Execute(Nursery& nursery, const std::atomic<bool>& stop) {
    RunEnd end;
    std::vector<size_t> todo;
    for (const auto& [key, samples] : alike_) {
      if (const std::optional<StoredVerdict> known = store_.Find(key)) {
        end.reused += samples.size();
        for (const size_t sample : samples) Take(sample, *known);
      } else {
        todo.push_back(samples.front());
      }
    }
    std::ranges::sort(todo);
    progress_.Begin(plan_.samples.size(), end.reused);
    PipelineEvents events;
    events.ended = [&](size_t sample, const SampleEnd& how) {
      Ended(sample, how);
    };
    events.tick = [&] { progress_.Tick(); };
    if (!todo.empty()) {
      PipelineOptions options = plan_.pipeline;
      for (const size_t sample : todo) AddCost(plan_.samples[sample], options);
      RunPipeline(nursery, plan_.samples, todo, options, events, stop);
    }
    end.interrupted = stop;
    for (std::optional<Result>& result : results_) {
      if (!result) continue;
      end.infrastructure +=
          result->verdict.outcome == judge::Outcome::kInfrastructure;
      end.results.push_back(std::move(*result));
    }
    return end;
  }

 private:
  const bench::Task& TaskOf(const Sample& sample) const {
    const auto found = tasks_.find(sample.task);
    if (found == tasks_.end()) {
      throw UserError("[run] the suite has no task '" + sample.task +
                      "' any more");
    }
    return *found->second;
  }

  // The elements of the cases that are run with values; a call with few has
  // its cost, too.
  void AddCost(const Sample& sample, PipelineOptions& options) const {
    if (options.costs.contains(sample.task)) return;
    const bench::Task& task = TaskOf(sample);
    double cost = 1;
    for (const bench::Case& one : bench::ExpandCases(task)) {
      const int64_t elements = bench::ElementsOf(task, one);
      if (elements > plan_.conditions.judge.most_elements) continue;
      cost += static_cast<double>(elements) + kElementsOfACall;
    }
    options.costs[sample.task] = cost;
  }

  // Names do not count for the key: each sample has its own.
  void Take(size_t sample, const StoredVerdict& stored) {
    Result result;
    result.sample = plan_.samples[sample];
    json::parse(stored.verdict).get_to(result.verdict);
    json::parse(stored.extras).get_to(result.extras);
    result.verdict.candidate_name = result.sample.candidate.name;
    result.attempts = stored.attempts;
    results_[sample] = std::move(result);
  }

  void TakeTrouble(size_t sample, const SampleEnd& how) {
    Result result;
    result.sample = plan_.samples[sample];
    if (!how.verdict.empty()) json::parse(how.verdict).get_to(result.verdict);
    result.verdict = TroubleVerdict(result.sample, TaskOf(result.sample),
                                    result.verdict, how.trouble);
    const judge::JudgeOptions& judge = plan_.conditions.judge;
    result.verdict.chip = judge.chip;
    result.verdict.protocol = judge.protocol;
    result.verdict.cage = plan_.conditions.cage;
    result.verdict.belay = plan_.conditions.version;
    result.verdict.public_seed = judge.seeds.public_seed;
    result.attempts = how.attempts;
    results_[sample] = std::move(result);
  }

  void Ended(size_t first, const SampleEnd& how) {
    const StoredVerdict stored{how.verdict, how.extras, how.attempts};
    if (how.trouble.empty()) store_.Put(keys_[first], stored);
    for (const size_t sample : alike_.at(keys_[first])) {
      if (how.trouble.empty()) {
        Take(sample, stored);
      } else {
        TakeTrouble(sample, how);
      }
      progress_.Ended(*results_[sample]);
    }
  }

  const RunPlan& plan_;
  Progress& progress_;
  Store store_;
  std::map<std::string, const bench::Task*> tasks_;
  std::vector<std::string> keys_;
  std::map<std::string, std::vector<size_t>> alike_;  // by key
  std::vector<std::optional<Result>> results_;
};

}  // namespace

RunEnd ExecuteRun(Nursery& nursery, const RunPlan& plan, Progress& progress,
                  const std::atomic<bool>& stop) {
  return RunUnderWay(plan, progress).Execute(nursery, stop);
}

}  // namespace belay::runs
