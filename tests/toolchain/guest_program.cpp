// SPDX-License-Identifier: Apache-2.0
#include "guest_program.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <system_error>

#include "toolchain/symbolize.h"

namespace belay::testing {

TemporaryDirectory::TemporaryDirectory() {
  std::string name =
      std::filesystem::temp_directory_path() / "belay_toolchain_XXXXXX";
  if (!::mkdtemp(name.data()))
    throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::filesystem::remove_all(path_);
}

std::string TemporaryDirectory::Write(const std::string& name,
                                      const std::string& text) const {
  std::ofstream(path_ / name) << text;
  return path_ / name;
}

std::string IncludeDirectory() { return BELAY_INCLUDE_DIR; }

GuestProgram::GuestProgram(const std::string& text) {
  options_.sources = {AddFile("guest.asc", text)};
  options_.headers = IncludeDirectory();
  options_.output = directory_.Path("guest.so");
}

GuestProgram::~GuestProgram() {
  if (module_) ::dlclose(module_);
}

std::string GuestProgram::AddFile(const std::string& name,
                                  const std::string& text) {
  return directory_.Write(name, text);
}

bool GuestProgram::Compile() {
  result_ = toolchain::Compile(options_);
  EXPECT_EQ(result_.ok, std::filesystem::exists(options_.output));
  return result_.ok;
}

std::string GuestProgram::Messages() const {
  std::string text;
  for (const Diagnostic& diagnostic : result_.diagnostics)
    text += ToText(diagnostic);
  return text;
}

int GuestProgram::Run() {
  TheRecorder() = {};
  return RunAsRecorded();
}

int GuestProgram::RunAsRecorded() {
  if (!Compile()) {
    ADD_FAILURE() << Messages();
    return -1;
  }
  module_ = ::dlopen(options_.output.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module_) {
    ADD_FAILURE() << ::dlerror();
    return -1;
  }
  const auto guest_main =
      reinterpret_cast<int (*)(int, char**)>(Symbol("belay_guest_main"));
  char name[] = "guest";
  char* arguments[] = {name, nullptr};
  return guest_main(1, arguments);
}

void* GuestProgram::Symbol(const std::string& name) const {
  return ::dlsym(module_, name.c_str());
}

std::vector<SourceLocation> GuestProgram::FramesOf(const void* caller) const {
  Dl_info info;
  if (!caller || !::dladdr(caller, &info)) return {};
  const uint64_t offset = static_cast<const char*>(caller) -
                          static_cast<const char*>(info.dli_fbase);
  return toolchain::Symbolizer(options_.output).Frames(offset - 1);
}

std::vector<int> GuestProgram::LinesOf(const void* caller) const {
  std::vector<int> lines;
  for (const SourceLocation& frame : FramesOf(caller))
    lines.push_back(frame.line);
  return lines;
}

}  // namespace belay::testing
