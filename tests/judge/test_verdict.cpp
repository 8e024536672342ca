// SPDX-License-Identifier: Apache-2.0
// What a verdict is made of before anything runs: seeds, problems, flags, the
// JSON form.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "bench/suite.h"
#include "judge/flags.h"
#include "judge/judge.h"
#include "judge/problem.h"
#include "judge/verdict.h"

namespace belay::judge::test_verdict {
namespace {

const bench::Task& Sqrt() {
  static const bench::Suite suite = bench::LoadShippedSuite();
  return bench::FindTask(suite, "level1/Math/Sqrt");
}

std::string Hex(const std::string& bytes) {
  std::string text;
  for (const unsigned char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The vectors of RFC 4231, cases 1, 2, 3 and 6 (a key longer than a block).
TEST(Seeds, HmacIsTheStandardsOne) {
  EXPECT_EQ(Hex(Hmac(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Hex(Hmac("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(Hmac(std::string(20, '\xaa'), std::string(50, '\xdd'))),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  EXPECT_EQ(Hex(Hmac(std::string(131, '\xaa'),
                     "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Seeds, SecretSeedsDependOnSecretCandidateAndCase) {
  const std::vector<bench::Case> cases = bench::ExpandCases(Sqrt());
  const Seeds one{0, "a secret of some length"};
  const Seeds other{0, "another secret of the length"};
  std::set<uint64_t> seen;
  for (const Seeds& seeds : {one, other}) {
    for (const char* hash : {"aa", "bb"}) {
      for (size_t i = 0; i < 10; ++i) {
        seen.insert(WithSecretSeed(cases[i], seeds, hash).seed);
      }
    }
  }
  EXPECT_EQ(seen.size(), 40u);
  EXPECT_EQ(WithSecretSeed(cases[0], one, "aa").seed,
            WithSecretSeed(cases[0], one, "aa").seed);
  EXPECT_EQ(WithPublicSeed(cases[0], one).seed, cases[0].seed);
  EXPECT_NE(WithPublicSeed(cases[0], {7, ""}).seed, cases[0].seed);
}

TEST(Problems, DynamicOnesAreAllCasesUnderTwoSeeds) {
  const Problem problem = MakeProblem(Sqrt(), FindProtocol("belay"), "",
                                      {0, "secret"}, "hash", 1 << 24);
  int64_t small = 0;
  int64_t real = 0;
  for (const bench::Case& one : bench::ExpandCases(Sqrt())) {
    small += bench::ElementsOf(Sqrt(), one) <= 1 << 24;
    real += one.kind == bench::CaseKind::kReal;
  }
  EXPECT_EQ(problem.name, "dynamic");
  EXPECT_EQ(std::ssize(problem.calls), 2 * small);
  EXPECT_EQ(std::ssize(problem.timed), real);
  EXPECT_EQ(problem.calls.front().one_case.kind, bench::CaseKind::kEdge);
  EXPECT_EQ(problem.calls.back().one_case.kind, bench::CaseKind::kReal);
  EXPECT_EQ(problem.calls.back().seed, SeedKind::kSecret);
  EXPECT_FALSE(problem.calls.back().check);
}

TEST(Problems, StaticOnesAreOneCaseUnderEveryRegime) {
  const Problem problem = MakeProblem(Sqrt(), FindProtocol("belay"), "edge-5",
                                      {0, "secret"}, "hash", 1 << 24);
  std::set<bench::Regime> regimes;
  std::set<uint64_t> seeds;
  for (const ProblemCall& call : problem.calls) {
    EXPECT_EQ(call.one_case.name, "edge-5");
    regimes.insert(call.one_case.regime);
    seeds.insert(call.one_case.seed);
  }
  EXPECT_EQ(regimes.size(), 4u);  // normal, wide, small, special
  EXPECT_EQ(seeds.size(), problem.calls.size());
  EXPECT_EQ(problem.timed.size(), 1u);
  EXPECT_THROW(MakeProblem(Sqrt(), FindProtocol("belay"), "edge-999",
                           {0, "secret"}, "hash", 1 << 24),
               UserError);
}

TEST(Problems, OtherProtocolsTakeRealCasesOnce) {
  const Problem problem = MakeProblem(Sqrt(), FindProtocol("npukernelbench"),
                                      "", {0, "secret"}, "hash", 1 << 24);
  for (const ProblemCall& call : problem.calls) {
    EXPECT_EQ(call.one_case.kind, bench::CaseKind::kReal);
    EXPECT_EQ(call.seed, SeedKind::kPublic);
  }
  EXPECT_FALSE(problem.calls.empty());
  EXPECT_THROW(FindProtocol("nobody's"), UserError);
}

std::vector<std::string> FlagsOf(const std::string& text) {
  const Candidate candidate =
      MakeCandidate(CandidateKind::kKernel, "k.cpp", {{"k.cpp", text}});
  const Problem problem = MakeProblem(Sqrt(), FindProtocol("belay"), "",
                                      {0, "secret"}, candidate.hash, 1 << 24);
  std::vector<std::string> names;
  for (const Flag& flag : FlagsOfText(candidate, Sqrt(), problem)) {
    names.push_back(flag.name);
  }
  return names;
}

TEST(Flags, AreSeenInTheTextAndNotInComments) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(FlagsOf("Sqrt(y, x, n);"), Names{});
  EXPECT_EQ(FlagsOf("SoftMax<float>(y, s, m, x, tmp, t);"),
            Names{"high-level-library"});
  EXPECT_EQ(FlagsOf("// SoftMax(x)\n/* LayerNorm(y) */ \"Matmul(\""), Names{});
  EXPECT_EQ(FlagsOf("my.SoftMax(x);"), Names{});
  EXPECT_EQ(FlagsOf("class LayerNorm {}; LayerNorm<half> norm;"), Names{});
  // 3145728 elements are those of real-0.
  EXPECT_EQ(FlagsOf("if (n == 3145728) {}"), Names{"shape-keyed"});
  EXPECT_EQ(FlagsOf("if (3'145'728 != n) {}"), Names{"shape-keyed"});
  EXPECT_EQ(FlagsOf("n = 3145728;"), Names{});
  EXPECT_EQ(FlagsOf("if (n == 512) {}"), Names{});
}

Verdict SampleVerdict() {
  Verdict verdict;
  verdict.task = "level1/Math/Sqrt";
  verdict.task_hash = "12";
  verdict.level = 1;
  verdict.category = "Math";
  verdict.problem = "dynamic";
  verdict.candidate_name = "k.cpp";
  verdict.candidate_kind = "kernel";
  verdict.candidate_hash = "ab";
  verdict.chip = "ascend910b1";
  verdict.protocol = "belay";
  verdict.outcome = Outcome::kLucky;
  verdict.reached = Stage::kPerformance;
  verdict.reason = "edge-1: \xce\xbc";
  verdict.calls = 10;
  verdict.calls_run = 9;
  verdict.calls_passed = 8;
  verdict.failures.push_back({"edge-1", bench::CaseKind::kEdge,
                              SeedKind::kSecret, bench::Regime::kTies,
                              Outcome::kLucky, "why", 0.5, 1});
  Diagnostic race;
  race.code = "BLY-R103";
  race.message = "race";
  race.location.file = "k.cpp";
  race.location.line = 3;
  verdict.findings.push_back({race, "edge-1", 4});
  verdict.flags.push_back({"scalar-only", 13, "text"});
  CaseTime time;
  time.name = "real-0";
  time.simulated = 10;
  time.bound = 5;
  time.baseline_85 = 20;
  time.parts = {"block 0"};
  verdict.times = {time};
  return verdict;
}

TEST(Verdicts, ComeBackFromJson) {
  const nlohmann::json first = SampleVerdict();
  const Verdict back = first.get<Verdict>();
  EXPECT_EQ(nlohmann::json(back), first);
  EXPECT_EQ(back.failures.at(0).regime, bench::Regime::kTies);
  EXPECT_EQ(back.findings.at(0).diagnostic.location.line, 3);
}

TEST(Verdicts, RefuseWhatIsNone) {
  nlohmann::json json = SampleVerdict();
  json.erase("outcome");
  EXPECT_THROW(json.get<Verdict>(), UserError);
  json = SampleVerdict();
  json["outcome"] = "splendid";
  EXPECT_THROW(json.get<Verdict>(), UserError);
  json = SampleVerdict();
  json["schema"] = 99;
  EXPECT_THROW(json.get<Verdict>(), UserError);
}

TEST(Verdicts, SpeedupAndHap) {
  Verdict verdict = SampleVerdict();
  EXPECT_DOUBLE_EQ(verdict.speedup(), 2);
  // (20 - 5) / ((10 - 5) + (20 - 5))
  EXPECT_DOUBLE_EQ(verdict.hap(), 0.75);
  CaseTime slow = verdict.times[0];
  slow.simulated = 40;
  verdict.times.push_back(slow);
  EXPECT_DOUBLE_EQ(verdict.speedup(), 1);
  verdict.times[1].outcome = Outcome::kFailed;
  EXPECT_EQ(verdict.speedup(), 0);
  CaseTime even = slow;
  even.simulated = even.baseline_85;
  EXPECT_DOUBLE_EQ(even.hap(), 0.5);
  even.simulated = even.bound;
  EXPECT_DOUBLE_EQ(even.hap(), 1);
}

TEST(Candidates, AreWhatTheirNamesSay) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "belay_candidate";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "op_kernel");
  std::ofstream(folder / "op_kernel" / "k.cpp") << "kernel";
  std::ofstream(folder / "k.crux") << "crux";
  EXPECT_EQ(LoadCandidate(folder).kind, CandidateKind::kProject);
  EXPECT_EQ(LoadCandidate(folder / "op_kernel" / "k.cpp").kind,
            CandidateKind::kKernel);
  const Candidate crux = LoadCandidate((folder / "k.crux").string() + ":name");
  EXPECT_EQ(crux.kind, CandidateKind::kCrux);
  EXPECT_EQ(crux.kernel, "name");
  EXPECT_NE(crux.hash, LoadCandidate(folder / "k.crux").hash);
  EXPECT_THROW(LoadCandidate(folder / "none.cpp"), UserError);
  std::ofstream(folder / "k.txt") << "text";
  EXPECT_THROW(LoadCandidate(folder / "k.txt"), UserError);
  std::filesystem::create_symlink("/etc/passwd",
                                  folder / "op_kernel" / "p.cpp");
  EXPECT_THROW(LoadCandidate(folder), UserError);
  Candidate escaping = crux;
  escaping.files = {{"../out.cpp", "x"}};
  EXPECT_THROW(WriteCandidate(escaping, folder), UserError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace belay::judge::test_verdict
