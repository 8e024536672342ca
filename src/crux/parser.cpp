// SPDX-License-Identifier: Apache-2.0
#include "crux/parser.h"

#include <fmt/format.h>

#include <optional>

#include "crux/parse_expression.h"
#include "crux/token_stream.h"

namespace belay::crux {

using syntax::Block;
using syntax::Expr;
using syntax::ExprKind;
using syntax::Operator;
using syntax::Statement;
using syntax::StatementKind;

namespace {

struct Refused {
  std::string_view word;
  std::string_view fix;
};

// Statements of Python that Crux has not, and what to write.
constexpr Refused kRefused[] = {
    {"import", "delete the line: every operation of Crux is known by its name"},
    {"from", "delete the line: every operation of Crux is known by its name"},
    {"class", "a file holds @kernel functions and @inline helpers only"},
    {"while",
     "write `for i in range(n):` or `for c in tiles(n, tile=auto):`; "
     "n may be a device integer"},
    {"try",
     "nothing is raised in a kernel: read outside a tensor with fill=, "
     "refuse bad sizes with `assert`"},
    {"except", "nothing is raised in a kernel"},
    {"finally", "nothing is raised in a kernel"},
    {"raise", "refuse bad sizes with `assert condition, \"message\"`"},
    {"with",
     "stages and buffers are derived: write load, the mathematics and "
     "store one after the other"},
    {"break",
     "loops run to their end: give the loop the right bound (it may "
     "be a device integer), or guard the statements with `if`"},
    {"continue", "guard the statements that follow with `if`"},
    {"del", "delete the line: memory is planned by the compiler"},
    {"global", "pass the value as an argument or return it"},
    {"nonlocal", "pass the value as an argument or return it"},
    {"async", "a kernel runs from top to bottom"},
    {"yield", "store results with store(view, tile)"},
    {"await", "copies are waited for without being told"},
    {"match", "write `if … elif … else`"},
};

struct Augmented {
  std::string_view symbol;
  Operator op;
};
constexpr Augmented kAugmented[] = {
    {"+=", Operator::kAdd},         {"-=", Operator::kSub},
    {"*=", Operator::kMul},         {"/=", Operator::kDiv},
    {"//=", Operator::kFloorDiv},   {"%=", Operator::kMod},
    {"**=", Operator::kPow},        {"@=", Operator::kMatmul},
    {"&=", Operator::kAnd},         {"|=", Operator::kOr},
    {"^=", Operator::kXor},         {"<<=", Operator::kShiftLeft},
    {">>=", Operator::kShiftRight},
};

class Parser {
 public:
  Parser(const Tokens& tokens, Messages& messages, syntax::Module& module)
      : stream_(tokens, messages),
        module_(module),
        expressions_(stream_, module) {}

  void Run() {
    while (!stream_.At(TokenKind::kEnd)) {
      if (stream_.At(TokenKind::kIndent)) {
        UnexpectedIndent();
        continue;
      }
      if (stream_.At(TokenKind::kDedent) || stream_.At(TokenKind::kNewline)) {
        stream_.Take();
        continue;
      }
      ParseStatement(module_.body);
    }
  }

 private:
  // Adds one statement, or the error in its place, and moves past it.
  void ParseStatement(Block& block) {
    stream_.BeginStatement();
    const size_t held = block.size();
    const SourceRange first = stream_.Peek().range;
    const std::vector<Expr*> names = NamesAssigned();
    try {
      block.push_back(OneStatement());
    } catch (const SyntaxFailure&) {
      AddError(block, held, first, names);
      SkipStatement();
    } catch (const StatementRefused&) {
      AddError(block, held, first, names);
    }
  }

  void AddError(Block& block, size_t held, const SourceRange& first,
                const std::vector<Expr*>& names) {
    broken_ = true;
    block.resize(held);
    Statement* error = module_.NewStatement();
    error->range = first;
    error->targets = names;
    block.push_back(error);
  }

  // The names before a `=` at the start of a statement, for an error in what
  // follows.
  std::vector<Expr*> NamesAssigned() {
    std::vector<Expr*> names;
    for (size_t i = 0; stream_.Peek(i).kind == TokenKind::kName; i += 2) {
      Expr* name = module_.NewExpr();
      name->kind = ExprKind::kName;
      name->text = stream_.Peek(i).text;
      name->range = stream_.Peek(i).range;
      names.push_back(name);
      if (stream_.Peek(i + 1).Is("=")) return names;
      if (!stream_.Peek(i + 1).Is(",")) break;
    }
    return {};
  }

  // To the next line; the block under a header that failed is read for its own
  // errors and dropped.
  void SkipStatement() {
    while (!stream_.At(TokenKind::kNewline) && !stream_.At(TokenKind::kEnd) &&
           !stream_.At(TokenKind::kIndent) && !stream_.At(TokenKind::kDedent)) {
      stream_.Take();
    }
    if (stream_.At(TokenKind::kNewline)) stream_.Take();
    if (stream_.At(TokenKind::kIndent)) {
      Block dropped;
      ParseIndented(dropped);
    }
  }

  // Over a block without reading it.
  void SkipBlock() {
    while (!stream_.At(TokenKind::kNewline) && !stream_.At(TokenKind::kEnd)) {
      stream_.Take();
    }
    stream_.Take();
    if (!stream_.At(TokenKind::kIndent)) return;
    int depth = 0;
    do {
      if (stream_.At(TokenKind::kIndent)) ++depth;
      if (stream_.At(TokenKind::kDedent)) --depth;
      if (stream_.At(TokenKind::kEnd)) return;
      stream_.Take();
    } while (depth > 0);
  }

  void UnexpectedIndent() {
    broken_ = true;
    stream_.messages().Report(
        code::kX102, stream_.Peek().range,
        "this line is indented, but the line before it opens no block",
        "indent it as the line before; blocks follow a line that ends in ':'");
    Block dropped;
    ParseIndented(dropped);
  }

  // From kIndent to its kDedent.
  void ParseIndented(Block& block) {
    stream_.Take();
    while (!stream_.At(TokenKind::kDedent) && !stream_.At(TokenKind::kEnd)) {
      if (stream_.At(TokenKind::kIndent)) {
        UnexpectedIndent();
      } else if (stream_.At(TokenKind::kNewline)) {
        stream_.Take();
      } else {
        ParseStatement(block);
      }
    }
    if (stream_.At(TokenKind::kDedent)) stream_.Take();
  }

  // `:` and the block under it, or a statement on the same line.
  void ParseSuite(std::string_view after, Block& block) {
    if (stream_.At("=")) {
      stream_.Fail(code::kX105, stream_.Peek().range,
                   "'=' assigns and cannot stand in a condition",
                   "compare with `==`");
    }
    stream_.Expect(":", fmt::format("after {}", after),
                   "end the line with ':'");
    if (!stream_.At(TokenKind::kNewline)) {
      if (stream_.At("if") || stream_.At("for") || stream_.At("def") ||
          stream_.At("@")) {
        stream_.Fail(code::kX105, stream_.Peek().range,
                     fmt::format("'{}' begins a block and needs a line of its "
                                 "own",
                                 stream_.Peek().text),
                     "begin a new line, indented by four blanks");
      }
      ParseStatement(block);
      return;
    }
    const SourceRange line = stream_.Last().range;
    stream_.Take();
    if (!stream_.At(TokenKind::kIndent)) {
      broken_ = true;
      stream_.messages().Report(
          code::kX102, line,
          fmt::format("{} needs an indented block below it", after),
          "indent the statements that belong to it by four blanks, or write "
          "`pass`");
      return;
    }
    ParseIndented(block);
  }

  Statement* OneStatement() {
    const Token& token = stream_.Peek();
    if (token.kind == TokenKind::kName) {
      if (token.Is("def")) return ParseFunction({});
      if (token.Is("for")) return ParseFor();
      if (token.Is("if")) return ParseIf();
      if (token.Is("elif") || token.Is("else")) {
        stream_.Fail(code::kX105, token.range,
                     fmt::format("'{}' without an `if` before it", token.text),
                     "indent it as the `if` it belongs to");
      }
      RefuseStatement(token);
    }
    if (token.Is("@")) return ParseDecorated();
    return ParseSimple();
  }

  void RefuseStatement(const Token& token) {
    for (const Refused& refused : kRefused) {
      if (token.text != refused.word) continue;
      if (token.Is("match") && stream_.Peek(1).kind != TokenKind::kName) {
        continue;
      }
      stream_.messages().Report(code::kX106, token.range,
                                fmt::format("Crux has no `{}`", token.text),
                                std::string(refused.fix));
      SkipBlock();
      // The other parts of one statement.
      while (stream_.At("except") || stream_.At("finally")) SkipBlock();
      throw StatementRefused();
    }
  }

  Statement* ParseFor() {
    Statement* loop = New(StatementKind::kFor);
    stream_.Take();
    Expr* target = expressions_.TargetList();
    loop->targets = Unpacked(target);
    stream_.Expect("in", "after the loop variable",
                   "write `for c in tiles(N, tile=auto):`");
    loop->value = expressions_.ExpressionList();
    loop->range = Join(loop->range, stream_.Last().range);
    ParseSuite("the `for` line", loop->body);
    if (stream_.At("else")) {
      stream_.Fail(code::kX106, stream_.Peek().range,
                   "Crux has no `else` of a loop",
                   "write the statements after the loop");
    }
    return loop;
  }

  Statement* ParseIf() {
    Statement* statement = New(StatementKind::kIf);
    do {
      const SourceRange word = stream_.Take().range;
      syntax::Branch& branch = statement->branches.emplace_back();
      branch.range = word;
      if (static_cast<int>(statement->branches.size()) > syntax::kMaxDepth) {
        stream_.Fail(
            code::kX108, word,
            fmt::format("an `if` has at most {} branches", syntax::kMaxDepth));
      }
      branch.condition = expressions_.ExpressionList();
      branch.range = Join(word, branch.condition->range);
      statement->range = Join(statement->range, branch.range);
      // The reference may move while the block is read.
      Block body;
      ParseSuite("the condition", body);
      statement->branches.back().body = std::move(body);
    } while (stream_.At("elif"));
    if (stream_.At("else")) {
      const SourceRange word = stream_.Take().range;
      if (stream_.At("if")) {
        stream_.Fail(code::kX105, Join(word, stream_.Peek().range),
                     "`else if` is spelt `elif`", "write `elif`");
      }
      statement->has_otherwise = true;
      ParseSuite("`else`", statement->otherwise);
    }
    return statement;
  }

  Statement* ParseDecorated() {
    std::vector<Expr*> decorators;
    while (stream_.At("@")) {
      stream_.Take();
      decorators.push_back(expressions_.Expression());
      if (!stream_.At(TokenKind::kNewline)) {
        stream_.Fail(code::kX105, stream_.Peek().range,
                     fmt::format("expected the end of the line after the "
                                 "decorator, got {}",
                                 stream_.Describe(stream_.Peek())),
                     "write the function on the next line");
      }
      stream_.Take();
    }
    if (!stream_.At("def")) {
      if (stream_.Peek().kind == TokenKind::kName) {
        RefuseStatement(stream_.Peek());
      }
      stream_.Fail(code::kX105, stream_.Peek().range,
                   fmt::format("expected `def` after the decorator, got {}",
                               stream_.Describe(stream_.Peek())));
    }
    return ParseFunction(std::move(decorators));
  }

  Statement* ParseFunction(std::vector<Expr*> decorators) {
    Statement* statement = New(StatementKind::kFunction);
    syntax::Function* function = module_.NewFunction();
    statement->function = function;
    function->decorators = std::move(decorators);
    stream_.Take();
    const Token& name = stream_.Peek();
    if (name.kind != TokenKind::kName || IsKeyword(name.text)) {
      stream_.Fail(code::kX105, name.range,
                   fmt::format("expected the function's name after `def`, "
                               "got {}",
                               stream_.Describe(name)));
    }
    stream_.Take();
    function->name = name.text;
    function->name_range = name.range;
    statement->range = Join(statement->range, name.range);
    const bool outer = broken_;
    broken_ = false;
    ParseParameters(*function);
    if (stream_.At("->")) {
      stream_.Fail(code::kX105, stream_.Peek().range,
                   "a function of Crux has no return type",
                   "results of a kernel are parameters: y: out(T[M, N])");
    }
    ParseSuite("the function's parameters", function->body);
    function->broken =
        broken_ || stream_.messages().HasErrorBetween(
                       statement->range.line, stream_.Last().range.end_line);
    broken_ = outer || broken_;
    return statement;
  }

  void ParseParameters(syntax::Function& function) {
    stream_.Expect("(", "after the function's name");
    while (!stream_.At(")")) {
      const Token& name = stream_.Peek();
      if (name.Is("*") || name.Is("**") || name.Is("/")) {
        stream_.Fail(code::kX107, name.range,
                     fmt::format("Crux has no '{}' parameters", name.text),
                     "name each parameter; a list of tensors is "
                     "`x: list(T[*S])`");
      }
      if (name.kind != TokenKind::kName || IsKeyword(name.text)) {
        stream_.Fail(code::kX105, name.range,
                     fmt::format("expected a parameter's name, got {}",
                                 stream_.Describe(name)));
      }
      stream_.Take();
      syntax::Parameter& parameter = function.parameters.emplace_back();
      parameter.name = name.text;
      parameter.range = name.range;
      if (stream_.TakeIf(":")) parameter.annotation = expressions_.Expression();
      if (stream_.TakeIf("=")) parameter.fallback = expressions_.Expression();
      if (!stream_.TakeIf(",")) break;
    }
    stream_.Expect(")", "after the parameters", "write ',' or ')' here");
  }

  Statement* ParseSimple() {
    Statement* statement = SimpleStatement();
    statement->range = Join(statement->range, stream_.Last().range);
    if (stream_.At(";")) {
      stream_.Fail(code::kX105, stream_.Peek().range,
                   "Crux writes one statement to a line",
                   "begin a new line in place of ';'");
    }
    if (!stream_.At(TokenKind::kNewline) && !stream_.At(TokenKind::kEnd)) {
      stream_.Fail(code::kX105, stream_.Peek().range,
                   fmt::format("expected the end of the line, got {}",
                               stream_.Describe(stream_.Peek())),
                   FixForRest(*statement));
    }
    if (stream_.At(TokenKind::kNewline)) stream_.Take();
    return statement;
  }

  std::string FixForRest(const Statement& statement) const {
    if (statement.kind == StatementKind::kExpression &&
        statement.value->kind == ExprKind::kName &&
        statement.value->text == "print") {
      return "a kernel prints nothing: delete the line, or store the value in "
             "an output";
    }
    return "an operator or a comma is missing, or a new line";
  }

  Statement* SimpleStatement() {
    if (stream_.At("pass")) {
      Statement* pass = New(StatementKind::kPass);
      stream_.Take();
      return pass;
    }
    if (stream_.At("return")) {
      Statement* result = New(StatementKind::kReturn);
      stream_.Take();
      if (!stream_.At(TokenKind::kNewline) && !stream_.At(TokenKind::kEnd)) {
        result->value = expressions_.ExpressionList();
      }
      return result;
    }
    if (stream_.At("assert")) {
      Statement* assertion = New(StatementKind::kAssert);
      stream_.Take();
      assertion->value = expressions_.Expression();
      if (stream_.TakeIf(",")) assertion->message = expressions_.Expression();
      return assertion;
    }
    Statement* statement = New(StatementKind::kExpression);
    Expr* value = expressions_.ExpressionList();
    statement->value = value;
    if (stream_.At(":")) {
      stream_.Fail(
          code::kX105, stream_.Peek().range,
          value->kind == ExprKind::kName
              ? fmt::format("a local name has no type annotation: '{}'",
                            value->text)
              : "':' in the wrong place",
          "delete it: types follow from what is assigned");
    }
    for (const Augmented& augmented : kAugmented) {
      if (!stream_.At(augmented.symbol)) continue;
      statement->place = stream_.Take().range;
      statement->kind = StatementKind::kAugmented;
      statement->op = augmented.op;
      CheckTarget(value);
      statement->targets = {value};
      statement->value = expressions_.ExpressionList();
      return statement;
    }
    if (!stream_.At("=")) return statement;
    stream_.Take();
    statement->kind = StatementKind::kAssign;
    statement->targets = Unpacked(value);
    for (Expr* target : statement->targets) CheckTarget(target);
    statement->value = expressions_.ExpressionList();
    if (stream_.At("=")) {
      stream_.Fail(code::kX109, stream_.Peek().range,
                   "Crux assigns once in a statement",
                   "write `a = value` and `b = a` on two lines");
    }
    return statement;
  }

  void CheckTarget(const Expr* target) {
    if (target->kind == ExprKind::kName ||
        target->kind == ExprKind::kSubscript ||
        target->kind == ExprKind::kAttribute) {
      return;
    }
    stream_.Fail(code::kX109, target->range, "only a name can be assigned to",
                 "write `name = value`; tensors are written with "
                 "store(y[…], tile)");
  }

  std::vector<Expr*> Unpacked(Expr* target) {
    if (target->kind != ExprKind::kTuple) return {target};
    if (target->items.empty()) CheckTarget(target);
    return target->items;
  }

  Statement* New(StatementKind kind) {
    Statement* statement = module_.NewStatement();
    statement->kind = kind;
    statement->range = stream_.Peek().range;
    return statement;
  }

  // Thrown when the message has been given and the statement passed.
  struct StatementRefused {};

  TokenStream stream_;
  syntax::Module& module_;
  ExpressionParser expressions_;
  bool broken_ = false;
};

}  // namespace

void Parse(const Tokens& tokens, Messages& messages, syntax::Module& module) {
  if (!tokens.too_large) Parser(tokens, messages, module).Run();
}

}  // namespace belay::crux
