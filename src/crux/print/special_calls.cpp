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
  } else if (stmt.function == "AddAddress") {
    PrintAddAddress(stmt, text);
  } else {
    return false;
  }
  return true;
}

// A loop over lists of addresses that does no more.
bool StatementWriter::PrintTurn(const Stmt& loop, Text& text) {
  const bool turns = loop.body.size() == 1 && loop.value.Is(0) &&
                     loop.step.Is(16) &&
                     loop.body[0]->function == "TransDataTo5HD";
  if (!turns) return false;
  const Stmt& call = *loop.body[0];
  const auto lists = [&](size_t i) {
    const auto& list = std::get<code::Local>(call.args.at(i));
    return LocalText({list.name, list.offset - ir::Int::Name(loop.name)});
  };
  const code::Struct& params = StructOf(call.args.at(2));
  printed_.helpers.insert(Helper::kTurn);
  text.Statement(
      fmt::format("Turn<{}>({}, {}, {}, {}, {}, {});",
                  std::get<std::string>(call.types.at(0)), lists(0), lists(1),
                  Integer(loop.high), Integer(params.fields.at(2)),
                  Integer(params.fields.at(3)), Integer(params.fields.at(4))));
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
      LocalText(target), TypeName(facts_.DtypeOf(target.name)),
      fmt::join(lists, ", "), array, field(4).Is(0) ? "false" : "true",
      narrow(field(5)), narrow(field(6))));
}

void StatementWriter::PrintAddAddress(const Stmt& stmt, Text& text) {
  const auto local = [&](size_t i) {
    return LocalText(std::get<code::Local>(stmt.args.at(i)));
  };
  text.Statement(fmt::format(
      "Adds({}, {}, static_cast<int32_t>({}.GetPhyAddr()), {});", local(0),
      local(1), local(2), Integer(std::get<ir::Int>(stmt.args.at(3)))));
}

}  // namespace belay::crux::print
