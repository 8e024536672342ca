// SPDX-License-Identifier: Apache-2.0
// Tests `belay tasks compare`: what is right passes, what is wrong is refused
// with the output, the element and the protocol named.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "../cli/run_belay.h"
#include "base/npy.h"
#include "bench/tensor_edit.h"

namespace belay::bench::test_compare {
namespace {

namespace fs = std::filesystem;
using belay::testing::Outcome;
using belay::testing::RunBelay;
using nlohmann::json;

// Cases of a task as files, in a folder of their own.
class Written {
 public:
  Written(const std::string& task, const std::string& flags)
      : task_(task),
        folder_(fs::temp_directory_path() /
                ("belay_compare_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    const Outcome outcome = RunBelay("tasks run " + task + " " + flags +
                                     " --write " + folder_.string());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
  ~Written() { fs::remove_all(folder_); }

  fs::path Path(const std::string& file) const {
    return folder_ / task_ / file;
  }
  std::string folder() const { return folder_.string(); }

  Outcome Compare(const std::string& words) const {
    return RunBelay("tasks compare " + task_ + " " + words);
  }

 private:
  std::string task_;
  fs::path folder_;
};

const char* const kSqrt = "level1/Math/Sqrt";

TEST(Compare, AcceptsWhatPyTorchComputes) {
  const Written written(kSqrt, "--kind edge");
  const Outcome outcome =
      written.Compare("--role eager --json --outputs " + written.folder());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["accepted"], true);
  EXPECT_GT(report["tasks"][0]["cases"].size(), 10u);
  for (const json& one_case : report["tasks"][0]["cases"]) {
    EXPECT_EQ(one_case["protocols"][0]["outputs"][0]["wrong"], 0);
  }
}

TEST(Compare, NamesTheWorstElement) {
  const Written written(kSqrt, "--case edge-7");
  Array wrong = ReadNpy(written.Path("edge-7/eager.y.0.npy"));
  ASSERT_EQ(wrong.shape, (Shape{5, 7, 11, 3}));
  const int64_t element = ((2 * 7 + 3) * 11 + 5) * 3 + 1;
  PutNumber(wrong, element, 1000);
  WriteNpy(written.Path("edge-7/output.y.0.npy"), wrong);
  const Outcome outcome =
      written.Compare("--json --outputs " + written.Path("").string());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const json report = json::parse(outcome.out);
  const json output =
      report["tasks"][0]["cases"][0]["protocols"][0]["outputs"][0];
  EXPECT_EQ(output["name"], "y");
  EXPECT_EQ(output["accepted"], false);
  EXPECT_EQ(output["wrong"], 1);
  EXPECT_EQ(output["worst"]["place"], "[2,3,5,1]");
  EXPECT_EQ(output["worst"]["is"], 1000);
  EXPECT_EQ(report["diagnostics"][0]["code"], "BLY-K129");

  const Outcome text =
      written.Compare("--case edge-7 --out y=" +
                      written.Path("edge-7/output.y.0.npy").string());
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_NE(text.out.find("worst at [2,3,5,1]: is 1000"), std::string::npos)
      << text.out;
  EXPECT_NE(text.err.find("[BLY-K129]"), std::string::npos) << text.err;
}

// Zeros for results below 1e-4 are wrong, but not for the others.
TEST(Compare, JudgesByEveryProtocolAsked) {
  const std::string task = "level2/Activation/Gelu";
  const Written written(task, "--kind edge");
  bool found = false;
  for (const auto& entry : fs::directory_iterator(written.Path(""))) {
    if (!entry.is_directory()) continue;
    Array zeros = ReadNpy(entry.path() / "eager.y.0.npy");
    if (zeros.dtype != DType::kFloat || zeros.data.empty()) continue;
    double largest = 0;
    Transform(zeros, [&](double value) {
      largest = std::max(largest, std::abs(value));
      return std::abs(value) < 1e-4 ? 0 : value;
    });
    WriteNpy(entry.path() / "output.y.0.npy", zeros);
    if (!std::isfinite(largest)) continue;
    const Outcome outcome = written.Compare(
        "--json --protocol belay --protocol npukernelbench --protocol "
        "multikernelbench --outputs " +
        written.folder() + " --case " + entry.path().filename().string());
    const json report = json::parse(outcome.out);
    const json& judged = report["tasks"][0]["cases"][0]["protocols"];
    ASSERT_EQ(judged.size(), 3u);
    EXPECT_EQ(judged[1]["name"], "npukernelbench:twofold");
    EXPECT_EQ(judged[1]["accepted"], true) << judged[1];
    EXPECT_EQ(judged[2]["accepted"], true) << judged[2];
    found = found || judged[0]["accepted"] == false;
    EXPECT_EQ(outcome.exit_code, judged[0]["accepted"] == true ? 0 : 1);
  }
  EXPECT_TRUE(found) << "no case has small results";
}

TEST(Compare, ReadsListsAndBfloat16) {
  const std::string task = "level2/Foreach/ForeachAbs";
  const Written written(task, "--kind edge");
  const Outcome outcome =
      written.Compare("--role eager --json --outputs " + written.folder());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  const json report = json::parse(outcome.out);
  bool bf16 = false;
  for (const json& one_case : report["tasks"][0]["cases"]) {
    bf16 |= one_case["description"].get<std::string>().find("bf16") !=
            std::string::npos;
  }
  EXPECT_TRUE(bf16);
}

TEST(Compare, RefusesOtherFormsAndBadCalls) {
  const Written written(kSqrt, "--case edge-7 --case edge-4");
  const auto file = [&](const char* name) {
    return written.Path(name).string();
  };
  const auto expect = [&](const std::string& words, int exit_code,
                          const std::string& text) {
    const Outcome outcome = written.Compare(words);
    EXPECT_EQ(outcome.exit_code, exit_code) << words << outcome.err;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << words << "\n"
                                                         << outcome.err;
  };
  expect("--case edge-7 --out y=" + file("edge-4/eager.y.0.npy"), 1,
         "has the shape");
  expect("--case edge-7 --out y=" + file("edge-7/reference.y.0.npy"), 1,
         "is of f64 and must be of f16");
  expect("--case edge-7 --out z=" + file("edge-7/eager.y.0.npy"), 2,
         "has no output 'z': it has y");
  expect("--case edge-7", 2, "either --outputs DIR or --out NAME=FILE");
  expect("--out y=" + file("edge-7/eager.y.0.npy"), 2, "one --case");
  expect("--case edge-9999 --out y=y.npy", 2, "has no case 'edge-9999'");
  expect("--case edge-7 --out y=nowhere.npy", 2, "nowhere.npy");
  expect("--case edge-7 --out y", 2, "--out takes NAME=FILE.npy");
  expect("--outputs " + written.folder(), 2, "output.y.0.npy");
  expect("--outputs " + file("edge-7"), 2, "no folder in");
  expect("--role eager --protocol kernelbench --outputs " + written.folder(), 2,
         "there is no protocol 'kernelbench'");
}

}  // namespace
}  // namespace belay::bench::test_compare
