// SPDX-License-Identifier: Apache-2.0
#include "toolchain/kernel_attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/ParsedAttrInfo.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaDiagnostic.h>

#include <string>

namespace belay::toolchain {
namespace {

using clang::FunctionDecl;

void Annotate(clang::Sema& sema, FunctionDecl* function,
              const std::string& text) {
  for (const auto* attribute : function->specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == text) return;
  function->addAttr(
      clang::AnnotateAttr::CreateImplicit(sema.Context, text, nullptr, 0));
}

// An attribute of functions, written __attribute__((name)).
class FunctionAttribute : public clang::ParsedAttrInfo {
 protected:
  explicit FunctionAttribute(const Spelling* spelling) {
    Spellings = llvm::ArrayRef<Spelling>(spelling, 1);
  }

  bool diagAppertainsToDecl(clang::Sema& sema,
                            const clang::ParsedAttr& attribute,
                            const clang::Decl* decl) const override {
    if (decl->getAsFunction()) return true;
    sema.Diag(attribute.getLoc(), clang::diag::err_attribute_wrong_decl_type)
        << attribute << attribute.isRegularKeywordAttribute()
        << clang::ExpectedFunction;
    return false;
  }

  AttrHandling handleDeclAttribute(
      clang::Sema& sema, clang::Decl* decl,
      const clang::ParsedAttr& attribute) const override {
    return Apply(sema, decl->getAsFunction(), attribute) ? AttributeApplied
                                                         : AttributeNotApplied;
  }

  virtual bool Apply(clang::Sema& sema, FunctionDecl* function,
                     const clang::ParsedAttr& attribute) const = 0;
};

// A kernel is found by the kernel table, not by its symbol. As a plain C
// function one named `sqrt` or `abs` would clash with the C library's and stand
// in for it; as an overload its symbol is mangled. This runs before Clang
// compares it with earlier declarations.
void MakeOverload(clang::Sema& sema, FunctionDecl* function) {
  if (!function->hasAttr<clang::OverloadableAttr>())
    function->addAttr(clang::OverloadableAttr::CreateImplicit(sema.Context));
}

// Comes with Clang's own attribute for kernels, which lets <<<…>>> parse.
class KernelAttribute final : public FunctionAttribute {
 public:
  KernelAttribute() : FunctionAttribute(&kSpelling) {}

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "belay_kernel"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr&) const override {
    Annotate(sema, function, kKernelAnnotation);
    MakeOverload(sema, function);
    return true;
  }
};

// The device compiler's own spelling of __global__.
class CceKernelAttribute final : public FunctionAttribute {
 public:
  CceKernelAttribute() : FunctionAttribute(&kSpelling) {}

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "cce_kernel"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr&) const override {
    if (!function->hasAttr<clang::CUDAGlobalAttr>())
      function->addAttr(clang::CUDAGlobalAttr::CreateImplicit(sema.Context));
    Annotate(sema, function, kKernelAnnotation);
    MakeOverload(sema, function);
    return true;
  }
};

class AicoreAttribute final : public FunctionAttribute {
 public:
  AicoreAttribute() : FunctionAttribute(&kSpelling) {}

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "belay_aicore"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr&) const override {
    Annotate(sema, function, kAicoreAnnotation);
    return true;
  }
};

class VectorAttribute final : public FunctionAttribute {
 public:
  VectorAttribute() : FunctionAttribute(&kSpelling) {}

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "belay_vector"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr&) const override {
    Annotate(sema, function, std::string(kKindAnnotation) + "vector");
    return true;
  }
};

class CubeAttribute final : public FunctionAttribute {
 public:
  CubeAttribute() : FunctionAttribute(&kSpelling) {}

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "belay_cube"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr&) const override {
    Annotate(sema, function, std::string(kKindAnnotation) + "cube");
    return true;
  }
};

// Takes the ratio as text, "1:2".
class MixAttribute final : public FunctionAttribute {
 public:
  MixAttribute() : FunctionAttribute(&kSpelling) { NumArgs = 1; }

 private:
  static constexpr Spelling kSpelling = {clang::ParsedAttr::AS_GNU,
                                         "belay_mix"};

  bool Apply(clang::Sema& sema, FunctionDecl* function,
             const clang::ParsedAttr& attribute) const override {
    llvm::StringRef ratio;
    if (!sema.checkStringLiteralArgumentAttr(attribute, 0, ratio)) return false;
    Annotate(sema, function, kKindAnnotation + ("mix:" + ratio).str());
    return true;
  }
};

}  // namespace

void RegisterKernelAttributes() {
  using Registry = clang::ParsedAttrInfoRegistry;
  static const Registry::Add<KernelAttribute> kernel("belay_kernel", "");
  static const Registry::Add<CceKernelAttribute> cce("cce_kernel", "");
  static const Registry::Add<AicoreAttribute> aicore("belay_aicore", "");
  static const Registry::Add<VectorAttribute> vector("belay_vector", "");
  static const Registry::Add<CubeAttribute> cube("belay_cube", "");
  static const Registry::Add<MixAttribute> mix("belay_mix", "");
}

}  // namespace belay::toolchain
