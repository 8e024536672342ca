// SPDX-License-Identifier: Apache-2.0
// Loops that load for their own turn, written as those that load ahead.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crux/print/ahead_loops.h"
#include "crux/print/statement_tree.h"
#include "crux/print/text.h"

namespace belay::crux::print {
namespace {

// "}" closes.
Statement Parsed(const std::vector<std::string>& lines,
                 Vocabulary& vocabulary) {
  Text text;
  for (const std::string& line : lines) {
    if (line == "}") {
      text.Close();
    } else {
      text.Statement(line);
    }
  }
  return Parse(text.lines(), vocabulary)[0];
}

std::vector<std::string> LinesOf(const Statement& statement,
                                 const Vocabulary& vocabulary) {
  std::string head;
  for (const Token token : statement.parts[0].head) {
    if (HasBlank(token)) head += ' ';
    head += vocabulary.Text(WordOf(token));
  }
  std::vector<std::string> lines = {head};
  for (const Statement& inner : statement.parts[0].body) {
    for (std::string& line : LinesOf(inner, vocabulary)) {
      lines.push_back(std::move(line));
    }
  }
  if (statement.nested) lines.push_back(statement.close);
  return lines;
}

const std::vector<std::string> kAhead = {
    "for (int64_t item = first - 1; item < end; ++item) {",
    "if (item + 1 < end) {",
    "const int64_t r = (item + 1) * tiling_->rows;",
    "const int64_t count = Min(tiling_->rows, tiling_->M - r);",
    "CopyIn(r, count);",
    "}",
    "if (first <= item) {",
    "const int64_t r = item * tiling_->rows;",
    "const int64_t count = Min(tiling_->rows, tiling_->M - r);",
    "Compute(count);",
    "CopyOut(r, count);",
    "}",
    "}"};

const std::vector<std::string> kPlain = {
    "for (int64_t i = begin; i < last; ++i) {",
    "const int64_t r = i * tiling_->rows;",
    "const int64_t count = Min(tiling_->rows, tiling_->M - r);",
    "CopyIn2(r, count);",
    "Compute(count);",
    "CopyOut(r, count);",
    "}"};

TEST(AheadLoops, OnesTurnIsLoadedNoTurnsAhead) {
  Vocabulary vocabulary;
  const Statement ahead = Parsed(kAhead, vocabulary);
  const auto result =
      LoadingAhead(Parsed(kPlain, vocabulary), ahead, vocabulary);
  ASSERT_TRUE(result);
  const std::vector<std::string> expected = {
      "for (int64_t i = begin - 0; i < last; ++i) {",
      "if (i + 0 < last) {",
      "const int64_t r = (i + 0) * tiling_->rows;",
      "const int64_t count = Min(tiling_->rows, tiling_->M - r);",
      "CopyIn2(r, count);",
      "}",
      "if (begin <= i) {",
      "const int64_t r = i * tiling_->rows;",
      "const int64_t count = Min(tiling_->rows, tiling_->M - r);",
      "Compute(count);",
      "CopyOut(r, count);",
      "}",
      "}"};
  EXPECT_EQ(LinesOf(*result, vocabulary), expected);
  EXPECT_EQ(result->shape, ahead.shape);
}

TEST(AheadLoops, OtherLoopsStay) {
  Vocabulary vocabulary;
  const Statement ahead = Parsed(kAhead, vocabulary);
  const auto stays = [&](size_t line, const std::string& other) {
    std::vector<std::string> lines = kPlain;
    lines[line] = other;
    return !LoadingAhead(Parsed(lines, vocabulary), ahead, vocabulary);
  };
  ASSERT_FALSE(stays(0, kPlain[0]));
  EXPECT_TRUE(stays(0, "for (int64_t i = begin; i < last; i += 2) {"));
  EXPECT_TRUE(stays(0, "for (int64_t i = begin; i <= last; ++i) {"));
  EXPECT_TRUE(stays(0, "if (begin < last) {"));
  // No load, or one behind what is computed.
  EXPECT_TRUE(stays(3, "Load(r, count);"));
  // Another turn than the one ahead has.
  EXPECT_TRUE(stays(1, "const int64_t r = i / 2 * tiling_->rows;"));
  EXPECT_TRUE(stays(2, "Use(r);"));
  // It loads ahead already.
  EXPECT_FALSE(LoadingAhead(ahead, ahead, vocabulary));
}

}  // namespace
}  // namespace belay::crux::print
