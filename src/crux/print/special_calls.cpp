// SPDX-License-Identifier: Apache-2.0
// Calls that give something back, or take arrays.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "crux/print/statement_text.h"

namespace belay::crux::print {
namespace {

using code::Stmt;

const code::Struct& StructOf(const code::Arg& arg) {
  const auto* value = std::get_if<code::Struct>(&arg);
  if (value == nullptr) {
    throw InternalError("[crux] a call without its struct of parameters");
  }
  return *value;
}

}  // namespace

std::string StatementWriter::OwnVariable(std::string_view wish) {
  return names_.Of(NameKind::kVariable,
                   fmt::format("{}#{}", wish, ++own_variables_));
}

bool StatementWriter::PrintSpecialCall(const Stmt& stmt, Text& text) {
  if (stmt.function == "GatherMask") {
    PrintGatherMask(stmt, text);
  } else if (stmt.function == "MrgSort") {
    PrintMrgSort(stmt, text);
  } else if (stmt.function == "TransDataTo5HD") {
    PrintTranspose(stmt, text);
  } else {
    return false;
  }
  return true;
}

void StatementWriter::PrintGatherMask(const Stmt& stmt, Text& text) {
  const std::string count = OwnVariable("gathered");
  text.Statement(fmt::format("uint64_t {} = 0;", count));
  std::string call = CallText(stmt);
  call.insert(call.size() - 2, ", " + count);
  text.Statement(call);
  if (stmt.name.empty()) return;
  text.Statement(fmt::format("const int64_t {} = {};",
                             names_.Of(NameKind::kVariable, stmt.name), count));
}

void StatementWriter::PrintMrgSort(const Stmt& stmt, Text& text) {
  constexpr size_t kLists = 4;
  const code::Struct& info = StructOf(stmt.args.at(kLists + 1));
  const auto field = [&](size_t i) { return info.fields.at(i); };
  const auto narrow = [&](const ir::Int& value) {
    return value.is_constant()
               ? Integer(value)
               : fmt::format("static_cast<uint16_t>({})", Integer(value));
  };
  std::vector<std::string> lengths;
  std::vector<std::string> lists;
  for (size_t i = 0; i < kLists; ++i) {
    lengths.push_back(narrow(field(i)));
    lists.push_back(ArgText(stmt.args[i + 1], stmt, i + 1));
  }
  const auto& target = std::get<code::Local>(stmt.args[0]);
  const std::string array = OwnVariable("lengths");
  text.Statement(fmt::format("const uint16_t {}[4] = {{{}}};", array,
                             fmt::join(lengths, ", ")));
  text.Statement(fmt::format(
      "MrgSort({}, MrgSortSrcList<{}>({}), MrgSort4Info({}, {}, {}, {}));",
      LocalText(target), TypeName(facts_.locals.at(target.name)),
      fmt::join(lists, ", "), array, field(4).Is(0) ? "false" : "true",
      narrow(field(5)), narrow(field(6))));
}

void StatementWriter::PrintTranspose(const Stmt& stmt, Text& text) {
  const auto& to = std::get<code::Local>(stmt.args.at(0));
  const auto& from = std::get<code::Local>(stmt.args.at(1));
  const std::string to_list = OwnVariable("to_list");
  const std::string from_list = OwnVariable("from_list");
  const auto place = [&](const code::Local& local, const code::Arg& step) {
    // The loop's variable has no name in the code IR.
    const std::string base =
        local.offset.Is(0) ? ""
                           : Integer(local.offset, precedence::kSum) + " + ";
    return fmt::format(
        "{}[{}i * {}].GetPhyAddr()", LocalText({local.name, 0}), base,
        Integer(std::get<ir::Int>(step), precedence::kProduct + 1));
  };
  text.Statement(fmt::format("uint64_t {}[16];", to_list));
  text.Statement(fmt::format("uint64_t {}[16];", from_list));
  text.Statement("for (int64_t i = 0; i < 16; ++i) {");
  text.Statement(
      fmt::format("{}[i] = {};", to_list, place(to, stmt.args.at(2))));
  text.Statement(
      fmt::format("{}[i] = {};", from_list, place(from, stmt.args.at(3))));
  text.Close();
  text.Statement(fmt::format(
      "TransDataTo5HD<{}>({}, {}, {});", TypeName(facts_.locals.at(to.name)),
      to_list, from_list, StructText(StructOf(stmt.args.at(4)), stmt)));
}

}  // namespace belay::crux::print
