// SPDX-License-Identifier: Apache-2.0
#include "toolchain/collect_diagnostics.h"

#include <clang/Basic/AllDiagnostics.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/DiagnosticRenderer.h>
#include <llvm/ADT/SmallString.h>

#include <string>
#include <utility>

#include "base/catalogue.h"

namespace belay::toolchain {
namespace {

using Level = clang::DiagnosticsEngine::Level;

SourceLocation ToLocation(const clang::PresumedLoc& place) {
  if (place.isInvalid()) return {};
  return {.file = place.getFilename(),
          .line = static_cast<int>(place.getLine()),
          .column = static_cast<int>(place.getColumn()),
          .function = {}};
}

// Numbers of the diagnostics the reader of precompiled headers gives.
bool IsAboutPrecompiledHeader(unsigned id) {
  return id >= clang::diag::DIAG_START_SERIALIZATION &&
         id < clang::diag::DIAG_START_LEX;
}

// The device compiler's attributes for memories (cce_global, cce_unif_buff, …)
// say nothing here: an address tells its memory.
bool IsAboutMemoryAttribute(unsigned id, llvm::StringRef message) {
  return id == clang::diag::warn_unknown_attribute_ignored &&
         message.contains("'cce_");
}

// A note belongs to the diagnostic before it.
void Add(std::vector<Diagnostic>& sink, Level level, std::string message,
         SourceLocation location) {
  if (level == Level::Note) {
    if (sink.empty() || location.file == "<scratch space>") return;
    sink.back().notes.push_back({std::move(message), std::move(location)});
    return;
  }
  Diagnostic diagnostic;
  const bool is_error = level >= Level::Error;
  diagnostic.code = is_error ? code::kC101 : code::kC105;
  diagnostic.severity = is_error ? Severity::kError : Severity::kWarning;
  diagnostic.message = std::move(message);
  diagnostic.location = std::move(location);
  sink.push_back(std::move(diagnostic));
}

}  // namespace

// Lets Clang work out macro expansions and include stacks, and turns all of it
// into one diagnostic with notes.
class DiagnosticCollector::Renderer final
    : public clang::DiagnosticNoteRenderer {
 public:
  Renderer(const clang::LangOptions& language,
           clang::DiagnosticOptions* options, std::vector<Diagnostic>* sink)
      : DiagnosticNoteRenderer(language, options), sink_(sink) {}

  void emitDiagnosticMessage(clang::FullSourceLoc, clang::PresumedLoc place,
                             Level level, llvm::StringRef message,
                             llvm::ArrayRef<clang::CharSourceRange>,
                             clang::DiagOrStoredDiag) override {
    Add(*sink_, level, message.str(), ToLocation(place));
  }

  void emitNote(clang::FullSourceLoc location,
                llvm::StringRef message) override {
    Add(*sink_, Level::Note, message.str(),
        location.isValid() ? ToLocation(location.getPresumedLoc())
                           : SourceLocation{});
  }

  void emitDiagnosticLoc(clang::FullSourceLoc, clang::PresumedLoc, Level,
                         llvm::ArrayRef<clang::CharSourceRange>) override {}
  void emitCodeContext(clang::FullSourceLoc, Level,
                       llvm::SmallVectorImpl<clang::CharSourceRange>&,
                       llvm::ArrayRef<clang::FixItHint>) override {}
  void emitIncludeLocation(clang::FullSourceLoc, clang::PresumedLoc) override {}

 private:
  std::vector<Diagnostic>* sink_;
};

DiagnosticCollector::DiagnosticCollector(std::vector<Diagnostic>* sink)
    : sink_(sink) {}

DiagnosticCollector::~DiagnosticCollector() = default;

void DiagnosticCollector::BeginSourceFile(const clang::LangOptions& language,
                                          const clang::Preprocessor*) {
  renderer_ =
      std::make_unique<Renderer>(language, new clang::DiagnosticOptions, sink_);
}

void DiagnosticCollector::EndSourceFile() { renderer_.reset(); }

void DiagnosticCollector::HandleDiagnostic(Level level,
                                           const clang::Diagnostic& info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level == Level::Ignored || level == Level::Remark) return;
  if (IsAboutPrecompiledHeader(info.getID()) && level >= Level::Error) {
    refused_precompiled_header_ = true;
  }
  llvm::SmallString<256> message;
  info.FormatDiagnostic(message);
  if (IsAboutMemoryAttribute(info.getID(), message)) return;
  if (renderer_ && info.hasSourceManager()) {
    renderer_->emitDiagnostic(
        clang::FullSourceLoc(info.getLocation(), info.getSourceManager()),
        level, message, info.getRanges(), info.getFixItHints(), &info);
  } else {
    Add(*sink_, level, message.str().str(), {});
  }
}

}  // namespace belay::toolchain
