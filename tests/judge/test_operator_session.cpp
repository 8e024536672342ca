// SPDX-License-Identifier: Apache-2.0
// Tests sessions with operators in AscendC: what they compute, how each kind of
// end is told, and that no call leaves anything behind.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
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

TEST(OperatorSession, TakesLists) {
  const Question question("level2/Foreach/ForeachAddList");
  const Candidate candidate = KernelFile(question.Kernel(R"(
  if (GetBlockIdx() != 0) return;
  ListTensorDesc sums((__gm__ void*)y);
  GlobalTensor<DTYPE_X1> factor;
  factor.SetGlobalBuffer((__gm__ DTYPE_X1*)alpha, 1);
  for (uint32_t i = 0; i < tiling_data.y_count; ++i) {
    GlobalTensor<DTYPE_X1> to;
    to.SetGlobalBuffer(sums.GetDataPtr<__gm__ DTYPE_X1>(i));
    if (tiling_data.y_elements[i] > 0) to.SetValue(0, factor.GetValue(0));
    DataCacheCleanAndInvalid<DTYPE_X1, CacheLine::ENTIRE_DATA_CACHE>(to);
  }
)"),
                                         "foreach_add_list.cpp");
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const bench::Case& one_case = question.CaseOf("edge-22");
  const bench::Arguments inputs = bench::DrawInputs(question.task, one_case);
  const CallReport report = session->Run(one_case, inputs, {false});
  ASSERT_EQ(report.end, CallEnd::kFinished)
      << Told(report.diagnostics) << report.trouble;
  const std::vector<Array>& tensors = report.outputs.at(0).tensors;
  ASSERT_EQ(tensors.size(), inputs.at(0).tensors.size());
  const std::vector<std::byte>& alpha = inputs.at(2).tensors.at(0).data;
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].shape, inputs.at(0).tensors[i].shape);
    if (tensors[i].data.empty()) continue;
    EXPECT_TRUE(
        std::equal(alpha.begin(), alpha.end(), tensors[i].data.begin()));
  }
}

TEST(OperatorSession, AnswersStaticProblems) {
  const Question& question = SquareRoot();
  const bench::Case& only = question.CaseOf("edge-17");
  SessionOptions options;
  options.only = &only;
  std::string kernel;
  bench::ExportOptions exported;
  exported.only = &only;
  for (const auto& file : bench::ExportTask(question.task, exported)) {
    if (file.path.parent_path() == "op_kernel") kernel = file.text;
  }
  const Candidate candidate = KernelFile(Replaced(
      kernel, "  // Write the kernel here.\n",
      "  static_assert(kXElements == " +
          std::to_string(ElementCount(
              bench::InputShapes(question.task.inputs.at(0), only).at(0))) +
          ");\n" + kSquareRoot));
  const CallReport report = CallOnce(candidate, options, "edge-17");
  ASSERT_EQ(report.end, CallEnd::kFinished)
      << Told(report.diagnostics) << report.trouble;
  EXPECT_EQ(BytesOf(report),
            BytesOf(CallOnce(KernelFile(question.Kernel(kSquareRoot)), {},
                             "edge-17")));
}

// A program of one source: what it does on the host is not asked for.
TEST(OperatorSession, DropsHostCodeOfPrograms) {
  const std::string program = SquareRoot().Kernel(kSquareRoot) + R"(
static int Count() { return 3; }
static int counted = Count();

int main() {
  sqrt<<<1, nullptr, nullptr>>>(nullptr, nullptr, nullptr, nullptr);
  return counted;
}
)";
  const CallReport report = CallOnce(KernelFile(program, "answer.asc"));
  EXPECT_EQ(report.end, CallEnd::kFinished)
      << Told(report.diagnostics) << report.trouble;
  EXPECT_TRUE(report.diagnostics.empty()) << Told(report.diagnostics);
}

// One block of a launch of 40 million elements, its input one page over and
// over.
TEST(OperatorSession, RunsPartsOfLargeCalls) {
  const Question& question = SquareRoot();
  std::ifstream file(BELAY_ANSWER_HEADER, std::ios::binary);
  const std::string header((std::istreambuf_iterator<char>(file)), {});
  const std::string kernel =
      Replaced(question.Kernel("  Map<DTYPE_X>(x, y, tiling_data.x_elements, "
                               "SquareRoot{});\n"),
               "using namespace AscendC;\n",
               "using namespace AscendC;\n#include \"answer.h\"\n");
  const Candidate candidate =
      MakeCandidate(CandidateKind::kKernel, "sqrt.cpp",
                    {{"answer.h", header}, {"sqrt.cpp", kernel}});
  const auto large = std::find_if(
      question.cases.begin(), question.cases.end(), [](const bench::Case& c) {
        return c.sizes.at("S") == bench::Value::array({8192, 5120}) &&
               c.types.at("T") == DType::kFloat;
      });
  ASSERT_NE(large, question.cases.end());
  bench::Arguments inputs = bench::DrawInputs(
      question.task, *large, [](const bench::InputSpec&) { return false; });
  PartRequest request;
  request.blocks = {0};
  InputPattern pattern;
  pattern.bytes.resize(4096);
  for (size_t i = 0; i < 1024; ++i) {
    const float value = static_cast<float>(i * i);
    std::memcpy(&pattern.bytes[4 * i], &value, 4);
  }
  request.patterns.push_back(pattern);
  // The second half of its first tile, and the beginning of another's.
  request.windows.push_back({0, 0, 4096, 8192});
  request.windows.push_back({0, 0, 8192, 8200});
  const auto session =
      OpenOperatorSession(question.task, candidate, {}, TheBroker());
  const PartReport report = session->RunParts(*large, inputs, request);
  ASSERT_EQ(report.end, CallEnd::kFinished)
      << Told(report.diagnostics) << report.trouble;
  ASSERT_EQ(report.bytes.size(), 4096u + 8u);
  for (size_t i = 0; i < 1024; ++i) {
    float value = 0;
    std::memcpy(&value, &report.bytes[4 * i], 4);
    EXPECT_EQ(value, static_cast<float>(i));
  }
  for (size_t i = 4096; i < report.bytes.size(); ++i) {
    EXPECT_EQ(report.bytes[i], std::byte{0xFF});
  }
}

}  // namespace
}  // namespace belay::judge::test_operator_session
