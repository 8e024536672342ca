// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lint/infer_cores.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

#include <string>

#include "toolchain/kernel_attributes.h"

namespace belay::toolchain {
namespace {

using clang::FunctionDecl;

struct Cores {
  bool cube = false;
  bool vector = false;
};

// By the header that declares a call: whole folders, or files of the vector
// unit's instructions.
Cores CoresOfFile(llvm::StringRef path) {
  static const llvm::StringSet<> kVectorFiles = {"cast.h",
                                                 "cast_dequant.h",
                                                 "compare.h",
                                                 "copy.h",
                                                 "fill.h",
                                                 "gather.h",
                                                 "gather_mask.h",
                                                 "reduce.h",
                                                 "reduce_parts.h",
                                                 "select.h",
                                                 "sort.h",
                                                 "sort_lists.h",
                                                 "transpose.h",
                                                 "vector_binary.h",
                                                 "vector_fused.h",
                                                 "cross_core.h",
                                                 "vector_scalar.h",
                                                 "vector_unary.h",
                                                 "tensor_operators.h"};
  if (path.contains("/ascendc/cube/")) return {true, false};
  if (path.contains("/ascendc/high_level/")) return {false, true};
  return {false, path.contains("/ascendc/") &&
                     kVectorFiles.contains(llvm::sys::path::filename(path))};
}

class Inference {
 public:
  Inference(const clang::SourceManager& sources,
            const std::vector<KernelFunction>& functions)
      : sources_(sources), functions_(functions) {}

  Cores Of(size_t kernel) {
    Cores cores;
    llvm::SetVector<size_t> reached;
    reached.insert(kernel);
    for (size_t i = 0; i < reached.size(); ++i) {
      const KernelFunction& function = functions_[reached[i]];
      for (const clang::Stmt* statement : function.evaluated)
        Look(statement, cores);
      for (const KernelFunction::Call& call : function.calls)
        reached.insert(call.callee);
    }
    return cores;
  }

 private:
  void Look(const clang::Stmt* statement, Cores& cores) {
    const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(statement);
    if (!use) return;
    const auto* function = llvm::dyn_cast<FunctionDecl>(use->getDecl());
    if (!function) return;
    const Cores here = CoresAt(function->getLocation());
    cores.cube |= here.cube;
    cores.vector |= here.vector;
  }

  Cores CoresAt(clang::SourceLocation place) {
    const clang::SourceLocation at = sources_.getExpansionLoc(place);
    const clang::FileID file = sources_.getFileID(at);
    const auto [entry, is_new] = files_.try_emplace(file);
    if (is_new) entry->second = CoresOfFile(sources_.getFilename(at));
    return entry->second;
  }

  const clang::SourceManager& sources_;
  const std::vector<KernelFunction>& functions_;
  llvm::DenseMap<clang::FileID, Cores> files_;
};

bool IsUndeclaredKernel(const FunctionDecl* function) {
  bool is_kernel = false;
  for (const auto* mark : function->specific_attrs<clang::AnnotateAttr>()) {
    is_kernel |= mark->getAnnotation() == kKernelAnnotation;
    if (mark->getAnnotation().starts_with(kKindAnnotation)) return false;
  }
  return is_kernel;
}

}  // namespace

void InferCores(clang::ASTContext& context,
                const std::vector<KernelFunction>& functions) {
  Inference inference(context.getSourceManager(), functions);
  for (size_t i = 0; i < functions.size(); ++i) {
    const FunctionDecl* kernel = functions[i].declaration;
    if (!IsUndeclaredKernel(kernel)) continue;
    const Cores cores = inference.Of(i);
    if (!cores.cube && !cores.vector) continue;
    std::string text = kVectorCallsAnnotation;
    if (cores.cube) {
      text = kInferredAnnotation;
      text += cores.vector ? "mix:1:2" : "cube";
    }
    const_cast<FunctionDecl*>(kernel)->addAttr(
        clang::AnnotateAttr::CreateImplicit(context, text, nullptr, 0));
  }
}

}  // namespace belay::toolchain
