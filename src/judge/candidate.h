// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CANDIDATE_H_
#define BELAY_JUDGE_CANDIDATE_H_

// An answer to a task, as text: nothing of it has been compiled or run.

#include <filesystem>
#include <string>
#include <vector>

namespace belay::judge {

enum class CandidateKind {
  kProject,  // op_host and op_kernel
  kKernel,   // a kernel's file (.cpp or .asc) for the task's own op_host
  kCrux,     // a Crux program
};

struct CandidateFile {
  std::string path;  // below the candidate's folder: "op_kernel/sqrt.cpp"
  std::string text;
};

struct Candidate {
  CandidateKind kind = CandidateKind::kKernel;
  std::string name;                  // of the file or folder
  std::vector<CandidateFile> files;  // sorted by path
  std::string kernel;                // kCrux: which one; empty: the only one
  std::string hash;                  // 32 hex digits over kind, files, kernel
};

// A folder is an operator project, a .crux file a Crux program, a .cpp, .cc or
// .asc file a kernel. "FILE.crux:NAME" names one kernel of several. Throws
// UserError for what is none of these, for links that lead out of the folder,
// and for more than 64 files or 4 MB.
Candidate LoadCandidate(const std::string& path);

// The same from texts, as a model gives them.
Candidate MakeCandidate(CandidateKind kind, std::string name,
                        std::vector<CandidateFile> files,
                        std::string kernel = {});

// Writes the files below a folder. Throws UserError where that fails.
void WriteCandidate(const Candidate& candidate,
                    const std::filesystem::path& folder);

std::string_view NameOf(CandidateKind kind);  // "project", "kernel", "crux"

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CANDIDATE_H_
