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
  } else if (stmt.function.starts_with("TurnLists")) {
    PrintTurnLists(stmt, text);
  } else if (stmt.function == "TurnBlocks16") {
    PrintTurnBlocks(stmt, text);
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

// As run/calls_turn.cpp does it.
void StatementWriter::PrintTurnBlocks(const Stmt& stmt, Text& text) {
  const auto local = [&](size_t i) {
    return LocalText(std::get<code::Local>(stmt.args.at(i)));
  };
  const auto integer = [&](size_t i) {
    return Integer(std::get<ir::Int>(stmt.args.at(i)), precedence::kProduct);
  };
  const std::string first = OwnVariable("first");
  const std::string place = OwnVariable("place");
  const std::string at = OwnVariable("at");
  const std::string end = OwnVariable("end");
  const auto say = [&](std::string statement) {
    text.Statement(std::move(statement));
  };
  say(fmt::format("uint64_t {} = {}.GetPhyAddr();", first, local(1)));
  say(fmt::format("const int64_t {} = {} * 16;", end, integer(3)));
  say(fmt::format("for (int64_t {0} = 0; {0} < {1};) {{", at, end));
  say(fmt::format("uint64_t {} = {};", place, first));
  say(fmt::format("for (int64_t i = 0; i < 16; i += 1, {} += 1) {{", at));
  say(fmt::format("{}.SetValue({}, {});", local(0), at, place));
  say(fmt::format("{} += {} * 2;", place, integer(2)));
  text.Close();
  say(fmt::format("{} += 32;", first));
  text.Close();
}

// As run/calls_turn.cpp does it.
void StatementWriter::PrintTurnLists(const Stmt& stmt, Text& text) {
  const bool halves = stmt.function != "TurnLists16";  // of a line
  const bool both = stmt.function == "TurnListsBack32";
  const int64_t bytes = halves ? 4 : 2;
  const int64_t entries = both ? 32 : 16;
  const auto local = [&](size_t i) {
    return LocalText(std::get<code::Local>(stmt.args.at(i)));
  };
  const auto integer = [&](size_t i) {
    return Integer(std::get<ir::Int>(stmt.args.at(i)), precedence::kProduct);
  };
  const std::string columns = integer(4);
  const std::string rows = integer(5);
  const std::string period = integer(7);
  const std::string pitch = OwnVariable("pitch_bytes");
  const std::string run = OwnVariable("run_bytes");
  const std::string line = OwnVariable("line");
  const std::string first = OwnVariable("first");
  const std::string place = OwnVariable("place");
  const std::string column = OwnVariable("column");
  const std::string at = OwnVariable("at");
  const std::string end = OwnVariable("end");
  const auto say = [&](std::string statement) {
    text.Statement(std::move(statement));
  };
  const auto put = [&](size_t list, int64_t behind, const std::string& value) {
    say(fmt::format("{}.SetValue({}{}, {});", local(list), at,
                    behind == 0 ? "" : fmt::format(" + {}", behind), value));
  };
  const auto put_line = [&](int64_t behind) {
    put(0, behind, line);
    if (halves) put(0, behind + (both ? 16 : 1), line + " + 32");
    say(fmt::format("{} += {};", line, pitch));
    say(fmt::format("if (++{} == {}) {{", column, columns));
    say(fmt::format("{} = 0;", column));
    say(fmt::format("{} += {} - {} * {};", line, 16 * bytes, columns, pitch));
    text.Close();
  };
  say(fmt::format("const uint64_t {} = {} * {};", pitch, integer(6), bytes));
  say(fmt::format("const uint64_t {} = {} / 16 * {} * {};", run, rows, columns,
                  bytes));
  say(fmt::format("uint64_t {} = {}.GetPhyAddr();", line, local(2)));
  say(fmt::format("uint64_t {} = {}.GetPhyAddr();", first, local(3)));
  say(fmt::format("int64_t {} = 0;", column));
  say(fmt::format("const int64_t {} = {} * {};", end, period, entries));
  say(fmt::format("for (int64_t {} = 0; {} < {};) {{", at, at, end));
  say(fmt::format("uint64_t {} = {};", place, first));
  say(fmt::format("for (int64_t i = 0; i < 16; i += {0}, {1} += {0}) {{",
                  halves ? 2 : 1, at));
  put_line(0);
  put(1, 0, place);
  if (both) {
    put_line(1);
    put(1, 1, place + " + 32");
    put(1, 16, place + " + 8 * " + run);
    put(1, 17, place + " + 8 * " + run + " + 32");
  } else if (halves) {
    put(1, 1, place + " + " + run);
    say(fmt::format("{} += {};", place, run));
  }
  say(fmt::format("{} += {};", place, run));
  text.Close();
  if (both) say(fmt::format("{} += 16;", at));
  say(fmt::format("{} += {};", first, both ? 64 : 32));
  text.Close();
}

}  // namespace belay::crux::print
