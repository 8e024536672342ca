// SPDX-License-Identifier: Apache-2.0
#include "toolchain/contain_crash.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <exception>
#include <string>

#include "base/catalogue.h"

namespace belay::toolchain {
namespace {

// What report_fatal_error said last. It is followed by the end of the work.
std::string* g_fatal_message = nullptr;

void KeepFatalMessage(void*, const char* reason, bool) {
  if (g_fatal_message) *g_fatal_message = reason;
}

}  // namespace

void ContainCrash(std::vector<Diagnostic>& diagnostics,
                  const std::function<void()>& work) {
  std::string message;
  g_fatal_message = &message;
  llvm::ScopedFatalErrorHandler handler(KeepFatalMessage);
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  std::exception_ptr thrown;
  const bool finished = recovery.RunSafely([&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  llvm::CrashRecoveryContext::Disable();
  g_fatal_message = nullptr;
  if (thrown) std::rethrow_exception(thrown);
  if (finished) return;
  Diagnostic diagnostic;
  diagnostic.code = code::kC106;
  diagnostic.message = message.empty()
                           ? "the compiler crashed on this program"
                           : "the compiler gave up on this program: " + message;
  diagnostics.push_back(std::move(diagnostic));
}

}  // namespace belay::toolchain
