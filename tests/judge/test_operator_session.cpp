// SPDX-License-Identifier: Apache-2.0
// Tests sessions with operators in AscendC: what they compute, how each kind of
// end is told, and that no call leaves anything behind.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/catalogue.h"
#include "bench/export_project.h"
#include "bench/inputs.h"
#include "guest/operator_run.h"
#include "guest/work_folder.h"
#include "judge/session.h"
#include "judging.h"

namespace belay::judge::test_operator_session {
namespace {

namespace fs = std::filesystem;
using belay::testing::TaskOf;
using belay::testing::TheBroker;

std::string Replaced(std::string text, const std::string& from,
                     const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// A task with all that sessions are asked about it.
class Question {
 public:
  explicit Question(const std::string& id) : task(TaskOf(id)) {
    cases = bench::ExpandCases(task);
    for (const bench::ExportedFile& file : bench::ExportTask(task, {})) {
      texts[file.path.string()] = file.text;
    }
  }

  const bench::Case& CaseOf(const std::string& name) const {
    return *std::find_if(cases.begin(), cases.end(),
                         [&](const bench::Case& c) { return c.name == name; });
  }

  std::string Kernel(const std::string& body) const {
    for (const auto& [path, text] : texts) {
      if (!path.starts_with("op_kernel/")) continue;
      return Replaced(text, "  // Write the kernel here.\n", body);
    }
    return "";
  }

  // The whole project, some of its text replaced.
  Candidate Project(const std::string& body, const std::string& from = {},
                    const std::string& to = {}) const {
    std::vector<CandidateFile> files;
    for (const auto& [path, text] : texts) {
      if (path.starts_with("op_kernel/")) {
        files.push_back({path, Kernel(body)});
      } else if (path.starts_with("op_host/")) {
        files.push_back({path, !from.empty() && path.ends_with(".cpp")
                                   ? Replaced(text, from, to)
                                   : text});
      }
    }
    return MakeCandidate(CandidateKind::kProject, "project", std::move(files));
  }

  const bench::Task& task;
  std::vector<bench::Case> cases;
  std::map<std::string, std::string> texts;
};

Candidate KernelFile(std::string text, const std::string& name = "sqrt.cpp") {
  return MakeCandidate(CandidateKind::kKernel, name, {{name, std::move(text)}});
}

// y = sqrt(x) with one tile of at most 4096 elements, by one block.
constexpr char kSquareRoot[] = R"(
  if (GetBlockIdx() != 0 || tiling_data.x_elements == 0) return;
  const uint32_t count = tiling_data.x_elements;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<QuePosition::VECCALC> wide;
  pipe.InitBuffer(in, 1, 4352 * sizeof(DTYPE_X));
  pipe.InitBuffer(out, 1, 4352 * sizeof(DTYPE_X));
  pipe.InitBuffer(wide, 4352 * sizeof(float));
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_X> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y);
  LocalTensor<DTYPE_X> a = in.AllocTensor<DTYPE_X>();
  DataCopyPadExtParams<DTYPE_X> padding;
  padding.isPad = false;
  DataCopyPad(a, from, {1, uint32_t(count * sizeof(DTYPE_X)), 0, 0, 0},
              padding);
  in.EnQue(a);
  a = in.DeQue<DTYPE_X>();
  LocalTensor<DTYPE_X> b = out.AllocTensor<DTYPE_X>();
  if constexpr (sizeof(DTYPE_X) == 4) {
    Sqrt(b, a, count);
  } else {
    LocalTensor<float> middle = wide.Get<float>();
    Cast(middle, a, RoundMode::CAST_NONE, count);
    Sqrt(middle, middle, count);
    Cast(b, middle, RoundMode::CAST_RINT, count);
  }
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<DTYPE_X>();
  DataCopyPad(to, b, {1, uint32_t(count * sizeof(DTYPE_X)), 0, 0, 0});
  out.FreeTensor(b);
)";

const Question& SquareRoot() {
  static const Question question("level1/Math/Sqrt");
  return question;
}

std::string Told(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += ToText(diagnostic);
  return text;
}

bool Has(const std::vector<Diagnostic>& diagnostics, const char* code) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic& d) { return d.code == code; });
}

// One call of a candidate for the square root.
CallReport CallOnce(const Candidate& candidate, SessionOptions options = {},
                    const std::string& name = "edge-8", RunOptions how = {}) {
  const Question& question = SquareRoot();
  const auto session =
      OpenOperatorSession(question.task, candidate, options, TheBroker());
  const bench::Case& one_case = question.CaseOf(name);
  return session->Run(one_case, bench::DrawInputs(question.task, one_case),
                      how);
}

std::vector<std::byte> BytesOf(const CallReport& report) {
  return report.outputs.at(0).tensors.at(0).data;
}

// What `belay run` computes.
std::vector<std::byte> RunAsUser(const Question& question,
                                 const Candidate& project,
                                 const bench::Case& one_case) {
  const guest::WorkFolder folder("");
  WriteCandidate(project, folder.File("project"));
  const bench::Arguments inputs = bench::DrawInputs(question.task, one_case);
  const Array& x = inputs.at(0).tensors.at(0);
  WriteNpy(folder.File("x.npy"), x);
  guest::OperatorOptions options;
  options.folder = folder.File("project");
  options.inputs.push_back({"x",
                            guest::InputRequest::Form::kTensor,
                            {{folder.File("x.npy"), x.dtype}},
                            {},
                            DType::kNone});
  guest::OutputRequest output;
  output.name = "y";
  output.files = {folder.File("y.npy")};
  output.shapes = {{x.shape, x.dtype}};
  options.outputs.push_back(output);
  const guest::OperatorResult result = guest::RunOperator(options);
  EXPECT_TRUE(result.launched) << Told(result.diagnostics);
  return ReadNpy(folder.File("y.npy")).data;
}

TEST(OperatorSession, ComputesWhatRunComputes) {
  const Question& question = SquareRoot();
  const Candidate kernel = KernelFile(question.Kernel(kSquareRoot));
  const Candidate project = question.Project(kSquareRoot);
  for (const Candidate* candidate : {&kernel, &project}) {
    const auto session =
        OpenOperatorSession(question.task, *candidate, {}, TheBroker());
    std::vector<const bench::Case*> cases;
    for (const char* name : {"edge-0", "edge-5", "edge-17", "edge-22"}) {
      cases.push_back(&question.CaseOf(name));
    }
    const CompileReport compiled = session->Compile(cases);
    ASSERT_TRUE(compiled.ok) << Told(compiled.diagnostics) << compiled.trouble;
    for (const bench::Case* one_case : cases) {
      const CallReport report = session->Run(
          *one_case, bench::DrawInputs(question.task, *one_case), {});
      ASSERT_EQ(report.end, CallEnd::kFinished)
          << one_case->name << Told(report.diagnostics) << report.trouble;
      EXPECT_TRUE(report.diagnostics.empty()) << Told(report.diagnostics);
      EXPECT_EQ(report.outputs.at(0).name, "y");
      EXPECT_GT(report.blocks, 0u);
      EXPECT_EQ(BytesOf(report), RunAsUser(question, project, *one_case))
          << one_case->name;
    }
  }
}

TEST(OperatorSession, TellsWhatDoesNotCompile) {
  const Question& question = SquareRoot();
  const Candidate candidate = KernelFile(question.Kernel("  nonsense();\n"));
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const bench::Case& one_case = question.CaseOf("edge-8");
  const CompileReport compiled = session->Compile({&one_case});
  EXPECT_FALSE(compiled.ok);
  EXPECT_EQ(compiled.end, CallEnd::kNotCompiled) << compiled.trouble;
  ASSERT_FALSE(compiled.diagnostics.empty());
  EXPECT_EQ(compiled.diagnostics.front().location.file, "sqrt.cpp");
  const CallReport report =
      session->Run(one_case, bench::DrawInputs(question.task, one_case), {});
  EXPECT_EQ(report.end, CallEnd::kNotCompiled);
}

TEST(OperatorSession, WantsTheKernelOfTheQuestion) {
  const Question& question = SquareRoot();
  const CallReport report = CallOnce(KernelFile(
      Replaced(question.Kernel(kSquareRoot), " sqrt(\n", " root(\n")));
  EXPECT_EQ(report.end, CallEnd::kNotCompiled);
  EXPECT_TRUE(Has(report.diagnostics, code::kH110))
      << Told(report.diagnostics) << report.trouble;
}

TEST(OperatorSession, RefusesAnotherSignature) {
  const CallReport report = CallOnce(SquareRoot().Project(
      kSquareRoot, "this->Output(\"y\")", "this->Output(\"z\")"));
  EXPECT_EQ(report.end, CallEnd::kRefused) << report.trouble;
  EXPECT_TRUE(Has(report.diagnostics, code::kJ105)) << Told(report.diagnostics);
}

TEST(OperatorSession, GivesHostCodeNoValuesOfInputs) {
  const CallReport report = CallOnce(
      SquareRoot().Project(kSquareRoot, "this->Input(\"x\")\n",
                           "this->Input(\"x\").ValueDepend(OPTIONAL)\n"));
  EXPECT_EQ(report.end, CallEnd::kRefused) << report.trouble;
  EXPECT_TRUE(Has(report.diagnostics, code::kJ105)) << Told(report.diagnostics);
}

CallReport CallWithHostCode(const std::string& code,
                            SessionOptions options = {}) {
  return CallOnce(
      SquareRoot().Project(kSquareRoot, "  context->SetTilingKey(0);\n",
                           code + "  context->SetTilingKey(0);\n"),
      options);
}

TEST(OperatorSession, TellsWhatHostCodeDoes) {
  CallReport report = CallWithHostCode("  return ge::GRAPH_FAILED;\n");
  EXPECT_EQ(report.end, CallEnd::kRefused) << report.trouble;

  report = CallWithHostCode("  *(volatile int*)16 = 1;\n");
  EXPECT_EQ(report.end, CallEnd::kFault);
  EXPECT_TRUE(Has(report.diagnostics, code::kH104)) << Told(report.diagnostics);
  EXPECT_EQ(report.diagnostics.front().location.file, "op_host/sqrt.cpp");

  SessionOptions quick;
  quick.limits.tiling_seconds = 1;
  report =
      CallWithHostCode("  for (volatile int i = 0;; i = i + 1) {}\n", quick);
  EXPECT_EQ(report.end, CallEnd::kFault);
  EXPECT_TRUE(Has(report.diagnostics, code::kH105)) << Told(report.diagnostics);

  report = CallWithHostCode(
      "  context->GetWorkspaceSizes(1)[0] = 0;\n"
      "  context->SetBlockDim(0);\n");
  EXPECT_EQ(report.end, CallEnd::kRefused);
}

TEST(OperatorSession, EndsForbiddenCalls) {
  const CallReport report = CallOnce(SquareRoot().Project(
      kSquareRoot, "namespace optiling {\n",
      "extern \"C\" long syscall(long, ...);\n"
      "static const long kAtLoading = syscall(41, 2, 1, 0);\n"
      "namespace optiling {\n"));
  EXPECT_EQ(report.end, CallEnd::kRefused) << report.trouble;
  EXPECT_TRUE(Has(report.diagnostics, code::kJ103)) << Told(report.diagnostics);
  EXPECT_NE(Told(report.diagnostics).find("socket"), std::string::npos)
      << Told(report.diagnostics);
}

TEST(OperatorSession, LimitsMemory) {
  const Candidate candidate = SquareRoot().Project(
      kSquareRoot, "platform.GetLibApiWorkSpaceSize() + kWorkspaceBytes",
      "size_t{1} << 40");
  const CallReport report = CallOnce(candidate);
  EXPECT_EQ(report.end, CallEnd::kFault) << report.trouble;
  EXPECT_TRUE(Has(report.diagnostics, code::kJ102)) << Told(report.diagnostics);
}

TEST(OperatorSession, TellsFaultsOfKernels) {
  const Question& question = SquareRoot();
  CallReport report = CallOnce(KernelFile(
      question.Kernel("  GlobalTensor<float> far;\n"
                      "  far.SetGlobalBuffer((__gm__ float*)y + (1 << 24));\n"
                      "  far.SetValue(0, 1.0f);\n")));
  EXPECT_EQ(report.end, CallEnd::kFault) << report.trouble;
  ASSERT_FALSE(report.diagnostics.empty());
  EXPECT_EQ(report.diagnostics.front().location.file, "sqrt.cpp")
      << Told(report.diagnostics);

  SessionOptions quick;
  quick.limits.run_seconds = 1;
  report = CallOnce(KernelFile(question.Kernel(
                        "  GlobalTensor<float> g;\n"
                        "  g.SetGlobalBuffer((__gm__ float*)workspace);\n"
                        "  for (uint32_t i = 1; i != 0; i = i % 7 + 1) {\n"
                        "    g.SetValue(i % 5, i);\n  }\n")),
                    quick);
  EXPECT_EQ(report.end, CallEnd::kFault) << report.trouble;
  EXPECT_TRUE(Has(report.diagnostics, code::kJ101)) << Told(report.diagnostics);
}

// Reads what nobody wrote and copies it to the output.
constexpr char kUnwritten[] = R"(
  if (GetBlockIdx() != 0) return;
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32);
  GlobalTensor<DTYPE_X> to;
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y);
  DataCopy(to, buffer.Get<DTYPE_X>(), 32 / sizeof(DTYPE_X));
)";

TEST(OperatorSession, ChecksOrNot) {
  const Candidate candidate = KernelFile(SquareRoot().Kernel(kUnwritten));
  const CallReport checked = CallOnce(candidate);
  EXPECT_EQ(checked.end, CallEnd::kFinished) << Told(checked.diagnostics);
  EXPECT_TRUE(Has(checked.diagnostics, code::kI101))
      << Told(checked.diagnostics);
  const CallReport unchecked = CallOnce(candidate, {}, "edge-8", {false});
  EXPECT_EQ(unchecked.end, CallEnd::kFinished);
  EXPECT_TRUE(unchecked.diagnostics.empty()) << Told(unchecked.diagnostics);
  // What nobody writes stays poison.
  const std::vector<std::byte> bytes = BytesOf(unchecked);
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(),
                          [](std::byte b) { return b == std::byte{0xFF}; }));
}

// The host part counts how often it was called, and the kernel what it finds
// in its workspace.
TEST(OperatorSession, CallsLeaveNothingBehind) {
  const Question& question = SquareRoot();
  const Candidate candidate = question.Project(
      "  if (GetBlockIdx() != 0) return;\n"
      "  GlobalTensor<uint32_t> to;\n"
      "  to.SetGlobalBuffer((__gm__ uint32_t*)y);\n"
      "  GlobalTensor<uint32_t> own;\n"
      "  own.SetGlobalBuffer((__gm__ uint32_t*)GetUserWorkspace(workspace));\n"
      "  to.SetValue(0, own.GetValue(0));\n"
      "  to.SetValue(1, tiling_data.x_elements);\n"
      "  own.SetValue(0, 7);\n"
      "  DataCacheCleanAndInvalid<uint32_t, "
      "CacheLine::ENTIRE_DATA_CACHE>(to);\n",
      "  context->SetTilingKey(0);\n",
      "  static int64_t calls = 0;\n"
      "  tiling.set_x_elements(++calls);\n"
      "  context->SetTilingKey(0);\n");
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const bench::Case& one_case = question.CaseOf("edge-8");
  for (int i = 0; i < 3; ++i) {
    const CallReport report = session->Run(
        one_case, bench::DrawInputs(question.task, one_case), {false});
    ASSERT_EQ(report.end, CallEnd::kFinished)
        << Told(report.diagnostics) << report.trouble;
    uint32_t words[2];
    std::memcpy(words, BytesOf(report).data(), sizeof words);
    EXPECT_EQ(words[0], 0xFFFFFFFFu);
    EXPECT_EQ(words[1], 1u);
  }
}

TEST(OperatorSession, RecordsLaunchesForTheClock) {
  const Question& question = SquareRoot();
  const Candidate candidate = KernelFile(question.Kernel(kSquareRoot));
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const bench::Case& one_case = question.CaseOf("edge-8");
  bench::Arguments inputs = bench::DrawInputs(question.task, one_case);
  const TimeReport real = session->Time(one_case, inputs);
  for (bench::Argument& input : inputs) {
    for (Array& tensor : input.tensors) tensor.data.clear();
  }
  const TimeReport pretended = session->Time(one_case, inputs);
  for (const TimeReport* report : {&real, &pretended}) {
    ASSERT_EQ(report->end, CallEnd::kFinished)
        << Told(report->diagnostics) << report->trouble;
    ASSERT_EQ(report->launches.size(), 1u);
    const clock::LaunchLog& launch = report->launches.front();
    EXPECT_EQ(launch.timing_only, report == &pretended);
    EXPECT_EQ(launch.kernel, "sqrt");
    EXPECT_TRUE(std::any_of(
        launch.places.begin(), launch.places.end(),
        [](const auto& place) { return place.second.file == "sqrt.cpp"; }));
  }
}

TEST(OperatorSession, TakesOutputsInPlaceAndAttributes) {
  const Question question("level1/Math/Sscal");
  const bench::Case& one_case = question.CaseOf("edge-11");
  const Candidate candidate =
      KernelFile(question.Kernel("  (void)tiling_data.alpha;\n"), "sscal.cpp");
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const bench::Arguments inputs = bench::DrawInputs(question.task, one_case);
  const CallReport report = session->Run(one_case, inputs, {});
  ASSERT_EQ(report.end, CallEnd::kFinished)
      << Told(report.diagnostics) << report.trouble;
  // Nothing was done: the output is the input.
  EXPECT_EQ(BytesOf(report), inputs.at(0).tensors.at(0).data);
}

TEST(OperatorSession, DISABLED_Throughput) {
  const Question& question = SquareRoot();
  std::string text = Replaced(
      question.texts.at("op_kernel/sqrt.cpp"), "  // Write the kernel here.\n",
      "  Map<DTYPE_X>(x, y, tiling_data.x_elements, SquareRoot{});\n");
  text = Replaced(text, "using namespace AscendC;\n",
                  "using namespace AscendC;\n#include \"answer.h\"\n");
  std::ifstream in("/work/main/tests/bench/answers/answer.h");
  const std::string header((std::istreambuf_iterator<char>(in)), {});
  std::vector<const bench::Case*> cases;
  for (const bench::Case& c : question.cases)
    if (c.kind == bench::CaseKind::kEdge) cases.push_back(&c);
  std::vector<bench::Arguments> inputs;
  for (const bench::Case* c : cases)
    inputs.push_back(bench::DrawInputs(question.task, *c));
  const auto now = [] {
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  for (int round = 0; round < 4; ++round) {
    const Candidate candidate =
        MakeCandidate(CandidateKind::kKernel, "sqrt.cpp",
                      {{"answer.h", header},
                       {"sqrt.cpp", text + "// " + std::to_string(round)}});
    const double t0 = now();
    const auto session =
        OpenOperatorSession(question.task, candidate, {}, TheBroker());
    const double t1 = now();
    const CompileReport compiled = session->Compile(cases);
    ASSERT_TRUE(compiled.ok) << Told(compiled.diagnostics);
    const double t2 = now();
    for (size_t i = 0; i < cases.size(); ++i) {
      const CallReport report = session->Run(*cases[i], inputs[i], {});
      ASSERT_EQ(report.end, CallEnd::kFinished)
          << Told(report.diagnostics) << report.trouble;
      ASSERT_TRUE(report.diagnostics.empty()) << Told(report.diagnostics);
    }
    const double t3 = now();
    for (size_t i = 0; i < cases.size(); ++i)
      session->Run(*cases[i], inputs[i], {false});
    const double t4 = now();
    fprintf(stderr,
            "open %.1f compile %.1f run %zu checked %.1f (%.2f each) unchecked "
            "%.1f (%.2f each)\n",
            t1 - t0, t2 - t1, cases.size(), t3 - t2, (t3 - t2) / cases.size(),
            t4 - t3, (t4 - t3) / cases.size());
  }
}

}  // namespace
}  // namespace belay::judge::test_operator_session
