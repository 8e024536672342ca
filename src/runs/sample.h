// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_SAMPLE_H_
#define BELAY_RUNS_SAMPLE_H_

// What a run judges: one answer to one problem of one task, with what its
// author says about it. docs/bench.md has the layout of folders and files.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/task.h"
#include "judge/candidate.h"

namespace belay::runs {

struct Sample {
  std::string task;       // id
  std::string only_case;  // of a static problem; "": all cases
  std::string name;       // among the samples of its problem
  judge::Candidate candidate;
  // Carried along into results: model, temperature, prompt_hash, …
  nlohmann::json manifest = nlohmann::json::object();

  std::string problem() const {
    return only_case.empty() ? "dynamic" : only_case;
  }
};

// By task, problem and name; runs of digits compare as numbers ("2" < "10").
void SortSamples(std::vector<Sample>& samples);

// The entries of FOLDER/<task id>/: kernels, Crux programs and operator
// projects, each one sample named like its file. Tasks that are `known` but not
// `selected` are left out. Throws UserError for a folder of no known task and
// for entries that are no candidates (names that begin with a dot are passed
// over).
std::vector<Sample> SamplesOfFolder(
    const std::filesystem::path& folder,
    const std::vector<const bench::Task*>& selected,
    const std::vector<const bench::Task*>& known);

// The lines of a JSONL file. Throws UserError with the line's number.
std::vector<Sample> SamplesOfFile(
    const std::filesystem::path& file,
    const std::vector<const bench::Task*>& selected,
    const std::vector<const bench::Task*>& known);

// The answers that Belay ships.
std::vector<Sample> ShippedAnswers(
    const std::vector<const bench::Task*>& selected);

// Which problems the samples that do not say it themselves are for.
struct ProblemChoice {
  std::string only_case;         // this one of every task
  bool every_case = false;       // each case a problem of its own
  bool real_cases_only = false;  // of `every_case`
};
// Throws UserError for a case that a task does not have.
std::vector<Sample> WithProblems(std::vector<Sample> samples,
                                 const ProblemChoice& choice,
                                 const std::vector<const bench::Task*>& tasks);

// Two samples of one name for one problem are a UserError.
void RequireDistinctNames(const std::vector<Sample>& sorted);

// The line of a JSONL file that SamplesOfFile reads back, with all texts.
nlohmann::json ToJson(const Sample& sample);
// `where` stands before messages ("samples.jsonl:3"); paths of candidates are
// relative to `folder`.
Sample SampleOf(const nlohmann::json& line, const std::string& where,
                const std::filesystem::path& folder);

}  // namespace belay::runs

#endif  // BELAY_RUNS_SAMPLE_H_
