// SPDX-License-Identifier: Apache-2.0
// Runs killed at random moments: nothing is lost, nothing is judged twice, and
// the results are those of a run that nobody disturbed.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "bench/random.h"
#include "fake_judge.h"
#include "runs/atomic_file.h"
#include "runs/run_folder.h"
#include "runs/store.h"

namespace belay::runs::test_kills {
namespace {

namespace fs = std::filesystem;
using testing::FakePlan;
using testing::FakeSample;
using testing::TemporaryFolder;

constexpr int kKills = 200;

std::vector<Sample> ManySamples(const std::vector<bench::Task>& tasks) {
  const char* const texts[] = {"sleep 3 ", "wrong ", "sleep 1 ", "pass 1.5 "};
  std::vector<Sample> samples;
  for (size_t i = 0; i < 120; ++i) {
    samples.push_back(FakeSample(tasks[i % tasks.size()].id, std::to_string(i),
                                 texts[i % 4] + std::to_string(i)));
  }
  return samples;
}

// A run in a process group of its own, begun anew or gone on with.
pid_t StartRun(const RunPlan& plan, const fs::path& folder) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);
  int code = 0;
  try {
    if (!HasRun(folder)) {
      BeginRun(folder, {{"options", nlohmann::json::object()}}, plan.samples,
               plan.pipeline.secret);
    }
    const RunEnd end = testing::RunFakePlan(plan);
    WriteResults(folder, end.results);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  _exit(code);
}

TEST(Kills, TwoHundredOfThemChangeNothing) {
  const uint64_t seed = testing::SeedOfTest(20);
  bench::Random random(seed);
  const TemporaryFolder folder;
  const auto tasks =
      testing::FakeTasks({"level1/Math/A", "level1/Math/B", "level2/Norm/C"});
  RunPlan plan =
      FakePlan(ManySamples(tasks), tasks, folder.path() / "calm.sqlite", 2);
  const fs::path calm = folder.path() / "calm";
  int status = -1;
  waitpid(StartRun(plan, calm), &status, 0);
  ASSERT_EQ(status, 0);
  const std::string expected = ReadWhole(calm / "results.jsonl");

  const fs::path log = folder.path() / "log";
  plan.pipeline.setup["log"] = log.string();
  int kills = 0;
  int runs = 0;
  int64_t judged = 0;
  while (kills < kKills) {
    // Each run is killed until it comes to its end; then another begins.
    const fs::path own = folder.path() / std::to_string(runs++);
    plan.store = folder.path() / (own.filename().string() + ".sqlite");
    fs::remove(log);
    int kills_of_run = 0;
    for (;;) {
      const pid_t pid = StartRun(plan, own);
      setpgid(pid, pid);  // both sides do: whoever comes first
      if (kills < kKills) {
        usleep(static_cast<useconds_t>(random.Integer(0, 60'000)));
        // The parent alone sometimes: its children must go by themselves.
        kill(random.Chance(0.5) ? -pid : pid, SIGKILL);
      }
      waitpid(pid, &status, 0);
      if (WIFSIGNALED(status)) {
        ++kills;
        ++kills_of_run;
        if (fs::exists(plan.store)) {
          Store store(plan.store);
          store.Check();
          // A verdict once there stays there.
          EXPECT_GE(store.Count(), judged);
          judged = store.Count();
        }
        continue;
      }
      ASSERT_EQ(status, 0) << "seed " << seed << ", kill " << kills;
      break;
    }
    judged = 0;
    EXPECT_EQ(ReadWhole(own / "results.jsonl"), expected)
        << "seed " << seed << ", run " << runs;
    // What was in the store was not judged again: beyond one attempt for each
    // sample there are those that a kill cut short, two for each worker (one
    // under way, one ended and not yet committed).
    std::ifstream in(log);
    int64_t attempts = 0;
    for (std::string line; std::getline(in, line);) ++attempts;
    EXPECT_LE(attempts, 120 + 4 * kills_of_run);
  }
  std::cout << kills << " kills over " << runs << " runs\n";
}

}  // namespace
}  // namespace belay::runs::test_kills
