// SPDX-License-Identifier: Apache-2.0
// What does not depend on candidates: operators of eager(), needs of tasks.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "base/error.h"
#include "clock/bound.h"
#include "clock/cube_work.h"
#include "judge/eager_operators.h"
#include "judge/performance.h"
#include "judge/task_needs.h"
#include "toolchain/compile_cache.h"

namespace belay::judge {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Of what is kept: another one when the way to find it changes.
constexpr int kModelVersion = 2;

json ToJson(const EagerOperator& one) {
  return {{"name", one.name},
          {"bytes_read", one.bytes_read},
          {"bytes_written", one.bytes_written},
          {"vector_bytes", one.vector_bytes},
          {"cube_flops", one.cube_flops},
          {"cube_dtype", NameOf(one.cube_dtype)}};
}

EagerOperator OperatorOf(const json& value) {
  EagerOperator one;
  value.at("name").get_to(one.name);
  value.at("bytes_read").get_to(one.bytes_read);
  value.at("bytes_written").get_to(one.bytes_written);
  value.at("vector_bytes").get_to(one.vector_bytes);
  value.at("cube_flops").get_to(one.cube_flops);
  one.cube_dtype = ParseDType(value.at("cube_dtype").get<std::string>())
                       .value_or(DType::kNone);
  return one;
}

json ToJson(const EagerList& list) {
  json operators = json::array();
  for (const EagerOperator& one : list.operators) {
    operators.push_back(ToJson(one));
  }
  return {{"operators", std::move(operators)}, {"note", list.note}};
}

EagerList ListOf(const json& value) {
  EagerList list;
  value.at("note").get_to(list.note);
  for (const json& one : value.at("operators")) {
    list.operators.push_back(OperatorOf(one));
  }
  return list;
}

double DepthOf(DType dtype, const clock::CubeDepths& depths) {
  switch (BitsOf(dtype)) {
    case 4:
      return static_cast<double>(depths.int4);
    case 8:
      return static_cast<double>(depths.int8);
    case 16:
      return static_cast<double>(depths.half);
    default:
      return static_cast<double>(depths.single);
  }
}

// Microseconds at the given share of the operator's bound.
double TimeOf(const EagerOperator& one, double share,
              const clock::ClockSpec& spec) {
  constexpr double kRepeatBytes = 256;
  constexpr double kStepProducts = 256;  // of the cube, for each element of k
  clock::Work work;
  work.compulsory_read = one.bytes_read;
  work.written = one.bytes_written;
  work.vector_cycles = static_cast<double>(one.vector_bytes) / kRepeatBytes;
  if (one.cube_flops != 0) {
    work.vector_cycles = 0;
    work.cube_steps =
        static_cast<double>(one.cube_flops) / 2 /
        (kStepProducts * DepthOf(one.cube_dtype, clock::CubeDepths(spec)));
  }
  const clock::Bound bound = clock::BoundOf(work, spec);
  const double launch =
      spec.Value("launch.start_us") + spec.Value("launch.head_us");
  return launch + (bound.total - bound.launch) / share;
}

}  // namespace

// What is known of one task, as its file holds it.
class TaskMemory {
 public:
  explicit TaskMemory(const bench::Task& task) {
    if (const auto cache = toolchain::DefaultCompileCache()) {
      file_ = fs::path(cache->directory) / "baselines" /
              fmt::format("{}-{}.json", task.hash, kModelVersion);
      std::ifstream in(file_);
      if (in) known_ = json::parse(in, nullptr, /*allow_exceptions=*/false);
    }
    if (!known_.is_object()) known_ = json::object();
  }

  // Null if it is not known.
  const json* Find(const std::string& kind, const std::string& key) const {
    const auto section = known_.find(kind);
    if (section == known_.end() || !section->is_object()) return nullptr;
    const auto found = section->find(key);
    return found == section->end() ? nullptr : &*found;
  }

  // A cache that cannot be written is none.
  void Keep(const std::string& kind, const std::string& key, json value) {
    known_[kind][key] = std::move(value);
    if (file_.empty()) return;
    std::error_code error;
    fs::create_directories(file_.parent_path(), error);
    const fs::path aside =
        file_.string() + fmt::format(".{}", static_cast<int>(getpid()));
    {
      std::ofstream out(aside);
      out << known_.dump();
      if (!out.flush()) return;
    }
    fs::rename(aside, file_, error);
  }

 private:
  fs::path file_;
  json known_;
};

struct Baselines::State {
  std::map<std::string, TaskMemory> tasks;  // by hash
  Baseline latest;

  TaskMemory& MemoryOf(const bench::Task& task) {
    const auto found = tasks.find(task.hash);
    if (found != tasks.end()) return found->second;
    return tasks.emplace(task.hash, TaskMemory(task)).first->second;
  }
};

Baselines::Baselines() : state_(std::make_unique<State>()) {}
Baselines::~Baselines() = default;

const Baseline& Baselines::Of(const bench::Task& task,
                              const bench::Case& one_case,
                              bench::ReferenceRunner& runner,
                              const std::string& chip) {
  TaskMemory& memory = state_->MemoryOf(task);
  EagerList list;
  if (const json* known = memory.Find("eager", one_case.name)) {
    list = ListOf(*known);
  } else {
    list = ListEager(task, one_case, runner);
    memory.Keep("eager", one_case.name, ToJson(list));
  }
  const clock::ClockSpec spec = clock::LoadClockSpec(chip);
  Baseline& baseline = state_->latest;
  baseline = {};
  for (const EagerOperator& one : list.operators) {
    baseline.at_70 += TimeOf(one, 0.70, spec);
    baseline.at_85 += TimeOf(one, 0.85, spec);
    baseline.at_100 += TimeOf(one, 1.00, spec);
  }
  baseline.operators = std::move(list.operators);
  baseline.note = std::move(list.note);
  return baseline;
}

TaskNeeds Baselines::NeedsOf(const bench::Task& task,
                             const bench::Case& one_case,
                             bench::ReferenceRunner& runner) {
  TaskMemory& memory = state_->MemoryOf(task);
  json types = json::object();
  for (const auto& [name, dtype] : one_case.types) types[name] = NameOf(dtype);
  const std::string key =
      json{one_case.attributes, one_case.absent, types}.dump();
  TaskNeeds needs;
  if (const json* known = memory.Find("needs", key)) {
    known->at("inputs").get_to(needs.inputs);
    known->at("outputs").get_to(needs.outputs);
  } else {
    needs = ProbeNeeds(task, one_case, runner);
    memory.Keep("needs", key,
                {{"inputs", needs.inputs}, {"outputs", needs.outputs}});
  }
  return needs;
}

}  // namespace belay::judge
