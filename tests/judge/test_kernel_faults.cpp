// SPDX-License-Identifier: Apache-2.0
// Ten wrong or lucky variants of each kind of fault, made of right kernels in
// AscendC, and the verdicts on them.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "bench/export_project.h"
#include "judging.h"

namespace belay::testing {
namespace {

using judge::Outcome;
using judge::Verdict;

// An operator of one input, and how a kernel computes it.
struct Unary {
  const char* task;
  const char* name;
  const char* compute;
};

constexpr Unary kUnaries[] = {
    {"activation/relu", "relu", "Relu(z, t, count)"},
    {"activation/leaky_relu", "leaky_relu", "LeakyRelu(z, t, 0.01f, count)"},
    {"activation/softsign", "softsign",
     "Abs(s, t, count); Adds(s, s, 1.0f, count); Div(z, t, s, count)"},
    {"activation/hardtanh", "hardtanh",
     "Maxs(s, t, -1.0f, count); Mins(z, s, 1.0f, count)"},
    {"activation/sigmoid", "sigmoid",
     "Muls(z, t, -1.0f, count); Exp(z, z, count); Adds(z, z, 1.0f, count); "
     "Duplicate(s, 1.0f, count); Div(z, s, z, count)"},
};

std::string Put(std::string text, const std::string& what,
                const std::string& by) {
  const size_t at = text.find(what);
  if (at == std::string::npos) {
    ADD_FAILURE() << "the kernel has no '" << what << "'";
    return text;
  }
  return text.replace(at, what.size(), by);
}

std::string KernelOf(const Unary& unary) {
  std::ifstream file(BELAY_FAULTS "/unary.cpp", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const size_t begin = text.find("#include");
  return Put(Put(text.substr(begin), "void OP(",
                 std::string("void ") + unary.name + "("),
             "COMPUTE;", std::string(unary.compute) + ";");
}

Verdict Judged(const Unary& unary, const std::string& text,
               const judge::JudgeOptions& options = QuickOptions()) {
  TheBroker();
  return TheJudge().Try(TaskOf(unary.task), KernelCandidate(text), options);
}

struct Change {
  const char* what;
  const char* by;
};

// Makes each change to as many operators as it takes to have ten variants.
void ExpectVerdicts(const std::vector<Change>& changes, Outcome outcome,
                    const std::string& error_class,
                    const judge::JudgeOptions& options = QuickOptions()) {
  constexpr size_t kVariants = 10;
  for (size_t i = 0; i < kVariants; ++i) {
    const Unary& unary = kUnaries[i / changes.size() % std::size(kUnaries)];
    const Change& change = changes[i % changes.size()];
    const std::string text = Put(KernelOf(unary), change.what, change.by);
    const Verdict verdict = Judged(unary, text, options);
    EXPECT_EQ(verdict.outcome, outcome)
        << change.what << " -> " << change.by << "\n"
        << Describe(verdict);
    EXPECT_EQ(verdict.error_class, error_class)
        << change.what << " -> " << change.by << "\n"
        << Describe(verdict);
  }
}

TEST(RightKernels, Pass) {
  for (const Unary& unary : kUnaries) {
    const Verdict verdict = Judged(unary, KernelOf(unary));
    EXPECT_EQ(verdict.outcome, Outcome::kPassed) << Describe(verdict);
  }
}

TEST(LuckyKernels, LeaveTwoPipesUnordered) {
  ExpectVerdicts({{"    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\n"
                   "    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n",
                   ""},
                  {"    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);\n"
                   "    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);\n",
                   ""}},
                 Outcome::kLucky, "race");
}

TEST(LuckyKernels, LeaveAFlagSet) {
  ExpectVerdicts({{"  const int64_t stride",
                   "  SetFlag<HardEvent::MTE2_V>(EVENT_ID1);\n"
                   "  const int64_t stride"},
                  {"  const int64_t stride",
                   "  SetFlag<HardEvent::V_MTE3>(EVENT_ID2);\n"
                   "  const int64_t stride"}},
                 Outcome::kLucky, "synchronisation");
}

TEST(LuckyKernels, ReadBehindTheEndOfABuffer) {
  ExpectVerdicts({{"    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n",
                   "    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n"
                   "    Adds(s, t[kPiece], 1.0f, 8);\n"},
                  {"    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n",
                   "    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);\n"
                   "    Abs(s, t[kPiece - 8], 16);\n"}},
                 Outcome::kLucky, "out-of-bounds");
}

TEST(LuckyKernels, ReadWhatNobodyWrote) {
  ExpectVerdicts(
      {{"    uint32_t bytes",
        "    if (spare.Get<float>().GetValue(1) == 12345.0f) count += 0;\n"
        "    uint32_t bytes"},
       {"    uint32_t bytes",
        "    count += static_cast<uint32_t>(\n"
        "        spare.Get<int32_t>().GetValue(2) & 0);\n"
        "    uint32_t bytes"}},
      Outcome::kLucky, "uninitialised");
}

TEST(WrongKernels, LeaveOutTheTail) {
  ExpectVerdicts({{"at < total;", "at + kPiece <= total;"},
                  {"DataCopyPad(to[at], z, move);",
                   "if (count == kPiece) DataCopyPad(to[at], z, move);"}},
                 Outcome::kWrong, "wrong-values");
}

TEST(FailingKernels, WaitForAFlagNobodySets) {
  ExpectVerdicts({{"    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\n", ""},
                  {"    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);\n", ""},
                  {"    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);\n", ""},
                  {"    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);\n", ""}},
                 Outcome::kFailed, "deadlock");
}

TEST(FailingKernels, SetAFlagTwice) {
  ExpectVerdicts({{"    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);\n", ""},
                  {"    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);\n", ""}},
                 Outcome::kFailed, "synchronisation");
}

TEST(FailingKernels, StoreBehindTheEndOfATensor) {
  ExpectVerdicts({{"DataCopyPad(to[at], z, move);",
                   "DataCopyPad(to[at + (int64_t{1} << 30)], z, move);"},
                  {"DataCopyPad(to[at], z, move);",
                   "DataCopyPad(to[at + (int64_t{1} << 33)], z, move);"}},
                 Outcome::kFailed, "out-of-bounds");
}

TEST(FailingKernels, TakeMoreOnChipMemoryThanThereIs) {
  ExpectVerdicts(
      {{"pipe.InitBuffer(in, kPiece", "pipe.InitBuffer(in, 65536"},
       {"pipe.InitBuffer(out, kPiece", "pipe.InitBuffer(out, 65536"}},
      Outcome::kFailed, "on-chip-memory");
}

TEST(FailingKernels, NeverEnd) {
  judge::JudgeOptions options = QuickOptions();
  options.fail_fast = true;
  options.limits.run_seconds = 0.5;
  ExpectVerdicts({{"at += stride", "at += 0"},
                  {"    uint32_t bytes",
                   "    for (volatile int64_t i = 0; i >= 0;) i = 1;\n"
                   "    uint32_t bytes"}},
                 Outcome::kFailed, "timeout", options);
}

TEST(KernelsNotCompiled, HaveErrors) {
  const Change changes[] = {
      {"GET_TILING_DATA(tiling_data, tiling);", ""},
      {"DataCopyPad(to[at], z, move);", "DataCopyPad(to[at], z, move)"},
      {"uint32_t bytes = count", "uint32_t bytes = size"},
      {"LocalTensor<float> z", "LocalTensor<half> z"},
      {"SetFlag<HardEvent::V_MTE3>", "SetFlag<HardEvent::V_TO_MTE3>"},
      {"DataCopyPad(t, from[at], move, pad);", "Load(t, from[at], move);"},
      {"TPipe pipe;", ""},
      {"pipe.InitBuffer(in, kPiece * sizeof(float));", "pipe.InitBuffer(in);"},
      {"  for (int64_t at", "  for (int64_t int at"},
      {"int64_t stride = GetBlockNum() * kPiece;",
       "int64_t stride = GetBlockNum() * kPiece;\n  int stride = 0;"},
  };
  size_t made = 0;
  for (const Change& change : changes) {
    const Unary& unary = kUnaries[made++ % std::size(kUnaries)];
    const Verdict verdict =
        Judged(unary, Put(KernelOf(unary), change.what, change.by));
    EXPECT_EQ(verdict.outcome, Outcome::kNotCompiled) << change.by << "\n"
                                                      << Describe(verdict);
    EXPECT_FALSE(verdict.findings.empty()) << change.by;
  }
  EXPECT_EQ(made, 10u);
}

// The operator's own host part, which a project may change.
judge::Candidate ProjectOf(const Unary& unary, const Change& change) {
  std::vector<judge::CandidateFile> files;
  bench::ExportOptions options;
  options.full = true;
  for (bench::ExportedFile& file :
       bench::ExportTask(TaskOf(unary.task), options)) {
    const std::string path = file.path.string();
    if (path.starts_with("op_kernel/")) {
      file.text = KernelOf(unary);
    } else if (path.starts_with("op_host/") && path.ends_with(".cpp") &&
               change.what[0] != '\0') {
      file.text = Put(file.text, change.what, change.by);
    } else if (!path.starts_with("op_host/")) {
      continue;
    }
    files.push_back({path, file.text});
  }
  return judge::MakeCandidate(judge::CandidateKind::kProject, unary.name,
                              std::move(files));
}

TEST(RightProjects, Pass) {
  TheBroker();
  const Unary& unary = kUnaries[0];
  const Verdict verdict = TheJudge().Try(
      TaskOf(unary.task), ProjectOf(unary, {"", ""}), QuickOptions());
  EXPECT_EQ(verdict.outcome, Outcome::kPassed) << Describe(verdict);
}

TEST(FailingProjects, HaveATilingThatFails) {
  const Change changes[] = {
      {"context->SetTilingKey(0);", "return ge::GRAPH_FAILED;"},
      {"context->SetTilingKey(0);",
       "if (x_sizes.elements[0] > 4000) return ge::GRAPH_FAILED;"},
      {"context->SetBlockDim(platform.GetCoreNumAiv());",
       "context->SetBlockDim(0);"},
      {"context->SetBlockDim(platform.GetCoreNumAiv());",
       "context->SetBlockDim(1000000);"},
      {"context->SetBlockDim(platform.GetCoreNumAiv());", ""},
  };
  TheBroker();
  for (size_t i = 0; i < 10; ++i) {
    const Change& change = changes[i % std::size(changes)];
    const Unary& unary = kUnaries[i % std::size(kUnaries) / 2 + i / 5];
    const Verdict verdict = TheJudge().Try(
        TaskOf(unary.task), ProjectOf(unary, change), QuickOptions());
    EXPECT_EQ(verdict.outcome, Outcome::kFailed) << change.by << "\n"
                                                 << Describe(verdict);
    EXPECT_EQ(verdict.error_class, "tiling") << change.by << "\n"
                                             << Describe(verdict);
  }
}

}  // namespace
}  // namespace belay::testing
