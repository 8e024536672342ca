// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TOOLCHAIN_GUEST_PROGRAM_H_
#define BELAY_TESTS_TOOLCHAIN_GUEST_PROGRAM_H_

// Little programs for the tests: written to a directory of their own, compiled,
// loaded into this process and run.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fake_runtime.h"
#include "toolchain/compile.h"

namespace belay::testing {

// A directory that goes away with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;

  std::string Write(const std::string& name, const std::string& text) const;
  std::string Path(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Where Belay's own headers lie.
std::string IncludeDirectory();

class GuestProgram {
 public:
  // One source, "guest.asc", with this text.
  explicit GuestProgram(const std::string& text);
  ~GuestProgram();

  // For a further source or a header.
  std::string AddFile(const std::string& name, const std::string& text);
  toolchain::CompileOptions& options() { return options_; }

  // Compiles; the diagnostics are kept.
  bool Compile();
  const std::vector<Diagnostic>& diagnostics() const {
    return result_.diagnostics;
  }
  // All diagnostics as text, for messages of failing tests.
  std::string Messages() const;

  // Compiles, loads and calls main, with the recorder started anew. Fails the
  // test when it does not compile.
  int Run();
  // The same with a recorder already prepared.
  int RunAsRecorded();

  // Address of a symbol of the loaded module, or null.
  void* Symbol(const std::string& name) const;

  // Places of a return address in the module, innermost first.
  std::vector<SourceLocation> FramesOf(const void* caller) const;
  // Source lines of a return address in the module, innermost first.
  std::vector<int> LinesOf(const void* caller) const;

 private:
  TemporaryDirectory directory_;
  toolchain::CompileOptions options_;
  toolchain::CompileResult result_;
  void* module_ = nullptr;
};

}  // namespace belay::testing

#endif  // BELAY_TESTS_TOOLCHAIN_GUEST_PROGRAM_H_
