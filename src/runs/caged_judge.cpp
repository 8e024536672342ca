// SPDX-License-Identifier: Apache-2.0
// The judge that workers of `belay bench` use.

#include <cstdlib>
#include <deque>
#include <map>

#include "base/error.h"
#include "bench/suite.h"
#include "guest/broker.h"
#include "runs/worker.h"

namespace belay::runs {
namespace {

using nlohmann::json;

class CagedJudge : public SampleJudge {
 public:
  CagedJudge() {
    judge::RegisterOperatorServices();
    judge::RegisterCruxServices();
    broker_ = guest::StartBroker();
    judge_ = std::make_unique<judge::Judge>(*broker_);
  }

  void Setup(const json& how, const std::string& secret) override {
    how.at("protocol").get_to(options_.protocol);
    how.at("chip").get_to(options_.chip);
    options_.last = judge::ParseStage(how.at("last").get<std::string>())
                        .value_or(judge::Stage::kPerformance);
    how.at("fail_fast").get_to(options_.fail_fast);
    how.at("most_elements").get_to(options_.most_elements);
    how.at("public_seed").get_to(options_.seeds.public_seed);
    options_.seeds.secret = secret;
    judge::Limits& limits = options_.limits;
    how.at("compile_seconds").get_to(limits.compile_seconds);
    how.at("tiling_seconds").get_to(limits.tiling_seconds);
    how.at("run_seconds").get_to(limits.run_seconds);
    how.at("memory_bytes").get_to(limits.memory_bytes);
    setenv("TMPDIR", how.at("scratch").get<std::string>().c_str(), 1);
    const std::string suite = how.at("suite").get<std::string>();
    suite_ =
        suite.empty() ? bench::LoadShippedSuite() : bench::LoadSuite(suite);
    for (const bench::Task& task : suite_.tasks) tasks_[task.id] = &task;
    for (const json& folder : how.at("loose")) {
      loose_.push_back(bench::LoadTask(folder.get<std::string>()));
      tasks_[loose_.back().id] = &loose_.back();
    }
  }

  judge::Verdict Try(const Sample& sample, judge::Extras& extras,
                     const std::function<void(const judge::JudgeProgress&)>&
                         progress) override {
    const auto task = tasks_.find(sample.task);
    if (task == tasks_.end()) {
      throw InternalError("[bench] a worker does not know the task " +
                          sample.task);
    }
    judge::JudgeOptions options = options_;
    options.only_case = sample.only_case;
    return judge_->Try(*task->second, sample.candidate, options, &extras,
                       progress);
  }

 private:
  // In this order: the broker outlives the judge, the tasks, too.
  std::unique_ptr<guest::Broker> broker_;
  bench::Suite suite_;
  std::deque<bench::Task> loose_;
  std::map<std::string, const bench::Task*> tasks_;
  judge::JudgeOptions options_;
  std::unique_ptr<judge::Judge> judge_;
};

}  // namespace

std::unique_ptr<SampleJudge> MakeCagedJudge() {
  return std::make_unique<CagedJudge>();
}

json JudgeSetup(const judge::JudgeOptions& options, const std::string& suite,
                const std::vector<std::string>& loose,
                const std::string& scratch) {
  return {{"protocol", options.protocol},
          {"chip", options.chip},
          {"last", NameOf(options.last)},
          {"fail_fast", options.fail_fast},
          {"most_elements", options.most_elements},
          {"public_seed", options.seeds.public_seed},
          {"compile_seconds", options.limits.compile_seconds},
          {"tiling_seconds", options.limits.tiling_seconds},
          {"run_seconds", options.limits.run_seconds},
          {"memory_bytes", options.limits.memory_bytes},
          {"suite", suite},
          {"loose", loose},
          {"scratch", scratch}};
}

}  // namespace belay::runs
