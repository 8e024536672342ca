// SPDX-License-Identifier: Apache-2.0
// `belay bench` and `belay compare` as a user calls them, and as they are
// killed.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "../cli/run_belay.h"
#include "bench/case.h"
#include "bench/export_project.h"
#include "bench/random.h"
#include "bench/suite.h"
#include "runs/run_folder.h"
#include "runs/store.h"

namespace belay::runs::test_bench_command {
namespace {

namespace fs = std::filesystem;
using belay::testing::Outcome;
using belay::testing::ReadFile;
using belay::testing::RunBelay;
using belay::testing::SourcePath;
using nlohmann::json;

constexpr char kSwish[] = "level2/Activation/Swish";
constexpr char kSqrt[] = "level1/Math/Sqrt";
constexpr char kSoftmax[] = "multikernelbench/activation/softmax";

// y = sqrt(x) of at most 4352 elements of f16, by one block.
constexpr char kSquareRoot[] = R"(
  if (GetBlockIdx() != 0 || tiling_data.x_elements == 0) return;
  const uint32_t count = tiling_data.x_elements;
  const uint32_t bytes = count * sizeof(DTYPE_X);
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
  DataCopyPad(a, from, {1, bytes, 0, 0, 0}, padding);
  in.EnQue(a);
  a = in.DeQue<DTYPE_X>();
  LocalTensor<DTYPE_X> b = out.AllocTensor<DTYPE_X>();
  LocalTensor<float> middle = wide.Get<float>();
  Cast(middle, a, RoundMode::CAST_NONE, count);
  Sqrt(middle, middle, count);
  Cast(b, middle, RoundMode::CAST_RINT, count);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<DTYPE_X>();
  DataCopyPad(to, b, {1, bytes, 0, 0, 0});
  out.FreeTensor(b);
)";

// The question's kernel, filled in.
std::string KernelOfSquareRoot() {
  const std::string gap = "  // Write the kernel here.\n";
  for (const bench::ExportedFile& file : bench::ExportTask(
           bench::LoadTask(SourcePath("tasks/level1/Math/Sqrt")), {})) {
    const size_t at = file.text.find(gap);
    if (!file.path.string().starts_with("op_kernel/")) continue;
    std::string text = file.text;
    return text.replace(at, gap.size(), kSquareRoot);
  }
  return "";
}

// The name of a case of f16 with a few elements.
std::string SmallHalfCase() {
  const bench::Task task =
      bench::LoadTask(SourcePath("tasks/level1/Math/Sqrt"));
  for (const bench::Case& one : bench::ExpandCases(task)) {
    const int64_t elements = bench::ElementsOf(task, one);
    if (one.types.at("T") == DType::kHalf && elements > 0 && elements < 4000) {
      return one.name;
    }
  }
  return "";
}

// Samples of three quick problems, right and wrong, in Crux and in AscendC.
class BenchCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::temp_directory_path() / "belay-bench-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    std::ofstream(folder_ / "secret") << "sixteen bytes of a secret";
    std::ofstream lines(folder_ / "samples.jsonl");
    for (int i = 0; i < 4; ++i) {
      // A comment makes each another candidate.
      const std::string note = "\n# sample " + std::to_string(i) + "\n";
      lines << json{{"task", kSwish},
                    {"kind", "crux"},
                    {"text",
                     ReadFile(SourcePath("examples/crux/swish.crux")) + note},
                    {"model", "by hand"},
                    {"sample", i}}
                   .dump()
            << "\n";
      lines << json{{"task", kSoftmax},
                    {"kind", "crux"},
                    {"text", i == 3 ? "this is no program\n"
                                    : ReadFile(SourcePath(
                                          "examples/crux/softmax.crux")) +
                                          note},
                    {"sample", i}}
                   .dump()
            << "\n";
    }
    lines << json{{"task", kSqrt},
                  {"kind", "kernel"},
                  {"text", KernelOfSquareRoot()},
                  {"case", SmallHalfCase()}}
                 .dump()
          << "\n";
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }
  // One case of each task, without times.
  std::vector<std::string> QuickWords(const std::string& run) const {
    return {"bench",   "--samples",     Path("samples.jsonl"), "--only-case",
            "edge-0",  "--stages",      "precision",           "--run",
            Path(run), "--secret-file", Path("secret")};
  }
  std::string Quick(const std::string& run) const {
    std::string words;
    for (const std::string& word : QuickWords(run)) words += word + " ";
    return words;
  }

  fs::path folder_;
};

TEST_F(BenchCommand, JudgesAllSamplesAndWritesThem) {
  const Outcome outcome = RunBelay(Quick("run") + "--json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("judged"), 9);
  EXPECT_EQ(summary.at("outcomes").at("passed"), 8) << outcome.err;
  EXPECT_EQ(summary.at("outcomes").at("not-compiled"), 1);
  EXPECT_EQ(summary.at("groups").at(0).at("pass_at").at("1").at("value"),
            (1 + 1 + 0.75) / 3);
  const LoadedRun run = LoadRun(folder_ / "run");
  ASSERT_EQ(run.results.size(), 9u);
  EXPECT_EQ(run.results[0].verdict.candidate_kind, "kernel");
  EXPECT_EQ(run.results[1].sample.manifest.at("model"), "by hand");
  EXPECT_EQ(run.results[1].verdict.problem, "edge-0");
  EXPECT_EQ(run.results[0].verdict.backend, "sim");
  EXPECT_EQ(run.results[8].verdict.error_class, "syntax");

  // Into the same folder again: only with --resume, and then at once.
  const Outcome again = RunBelay(Quick("run"));
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--resume"), std::string::npos);
  const Outcome resumed =
      RunBelay("bench --run " + Path("run") + " --resume --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(json::parse(resumed.out).at("reused"), 9);
  const Outcome other = RunBelay("bench --run " + Path("run") +
                                 " --resume --protocol npukernelbench");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("protocol = \"belay\""), std::string::npos);
}

TEST_F(BenchCommand, ASharedStoreMakesTheSecondRunInstant) {
  const std::string store = "--json --store " + Path("store.sqlite");
  ASSERT_EQ(RunBelay(Quick("first") + store).exit_code, 0);
  const Outcome second = RunBelay(Quick("second") + store + " --jobs 1");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(json::parse(second.out).at("reused"), 9);
  EXPECT_EQ(ReadFile(Path("first/results.jsonl")),
            ReadFile(Path("second/results.jsonl")));
  const Outcome compared =
      RunBelay("compare --json " + Path("first") + " " + Path("second"));
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  const json comparison = json::parse(compared.out);
  EXPECT_EQ(comparison.at("solved").at("both"), 3);
  EXPECT_EQ(comparison.at("mcnemar_p"), 1);
  EXPECT_EQ(comparison.at("pass_at_1_difference").at("value"), 0);
}

TEST_F(BenchCommand, BadCallsAreRefused) {
  const struct {
    std::string words;
    std::string message;
  } kCases[] = {
      {"bench --samples nothing.jsonl --run " + Path("r"), "cannot be read"},
      {"bench --candidates nowhere --run " + Path("r"), "is no folder"},
      {"bench nothing --run " + Path("r"), "nothing"},
      {Quick("r") + "--candidates .", "not both"},
      {Quick("r") + "--store " + Path("samples.jsonl"), "not a store"},
      {"bench --resume", "name it"},
      {"compare " + Path("a") + " " + Path("b"), "is no run"},
  };
  for (const auto& one : kCases) {
    const Outcome outcome = RunBelay(one.words);
    EXPECT_EQ(outcome.exit_code, 2) << one.words << outcome.err;
    EXPECT_NE(outcome.err.find(one.message), std::string::npos) << outcome.err;
  }
}

// Calls belay in a process group of its own, its words to a file.
pid_t Start(const std::vector<std::string>& words, const std::string& output) {
  const pid_t pid = fork();
  if (pid != 0) {
    setpgid(pid, pid);
    return pid;
  }
  setpgid(0, 0);
  const int fd = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(fd, STDOUT_FILENO);
  dup2(fd, STDERR_FILENO);
  std::vector<char*> arguments = {const_cast<char*>(BELAY_PROGRAM)};
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execv(BELAY_PROGRAM, arguments.data());
  _exit(127);
}

int WaitFor(pid_t pid) {
  int status = -1;
  waitpid(pid, &status, 0);
  return status;
}

TEST_F(BenchCommand, InterruptedRunsGoOn) {
  const pid_t pid = Start(QuickWords("run"), Path("words"));
  while (!fs::exists(folder_ / "run" / "run.json") &&
         waitpid(pid, nullptr, WNOHANG) == 0) {
    usleep(1000);
  }
  kill(-pid, SIGINT);
  const int status = WaitFor(pid);
  ASSERT_TRUE(WIFEXITED(status));
  // It may just have come to its end.
  EXPECT_TRUE(WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 0)
      << ReadFile(Path("words"));
  EXPECT_TRUE(fs::exists(folder_ / "run" / "results.jsonl"));
  const Outcome resumed =
      RunBelay("bench --run " + Path("run") + " --resume --json");
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(json::parse(resumed.out).at("judged"), 9);
}

TEST_F(BenchCommand, KilledRunsAreResumed) {
  const char* seed_text = std::getenv("BELAY_SEED");
  const uint64_t seed =
      seed_text != nullptr ? std::strtoull(seed_text, nullptr, 10) : 7;
  const char* kills_text = std::getenv("BELAY_KILLS");
  const int wanted = kills_text != nullptr ? std::atoi(kills_text) : 20;
  std::cout << "BELAY_SEED=" << seed << " BELAY_KILLS=" << wanted << "\n";
  bench::Random random(seed);

  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(WaitFor(Start(QuickWords("calm"), Path("words"))), 0)
      << ReadFile(Path("words"));
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begin);
  const std::string expected = ReadFile(Path("calm/results.jsonl"));
  ASSERT_FALSE(expected.empty());

  int kills = 0;
  for (int runs = 0; kills < wanted; ++runs) {
    const std::string run = "run" + std::to_string(runs);
    std::vector<std::string> words = QuickWords(run);
    words.push_back("--resume");
    for (;;) {
      const pid_t pid = Start(words, Path("words"));
      if (kills < wanted) {
        usleep(static_cast<useconds_t>(random.Integer(0, whole.count())));
        kill(-pid, SIGKILL);
      }
      const int status = WaitFor(pid);
      if (!WIFSIGNALED(status)) {
        ASSERT_EQ(status, 0) << "seed " << seed << ", kill " << kills << "\n"
                             << ReadFile(Path("words"));
        break;
      }
      ++kills;
      const fs::path file = folder_ / run / "store.sqlite";
      if (fs::exists(file)) Store(file).Check();
    }
    EXPECT_EQ(ReadFile(Path(run + "/results.jsonl")), expected)
        << "seed " << seed << ", " << run;
  }
}

}  // namespace
}  // namespace belay::runs::test_bench_command
