// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_MACHINE_H_
#define BELAY_CRUX_INTERPRET_MACHINE_H_

// One run of one kernel: names to values, statement after statement.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "crux/interpret/across.h"
#include "crux/interpret/interpret.h"
#include "crux/interpret/iterations.h"
#include "crux/interpret/tensor.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {

using TensorPtr = std::shared_ptr<Tensor>;

// A tensor under a shape of as many elements: itself, .flat, .view, .around.
struct TensorRef {
  TensorPtr tensor;
  Shape shape;
};

struct Value;
using TensorList = std::vector<TensorPtr>;
using Tuple = std::vector<Value>;
using WholeList = std::shared_ptr<const std::vector<int64_t>>;

// What an expression of the typed tree is worth. Host integers, host bools and
// indices are int64_t. Nothing (monostate): an absent optional parameter, a
// variable not yet assigned.
struct Value {
  std::variant<std::monostate, int64_t, double, std::string, WholeList, TilePtr,
               Range, TensorRef, std::shared_ptr<TensorList>,
               std::shared_ptr<Across>, std::shared_ptr<Tuple>>
      data;

  bool absent() const { return std::holds_alternative<std::monostate>(data); }
};

// The sizes and packs that shapes of arguments bind.
struct ShapeNames {
  std::map<std::string, int64_t, std::less<>> sizes;
  std::map<std::string, Shape, std::less<>> packs;
};

class Machine {
 public:
  // All must live as long as the machine.
  Machine(const typed::Kernel& kernel, const Arguments& arguments,
          const Options& options);

  Results Run();

 private:
  friend class HostCall;

  // Binding (machine_bind.cpp). Throws Fault (BLY-X180).
  void BindDtypes();
  void BindTensors();
  void BindAttributes();
  void BindShape(const typed::Parameter& parameter, const Shape& shape,
                 const std::string& name, ShapeNames& common, ShapeNames* own);
  void RequireKnownArguments() const;
  const TensorArgument* FindArgument(const typed::Parameter& parameter) const;
  // The dtype the kernel takes an array as.
  DType ReadAs(const typed::Parameter& parameter, const Array& array) const;
  TensorPtr HoldArgument(const typed::Parameter& parameter,
                         const std::string& name, const Array& array);
  // Of undefined elements.
  TensorPtr NewTensor(const std::string& name, DType dtype, Shape shape);
  // The value of a parameter; makes an output, checks an input's shape, the
  // first time.
  const Value& ParameterValue(const typed::Parameter& parameter);
  void CheckShape(const typed::Parameter& parameter, const Shape& shape,
                  const std::string& name, size_t element);
  void MakeOutput(const typed::Parameter& parameter);
  Shape ShapeOf(const typed::Parameter& parameter, size_t element);
  size_t ListLength(const typed::Parameter& parameter) const;

  // Statements (machine.cpp).
  void Execute(const typed::Block& block);
  void Execute(const typed::Statement& statement);
  void Assign(const typed::Statement& statement);
  void Assert(const typed::Statement& statement);
  void RunIf(const typed::Statement& statement);
  void RunLoop(const typed::Loop& loop);
  void RunIteration(const typed::Loop& loop, const Range& position);
  void Store(const typed::Statement& statement);
  void UpdateAcross(const typed::Statement& statement);
  Diagnostic ToDiagnostic(const Fault& fault) const;
  SourceLocation LocationOf(const SourceRange& range) const;

  // Results (machine_deliver.cpp).
  void Deliver(Results& results);
  void Deliver(const typed::Parameter& parameter, const Tensor& tensor,
               size_t index, Results& results);
  void WarnOfHole(const typed::Parameter& parameter, const Tensor& tensor,
                  size_t element, Results& results);

  // Expressions (machine_expressions.cpp).
  Value Evaluate(const typed::Expr& expr);
  Value EvaluateHere(const typed::Expr& expr);
  Value EvaluateProperty(const typed::Expr& expr);
  Value EvaluateOperation(const typed::Expr& expr);
  Value EvaluateRange(const typed::Expr& expr);
  Value FromHost(const typed::Expr& expr);
  TensorRef EvaluateTensor(const typed::Expr& expr);
  TilePtr Subscripted(const typed::Expr& expr);
  TilePtr PrefixOf(const typed::Expr& expr);
  // Of a kView: its tensor and what it selects.
  std::pair<TensorPtr, Window> WindowOf(const typed::Expr& view);
  Selection SelectionOf(const typed::Subscript& subscript, int64_t size);
  std::vector<Selection> SelectionsOf(
      const std::vector<typed::Subscript>& subscripts, const Shape& shape);

  // Operations on tiles (machine_operations.cpp).
  Value EvaluateTileOperation(const typed::Expr& expr);
  TilePtr Elementwise(const typed::Expr& expr);
  TilePtr Reduction(const typed::Expr& expr);
  TilePtr Load(const typed::Expr& expr);
  TilePtr Filled(const typed::Expr& type, const typed::Expr* value);
  TilePtr ArangeOf(const typed::Expr& expr);
  TilePtr ConvertTo(const typed::Expr& expr);

  // What an expression must be; each evaluates it.
  TilePtr TileOf(const typed::Expr& expr);
  int64_t IntegerOf(const typed::Expr& expr);
  bool FlagOf(const typed::Expr* expr, bool fallback);
  bool HostBoolOf(const typed::Expr& expr);
  // A host bool or a scalar bool tile; the latter may put everything in doubt.
  bool ConditionOf(const typed::Expr& expr);
  Shape SizesOf(const typed::Expr& expr);
  int64_t SizeOf(const typed::Expr& expr);
  // An integer of any kind; a scalar tile that rounding may have changed puts
  // everything after it in doubt.
  int64_t ToInteger(const Value& value);
  // As a scalar tile of the dtype.
  TilePtr ToScalar(const Value& value, DType dtype);
  DType DtypeOf(const Element& element) const;

  const typed::Kernel& kernel_;
  const Arguments& arguments_;
  const Options& options_;
  Budget budget_;
  Context context_;
  Iterations iterations_;

  std::map<const DtypeVariable*, DType> dtypes_;
  ShapeNames names_;
  // Of each element of list parameters: names that occur in lists only.
  std::vector<ShapeNames> element_names_;
  const ShapeNames* element_ = nullptr;  // while shapes of an element are made
  std::vector<Value> parameters_;
  std::vector<bool> ready_;
  std::vector<Value> variables_;
  std::vector<Value> loop_values_;
  std::vector<const typed::Loop*> running_;
  const SourceRange* place_ = nullptr;
  int depth_ = 0;          // of expressions being evaluated
  bool doubtful_ = false;  // rounding may have decided what was run
  // Tensors have shapes, but no elements; nothing but host lines is run.
  bool shapes_only_ = false;
};

// Arithmetic on host numbers and indices (host.cpp): int64_t, double, string.
// Throws Fault (BLY-X188) on overflow and division by zero.
Value HostOperation(Op op, const std::vector<Value>& args);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_MACHINE_H_
