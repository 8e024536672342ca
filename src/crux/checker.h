// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_CHECKER_H_
#define BELAY_CRUX_CHECKER_H_

// Syntax tree to typed tree: names, types, shapes and every rule of the
// language. One class in several files: check_module, check_parameters,
// check_statements, check_names, check_loops, check_conditions, check_values,
// check_tiles, check_types, check_calls, check_operations, check_order,
// check_subscripts, check_attributes, check_helpers, check_memory,
// check_across.
//
// An expression with an error has the type kError; whatever meets it keeps
// silent, so that one fault gives one message.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crux/messages.h"
#include "crux/scope.h"
#include "crux/source.h"
#include "crux/syntax.h"
#include "crux/typed.h"

namespace belay::crux {

class Checker {
 public:
  Checker(const Source& source, Messages& messages, typed::Program& program)
      : source_(source),
        messages_(messages),
        program_(program),
        sizes_(program.sizes()) {}

  void CheckModule(const syntax::Module& module);

 private:
  using Expr = typed::Expr;

  enum class GlobalKind : uint8_t {
    kDtype,
    kConstant,
    kHelper,
    kKernel,
    kError
  };
  struct Global {
    GlobalKind kind = GlobalKind::kError;
    const DtypeVariable* dtype = nullptr;
    const Expr* constant = nullptr;
    const syntax::Function* function = nullptr;
    SourceRange range;
  };

  // An output's size that a host line of the body has to define.
  struct PendingSize {
    const typed::Variable* variable = nullptr;
    Size size;
    SourceRange range;
    std::string output;
  };

  struct InlineCall {
    const syntax::Function* function = nullptr;
    SourceRange range;
    std::string prefix;  // of its variables
  };

  // check_module
  void DeclareGlobals(const syntax::Module& module);
  void DeclareAssignment(const syntax::Statement& statement);
  void DeclareDtypes(const syntax::Statement& statement);
  std::optional<DType> DtypeNamed(const syntax::Expr& expr);
  void DeclareFunction(const syntax::Statement& statement);
  void Declare(const std::string& name, Global global);
  void CheckKernel(const syntax::Function& function);
  bool ReadKernelDecorator(const syntax::Expr& decorator, bool* fast);
  const Global* FindGlobal(std::string_view name) const;

  // check_parameters
  void DeclareParameters(const syntax::Function& function);
  struct Annotation;
  bool ReadAnnotation(const syntax::Expr& expr, Annotation* annotation);
  void DeclareAttribute(const syntax::Parameter& from,
                        typed::Parameter* parameter);
  void DeclareTensor(const syntax::Parameter& from,
                     const Annotation& annotation, typed::Parameter* parameter);
  void BindSizes(const std::vector<Annotation>& annotations);
  typed::ParameterDim ReadDim(const syntax::Expr& expr,
                              const typed::Parameter& parameter);
  void CheckFallback(const syntax::Parameter& from,
                     typed::Parameter* parameter);
  // `clean`: there were no errors before.
  void FinishParameters(bool clean);
  bool IsAttributeType(const syntax::Expr& annotation) const;

  // check_statements
  void CheckBlock(const syntax::Block& block);
  void CheckStatement(const syntax::Statement& statement);
  void CheckAssign(const syntax::Statement& statement);
  void CheckUnpack(const syntax::Statement& statement);
  void CheckAugmented(const syntax::Statement& statement);
  void CheckExpressionStatement(const syntax::Statement& statement);
  void CheckAssert(const syntax::Statement& statement);
  typed::Statement* Emit(typed::StatementKind kind, const SourceRange& range);

  // check_names
  const Expr* EvalName(const syntax::Expr& expr);
  const Expr* UnknownName(const syntax::Expr& expr);
  const Expr* Use(const Binding& binding, const syntax::Expr& expr);
  // What `name = value` binds; null if nothing is to be assigned.
  const typed::Variable* BindTarget(const syntax::Expr& target,
                                    const Expr* value);
  bool MayAssign(const syntax::Expr& target, const Type& type);
  const typed::Variable* VariableFor(const std::string& name, const Type& type,
                                     const SourceRange& range,
                                     const typed::Parameter* root = nullptr);
  void MergeBranches(std::map<std::string, Binding, std::less<>> then_names,
                     std::map<std::string, Binding, std::less<>> else_names);
  void CloseLoop(std::map<std::string, Binding, std::less<>> names,
                 const typed::Loop& loop);
  void Freeze(const Expr* expr);

  // check_loops
  void CheckFor(const syntax::Statement& statement);
  bool ReadLoopArguments(const syntax::Expr& call, typed::Loop* loop);
  bool MayBindLoop(const syntax::Expr& target);
  bool ReadEach(const syntax::Expr& call, typed::Loop* loop);
  bool ReadBounds(const syntax::Expr& call, typed::Loop* loop);
  bool ReadTile(const syntax::Keyword& keyword, typed::Loop* loop);

  // check_conditions
  void CheckIf(const syntax::Statement& statement, size_t branch);
  const Expr* EvalLogic(const syntax::Expr& expr);
  const Expr* EvalSelect(const syntax::Expr& expr);
  // Optional parameters that are there if the condition is `value`.
  void Implied(const Expr* condition, bool value,
               std::set<const typed::Parameter*>* present) const;

  // check_values
  const Expr* Eval(const syntax::Expr& expr);
  // As Eval, but a tensor, a view, a type … is an error: for operands.
  const Expr* EvalOperand(const syntax::Expr& expr, std::string_view what);
  const Expr* AsOperand(const Expr* value, const syntax::Expr& expr,
                        std::string_view what);
  const Expr* EvalLiteral(const syntax::Expr& expr);
  const Expr* EvalUnary(const syntax::Expr& expr);
  const Expr* EvalBinary(const syntax::Expr& expr);
  const Expr* EvalCompare(const syntax::Expr& expr);
  const Expr* Binary(Op op, const Expr* a, const Expr* b,
                     const SourceRange& range, const SourceRange& place);
  const Expr* Unary(Op op, const Expr* a, const SourceRange& range,
                    const SourceRange& place);
  const Expr* RangeArithmetic(Op op, const Expr* a, const Expr* b,
                              const SourceRange& range);
  const Expr* HostOperation(Op op, std::vector<const Expr*> args,
                            const SourceRange& range);
  // `place` is where messages point.
  const Expr* TileOperation(Op op, std::vector<const Expr*> args,
                            const SourceRange& range, const SourceRange& place);
  Size ValueOf(Op op, const std::vector<const Expr*>& args);
  // Makes host numbers and indices tiles of the dtype the tiles have; false
  // after a message.
  bool Unify(Op op, std::vector<const Expr*>* args, size_t from,
             const SourceRange& range, Element* element);
  const Expr* FromHost(const Expr* value, const Element& element);
  bool FitsElement(const Expr* value, const Element& element);
  bool Broadcast(std::string_view operation,
                 const std::vector<const Expr*>& tiles,
                 const SourceRange& range, std::vector<Size>* dims);
  bool AllowDtype(Op op, const Expr* tile, const SourceRange& range);

  // check_calls
  const Expr* EvalCall(const syntax::Expr& expr);
  const Expr* CallOperation(const OpInfo& info, const syntax::Expr& expr,
                            const Expr* self);
  bool BindArguments(const OpInfo& info, const syntax::Expr& expr,
                     bool has_self, std::vector<const syntax::Expr*>* bound);
  const Expr* EvalArgument(const OpInfo& info, const OpParameter& parameter,
                           const syntax::Expr& expr, Expr* call);
  const Expr* UnknownFunction(const syntax::Expr& callee);
  bool RefuseTwoTiles(const OpInfo& info, const syntax::Expr& expr);

  // check_operations: `call` has its arguments and gets its type.
  const Expr* Finish(const OpInfo& info, Expr* call);
  bool ReadAxes(Expr* call, int rank);
  const Expr* FinishReduce(const OpInfo& info, Expr* call);
  const Expr* FinishScan(const OpInfo& info, Expr* call);
  const Expr* FinishShape(const OpInfo& info, Expr* call);
  const Expr* FinishOrder(const OpInfo& info, Expr* call);
  const Expr* FinishMatmul(Expr* call, const SourceRange& place);
  const Expr* FinishWhere(Expr* call);
  const Expr* FinishConvert(Expr* call);
  const Expr* FinishMake(Expr* call);
  const Expr* FinishCores(Expr* call);
  const Expr* FinishHost(Expr* call);
  static constexpr int kNoAxis = 1 << 20;
  bool NeedAxis(Expr* call, int rank, int fallback);

  // check_subscripts
  const Expr* EvalSubscript(const syntax::Expr& expr);
  const Expr* SubscriptTensor(const Expr* tensor, const syntax::Expr& expr);
  const Expr* SubscriptTile(const Expr* tile, const syntax::Expr& expr);
  const Expr* SubscriptList(const Expr* list, const syntax::Expr& expr);
  const Expr* SubscriptHost(const Expr* list, const syntax::Expr& expr);
  const Expr* SubscriptAcross(const typed::Variable& across,
                              const syntax::Expr& expr);
  bool ReadSubscripts(const syntax::Expr& expr, const Type& type, bool tile,
                      std::string_view what,
                      std::vector<typed::Subscript>* subscripts,
                      std::vector<Size>* dims);
  bool ReadSlice(const syntax::Expr& expr, const Size& dim,
                 typed::Subscript* subscript, Size* extent);
  bool CheckPoint(const Expr* index, const Size& dim, std::string_view what);

  // check_types
  // f32, T, f32[i, j]. Null after a message.
  const Expr* EvalType(const syntax::Expr& expr);
  bool IsTypeName(const syntax::Expr& expr) const;
  std::optional<Element> ElementNamed(std::string_view name) const;
  const Expr* EvalInteger(const syntax::Expr& expr, std::string_view what,
                          bool host_only);

  // check_attributes
  const Expr* EvalAttribute(const syntax::Expr& expr);
  const Expr* CallMethod(const syntax::Expr& expr);
  const Expr* ViewTensor(const Expr* tensor, const syntax::Expr& expr);
  const Expr* AroundTensor(const Expr* tensor, const syntax::Expr& expr);
  const Expr* ShapeOf(const Expr* tensor, const SourceRange& range);
  const Expr* DimensionOf(const Expr* tensor, const syntax::Expr& expr);
  const Expr* UnknownAttribute(const Expr* value, const syntax::Expr& expr,
                               bool called);

  // check_helpers
  const Expr* CallHelper(const syntax::Function& function,
                         const syntax::Expr& expr);
  bool BindHelperArguments(const syntax::Function& function,
                           const syntax::Expr& expr,
                           std::vector<const Expr*>* values);

  // check_memory
  void CheckStore(const syntax::Statement& statement, Op op);
  bool CheckAcrossUpdate(const syntax::Statement& statement);
  void CheckRead(const Expr* view, const SourceRange& range);
  bool CheckWritten(const Expr* view, Op op, const SourceRange& range);
  void CheckDisjoint(const Expr* view, const SourceRange& range);
  const typed::Parameter* RootParameter(const Expr* tensor) const;
  bool NeedPresent(const typed::Parameter& parameter, const SourceRange& range);
  bool AcrossComplete(const typed::Variable& across, const SourceRange& range);
  const Expr* ReadAcross(const typed::Variable& across,
                         const SourceRange& range);

  // Reports and gives an expression of type kError.
  const Expr* Fail(const char* code, const SourceRange& range,
                   std::string message, std::string fix = "");
  const Expr* Error(const SourceRange& range);
  void Report(const char* code, const SourceRange& range, std::string message,
              std::string fix = "");
  std::string Quote(const syntax::Expr& expr) const;
  std::string Quote(const SourceRange& range) const;
  Expr* New(typed::ExprKind kind, TypeKind type, const SourceRange& range);
  Expr* NewOperation(Op op, std::vector<const Expr*> args, Type type,
                     const SourceRange& range);
  const Expr* Integer(int64_t value, const SourceRange& range);

  const Source& source_;
  Messages& messages_;
  typed::Program& program_;
  SizeTable& sizes_;

  std::map<std::string, Global, std::less<>> globals_;
  int dtype_groups_ = 0;

  // Of the kernel that is being checked.
  typed::Kernel* kernel_ = nullptr;
  typed::Block* block_ = nullptr;
  Scope scope_;
  std::set<std::string, std::less<>> assigned_;
  std::map<std::string, std::vector<const typed::Variable*>, std::less<>>
      variables_;
  std::set<const typed::Variable*> frozen_;
  std::map<std::string, PendingSize, std::less<>> pending_;
  const typed::Parameter* shaped_output_ = nullptr;  // while its shape is read
  bool broken_parameters_ = false;  // a message was given about one
  std::set<std::string, std::less<>> element_sizes_;
  std::set<const typed::Parameter*> present_;
  std::set<const typed::Parameter*> stored_;
  std::set<const typed::Parameter*> used_;
  std::map<const typed::Variable*, std::vector<const typed::Loop*>>
      prefix_loops_;
  std::vector<InlineCall> inlined_;
  int inline_calls_ = 0;
  int statements_ = 0;
};

// The scalar is an integer of host or device.
bool IsIntegerScalar(const Type& type);
// A literal number, bool or string, signs folded in.
bool IsLiteral(const typed::Expr& expr);
Type TileType(const Element& element, std::vector<Size> dims);
Type PlainType(TypeKind kind);

}  // namespace belay::crux

#endif  // BELAY_CRUX_CHECKER_H_
