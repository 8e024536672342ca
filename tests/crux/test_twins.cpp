// SPDX-License-Identifier: Apache-2.0
// A variant of bf16 that is taken from its twin of f16 is printed as it would
// be had it been compiled: for all examples, and for fuzzed programs.
// BELAY_FUZZ says how many, BELAY_SEED where they begin.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "crux/check.h"
#include "crux/fuzz/generate.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/print/kernel_class.h"
#include "crux/print/twin_text.h"
#include "crux/twins.h"
#include "files.h"
#include "fuzz_case.h"

namespace belay::testing {
namespace {

using crux::print::Compiled;

using crux::print::PrintedClass;

std::string TextOf(const crux::print::Text& text) {
  return crux::print::Laid(text.lines());
}

void ExpectSame(const PrintedClass& a, const PrintedClass& b) {
  ASSERT_EQ(a.functions.size(), b.functions.size());
  for (size_t i = 0; i < a.functions.size(); ++i) {
    EXPECT_EQ(TextOf(*a.functions[i]), TextOf(*b.functions[i]));
  }
  EXPECT_EQ(TextOf(a.members), TextOf(b.members));
  EXPECT_EQ(a.helpers, b.helpers);
  EXPECT_EQ(a.tensors, b.tensors);
  EXPECT_EQ(a.fields, b.fields);
}

PrintedClass ClassOf(const crux::CompiledVariant& variant) {
  crux::print::PrintedFunctions known;
  return PrintClass(*variant.code, "Tiling", "", nullptr, known);
}

struct Seen {
  size_t twins = 0;
  size_t lines = 0;           // of the kernel's file
  size_t lines_compiled = 0;  // had every variant been compiled
};

size_t LinesIn(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Of a twin the class is what it would be had it been compiled; so is the
// host's file. Nothing of a kernel that has no compiled form.
Seen ExpectSameText(const crux::typed::Kernel& kernel) {
  const auto instances = crux::typed::InstancesOf(kernel);
  Compiled once;
  Compiled each;
  once.kernel = each.kernel = &kernel;
  try {
    each.variants = crux::CompileAll(kernel, instances);
  } catch (const crux::ir::Refusal&) {
    EXPECT_THROW(crux::CompileForPrint(kernel, instances), crux::ir::Refusal);
    return {};
  }
  once.variants = crux::CompileForPrint(kernel, instances);
  Seen seen;
  crux::print::TwinPrinter twins;
  for (size_t i = 0; i < once.variants.size(); ++i) {
    const crux::CompiledVariant& own = once.variants[i];
    EXPECT_EQ(own.dtypes, each.variants[i].dtypes);
    ExpectSame(own.twin ? twins.Print(ClassOf(own)) : ClassOf(own),
               ClassOf(each.variants[i]));
    seen.twins += own.twin ? 1 : 0;
  }
  const auto files = PrintProject(once);
  const auto compiled = PrintProject(each);
  EXPECT_EQ(files[0].text, compiled[0].text);
  EXPECT_EQ(files[1].text, compiled[1].text);
  seen.lines = LinesIn(files[2].text);
  seen.lines_compiled = LinesIn(compiled[2].text);
  if (seen.twins == 0) {
    EXPECT_EQ(files[2].text, compiled[2].text);
  }
  return seen;
}

TEST(Twins, ExamplesPrintAsIfEachVariantWereCompiled) {
  std::map<std::string, size_t> twins;
  for (const auto& path : FilesIn("examples/crux", ".crux")) {
    SCOPED_TRACE(path.string());
    const crux::Checked checked = crux::Check(path.string(), ReadAll(path));
    const Seen seen = ExpectSameText(*checked.program->kernels[0]);
    twins[path.stem().string()] = seen.twins;
    EXPECT_LE(seen.lines, seen.lines_compiled);
  }
  EXPECT_EQ(twins["layer_norm"], 12u);
  EXPECT_EQ(twins["adamw"], 8u);
  EXPECT_EQ(twins["softmax"], 0u) << "finds maxima in f16";
  EXPECT_EQ(twins["mse_loss"], 0u) << "Axpy takes f16, not bf16";
}

// The program with f16 and bf16 for its floats.
std::string WithBothHalves(std::string text) {
  constexpr std::string_view kHead = "T = dtype(";
  const size_t at = text.find(kHead);
  if (at == std::string::npos) return text;
  const size_t begin = at + kHead.size();
  const size_t end = text.find(')', begin);
  if (text.substr(begin, end - begin).find('i') != std::string::npos) {
    return text;
  }
  return text.replace(begin, end - begin, "f16, bf16");
}

TEST(Twins, FuzzedProgramsPrintAsIfEachVariantWereCompiled) {
  const char* given = std::getenv("BELAY_FUZZ");
  const int count = given != nullptr ? std::atoi(given) : 150;
  size_t twins = 0;
  for (int i = 0; i < count; ++i) {
    const uint64_t seed = FirstSeed() + static_cast<uint64_t>(i);
    SCOPED_TRACE(seed);
    const std::string text = WithBothHalves(crux::fuzz::Generate(seed).text);
    const crux::Checked checked = crux::Check("fuzz.crux", text);
    if (!checked.ok()) continue;
    twins += ExpectSameText(*checked.program->kernels[0]).twins;
  }
  RecordProperty("twins", static_cast<int>(twins));
  EXPECT_GT(twins, 0u);
}

// Of `text`, a kernel with T = dtype(f16, bf16).
bool HasTwins(const std::string& text) {
  const crux::Checked checked = crux::Check("twin.crux", text);
  EXPECT_TRUE(checked.ok());
  return checked.ok() && ExpectSameText(*checked.program->kernels[0]).twins > 0;
}

std::string Kernel(const std::string& stored) {
  return "T = dtype(f16, bf16)\n"
         "@kernel\n"
         "def k(x: T[N], y: out(T[N])):\n"
         "    for c in cores(N, tile=auto):\n"
         "        t = load(x[c])\n"
         "        store(y[c], " +
         stored + ")\n";
}

TEST(Twins, AreThoseThatMoveHalvesAndComputeInSingle) {
  EXPECT_TRUE(HasTwins(Kernel("t")));
  EXPECT_TRUE(HasTwins(Kernel("exp(t.to(f32)).to(T)")));
  // A number is converted by other functions.
  EXPECT_FALSE(HasTwins(Kernel("zeros(T[c])")));
  // Exact in f16, which has instructions for it.
  EXPECT_FALSE(HasTwins(Kernel("maximum(t, 0.0)")));
  // bf16 is rounded to odd by other instructions.
  EXPECT_FALSE(HasTwins(Kernel("exp(t.to(f32)).to(T, round=\"odd\")")));
}

TEST(Twins, AreFoundByTheirDtypes) {
  const auto halves = crux::HalvesFor({{DType::kHalf, DType::kHalf},
                                       {DType::kHalf, DType::kFloat},
                                       {DType::kBfloat16, DType::kFloat},
                                       {DType::kHalf, DType::kBfloat16},
                                       {DType::kBfloat16, DType::kBfloat16},
                                       {DType::kFloat, DType::kBfloat16},
                                       {DType::kFloat, DType::kHalf}});
  ASSERT_EQ(halves.size(), 7u);
  EXPECT_FALSE(halves[0]);
  EXPECT_FALSE(halves[1]);
  EXPECT_EQ(halves[2], 1u);
  EXPECT_FALSE(halves[3]) << "f16 itself";
  EXPECT_EQ(halves[4], 0u);
  EXPECT_FALSE(halves[5]) << "the one of f16 comes later";
  EXPECT_FALSE(halves[6]);
}

}  // namespace
}  // namespace belay::testing
