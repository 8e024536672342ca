// SPDX-License-Identifier: Apache-2.0
// Where samples come from: folders and files.

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "fake_judge.h"
#include "runs/sample.h"

namespace belay::runs::test_samples {
namespace {

namespace fs = std::filesystem;
using testing::FakeTasks;
using testing::TemporaryFolder;

std::vector<const bench::Task*> PointersTo(
    const std::vector<bench::Task>& tasks, size_t count) {
  std::vector<const bench::Task*> pointers;
  for (size_t i = 0; i < count; ++i) pointers.push_back(&tasks[i]);
  return pointers;
}

void Write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Samples, OfAFolderInNaturalOrder) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A", "level1/Math/B"});
  for (const char* name : {"10.crux", "2.crux", "1.cpp", ".hidden"}) {
    Write(folder.path() / "level1/Math/A" / name, name);
  }
  Write(folder.path() / "level1/Math/A/project/op_host/a.cpp", "host");
  Write(folder.path() / "level1/Math/A/project/op_kernel/a.cpp", "kernel");
  Write(folder.path() / "level1/Math/B/x.asc", "x");
  const auto all = SamplesOfFolder(folder.path(), PointersTo(tasks, 2),
                                   PointersTo(tasks, 2));
  std::vector<std::string> names;
  for (const Sample& sample : all) names.push_back(sample.name);
  EXPECT_EQ(names, (std::vector<std::string>{"1.cpp", "2.crux", "10.crux",
                                             "project", "x.asc"}));
  EXPECT_EQ(all[3].candidate.files.size(), 2u);
  // Tasks that were not asked for are left out.
  EXPECT_EQ(
      SamplesOfFolder(folder.path(), PointersTo(tasks, 1), PointersTo(tasks, 2))
          .size(),
      4u);
  // Folders of no task are a mistake.
  Write(folder.path() / "level1/Maths/A/x.crux", "x");
  EXPECT_NE(MessageOf([&] {
              SamplesOfFolder(folder.path(), PointersTo(tasks, 2),
                              PointersTo(tasks, 2));
            }).find("belongs to no task"),
            std::string::npos);
}

TEST(Samples, OfAFileWithManifest) {
  const TemporaryFolder folder;
  const auto tasks = FakeTasks({"level1/Math/A", "level1/Math/B"});
  Write(folder.path() / "k/one.crux", "one");
  Write(folder.path() / "samples.jsonl",
        "{\"task\": \"level1/Math/A\", \"candidate\": \"k/one.crux:main\", "
        "\"model\": \"m\", \"temperature\": 0.7}\n\n"
        "{\"task\": \"level1/Math/A\", \"text\": \"two\", \"kind\": "
        "\"crux\"}\n"
        "{\"task\": \"level1/Math/B\", \"text\": \"three\", \"kind\": "
        "\"kernel\", \"sample\": 7}\n"
        "{\"task\": \"level1/Math/A\", \"kind\": \"project\", \"sample\": "
        "\"p\", \"files\": {\"op_host/a.cpp\": \"h\", \"op_kernel/a.cpp\": "
        "\"k\"}}\n");
  const auto all = SamplesOfFile(folder.path() / "samples.jsonl",
                                 PointersTo(tasks, 2), PointersTo(tasks, 2));
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "0");
  EXPECT_EQ(all[0].candidate.kernel, "main");
  EXPECT_EQ(all[0].manifest,
            (nlohmann::json{{"model", "m"}, {"temperature", 0.7}}));
  EXPECT_EQ(all[1].name, "1");
  EXPECT_EQ(all[1].candidate.files[0].text, "two");
  EXPECT_EQ(all[2].candidate.kind, judge::CandidateKind::kProject);
  EXPECT_EQ(all[3].name, "7");
  for (const Sample& sample : all) {
    const Sample back = SampleOf(ToJson(sample), "line", folder.path());
    EXPECT_EQ(back.candidate.hash, sample.candidate.hash);
    EXPECT_EQ(back.name, sample.name);
    EXPECT_EQ(back.manifest, sample.manifest);
  }
}

TEST(Samples, FaultyLinesAreRefusedWithTheirNumber) {
  const auto tasks = FakeTasks({"level1/Math/A"});
  const struct {
    const char* line;
    const char* message;
  } kCases[] = {
      {"no json", "not JSON"},
      {"[1]", "JSON object"},
      {"{\"text\": \"x\", \"kind\": \"crux\"}", "\"task\" is missing"},
      {"{\"task\": \"nothing\", \"text\": \"x\", \"kind\": \"crux\"}",
       "there is no task 'nothing'"},
      {"{\"task\": \"level1/Math/A\"}", "give one of"},
      {"{\"task\": \"level1/Math/A\", \"text\": \"x\"}", "\"kind\""},
      {"{\"task\": \"level1/Math/A\", \"text\": \"x\", \"kind\": \"elf\"}",
       "project, kernel or crux"},
      {"{\"task\": \"level1/Math/A\", \"text\": 3, \"kind\": \"crux\"}",
       "not a string"},
      {"{\"task\": \"level1/Math/A\", \"candidate\": \"missing.crux\"}",
       "is no file"},
      {"{\"task\": \"level1/Math/A\", \"text\": \"x\", \"kind\": \"crux\", "
       "\"sample\": []}",
       "a name or a number"},
      {"{\"task\": \"level1/Math/A\", \"kind\": \"kernel\", \"files\": "
       "{\"a.cpp\": {\"hex\": \"0g\"}}}",
       "neither a string"},
  };
  for (const auto& one : kCases) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "s.jsonl";
    Write(file, std::string("\n") + one.line + "\n");
    const std::string said = MessageOf([&] {
      SamplesOfFile(file, PointersTo(tasks, 1), PointersTo(tasks, 1));
    });
    EXPECT_NE(said.find(one.message), std::string::npos) << said;
    EXPECT_NE(said.find("s.jsonl:2"), std::string::npos) << said;
  }
}

TEST(Samples, NamesAreTakenOnce) {
  const auto tasks = FakeTasks({"level1/Math/A"});
  std::vector<Sample> samples = {
      testing::FakeSample("level1/Math/A", "0", "a"),
      testing::FakeSample("level1/Math/A", "0", "b")};
  EXPECT_THROW(RequireDistinctNames(samples), UserError);
  samples[1].only_case = "edge-0";
  EXPECT_NO_THROW(RequireDistinctNames(samples));
}

}  // namespace
}  // namespace belay::runs::test_samples
