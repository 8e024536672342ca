// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_STATEMENT_TEXT_H_
#define BELAY_CRUX_PRINT_STATEMENT_TEXT_H_

// Statements of the code IR as statements of an AscendC class.

#include <string>

#include "crux/ir/code.h"
#include "crux/print/class_facts.h"
#include "crux/print/kernel_class.h"
#include "crux/print/names.h"
#include "crux/print/scalar_text.h"
#include "crux/print/text.h"
#include "crux/source.h"

namespace belay::crux::print {

class StatementWriter {
 public:
  // All must outlive it. Helpers and fields that are used are noted in
  // `printed`. `late` as LateOfSome gives it. Source may be null.
  StatementWriter(const code::Kernel& kernel, const ClassFacts& facts,
                  const std::string& late, const Source* source, Names& names,
                  PrintedClass& printed);
  StatementWriter(const StatementWriter&) = delete;
  StatementWriter& operator=(const StatementWriter&) = delete;

  // The body of a function.
  void Print(const code::Block& body, Text& text);

  std::string Integer(const ir::Int& value, int least = 0) const;

  // How many variables only the printed text has so far: their names follow
  // from those before them.
  int own_variables() const { return own_variables_; }

 private:
  void PrintBlock(const code::Block& block, Text& text);
  void PrintStatement(const code::Stmt& stmt, Text& text);
  void PrintNested(const code::Stmt& stmt, Text& text);
  void PrintTensor(const code::Stmt& stmt, Text& text);
  // Calls that take more than their arguments (special_calls.cpp).
  bool PrintTurn(const code::Stmt& loop, Text& text);
  bool PrintSpecialCall(const code::Stmt& stmt, Text& text);
  void PrintGatherMask(const code::Stmt& stmt, Text& text);
  void PrintMrgSort(const code::Stmt& stmt, Text& text);
  void PrintAddAddress(const code::Stmt& stmt, Text& text);
  // A variable that only the printed text has.
  // Whether the function that is called knows the tensor as a member.
  bool IsKeptFor(const code::Stmt& call, const std::string& tensor) const;
  std::string OwnVariable(std::string_view wish);
  void NoteLine(int line, Text& text);

  std::string CallText(const code::Stmt& stmt) const;
  std::string ArgText(const code::Arg& arg, const code::Stmt& call,
                      size_t index) const;
  std::string StructText(const code::Struct& value,
                         const code::Stmt& call) const;
  // Of the scalar operand of a call: that of the tensor it meets.
  DType ScalarDtype(const code::Stmt& call) const;
  std::string LocalText(const code::Local& local) const;
  std::string GlobalText(const code::GlobalPart& global) const;
  std::string SpellInteger(const std::string& name) const;
  std::string Tiling(const std::string& field) const;

  const code::Kernel& kernel_;
  const ClassFacts& facts_;
  const Source* source_;
  Names& names_;
  PrintedClass& printed_;
  IntegerContext integers_;
  ScalarContext scalars_;
  int line_ = 0;  // the last one named
  int own_variables_ = 0;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_STATEMENT_TEXT_H_
