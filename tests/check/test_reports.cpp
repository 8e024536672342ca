// SPDX-License-Identifier: Apache-2.0
// Which checkers run, what is handed over, summaries and suppressions.

#include "base/error.h"
#include "check/checkers.h"
#include "check/report.h"
#include "check/suppressions.h"
#include "support.h"

namespace belay::check::test_reports {
namespace {

using abi::Op;
using abi::Pipe;

class CheckersTest : public CheckTest {
 protected:
  // Runs two blocks that each set one flag twice over two launches and leave
  // it set; what was handed over.
  std::vector<npu::Fault> Run(const CheckOptions& options) {
    std::vector<npu::Fault> faults;
    const Checkers checkers(chip_, options, [&](npu::Fault fault) {
      faults.push_back(std::move(fault));
    });
    Launch(2);
    for (int core = 0; core < 2; ++core) {
      Issue(Flag(Op::kSetFlag, Pipe::kMte2, Pipe::kV, 0), 10, core);
      Issue(Flag(Op::kPipeBarrier, Pipe::kS, Pipe::kS, 0), 20 + core, core);
    }
    EndLaunch();
    dropped_ = checkers.dropped();
    return faults;
  }
  uint64_t dropped_ = 0;
};

TEST_F(CheckersTest, HandsOverEachKindOnce) {
  const std::vector<npu::Fault> faults = Run({});
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].diagnostic.code, "BLY-S110");
  EXPECT_EQ(faults[0].pc, 20u);
  EXPECT_TRUE(faults[0].diagnostic.notes.empty());
  EXPECT_EQ(faults[1].pc, 21u);
  EXPECT_EQ(faults[2].diagnostic.code, "BLY-S106");
  ASSERT_EQ(faults[2].diagnostic.notes.size(), 1u);
  EXPECT_EQ(faults[2].diagnostic.notes[0].message, "seen 2 times");
}

TEST_F(CheckersTest, OnlyTheToolsAskedFor) {
  CheckOptions options;
  SelectTools("memcheck,initcheck", options);
  EXPECT_TRUE(Run(options).empty());
}

TEST_F(CheckersTest, OnlyTheBlocksAskedFor) {
  CheckOptions options;
  options.blocks = {1};
  const std::vector<npu::Fault> faults = Run(options);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].pc, 21u);
  EXPECT_EQ(faults[1].diagnostic.core, "aiv 1");
}

TEST_F(CheckersTest, NoMoreKindsThanAskedFor) {
  CheckOptions options;
  options.max_findings = 1;
  const std::vector<npu::Fault> faults = Run(options);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[1].diagnostic.code, "BLY-U107");
  EXPECT_EQ(dropped_, 2u);
}

TEST(SelectTools, TakesNamesAndRefusesOthers) {
  CheckOptions options;
  SelectTools("racecheck", options);
  EXPECT_TRUE(options.racecheck);
  EXPECT_FALSE(options.memcheck || options.initcheck || options.synccheck);
  SelectTools("all", options);
  EXPECT_TRUE(options.racecheck && options.memcheck && options.initcheck &&
              options.synccheck);
  EXPECT_THROW(SelectTools("memchek", options), UserError);
  EXPECT_THROW(SelectTools("", options), UserError);
}

TEST(Report, CountsAndSummarizes) {
  std::vector<Diagnostic> diagnostics(3);
  diagnostics[1].severity = Severity::kWarning;
  diagnostics[2].severity = Severity::kNote;
  const Totals totals = Count(diagnostics);
  EXPECT_EQ(totals, (Totals{1, 1, 1}));
  EXPECT_EQ(Summarize(totals), "1 error, 1 warning, 1 note");
  EXPECT_EQ(Summarize({2, 0, 3}), "2 errors, 3 notes");
  EXPECT_EQ(Summarize({}), "nothing found");
  EXPECT_EQ(Summarize({}, 0, 1), "nothing found, 1 finding suppressed");
  EXPECT_EQ(Summarize({1, 0, 0}, 5, 0),
            "1 error, 5 kinds of findings left out (--max-findings)");
}

TEST(Report, ExitCodes) {
  EXPECT_EQ(ExitCodeOf({1, 0, 0}, false), 1);
  EXPECT_EQ(ExitCodeOf({0, 1, 1}, false), 0);
  EXPECT_EQ(ExitCodeOf({0, 0, 1}, true), 1);
  EXPECT_EQ(ExitCodeOf({}, true), 0);
}

Diagnostic At(const std::string& code, const std::string& file, int line) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.location.file = file;
  diagnostic.location.line = line;
  return diagnostic;
}

TEST(Suppressions, MatchCodeFileAndLine) {
  Suppressions list = Suppressions::Parse(
      "# known\n"
      "\n"
      "BLY-M104 op_kernel/add.cpp:12  the tail is cut off later\n"
      "BLY-S108 add.asc:* hand-made ids\n",
      "known.txt");
  EXPECT_TRUE(list.Match(At("BLY-M104", "/x/op_kernel/add.cpp", 12)));
  EXPECT_TRUE(list.Match(At("BLY-M104", "op_kernel/add.cpp", 12)));
  EXPECT_FALSE(list.Match(At("BLY-M104", "/x/op_kernel/add.cpp", 13)));
  EXPECT_FALSE(list.Match(At("BLY-M105", "/x/op_kernel/add.cpp", 12)));
  EXPECT_FALSE(list.Match(At("BLY-M104", "/x/my_op_kernel/add.cpp", 12)));
  EXPECT_TRUE(list.Match(At("BLY-S108", "/x/add.asc", 99)));
  EXPECT_FALSE(list.Match(At("BLY-S108", "", 0)));
  EXPECT_TRUE(list.Unused().empty());
}

TEST(Suppressions, UnusedLinesAreReported) {
  Suppressions list = Suppressions::Parse(
      "BLY-M104 a.asc:1 one\nBLY-M104 a.asc:2 two\n", "known.txt");
  std::vector<Diagnostic> diagnostics = {At("BLY-M104", "a.asc", 2),
                                         At("BLY-M104", "a.asc", 3)};
  EXPECT_EQ(list.Apply(diagnostics), 1u);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].location.line, 3);
  const std::vector<Diagnostic> unused = list.Unused();
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(unused[0].code, "BLY-U106");
  EXPECT_EQ(unused[0].severity, Severity::kWarning);
  EXPECT_EQ(unused[0].location.file, "known.txt");
  EXPECT_EQ(unused[0].location.line, 1);
}

TEST(Suppressions, RefuseMalformedLines) {
  for (const char* text :
       {"BLY-M104 a.asc:12", "BLY-M104 a.asc:12   ", "BLY-M104 a.asc why",
        "BLY-M104 a.asc:0 why", "BLY-M104 a.asc:x why", "BLY-M104 :3 why",
        "BLY-M999 a.asc:1 why", "BLY-M104"}) {
    EXPECT_THROW(Suppressions::Parse(text, "known.txt"), UserError) << text;
  }
  EXPECT_THROW(Suppressions::Load("no/such/file"), UserError);
}

}  // namespace
}  // namespace belay::check::test_reports
