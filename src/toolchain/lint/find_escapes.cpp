// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lint/find_escapes.h"

#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/catalogue.h"
#include "toolchain/compile.h"
#include "toolchain/device_code.h"
#include "toolchain/host_compiler.h"

namespace belay::toolchain {
namespace {

using clang::NamedDecl;

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  Visitor(clang::ASTContext& context, const std::string& headers,
          std::vector<Diagnostic>* diagnostics)
      : sources_(context.getSourceManager()),
        headers_(headers + "/"),
        diagnostics_(diagnostics) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFileScopeAsmDecl(clang::FileScopeAsmDecl* assembly) {
    return Refuse(assembly->getBeginLoc(), "the file holds assembly");
  }
  bool VisitAsmStmt(clang::AsmStmt* assembly) {
    return Refuse(assembly->getBeginLoc(), "the file holds assembly");
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* jump) {
    return Refuse(jump->getBeginLoc(), "the file holds a computed goto");
  }
  bool VisitAddrLabelExpr(clang::AddrLabelExpr* label) {
    return Refuse(label->getBeginLoc(), "the file takes a label's address");
  }

  bool VisitDecl(clang::Decl* decl) {
    for (const clang::Attr* attribute : decl->attrs()) {
      if (!PlacesSymbol(*attribute)) continue;
      Refuse(attribute->getLocation().isValid() ? attribute->getLocation()
                                                : decl->getLocation(),
             std::string("the attribute '") + attribute->getSpelling() +
                 "' names or places a symbol by hand");
    }
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    return RefuseRuntimes(*function, function->getLocation(), "declared");
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (!variable->isFileVarDecl() && !variable->isExternC()) return true;
    return RefuseRuntimes(*variable, variable->getLocation(), "declared");
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* use) {
    return RefuseRuntimes(*use->getDecl(), use->getLocation(), "used");
  }
  bool VisitOverloadExpr(clang::OverloadExpr* use) {
    for (const NamedDecl* decl : use->decls())
      RefuseRuntimes(*decl, use->getNameLoc(), "used");
    return true;
  }

 private:
  static bool PlacesSymbol(const clang::Attr& attribute) {
    switch (attribute.getKind()) {
      case clang::attr::Alias:
      case clang::attr::AsmLabel:
      case clang::attr::CPUDispatch:
      case clang::attr::CPUSpecific:
      case clang::attr::CodeSeg:
      case clang::attr::Constructor:
      case clang::attr::Destructor:
      case clang::attr::IFunc:
      case clang::attr::InitPriority:
      case clang::attr::InitSeg:
      case clang::attr::Naked:
      case clang::attr::Section:
      case clang::attr::Target:
      case clang::attr::TargetClones:
      case clang::attr::TargetVersion:
      case clang::attr::WeakRef:
        return true;
      default:
        return false;
    }
  }

  // Functions and variables: belay_… and those of the namespace. Members of
  // classes are reached through what the public headers offer.
  static bool IsRuntimes(const NamedDecl& decl) {
    const clang::DeclContext* place = decl.getDeclContext();
    if (place->isRecord() || place->isFunctionOrMethod()) return false;
    if (decl.getIdentifier() && IsRuntimeName(decl.getName())) return true;
    for (; place; place = place->getParent()) {
      const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(place);
      if (space && space->getName() == "belay" &&
          space->getParent()->isTranslationUnit())
        return true;
    }
    return false;
  }

  bool RefuseRuntimes(const NamedDecl& decl, clang::SourceLocation place,
                      const char* what) {
    if (!IsRuntimes(decl)) return true;
    return Refuse(place, "'" + decl.getNameAsString() + "' is " + what +
                             ", but belongs to the runtime");
  }

  bool IsTrustedFile(clang::FileID file) {
    const auto [known, is_new] = trusted_.try_emplace(file, false);
    if (!is_new) return known->second;
    const clang::OptionalFileEntryRef entry =
        sources_.getFileEntryRefForID(file);
    if (!entry) {
      // Definitions of the command line, and built-ins.
      return known->second =
                 file != sources_.getMainFileID() &&
                 sources_.getBufferOrFake(file).getBufferIdentifier() !=
                     kPreludeFile;
    }
    const std::string name = entry->getName().str();
    return known->second = name.starts_with(headers_) || IsSystemHeader(name);
  }

  // Where the token was written. What a macro pastes together counts where the
  // macro stands that does.
  bool IsTrusted(clang::SourceLocation place) {
    while (place.isMacroID()) {
      const clang::SourceLocation written = sources_.getSpellingLoc(place);
      if (!sources_.isWrittenInScratchSpace(written))
        return IsTrustedFile(sources_.getFileID(written));
      place = sources_.getImmediateMacroCallerLoc(place);
    }
    return IsTrustedFile(sources_.getFileID(place));
  }

  bool Refuse(clang::SourceLocation place, const std::string& what) {
    if (place.isValid() && IsTrusted(place)) return true;
    Diagnostic diagnostic;
    diagnostic.code = code::kC108;
    diagnostic.message = what + ", which a judged kernel must not do";
    diagnostic.fix = "write it with the AscendC API and plain C++";
    if (place.isValid()) {
      const clang::PresumedLoc where =
          sources_.getPresumedLoc(sources_.getExpansionLoc(place));
      if (where.isValid()) {
        diagnostic.location.file = where.getFilename();
        diagnostic.location.line = static_cast<int>(where.getLine());
        diagnostic.location.column = static_cast<int>(where.getColumn());
      }
    }
    const SourceLocation& at = diagnostic.location;
    if (seen_.emplace(at.file, at.line, at.column).second)
      diagnostics_->push_back(std::move(diagnostic));
    return true;
  }

  const clang::SourceManager& sources_;
  std::string headers_;
  std::vector<Diagnostic>* diagnostics_;
  std::map<clang::FileID, bool> trusted_;
  std::set<std::tuple<std::string, int, int>> seen_;
};

}  // namespace

void FindEscapes(clang::ASTContext& context, const std::string& headers,
                 std::vector<Diagnostic>* diagnostics) {
  Visitor visitor(context, headers, diagnostics);
  // Not what a precompiled header holds: that is Belay's.
  for (clang::Decl* decl : context.getTranslationUnitDecl()->noload_decls())
    visitor.TraverseDecl(decl);
}

}  // namespace belay::toolchain
