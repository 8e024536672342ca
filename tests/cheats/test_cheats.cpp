// SPDX-License-Identifier: Apache-2.0
// Candidates that cheat. Each file says what it tries and what must come of it
// ("expect:" and names of outcomes). None passes, none is taken for luck or for
// the machine's fault, none leaves anything behind, and the judge works on.

#include <dirent.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "../judge/judging.h"
#include "bench/suite.h"

namespace belay::testing {
namespace {

namespace fs = std::filesystem;
using judge::CandidateKind;

constexpr char kTask[] = "level1/Math/Sqrt";

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

void ReplaceAll(std::string& text, const std::string& from,
                const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// What nobody may touch.
class Canary {
 public:
  Canary() {
    std::string name = (fs::temp_directory_path() / "canary-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::bad_alloc();
    folder_ = name;
    std::ofstream(folder_ / "canary") << "sings";
    chmod((folder_ / "canary").c_str(), 0600);
  }
  ~Canary() { fs::remove_all(folder_); }

  const fs::path& folder() const { return folder_; }

  void ExpectUntouched() const {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(folder_)) {
      names.push_back(file.path().filename().string());
    }
    EXPECT_EQ(names, std::vector<std::string>{"canary"});
    EXPECT_EQ(ReadFile(folder_ / "canary"), "sings");
    struct stat about{};
    stat((folder_ / "canary").c_str(), &about);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
  }

 private:
  fs::path folder_;
};

const Canary& TheCanary() {
  static const Canary canary;
  return canary;
}

// Processes that this one started, and those they did.
int Descendants() {
  std::map<int, int> parents;
  DIR* folder = opendir("/proc");
  while (const dirent* entry = readdir(folder)) {
    const int pid = std::atoi(entry->d_name);
    if (pid == 0) continue;
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string line;
    std::getline(file, line);
    const size_t after = line.rfind(')');
    char state = 0;
    int parent = 0;
    if (after != std::string::npos &&
        std::sscanf(line.c_str() + after, ") %c %d", &state, &parent) == 2 &&
        state != 'Z') {
      parents[pid] = parent;
    }
  }
  closedir(folder);
  int count = 0;
  for (const auto& [pid, parent] : parents) {
    for (int at = parent; parents.count(at) != 0; at = parents[at]) {
      if (at != getpid()) continue;
      ++count;
      break;
    }
  }
  return count;
}

fs::path Cheats() { return BELAY_CHEATS; }

std::vector<std::string> NamesIn(const std::string& folder,
                                 const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(Cheats() / folder)) {
    if (file.path().extension() != extension) continue;
    if (file.path().stem() == "honest") continue;
    names.push_back(file.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The text of a cheat, with the places it names filled in.
std::string TextOf(const std::string& file) {
  std::string text = ReadFile(Cheats() / file);
  if (file.starts_with("kernel/") || file.starts_with("timed/")) {
    // A candidate is one file.
    for (const fs::path part : {"kernel/honest.h", "kernel/fill.h",
                                "timed/copy.h", "kernel/share.h"}) {
      ReplaceAll(text, fmt::format("#include \"{}\"", part.filename().string()),
                 ReadFile(Cheats() / part));
    }
  }
  ReplaceAll(text, "@TASKS@", fs::path(BELAY_TASKS).string());
  ReplaceAll(text, "@CANARY@", TheCanary().folder().string());
  ReplaceAll(text, "@SHARED@", TheCanary().folder().string());
  return text;
}

judge::Candidate KernelCheat(const std::string& name,
                             const std::string& folder = "kernel") {
  return judge::MakeCandidate(
      CandidateKind::kKernel, name + ".cpp",
      {{name + ".cpp", TextOf(folder + "/" + name + ".cpp")}});
}

judge::Candidate HostCheat(const std::string& name) {
  return judge::MakeCandidate(
      CandidateKind::kProject, name,
      {{"op_host/sqrt.cpp", TextOf("host/" + name + ".cpp")},
       {"op_host/sqrt_host.h", TextOf("host/sqrt_host.h")},
       {"op_kernel/sqrt.cpp", TextOf("kernel/honest.cpp")}});
}

judge::JudgeOptions Options() {
  judge::JudgeOptions options = QuickOptions();
  options.fail_fast = true;
  options.limits.compile_seconds = 8;
  options.limits.tiling_seconds = 2;
  options.limits.run_seconds = 3;
  options.limits.memory_bytes = uint64_t{2} << 30;
  return options;
}

std::set<std::string> Expected(const std::string& text) {
  const size_t at = text.find("expect: ");
  EXPECT_NE(at, std::string::npos);
  std::istringstream words(text.substr(at + 8, text.find('\n', at) - at - 8));
  std::set<std::string> names;
  for (std::string word; words >> word;) {
    EXPECT_TRUE(judge::ParseOutcome(word)) << word;
    names.insert(word);
  }
  return names;
}

judge::Verdict Try(const judge::Candidate& candidate,
                   judge::Stage last = judge::Stage::kPrecision) {
  judge::JudgeOptions options = Options();
  options.last = last;
  return TheJudge().Try(TaskOf(kTask), candidate, options);
}

void ExpectHonestPasses() {
  judge::JudgeOptions options = Options();
  options.only_case = "edge-1";
  const judge::Verdict verdict =
      TheJudge().Try(TaskOf(kTask), KernelCheat("honest"), options);
  EXPECT_TRUE(verdict.passed()) << Describe(verdict);
}

void ExpectCaught(const judge::Candidate& candidate, const std::string& text,
                  judge::Stage last = judge::Stage::kPrecision) {
  TheBroker();
  setenv("BELAY_CHEAT_SECRET", "told", 1);
  ExpectHonestPasses();
  const int before = Descendants();
  const judge::Verdict verdict = Try(candidate, last);
  EXPECT_LE(verdict.reached, last);
  // What it was caught by, for who reads the log.
  fmt::print("{}: {}: {}\n", candidate.name, NameOf(verdict.outcome),
             verdict.reason);
  const std::set<std::string> expected = Expected(text);
  EXPECT_TRUE(expected.count(std::string(NameOf(verdict.outcome))))
      << Describe(verdict);
  for (const char* never : {"passed", "lucky", "infrastructure"}) {
    EXPECT_FALSE(expected.count(never)) << "a cheat must not expect this";
  }
  EXPECT_FALSE(verdict.reason.empty());
  EXPECT_LE(Descendants(), before) << "processes were left behind";
  TheCanary().ExpectUntouched();
  ExpectHonestPasses();
}

std::string TestName(const ::testing::TestParamInfo<std::string>& one) {
  return one.param;
}

class KernelCheats : public ::testing::TestWithParam<std::string> {};
TEST_P(KernelCheats, AreCaught) {
  ExpectCaught(KernelCheat(GetParam()),
               ReadFile(Cheats() / "kernel" / (GetParam() + ".cpp")));
}
INSTANTIATE_TEST_SUITE_P(Kernel, KernelCheats,
                         ::testing::ValuesIn(NamesIn("kernel", ".cpp")),
                         TestName);

// Honest wherever values are compared: caught when it is timed.
class TimedCheats : public ::testing::TestWithParam<std::string> {};
TEST_P(TimedCheats, AreCaught) {
  const judge::Candidate cheat = KernelCheat(GetParam(), "timed");
  EXPECT_TRUE(Try(cheat).passed());
  ExpectCaught(cheat, ReadFile(Cheats() / "timed" / (GetParam() + ".cpp")),
               judge::Stage::kPerformance);
}
INSTANTIATE_TEST_SUITE_P(Timed, TimedCheats,
                         ::testing::ValuesIn(NamesIn("timed", ".cpp")),
                         TestName);

class HostCheats : public ::testing::TestWithParam<std::string> {};
TEST_P(HostCheats, AreCaught) {
  ExpectCaught(HostCheat(GetParam()),
               ReadFile(Cheats() / "host" / (GetParam() + ".cpp")));
}
INSTANTIATE_TEST_SUITE_P(Host, HostCheats,
                         ::testing::ValuesIn(NamesIn("host", ".cpp")),
                         TestName);

class CruxCheats : public ::testing::TestWithParam<std::string> {};
TEST_P(CruxCheats, AreCaught) {
  const std::string text = TextOf("crux/" + GetParam() + ".crux");
  // The pooled child is there before processes are counted.
  EXPECT_TRUE(Try(CruxCandidate(AnswerOf(TaskOf(kTask)))).passed());
  ExpectCaught(CruxCandidate(text), text);
  EXPECT_TRUE(Try(CruxCandidate(AnswerOf(TaskOf(kTask)))).passed());
}
INSTANTIATE_TEST_SUITE_P(Crux, CruxCheats,
                         ::testing::ValuesIn(NamesIn("crux", ".crux")),
                         TestName);

TEST(Honest, HostPartAndKernelPass) {
  const judge::Verdict verdict = Try(HostCheat("honest"));
  EXPECT_TRUE(verdict.passed()) << Describe(verdict);
}

TEST(Honest, KernelPassesWhenItIsTimed) {
  const judge::Verdict verdict =
      Try(KernelCheat("honest"), judge::Stage::kPerformance);
  EXPECT_TRUE(verdict.passed()) << Describe(verdict);
  EXPECT_FALSE(verdict.times.empty());
}

TEST(Honest, ThereAreManyKinds) {
  EXPECT_GE(NamesIn("kernel", ".cpp").size() + NamesIn("host", ".cpp").size() +
                NamesIn("crux", ".crux").size(),
            40u);
}

}  // namespace
}  // namespace belay::testing
