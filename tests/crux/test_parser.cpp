// SPDX-License-Identifier: Apache-2.0
// What the parser reads, what it refuses, and how it goes on after an error.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crux/lexer.h"
#include "crux/messages.h"
#include "crux/parser.h"
#include "crux/syntax.h"

namespace belay::crux::test_parser {
namespace {

using syntax::ExprKind;
using syntax::StatementKind;

struct Parsed {
  explicit Parsed(const std::string& text)
      : source("a.crux", text), messages(source) {
    const Tokens tokens = Tokenize(source, messages);
    Parse(tokens, messages, module);
    diagnostics = messages.Take();
  }

  std::string Codes() const {
    std::string codes;
    for (const Diagnostic& diagnostic : diagnostics) {
      codes += diagnostic.code.substr(4) + " ";
    }
    return codes;
  }

  Source source;
  Messages messages;
  syntax::Module module;
  std::vector<Diagnostic> diagnostics;
};

// In brackets by precedence, for comparing trees.
std::string Show(const syntax::Expr* expr) {
  if (!expr) return "";
  std::string text;
  const auto items = [&](size_t from, const char* between) {
    std::string list;
    for (size_t i = from; i < expr->items.size(); ++i) {
      list += (i > from ? between : "") + Show(expr->items[i]);
    }
    return list;
  };
  switch (expr->kind) {
    case ExprKind::kUnary:
      return "(" + std::string(SpellingOf(expr->op)) + Show(expr->items[0]) +
             ")";
    case ExprKind::kBinary:
    case ExprKind::kLogic:
      if (expr->items.size() == 1) return "(not " + Show(expr->items[0]) + ")";
      return "(" + Show(expr->items[0]) + " " +
             std::string(SpellingOf(expr->op)) + " " + Show(expr->items[1]) +
             ")";
    case ExprKind::kCompare:
      text = "(" + Show(expr->items[0]);
      for (size_t i = 0; i < expr->ops.size(); ++i) {
        text += " " + std::string(SpellingOf(expr->ops[i])) + " " +
                Show(expr->items[i + 1]);
      }
      return text + ")";
    case ExprKind::kSelect:
      return "(" + Show(expr->items[0]) + " if " + Show(expr->items[1]) +
             " else " + Show(expr->items[2]) + ")";
    case ExprKind::kCall:
      text = Show(expr->items[0]) + "(" + items(1, ", ");
      for (const syntax::Keyword& keyword : expr->keywords) {
        text += " " + keyword.name + "=" + Show(keyword.value);
      }
      return text + ")";
    case ExprKind::kAttribute:
      return Show(expr->items[0]) + "." + expr->text;
    case ExprKind::kSubscript:
      return Show(expr->items[0]) + "[" + items(1, ", ") + "]";
    case ExprKind::kSlice:
      return Show(expr->items[0]) + ":" + Show(expr->items[1]) + ":" +
             Show(expr->items[2]);
    case ExprKind::kTuple:
      return "{" + items(0, ", ") + "}";
    case ExprKind::kStarred:
      return "*" + Show(expr->items[0]);
    case ExprKind::kBool:
      return expr->integer ? "True" : "False";
    case ExprKind::kNone:
      return "None";
    case ExprKind::kString:
      return "'" + expr->text + "'";
    default:
      return expr->text;
  }
}

struct Reading {
  const char* text;
  const char* tree;
};

class Expressions : public ::testing::TestWithParam<Reading> {};

TEST_P(Expressions, BindAsInPython) {
  const Parsed parsed(std::string("v = ") + GetParam().text + "\n");
  ASSERT_TRUE(parsed.diagnostics.empty()) << ToText(parsed.diagnostics[0]);
  EXPECT_EQ(Show(parsed.module.body[0]->value), GetParam().tree);
}

constexpr Reading kReadings[] = {
    {"a + b * c - d", "((a + (b * c)) - d)"},
    {"-a ** 2", "(-(a ** 2))"},
    {"2 ** -1 ** 2", "(2 ** (-(1 ** 2)))"},
    {"a ** b ** c", "(a ** (b ** c))"},
    {"~a & b | c ^ d", "(((~a) & b) | (c ^ d))"},
    {"a << 1 + b", "(a << (1 + b))"},
    {"a < b == c", "(a < b == c)"},
    {"a & b == c", "((a & b) == c)"},
    {"not a == b and c or d", "(((not (a == b)) and c) or d)"},
    {"a if b else c if d else e", "(a if b else (c if d else e))"},
    {"a @ b * c", "((a @ b) * c)"},
    {"f(a, b=c)(d)[e].g", "f(a b=c)(d)[e].g"},
    {"x[a, :, 1:2, ::3, None]", "x[a, ::, 1:2:, ::3, None]"},
    {"x[*s]", "x[*s]"},
    {"(a, b), c", "{{a, b}, c}"},
    {"(a)", "a"},
    {"()", "{}"},
    {"1e-5 + 0x1F + 1_000", "((1e-5 + 0x1F) + 1_000)"},
    {"'a' \"b\"", "'ab'"},
    {"a not in b", "(a not in b)"},
    {"a is not None", "(a is not None)"},
    {"(a +\n  b)", "(a + b)"},
    {"a + \\\n  b", "(a + b)"},
};
INSTANTIATE_TEST_SUITE_P(All, Expressions, ::testing::ValuesIn(kReadings));

struct RefusedText {
  const char* text;
  const char* code;
  const char* words;
};

class RefusedPython : public ::testing::TestWithParam<RefusedText> {};

TEST_P(RefusedPython, SaysWhatToWrite) {
  const Parsed parsed(GetParam().text);
  ASSERT_EQ(parsed.diagnostics.size(), 1u) << GetParam().text << "\n"
                                           << parsed.Codes();
  const Diagnostic& diagnostic = parsed.diagnostics[0];
  EXPECT_EQ(diagnostic.code, std::string("BLY-") + GetParam().code);
  EXPECT_NE((diagnostic.message + " " + diagnostic.fix).find(GetParam().words),
            std::string::npos)
      << ToText(diagnostic);
}

constexpr RefusedText kRefused[] = {
    {"import numpy as np\n", "X106", "delete the line"},
    {"from torch import nn\n", "X106", "delete the line"},
    {"class A:\n    x = 1\n", "X106", "@kernel"},
    {"while a:\n    b = 1\n", "X106", "range(n)"},
    {"try:\n    b = 1\n", "X106", "fill="},
    {"with tl.copyin():\n    b = 1\n", "X106", "load"},
    {"for i in range(3):\n    break\n", "X106", "bound"},
    {"for i in range(3):\n    continue\n", "X106", "guard"},
    {"for i in range(3):\n    pass\nelse:\n    pass\n", "X106",
     "after the loop"},
    {"raise a\n", "X106", "assert"},
    {"del a\n", "X106", "planned"},
    {"global a\n", "X106", "argument"},
    {"async def f():\n    pass\n", "X106", "top to bottom"},
    {"a = lambda b: b\n", "X107", "@inline"},
    {"a = [b for b in c]\n", "X107", "for"},
    {"a = {1: 2}\n", "X107", "names"},
    {"a = f'{b}'\n", "X107", "plain string"},
    {"a = f(**b)\n", "X107", "one by one"},
    {"a = (b := 1)\n", "X107", "line of its own"},
    {"def f(*args):\n    pass\n", "X107", "name each parameter"},
    {"def f(a) -> int:\n    pass\n", "X105", "out(T[M, N])"},
    {"a = b = 1\n", "X109", "two lines"},
    {"a: int = 1\n", "X105", "delete it"},
    {"1 = a\n", "X109", "name"},
    {"a = b && c\n", "X105", "`and`"},
    {"a = b || c\n", "X105", "`or`"},
    {"a = 1; b = 2\n", "X105", "new line"},
    {"if a:\n    pass\nelse if b:\n    pass\n", "X105", "elif"},
    {"if a: if b: pass\n", "X105", "line of its own"},
    {"else:\n    pass\n", "X105", "without an `if`"},
    {"a = b c\n", "X105", "operator or a comma"},
    {"print a\n", "X105", "prints nothing"},
    {"a = f(b=1, c)\n", "X105", "without a name"},
    {"if a:\n\tb = 1\n", "X102", "four blanks"},
    {"if a:\n        b = 1\n    c = 2\n", "X102", "no block"},
    {"    a = 1\n", "X102", "opens no block"},
    {"a = \"b\n", "X104", "never closed"},
    {"a = 99999999999999999999\n", "X104", "64 bits"},
    {"a = b)\n", "X103", "closes nothing"},
    {"a = f(b]\n", "X103", "cannot close"},
    {"a = b ? c : d\n", "X101", "if condition else"},
    {"a = !b\n", "X101", "not"},
};
INSTANTIATE_TEST_SUITE_P(All, RefusedPython, ::testing::ValuesIn(kRefused));

TEST(Recovery, EachStatementGetsItsOwnMessage) {
  const Parsed parsed(
      "a = (1 +\n"
      "b = 2\n"
      "for i in range(3)\n"
      "    c = 4 5\n"
      "d = )\n"
      "while e:\n"
      "    f = (\n"
      "g = 7\n");
  EXPECT_EQ(parsed.Codes(), "X103 X105 X105 X103 X106 X103 ");
  EXPECT_EQ(parsed.module.body.back()->kind, StatementKind::kAssign);
}

TEST(Recovery, AFunctionWithAnErrorIsBrokenAndTheNextIsNot) {
  const Parsed parsed(
      "@kernel\ndef f():\n    a = 1 +\n    b = 2\n\n\n"
      "@kernel\ndef g():\n    pass\n");
  EXPECT_EQ(parsed.Codes(), "X105 ");
  ASSERT_EQ(parsed.module.body.size(), 2u);
  EXPECT_TRUE(parsed.module.body[0]->function->broken);
  EXPECT_FALSE(parsed.module.body[1]->function->broken);
}

TEST(Recovery, AnErrorKeepsTheNamesItWouldAssign) {
  const Parsed parsed("a, b = 1 +\n");
  ASSERT_EQ(parsed.module.body.size(), 1u);
  EXPECT_EQ(parsed.module.body[0]->kind, StatementKind::kError);
  EXPECT_EQ(parsed.module.body[0]->targets.size(), 2u);
}

TEST(Places, RangesCoverWhatWasWritten) {
  const Parsed parsed("v = load(x[r, :]) + 12\n");
  const syntax::Expr* sum = parsed.module.body[0]->value;
  EXPECT_EQ(parsed.source.Text(sum->range), "load(x[r, :]) + 12");
  EXPECT_EQ(parsed.source.Text(sum->place), "+");
  EXPECT_EQ(parsed.source.Text(sum->items[0]->range), "load(x[r, :])");
  EXPECT_EQ(sum->items[1]->range.column, 21);
  EXPECT_EQ(sum->items[1]->range.end_column, 23);
}

}  // namespace
}  // namespace belay::crux::test_parser
