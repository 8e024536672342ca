// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_RUN_FOLDER_H_
#define BELAY_RUNS_RUN_FOLDER_H_

// The folder of a run:
//
//   run.json        what was asked; written last, so that it stands for a run
//   samples.jsonl   every sample with its texts
//   secret          that seeds the second run of every case; mode 0600
//   store.sqlite    verdicts, unless --store names another
//   results.jsonl   verdicts in the order of samples.jsonl
//   results.csv     the same as a table
//   extras.jsonl    wall times, attempts, timelines
//   scratch/        while it is under way

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "guest/channel.h"
#include "runs/results.h"

namespace belay::runs {

bool HasRun(const std::filesystem::path& folder);

// Makes the folder, where it is not there, and everything that is known before
// the first verdict. `run` becomes run.json.
void BeginRun(const std::filesystem::path& folder, const nlohmann::json& run,
              const std::vector<Sample>& samples, const std::string& secret);

nlohmann::json ReadRunFile(const std::filesystem::path& folder);
std::vector<Sample> ReadRunSamples(const std::filesystem::path& folder);
std::string ReadRunSecret(const std::filesystem::path& folder);

// The options to go on with: those of the run, of which those that are `given`
// again must be the same. Throws UserError with the first that is not.
nlohmann::json ResumedOptions(const nlohmann::json& of_run,
                              const nlohmann::json& asked,
                              const std::set<std::string>& given);

// Keeps a second process from the folder as long as it lives.
class RunLock {
 public:
  // Throws UserError when another process holds it.
  explicit RunLock(const std::filesystem::path& folder);

 private:
  guest::Descriptor file_;
};

// A folder below the run's for what workers write while they judge: empty at
// first, whatever a killed run left there, and gone at the end. Make it with
// the lock held.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& folder);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

 private:
  std::filesystem::path path_;
};
std::filesystem::path ScratchPath(const std::filesystem::path& folder);

// results.jsonl, results.csv and extras.jsonl, each as a whole.
void WriteResults(const std::filesystem::path& folder,
                  const std::vector<Result>& results);

struct LoadedRun {
  std::filesystem::path folder;
  nlohmann::json run;           // run.json
  size_t samples = 0;           // that were asked for
  std::vector<Result> results;  // of those that ended, in their order
};
// Throws UserError for a folder without results.
LoadedRun LoadRun(const std::filesystem::path& folder);

}  // namespace belay::runs

#endif  // BELAY_RUNS_RUN_FOLDER_H_
