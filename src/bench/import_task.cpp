// SPDX-License-Identifier: Apache-2.0
#include "bench/import_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <optional>

#include "bench/compare.h"
#include "bench/element.h"
#include "bench/import_model.h"
#include "bench/import_shapes.h"
#include "bench/import_toml.h"
#include "bench/random.h"
#include "bench/reference_runner.h"
#include "bench/task_error.h"
#include "bench/task_reader.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kTries = 300;
constexpr int64_t kMostElements = int64_t{1} << 16;
constexpr int64_t kLargeElements = 256;
constexpr size_t kSmallCases = 3;
constexpr size_t kLargeCases = 8;
constexpr int kNoiseRounds = 4;
constexpr int64_t kMostRealElements = int64_t{1} << 20;
constexpr int64_t kPool[] = {1,  2,  3,  5,  7,  8,  13, 16,  17,
                             24, 31, 32, 33, 48, 64, 65, 129, 257};

Value MapSizes(const Value& sizes, const std::function<int64_t(int64_t)>& map) {
  Value mapped = sizes;
  for (Value& size : mapped) {
    if (!size.is_array()) {
      size = map(size.get<int64_t>());
      continue;
    }
    for (Value& element : size) element = map(element.get<int64_t>());
  }
  return mapped;
}

bool IsFinite(const Arguments& outputs) {
  for (const Argument& output : outputs) {
    for (const Array& array : output.tensors) {
      if (!IsReal(array.dtype)) continue;
      const size_t width = BytesOf(array.dtype);
      for (size_t at = 0; at < array.data.size(); at += width) {
        if (!std::isfinite(LoadReal(array.dtype, array.data.data() + at))) {
          return false;
        }
      }
    }
  }
  return true;
}

class Importer {
 public:
  Importer(const fs::path& file, const ImportOptions& options)
      : model_(ReadModel(file)), options_(options) {
    draft_.name = file.stem().string();
    draft_.with_file_sizes = false;
    draft_.scale = AddsUp(model_);
    for (size_t i = 0; i < model_.outputs; ++i) {
      std::string name = model_.outputs == 1 ? "y" : fmt::format("y{}", i);
      while (IsTaken(name)) name += "_out";
      draft_.outputs.push_back({name});
    }
  }

  Imported Import(const fs::path& folder) {
    FindTypes();
    FindSizes();
    if (!all_finite_) {
      draft_.uniform_is_real = false;
      FindSizes();
    }
    size_t unknown = 0;
    for (size_t i = 0; i < draft_.outputs.size(); ++i) {
      draft_.outputs[i].shape = FindShape(model_, observations_, i);
      unknown += draft_.outputs[i].shape == "?";
    }
    draft_.with_file_sizes = true;
    FindScale();
    FindRegimes();
    FindScale();
    DropNoise();
    const Task probe = MakeTask(draft_);
    const std::vector<Case> cases = ExpandCases(probe);
    draft_.large = ElementsOf(probe, cases.back()) > kMostRealElements;
    Write(folder);
    return {cases.size() - 1, 1, unknown};
  }

 private:
  bool IsTaken(const std::string& name) const {
    const auto named = [&](const auto& one) { return one.name == name; };
    return std::any_of(model_.inputs.begin(), model_.inputs.end(), named) ||
           std::any_of(model_.sizes.begin(), model_.sizes.end(), named) ||
           std::any_of(model_.attributes.begin(), model_.attributes.end(),
                       named);
  }

  Task MakeTask(const Draft& draft) const {
    TaskText text;
    text.id = draft.name;
    text.file = model_.file;
    text.reference_file = model_.file;
    text.toml = DraftToml(model_, draft, options_);
    text.reference = DraftReference(model_, draft);
    return ReadTask(text);
  }

  // Sizes to try: those of the file first if they are small, then smaller and
  // smaller ones, then any.
  std::vector<Value> Candidates() const {
    const Value own = SizesOf(model_);
    if (own.empty()) return {own};
    std::vector<Value> candidates;
    for (const int64_t most : {512, 128, 32, 16, 8, 4, 2, 1}) {
      candidates.push_back(
          MapSizes(own, [&](int64_t size) { return std::min(size, most); }));
    }
    Random random(1);
    for (int i = 0; i < kTries; ++i) {
      candidates.push_back(MapSizes(own, [&](int64_t size) {
        const int64_t drawn = random.Integer(0, std::size(kPool));
        return drawn < std::ssize(kPool) ? kPool[drawn]
                                         : std::min(size, int64_t{64});
      }));
    }
    return candidates;
  }

  // The results of reference() for these sizes, or nothing and the reason.
  std::optional<Observation> Try(const Value& sizes) {
    Draft draft = draft_;
    draft.edge_sizes = {sizes};
    try {
      const Task task = MakeTask(draft);
      const Case one_case = ExpandCases(task).front();
      if (ElementsOf(task, one_case) > kMostElements) return std::nullopt;
      const auto runner = MakeReferenceRunner(task);
      const Arguments inputs = runner->Inputs(one_case);
      Observation seen;
      seen.sizes = sizes;
      seen.elements = ElementsOf(task, one_case);
      seen.outputs = runner->Reference(one_case, inputs);
      runner->Eager(one_case, inputs);
      return seen;
    } catch (const TaskError& error) {
      if (failure_.empty()) failure_ = error.diagnostic().message;
      return std::nullopt;
    }
  }

  // Which dtypes the outputs have: the first combination that runs.
  void FindTypes() {
    static constexpr DType kTypes[] = {DType::kFloat, DType::kInt64,
                                       DType::kBool};
    std::vector<Value> candidates = Candidates();
    if (candidates.size() > 40) candidates.resize(40);
    const size_t combinations =
        static_cast<size_t>(std::pow(std::size(kTypes), model_.outputs));
    for (size_t chosen = 0; chosen < combinations; ++chosen) {
      size_t rest = chosen;
      for (ImportedOutput& output : draft_.outputs) {
        output.dtype = kTypes[rest % std::size(kTypes)];
        rest /= std::size(kTypes);
      }
      for (const Value& sizes : candidates) {
        if (Try(sizes)) return;
      }
    }
    throw TaskError(
        code::kK164, model_.file, 0,
        fmt::format("[import] forward() of {} runs on none of the sizes "
                    "tried: {}",
                    model_.file.filename().string(),
                    failure_.empty() ? "all were too large" : failure_),
        "references are TorchScript in float64; see docs/tasks.md");
  }

  void FindSizes() {
    observations_.clear();
    all_finite_ = true;
    size_t small = 0;
    size_t large = 0;
    for (const Value& sizes : Candidates()) {
      if (small >= kSmallCases && large >= kLargeCases) break;
      const bool known = std::any_of(
          observations_.begin(), observations_.end(),
          [&](const Observation& one) { return one.sizes == sizes; });
      if (known) continue;
      auto seen = Try(sizes);
      if (!seen) continue;
      const bool is_large = seen->elements >= kLargeElements;
      if ((is_large ? large : small) >=
          (is_large ? kLargeCases : kSmallCases)) {
        continue;
      }
      (is_large ? large : small) += 1;
      all_finite_ = all_finite_ && IsFinite(seen->outputs);
      observations_.push_back(std::move(*seen));
    }
    draft_.edge_sizes.clear();
    for (const Observation& one : observations_) {
      draft_.edge_sizes.push_back(one.sizes);
    }
  }

  // The places of cases whose eager() the precision rule refuses; cases that
  // are too large are not tried.
  std::vector<size_t> RefusedCases() const {
    const Task task = MakeTask(draft_);
    const auto runner = MakeReferenceRunner(task);
    const std::vector<Case> cases = ExpandCases(task);
    std::vector<size_t> refused;
    for (size_t i = 0; i < cases.size(); ++i) {
      if (ElementsOf(task, cases[i]) > kMostRealElements) continue;
      const Truth truth = MakeTruth(task, cases[i], *runner);
      const Arguments eager = runner->Eager(cases[i], truth.inputs);
      if (!Judge(truth, eager, *runner).accepted) refused.push_back(i);
    }
    return refused;
  }

  // The strictest measure of errors that PyTorch itself passes.
  void FindScale() {
    if (!draft_.scale) draft_.scale = !RefusedCases().empty();
    if (draft_.scale && !draft_.own_scale) {
      draft_.own_scale = !RefusedCases().empty();
    }
  }

  // Takes out cases on which f32 cannot follow under any measure: the result
  // lies in the noise, such as the normalised value of a single element.
  // What stays is drawn anew, hence several rounds.
  void DropNoise() {
    for (int round = 0; round < kNoiseRounds; ++round) {
      std::vector<size_t> refused = RefusedCases();
      std::reverse(refused.begin(), refused.end());
      bool dropped = false;
      for (const size_t place : refused) {
        const size_t sizes = draft_.edge_sizes.size();
        if (place < sizes && sizes > 1) {
          draft_.edge_sizes.erase(draft_.edge_sizes.begin() + place);
          dropped = true;
        } else if (place >= sizes && place - sizes < draft_.regimes.size()) {
          draft_.regimes.erase(draft_.regimes.begin() + (place - sizes));
          dropped = true;
        }
      }
      if (!dropped) return;
    }
  }

  // Regimes in which f32 can follow: those in which eager() is right.
  void FindRegimes() {
    const auto largest = std::max_element(
        observations_.begin(), observations_.end(),
        [](const auto& a, const auto& b) { return a.elements < b.elements; });
    draft_.regime_sizes = largest->sizes;
    for (const Regime regime : {Regime::kSmall, Regime::kWide,
                                Regime::kCancellation, Regime::kSpecial}) {
      Draft draft = draft_;
      draft.edge_sizes.clear();
      draft.regimes = {regime};
      try {
        const Task task = MakeTask(draft);
        const Case one_case = ExpandCases(task).front();
        const auto runner = MakeReferenceRunner(task);
        const Truth truth = MakeTruth(task, one_case, *runner);
        const Arguments eager = runner->Eager(one_case, truth.inputs);
        if (Judge(truth, eager, *runner).accepted) {
          draft_.regimes.push_back(regime);
        }
      } catch (const TaskError&) {
        continue;  // a regime the operator does not take
      }
    }
  }

  void Write(const fs::path& folder) const {
    std::error_code error;
    fs::create_directories(folder, error);
    if (fs::exists(folder / "task.toml", error)) {
      throw TaskError(
          code::kK164, folder / "task.toml", 0,
          fmt::format("[import] {} is a task already", folder.string()),
          "name a new folder with -o");
    }
    MakeTask(draft_);
    const auto write = [&](const char* name, const std::string& text) {
      std::ofstream stream(folder / name, std::ios::binary);
      stream << text;
      stream.close();
      if (!stream) {
        throw TaskError(code::kK164, folder / name, 0,
                        fmt::format("[import] {} cannot be written",
                                    (folder / name).string()));
      }
    };
    write("reference.py", DraftReference(model_, draft_));
    write("task.toml", DraftToml(model_, draft_, options_));
  }

  const Model model_;
  const ImportOptions options_;
  Draft draft_;
  std::vector<Observation> observations_;
  bool all_finite_ = true;
  std::string failure_;
};

}  // namespace

Imported ImportModel(const fs::path& file, const fs::path& folder,
                     const ImportOptions& options) {
  return Importer(file, options).Import(folder);
}

}  // namespace belay::bench
