// SPDX-License-Identifier: Apache-2.0
// Tests of the precision rule: element by element, beside the rules of other
// benchmarks, and on the results of right and wrong kernels for 40 tasks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/resources.h"
#include "bench/choose_protocol.h"
#include "bench/lint.h"
#include "bench/suite.h"
#include "bench/tensor_edit.h"
#include "bench/toml_reader.h"

namespace belay::bench::test_precision {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Array Make(DType dtype, const std::vector<double>& values) {
  Array array;
  array.dtype = dtype;
  array.shape = {static_cast<int64_t>(values.size())};
  array.data.resize(values.size() * BytesOf(dtype));
  for (size_t i = 0; i < values.size(); ++i) {
    PutNumber(array, static_cast<int64_t>(i), values[i]);
  }
  return array;
}

Measure Real(DType dtype, const std::vector<double>& golden,
             const std::vector<double>& candidate) {
  return MeasureReal(Make(DType::kDouble, golden), nullptr,
                     Make(dtype, candidate));
}

TEST(Precision, AnUlpIsTheDistanceOfNeighbours) {
  EXPECT_EQ(UlpAt(DType::kHalf, 1.0), 0x1p-10);
  EXPECT_EQ(UlpAt(DType::kHalf, -1.999), 0x1p-10);
  EXPECT_EQ(UlpAt(DType::kHalf, 0.0), 0x1p-24);
  EXPECT_EQ(UlpAt(DType::kBfloat16, 2.0), 0x1p-6);
  EXPECT_EQ(UlpAt(DType::kFloat, 1.0), 0x1p-23);
  EXPECT_EQ(UlpAt(DType::kFloat, 0x1p-140), 0x1p-149);
}

TEST(Precision, OneUlpCountsAsNothing) {
  const Measure one = Real(DType::kHalf, {1.0}, {1.0 + 0x1p-10});
  EXPECT_TRUE(one.accepted);
  EXPECT_EQ(one.mean, 0);
  // Two ulps alone are above t = 2^-10 in the mean.
  EXPECT_FALSE(Real(DType::kHalf, {1.0}, {1.0 + 0x1p-9}).accepted);
  // Among many right elements they are not, and lie below 10 t.
  EXPECT_TRUE(
      Real(DType::kHalf, {1.0, 2.0, 3.0}, {1.0 + 0x1p-9, 2.0, 3.0}).accepted);
  // 16 ulps are above 10 t.
  EXPECT_FALSE(Real(DType::kHalf, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
                    {1 + 0x1p-6, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
                   .accepted);
}

TEST(Precision, TheScaleTakesUpCancellation) {
  const Array golden = Make(DType::kDouble, {1e-6, 1.0});
  const Array scale = Make(DType::kDouble, {1.0, 1.0});
  const Array candidate = Make(DType::kFloat, {1.1e-6, 1.0});
  EXPECT_FALSE(MeasureReal(golden, nullptr, candidate).accepted);
  EXPECT_TRUE(MeasureReal(golden, &scale, candidate).accepted);
}

TEST(Precision, NanAndInfinityStandInPlaceAndSign) {
  EXPECT_TRUE(
      Real(DType::kFloat, {kNan, kInf, -kInf}, {kNan, kInf, -kInf}).accepted);
  EXPECT_FALSE(Real(DType::kFloat, {1.0}, {kNan}).accepted);
  EXPECT_FALSE(Real(DType::kFloat, {kNan}, {1.0}).accepted);
  EXPECT_FALSE(Real(DType::kFloat, {kInf}, {-kInf}).accepted);
  EXPECT_FALSE(Real(DType::kFloat, {kInf}, {3e38}).accepted);
  EXPECT_FALSE(Real(DType::kHalf, {1e6}, {65504}).accepted);
  EXPECT_TRUE(Real(DType::kHalf, {1e6}, {kInf}).accepted);
  // At the edge of the range both are right.
  EXPECT_TRUE(Real(DType::kHalf, {65519.0}, {kInf}).accepted);
  EXPECT_TRUE(Real(DType::kHalf, {65521.0}, {65504}).accepted);
  EXPECT_FALSE(Real(DType::kHalf, {60000.0}, {kInf}).accepted);
}

TEST(Precision, ExactAndQuantised) {
  const Array whole = Make(DType::kInt32, {16777217, -3, 0});
  EXPECT_TRUE(MeasureExact(whole, whole).accepted);
  const Array next = Make(DType::kInt32, {16777216, -3, 0});
  EXPECT_FALSE(MeasureExact(whole, next).accepted);
  EXPECT_TRUE(MeasureQuantised(whole, next).accepted);
  EXPECT_FALSE(
      MeasureQuantised(whole, Make(DType::kInt32, {16777215, -3, 0})).accepted);
  EXPECT_FALSE(
      MeasureExact(Make(DType::kFloat, {0.0}), Make(DType::kFloat, {-0.0}))
          .accepted);
  EXPECT_TRUE(
      MeasureExact(Make(DType::kFloat, {kNan}), Make(DType::kFloat, {-kNan}))
          .accepted);
}

Arguments One(const Array& array) {
  Argument argument;
  argument.name = "y";
  argument.tensors = {array};
  return {argument};
}

Truth TruthOf(DType dtype, const std::vector<double>& values) {
  Truth truth;
  truth.rounded = One(Make(dtype, values));
  return truth;
}

TEST(Protocols, OthersAcceptWhatBelayRefuses) {
  const ProtocolSettings usual;
  const auto accepts = [&](Protocol protocol, const Truth& truth,
                           const std::vector<double>& values) {
    const DType dtype = truth.rounded[0].tensors[0].dtype;
    return JudgeBy(protocol, usual, truth, One(Make(dtype, values))).accepted;
  };
  const std::vector<double> tiny = {3e-6, 4e-6, 2e-6};
  const std::vector<double> zeros = {0, 0, 0};
  const std::vector<double> nans = {kNan, kNan, kNan};
  const Truth small = TruthOf(DType::kFloat, tiny);
  EXPECT_TRUE(accepts(Protocol::kMultiKernelBench, small, zeros));
  EXPECT_TRUE(accepts(Protocol::kNpuTwofold, small, zeros));
  EXPECT_TRUE(accepts(Protocol::kNpuRelative, small, nans));
  EXPECT_TRUE(accepts(Protocol::kNpuMatmul, small, nans));
  EXPECT_FALSE(accepts(Protocol::kMultiKernelBench, small, nans));
  EXPECT_FALSE(accepts(Protocol::kNpuTwofold, small, nans));
  EXPECT_FALSE(Real(DType::kFloat, tiny, zeros).accepted);
  EXPECT_FALSE(Real(DType::kFloat, tiny, nans).accepted);
}

TEST(Protocols, ThresholdsAreTheirOwn) {
  const Truth truth = TruthOf(DType::kHalf, {1.0, 100.0});
  const auto judge = [&](Protocol protocol, ProtocolSettings settings,
                         double first) {
    return JudgeBy(protocol, settings, truth,
                   One(Make(DType::kHalf, {first, 100.0})))
        .accepted;
  };
  EXPECT_TRUE(judge(Protocol::kNpuRelative, {}, 1 + 0x1p-9));
  EXPECT_FALSE(judge(Protocol::kNpuRelative, {}, 1 + 0x1p-8));
  EXPECT_TRUE(judge(Protocol::kNpuMatmul, {}, 1 + 0x1p-8));
  EXPECT_FALSE(judge(Protocol::kNpuMatmul, {}, 1 + 0x1p-7));
  ProtocolSettings deep;
  deep.depth = 2048;
  EXPECT_TRUE(judge(Protocol::kNpuMatmul, deep, 1 + 0x1p-7));
  EXPECT_FALSE(judge(Protocol::kNpuTwofold, {}, 1 + 0x1p-9));
  for (const char* name : {"npukernelbench:twofold", "multikernelbench"}) {
    ASSERT_TRUE(ParseProtocol(name)) << name;
    EXPECT_EQ(NameOf(*ParseProtocol(name)), name);
  }
  EXPECT_FALSE(ParseProtocol("kernelbench"));
}

// --- Right and wrong kernels on shipped tasks ------------------------------

using Kernel =
    std::function<std::optional<Arguments>(const Truth&, ReferenceRunner&)>;

// Changes every real output; nothing if that changes no byte.
Kernel Changed(const std::function<void(Array&)>& change) {
  return [change](const Truth& truth,
                  ReferenceRunner&) -> std::optional<Arguments> {
    Arguments outputs = truth.rounded;
    bool differs = false;
    for (size_t i = 0; i < outputs.size(); ++i) {
      for (Array& array : outputs[i].tensors) {
        if (IsReal(array.dtype)) change(array);
      }
      differs |= !SameBytes(outputs[i], truth.rounded[i]);
    }
    if (!differs) return std::nullopt;
    return outputs;
  };
}

std::optional<Arguments> StepsIn(DType dtype, const Truth& truth,
                                 ReferenceRunner& runner) {
  int64_t terms = 0;
  return runner.Narrow(truth.one_case, truth.inputs, dtype, &terms);
}

// All in f16, on cases whose reals are all f32.
std::optional<Arguments> HalfForFloat(const Truth& truth,
                                      ReferenceRunner& runner) {
  for (const Arguments* arguments : {&truth.inputs, &truth.rounded}) {
    for (const Argument& argument : *arguments) {
      for (const Array& array : argument.tensors) {
        if (IsReal(array.dtype) && array.dtype != DType::kFloat) {
          return std::nullopt;
        }
      }
    }
  }
  const std::optional<Arguments> outputs = StepsIn(DType::kHalf, truth, runner);
  for (size_t i = 0; i < outputs->size(); ++i) {
    if (!SameBytes((*outputs)[i], truth.rounded[i])) return outputs;
  }
  return std::nullopt;
}

struct NamedKernel {
  const char* name;
  bool right;
  Kernel kernel;
};

std::vector<NamedKernel> Kernels() {
  return {
      {"rounded once", true,
       [](const Truth& truth, ReferenceRunner&) -> std::optional<Arguments> {
         return truth.rounded;
       }},
      {"eager f32", true,
       [](const Truth& truth,
          ReferenceRunner& runner) -> std::optional<Arguments> {
         return runner.Eager(truth.one_case, truth.inputs);
       }},
      {"f32 steps", true,
       [](const Truth& truth, ReferenceRunner& runner) {
         return StepsIn(DType::kFloat, truth, runner);
       }},
      {"f32 in f16 steps", false, HalfForFloat},
      {"low-precision result", false, Changed([](Array& array) {
         // 16 t is what a table or a raw Rsqrt leaves.
         int sign = 1;
         const double error = 16 * ToleranceOf(array.dtype);
         Transform(array, [&](double value) {
           sign = -sign;
           return value * (1 + sign * error);
         });
       })},
      {"wrong constant", false, Changed([](Array& array) {
         const double factor = 1 + 4 * ToleranceOf(array.dtype);
         Transform(array, [factor](double value) { return value * factor; });
       })},
      {"lost tail", false, Changed([](Array& array) {
         const int64_t count = CountOf(array);
         if (count > 0) Fill(array, 0, count - 1 - (count - 1) % 16);
       })},
      {"shifted by one", false, Changed([](Array& array) {
         for (int64_t i = CountOf(array) - 1; i > 0; --i) {
           PutNumber(array, i, NumberAt(array, i - 1));
         }
       })},
      {"lost NaN and Inf", false, Changed([](Array& array) {
         Transform(array, [](double value) {
           return std::isfinite(value) ? value : 0.0;
         });
       })},
  };
}

// A kernel is refused if one case refuses it.
struct Count {
  int64_t tried = 0;
  int64_t refused = 0;
  std::string reason;
};

std::vector<Count> TryKernels(const Task& task,
                              const std::vector<NamedKernel>& kernels) {
  constexpr int64_t kMostElements = int64_t{1} << 15;
  constexpr size_t kMostCases = 30;
  std::vector<Count> counts(kernels.size());
  const auto runner = MakeReferenceRunner(task);
  size_t looked_at = 0;
  for (const Case& one_case : LintCases(task, ExpandCases(task))) {
    if (ElementsOf(task, one_case) > kMostElements) continue;
    if (++looked_at > kMostCases) break;
    const Truth truth = MakeTruth(task, one_case, *runner);
    for (size_t i = 0; i < kernels.size(); ++i) {
      const auto outputs = kernels[i].kernel(truth, *runner);
      if (!outputs) continue;
      ++counts[i].tried;
      const Verdict verdict = Judge(truth, *outputs, *runner);
      if (verdict.accepted) continue;
      ++counts[i].refused;
      if (counts[i].reason.empty()) {
        counts[i].reason = one_case.name + ": " + verdict.reason;
      }
    }
  }
  return counts;
}

std::string ReadPage() {
  std::ifstream in(BELAY_PRECISION_PAGE);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Makes the table that ends docs/precision_rule.md.
TEST(Precision, RightKernelsPassAndWrongOnesDoNot) {
  constexpr size_t kTasks = 40;
  const Suite suite = LoadShippedSuite();
  std::vector<const Task*> real;
  for (const Task& task : suite.tasks) {
    const bool by_ulp = std::all_of(
        task.outputs.begin(), task.outputs.end(), [](const OutputSpec& o) {
          return o.precision == Precision::kUlp &&
                 ParseDType(o.dtype) != DType::kBool;
        });
    const bool has_waiver = !task.waivers.empty();
    if (by_ulp && !has_waiver) real.push_back(&task);
  }
  ASSERT_GE(real.size(), kTasks);
  const std::vector<NamedKernel> kernels = Kernels();
  std::string table = "| task |";
  std::string rule = "|---|";
  for (const NamedKernel& kernel : kernels) {
    table += fmt::format(" {} |", kernel.name);
    rule += "---|";
  }
  table += "\n" + rule + "\n";
  for (size_t n = 0; n < kTasks; ++n) {
    const Task& task = *real[n * real.size() / kTasks];
    SCOPED_TRACE(task.id);
    const std::vector<Count> counts = TryKernels(task, kernels);
    table += fmt::format("| {} |", task.id);
    for (size_t i = 0; i < kernels.size(); ++i) {
      const Count& count = counts[i];
      table += count.tried == 0
                   ? " – |"
                   : fmt::format(" {}/{} |",
                                 kernels[i].right ? count.tried - count.refused
                                                  : count.refused,
                                 count.tried);
      if (count.tried == 0) continue;
      if (kernels[i].right) {
        EXPECT_EQ(count.refused, 0) << kernels[i].name << " " << count.reason;
      } else {
        EXPECT_GT(count.refused, 0) << kernels[i].name;
      }
    }
    table += "\n";
  }
  const std::string page = ReadPage();
  const size_t begin = page.find("| task | rounded once |");
  ASSERT_NE(begin, std::string::npos) << "the page has no table";
  if (std::getenv("BELAY_UPDATE") != nullptr) {
    std::ofstream(BELAY_PRECISION_PAGE) << page.substr(0, begin) << table;
  }
  EXPECT_EQ(ReadPage().substr(begin), table)
      << "make it anew: BELAY_UPDATE=1 ctest -R RightKernelsPass";
}

TEST(Protocols, EveryRuleIsThatOfAnOperator) {
  const Suite suite = LoadShippedSuite();
  const auto path = Resource("data/protocols") / "npukernelbench.toml";
  const toml::table table = ParseToml(ReadText(path), path);
  std::set<std::string> seen;
  for (const TomlReader& rule :
       TomlReader(table, path, "rules").Tables("rule")) {
    for (const std::string& name : rule.Strings("tasks")) {
      SCOPED_TRACE(name);
      EXPECT_TRUE(seen.insert(name).second) << "is there twice";
      const auto task = std::find_if(
          suite.tasks.begin(), suite.tasks.end(), [&](const Task& candidate) {
            return candidate.name == name &&
                   candidate.source == "NPUKernelBench";
          });
      ASSERT_NE(task, suite.tasks.end());
      for (const Case& one_case : ExpandCases(*task)) {
        const ChosenProtocol chosen =
            ChooseProtocol("npukernelbench", *task, one_case);
        EXPECT_EQ(chosen.name, "npukernelbench:" + rule.String("protocol"));
        EXPECT_EQ(
            chosen.protocol == Protocol::kNpuMatmul,
            chosen.settings.depth > 0 || one_case.sizes.value("K", 1) == 0);
      }
    }
  }
  EXPECT_EQ(seen.size(), 61u);
}

TEST(Protocols, AreChosenByNameAndOperator) {
  const Suite suite = LoadShippedSuite();
  const auto choose = [&](const char* name, const char* operator_name) {
    const Task& task = FindTask(suite, operator_name);
    return ChooseProtocol(name, task, ExpandCases(task).front());
  };
  EXPECT_FALSE(choose("belay", "level1/Math/Sqrt").protocol);
  EXPECT_EQ(choose("npukernelbench", "level1/Math/Sqrt").protocol,
            Protocol::kNpuTwofold);
  const ChosenProtocol gelu =
      choose("npukernelbench", "level2/Activation/Gelu");
  EXPECT_EQ(gelu.settings.by_dtype.at(DType::kHalf), 1e-2);
  EXPECT_EQ(gelu.settings.threshold, 1e-3);
  EXPECT_FALSE(gelu.settings.by_dtype.contains(DType::kFloat));
  // Another rule than the operator's own has the usual thresholds.
  EXPECT_EQ(choose("npukernelbench:relative", "level2/Activation/Gelu")
                .settings.by_dtype.size(),
            0u);
  EXPECT_EQ(choose("multikernelbench", "level1/Math/Sqrt").protocol,
            Protocol::kMultiKernelBench);
  EXPECT_THROW(choose("kernelbench", "level1/Math/Sqrt"), UserError);
}

}  // namespace
}  // namespace belay::bench::test_precision
