// SPDX-License-Identifier: Apache-2.0
#include "toolchain/host_compiler.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/ToolChain.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>

#include <memory>

#include "base/error.h"

namespace belay::toolchain {
namespace {

constexpr char kTriple[] = "x86_64-unknown-linux-gnu";

// Kernel code must do what it says: signed overflow wraps, loops may be
// endless, null is an address like any other, a pointer may change its type.
// Exact source lines need frame pointers and no sibling calls.
std::vector<const char*> DriverArguments(bool has_half_conversions) {
  std::vector<const char*> arguments = {
      BELAY_CLANG,
      "-xc++",
      "-std=gnu++17",
      "-O1",
      "-finline-functions",
      "-gline-tables-only",
      "-fPIC",
      "-ffp-contract=off",
      "-fno-omit-frame-pointer",
      "-fno-optimize-sibling-calls",
      "-fno-strict-aliasing",
      "-fno-delete-null-pointer-checks",
      "-fno-finite-loops",
      "-fwrapv",
      "-fdebug-compilation-dir=.",
      "-msse4.2",
      // printf of kernel code takes half, too.
      "-Wno-format",
  };
  if (has_half_conversions) arguments.push_back("-mf16c");
  arguments.insert(arguments.end(), {"-S", "-"});
  return arguments;
}

// Drops what names the driver's own input and output, and constructor
// aliases: a device copy of a function needs a function to copy.
std::vector<std::string> WithoutFiles(const llvm::opt::ArgStringList& list) {
  std::vector<std::string> result;
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string argument = list[i];
    if (argument == "-cc1" || argument == "-S" || argument == "-" ||
        argument == "-mconstructor-aliases" || argument == "-disable-free") {
      continue;
    }
    if (argument == "-x" || argument == "-o" || argument == "-main-file-name") {
      ++i;
      continue;
    }
    result.push_back(argument);
  }
  return result;
}

HostCompiler AskDriver() {
  clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs,
                                       new clang::DiagnosticOptions,
                                       new clang::IgnoringDiagConsumer);
  clang::driver::Driver driver(BELAY_CLANG, kTriple, diagnostics);
  const bool has_f16c = llvm::sys::getHostCPUFeatures().lookup("f16c");
  const std::unique_ptr<clang::driver::Compilation> compilation(
      driver.BuildCompilation(DriverArguments(has_f16c)));
  if (!compilation || compilation->getJobs().empty()) {
    throw InternalError("[toolchain] Clang's driver refused our options");
  }
  HostCompiler result;
  result.arguments =
      WithoutFiles(compilation->getJobs().begin()->getArguments());
  const clang::driver::ToolChain& tools = compilation->getDefaultToolChain();
  const auto add_if_there = [&](std::vector<std::string>& list,
                                const char* name) {
    const std::string path = tools.GetFilePath(name);
    if (llvm::sys::fs::exists(path)) list.push_back(path);
  };
  add_if_there(result.link_before, "crtbeginS.o");
  add_if_there(result.link_after, "libgcc.a");
  add_if_there(result.link_after, "libc_nonshared.a");
  add_if_there(result.link_after, "crtendS.o");
  return result;
}

}  // namespace

bool IsSystemHeader(std::string_view file) {
  const std::vector<std::string>& arguments = FindHostCompiler().arguments;
  for (size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] != "-internal-isystem" &&
        arguments[i] != "-internal-externc-isystem")
      continue;
    if (file.starts_with(arguments[i + 1] + "/")) return true;
  }
  return false;
}

const HostCompiler& FindHostCompiler() {
  static const HostCompiler host = AskDriver();
  return host;
}

}  // namespace belay::toolchain
