// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COLLECT_DIAGNOSTICS_H_
#define BELAY_TOOLCHAIN_COLLECT_DIAGNOSTICS_H_

// Clang's errors, warnings and notes as Belay's diagnostics.

#include <clang/Basic/Diagnostic.h>

#include <memory>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  // Appends to `sink`, which must outlive this.
  explicit DiagnosticCollector(std::vector<Diagnostic>* sink);
  ~DiagnosticCollector() override;

  // Whether a precompiled header was refused: missing, stale, or made with
  // other options.
  bool refused_precompiled_header() const {
    return refused_precompiled_header_;
  }

  void BeginSourceFile(const clang::LangOptions& language,
                       const clang::Preprocessor* preprocessor) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;

 private:
  class Renderer;

  std::vector<Diagnostic>* sink_;
  std::unique_ptr<Renderer> renderer_;
  bool refused_precompiled_header_ = false;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COLLECT_DIAGNOSTICS_H_
