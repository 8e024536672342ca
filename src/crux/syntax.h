// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SYNTAX_H_
#define BELAY_CRUX_SYNTAX_H_

// The syntax tree: what was written, before names and types mean anything.
// Nodes belong to the Module that the parser returns and die with it. Trees are
// never deeper than kMaxDepth, so that walking one by recursion is safe.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "crux/source.h"

namespace belay::crux::syntax {

inline constexpr int kMaxDepth = 200;

enum class ExprKind : uint8_t {
  kError,      // something the parser has complained about already
  kName,       // text
  kInteger,    // integer; text as written
  kFloat,      // real; text as written
  kString,     // text is the value
  kBool,       // integer 0 or 1
  kNone,       // None
  kEllipsis,   // ...
  kUnary,      // op, items[0]
  kBinary,     // op, items[0], items[1]
  kCompare,    // ops[i] between items[i] and items[i + 1]; a chain has several
  kLogic,      // and, or: op, items[0], items[1]; not: op, items[0]
  kSelect,     // items[0] if items[1] else items[2]
  kCall,       // items[0](items[1…], keywords)
  kAttribute,  // items[0].text
  kSubscript,  // items[0][items[1…]]; one item per comma
  kSlice,      // items = {low, high, step}, null where nothing stands
  kTuple,      // items; parenthesised or bare
  kList,       // [items]
  kStarred,    // *items[0]
};

enum class Operator : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kFloorDiv,
  kMod,
  kPow,
  kMatmul,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kNegate,
  kPlus,
  kInvert,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  kIs,
  kIsNot,
  kIn,
  kNotIn,
  kLogicalAnd,
  kLogicalOr,
  kLogicalNot,
};

// As it is written: "+", "//", "and".
std::string_view SpellingOf(Operator op);

struct Expr;

struct Keyword {
  std::string name;
  Expr* value = nullptr;
  SourceRange range;  // of the name
};

struct Expr {
  ExprKind kind = ExprKind::kError;
  Operator op = Operator::kAdd;
  int depth = 1;
  int64_t integer = 0;
  double real = 0;
  SourceRange range;
  SourceRange place;  // of the operator, the attribute's name, or = range
  std::string text;
  std::vector<Expr*> items;
  std::vector<Operator> ops;
  std::vector<Keyword> keywords;
};

enum class StatementKind : uint8_t {
  kError,       // targets: the names it would have assigned
  kExpression,  // value
  kAssign,      // targets = value; one target is a name or a subscript
  kAugmented,   // targets[0] op= value
  kFor,         // for targets in value: body
  kIf,          // branches, otherwise
  kReturn,      // value, or null
  kPass,
  kAssert,    // value, message (a string expression or null)
  kFunction,  // function
};

struct Statement;
using Block = std::vector<Statement*>;

// One `if` or `elif`.
struct Branch {
  Expr* condition = nullptr;
  Block body;
  SourceRange range;  // of the header line
};

struct Parameter {
  std::string name;
  Expr* annotation = nullptr;  // null if there is none
  Expr* fallback = nullptr;    // the default; null if there is none
  SourceRange range;           // of the name
};

struct Function {
  std::string name;
  SourceRange name_range;
  std::vector<Expr*> decorators;
  std::vector<Parameter> parameters;
  Block body;
  bool broken = false;  // holds a syntax error
};

struct Statement {
  StatementKind kind = StatementKind::kError;
  SourceRange range;  // for compound statements: of the header
  SourceRange place;  // kAugmented: of the operator
  Operator op = Operator::kAdd;
  std::vector<Expr*> targets;
  Expr* value = nullptr;
  Expr* message = nullptr;
  Block body;
  std::vector<Branch> branches;
  bool has_otherwise = false;
  Block otherwise;
  Function* function = nullptr;
};

// A parsed file: statements at the left margin, and everything they hold.
class Module {
 public:
  Block body;

  Expr* NewExpr() { return &exprs_.emplace_back(); }
  Statement* NewStatement() { return &statements_.emplace_back(); }
  Function* NewFunction() { return &functions_.emplace_back(); }

 private:
  std::deque<Expr> exprs_;
  std::deque<Statement> statements_;
  std::deque<Function> functions_;
};

}  // namespace belay::crux::syntax

#endif  // BELAY_CRUX_SYNTAX_H_
