// SPDX-License-Identifier: Apache-2.0
// Every kernel of the shipped answers, in all its variants, printed as one
// AscendC program, which the toolchain compiles.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "../cli/run_belay.h"
#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "files.h"

namespace belay::testing::test_printed_answers {
namespace {

std::set<std::filesystem::path> Answers() {
  std::set<std::filesystem::path> answers;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(InSourceTree("tasks"))) {
    if (entry.path().extension() == ".crux") answers.insert(entry.path());
  }
  return answers;
}

TEST(PrintedAnswers, CompileInAllVariants) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("belay_answer_" + std::to_string(getpid()) + ".asc");
  int compiled = 0;
  for (const std::filesystem::path& path : Answers()) {
    const crux::Source source(path.filename().string(), ReadAll(path));
    const crux::Checked checked =
        crux::Check(source.name(), std::string(source.text()));
    ASSERT_TRUE(checked.ok()) << path;
    for (const crux::typed::Kernel* kernel : checked.program->kernels) {
      crux::print::Compiled all;
      all.kernel = kernel;
      all.source = &source;
      all.variants =
          crux::CompileForPrint(*kernel, crux::typed::InstancesOf(*kernel));
      std::ofstream(file) << crux::print::PrintSource(all);
      // It ends for want of arguments, if it begins.
      const Outcome outcome = RunBelay("run " + file.string());
      EXPECT_EQ((outcome.out + outcome.err).find("BLY-C"), std::string::npos)
          << path << " " << kernel->name << "\n"
          << outcome.err;
      ++compiled;
    }
  }
  std::filesystem::remove(file);
  EXPECT_GE(compiled, 120);  // tasks of one file share its kernels
}

}  // namespace
}  // namespace belay::testing::test_printed_answers
