// SPDX-License-Identifier: Apache-2.0
#include "crux/print/statement_text.h"

#include <fmt/format.h>

#include "base/error.h"
#include "crux/print/concat.h"
#include "crux/print/struct_fields.h"

namespace belay::crux::print {
namespace {

using code::Stmt;
using code::StmtKind;

std::string LocalType(DType dtype) {
  return Concat({"LocalTensor<", TypeName(dtype), ">"});
}

// Without the comment at its end; a '#' in a string is rare enough to cut.
std::string SourceLine(const Source& source, int line) {
  std::string_view text = source.Line(line);
  const size_t comment = text.find("  #");
  if (comment != std::string_view::npos) text = text.substr(0, comment);
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  const size_t last = text.find_last_not_of(' ');
  return std::string(text.substr(first, last + 1 - first));
}

std::string_view FileName(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string Quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '%') result += '%';
    result += c;
  }
  return result + "\"";
}

}  // namespace

StatementWriter::StatementWriter(const code::Kernel& kernel,
                                 const ClassFacts& facts,
                                 const std::string& late, const Source* source,
                                 Names& names, PrintedClass& printed)
    : kernel_(kernel),
      facts_(facts),
      source_(source),
      names_(names),
      printed_(printed) {
  integers_.spell = [this](const std::string& name) {
    return SpellInteger(name);
  };
  integers_.may_be_negative = [this](const std::string& name) {
    return facts_.MayBeNegative(name);
  };
  integers_.at_least = [this](const ir::Int& a, const ir::Int& b) {
    return facts_.AtLeast(a, b);
  };
  if (!late.empty()) integers_.late = [this, late] { return Tiling(late); };
  integers_.helpers = &printed_.helpers;
  scalars_.integers = &integers_;
  scalars_.variable = [this](const std::string& name) {
    return names_.Of(NameKind::kVariable, name);
  };
  scalars_.host_real = [this](const std::string& name) { return Tiling(name); };
  scalars_.local = [this](const code::Local& local) {
    return LocalText(local);
  };
  scalars_.global = [this](const code::GlobalPart& global) {
    return GlobalText(global);
  };
  scalars_.dtype_of_local = [this](const std::string& name) {
    return facts_.DtypeOf(name);
  };
  scalars_.dtype_of_global = [this](const std::string& name) {
    return facts_.globals.at(name);
  };
}

std::string StatementWriter::Integer(const ir::Int& value, int least) const {
  return TextOf(value, integers_, least);
}

std::string StatementWriter::Tiling(const std::string& field) const {
  printed_.fields.insert(field);
  return "tiling_->" + FieldName(field);
}

std::string StatementWriter::SpellInteger(const std::string& name) const {
  const NameFacts& facts = facts_.Of(name);
  if (facts.variable) return names_.Of(NameKind::kVariable, name);
  if (name == kBlockIndex) return "GetBlockIdx()";
  if (name == kBlockCount) return "GetBlockNum()";
  if (!facts.hosted) {
    throw InternalError(fmt::format(
        "[crux] printed code mentions {}, which nobody declares", name));
  }
  return Tiling(name);
}

std::string StatementWriter::LocalText(const code::Local& local) const {
  const std::string& name = names_.Of(NameKind::kVariable, local.name);
  if (local.offset.Is(0)) return name;
  return Concat({name, "[", Integer(local.offset), "]"});
}

std::string StatementWriter::GlobalText(const code::GlobalPart& global) const {
  const std::string& name = names_.Of(NameKind::kGlobal, global.name);
  if (global.offset.Is(0)) return name;
  return Concat({name, "[", Integer(global.offset), "]"});
}

DType StatementWriter::ScalarDtype(const Stmt& call) const {
  // These convert: the scalar is of the source's type.
  const bool from_source = call.function == "Axpy" ||
                           call.function == "CompareScalar" ||
                           call.function == "Compares";
  size_t seen = 0;
  for (const code::Arg& arg : call.args) {
    const auto* local = std::get_if<code::Local>(&arg);
    if (local == nullptr) continue;
    if (seen++ == (from_source ? 1u : 0u)) {
      return facts_.DtypeOf(local->name);
    }
  }
  throw InternalError(fmt::format(
      "[crux] {} has a scalar and no tensor to give its type", call.function));
}

std::string StatementWriter::StructText(const code::Struct& value,
                                        const Stmt& call) const {
  std::string type = value.type;
  const std::vector<std::string_view>& types = FieldTypesOf(value.type);
  if (types.size() < value.fields.size()) {
    throw InternalError(fmt::format("[crux] {} has {} fields, not {}",
                                    value.type, types.size(),
                                    value.fields.size()));
  }
  std::vector<std::string> fields;
  for (size_t i = 0; i < value.fields.size(); ++i) {
    const ir::Int& field = value.fields[i];
    if (types[i] == "bool" && field.is_constant()) {
      fields.emplace_back(field.Is(0) ? "false" : "true");
    } else {
      fields.push_back(Integer(field));
    }
  }
  if (value.type == "DataCopyPadExtParams") {
    const auto* target = std::get_if<code::Local>(&call.args.at(0));
    if (target == nullptr) {
      throw InternalError("[crux] only copies to the chip are padded");
    }
    const DType dtype = facts_.DtypeOf(target->name);
    type += Concat({"<", TypeName(dtype), ">"});
    if (fields.size() < types.size()) {
      fields.push_back(value.padding == nullptr
                           ? "0"
                           : PaddingText(*value.padding, dtype, scalars_));
    }
    // No padding: what its constructor does by itself.
    const bool nothing = fields[0] == "false" && fields.back() == "0";
    if (nothing) fields.clear();
  }
  // Constructors narrow what braces would not.
  return Concat({type, "(", Joined(fields, ", "), ")"});
}

std::string StatementWriter::ArgText(const code::Arg& arg, const Stmt& call,
                                     size_t index) const {
  if (const auto* local = std::get_if<code::Local>(&arg)) {
    return LocalText(*local);
  }
  if (const auto* global = std::get_if<code::GlobalPart>(&arg)) {
    return GlobalText(*global);
  }
  if (const auto* value = std::get_if<ir::Int>(&arg)) return Integer(*value);
  if (const auto* scalar = std::get_if<code::ScalarPtr>(&arg)) {
    return ArgumentOf(**scalar, ScalarDtype(call), scalars_);
  }
  if (const auto* word = std::get_if<code::Word>(&arg)) {
    return word->text;
  }
  if (const auto* value = std::get_if<code::Struct>(&arg)) {
    return StructText(*value, call);
  }
  throw InternalError(fmt::format("[crux] argument {} of {} has no text", index,
                                  call.function));
}

std::string StatementWriter::CallText(const Stmt& stmt) const {
  std::string types;
  for (const auto& type : stmt.types) {
    types += types.empty() ? "<" : ", ";
    types += std::holds_alternative<DType>(type)
                 ? TypeName(std::get<DType>(type))
                 : std::get<std::string>(type);
  }
  if (!types.empty()) types += ">";
  std::vector<std::string> args;
  for (size_t i = 0; i < stmt.args.size(); ++i) {
    args.push_back(ArgText(stmt.args[i], stmt, i));
  }
  return Concat({stmt.function, types, "(", Joined(args, ", "), ");"});
}

bool StatementWriter::IsKeptFor(const Stmt& call,
                                const std::string& tensor) const {
  if (!facts_.Of(tensor).kept) return false;
  for (const code::Function& function : kernel_.functions) {
    if (function.name != call.function) continue;
    for (const code::TensorParameter& own : function.tensors) {
      if (own.name == tensor) return true;
    }
  }
  return false;
}

void StatementWriter::NoteLine(int line, Text& text) {
  if (line == 0 || line == line_ || source_ == nullptr) return;
  line_ = line;
  text.Comment(fmt::format("{}:{}: {}", FileName(source_->name()), line,
                           SourceLine(*source_, line)));
}

void StatementWriter::Print(const code::Block& body, Text& text) {
  line_ = 0;
  PrintBlock(body, text);
}

void StatementWriter::PrintBlock(const code::Block& block, Text& text) {
  for (const auto& stmt : block) {
    if (stmt->kind != StmtKind::kInvoke) NoteLine(stmt->line, text);
    PrintStatement(*stmt, text);
  }
}

void StatementWriter::PrintNested(const Stmt& stmt, Text& text) {
  if (stmt.kind == StmtKind::kFor) {
    if (PrintTurn(stmt, text)) return;
    const std::string& name = names_.Of(NameKind::kVariable, stmt.name);
    const std::string step = stmt.step.Is(1)
                                 ? "++" + name
                                 : Concat({name, " += ", Integer(stmt.step)});
    text.Statement(Concat(
        {"for (int64_t ", name, " = ", Integer(stmt.value), "; ", name, " < ",
         Integer(stmt.high, precedence::kRelation + 1), "; ", step, ") {"}));
    PrintBlock(stmt.body, text);
    text.Close();
    return;
  }
  text.Statement(Concat({"if (", Integer(stmt.value), ") {"}));
  PrintBlock(stmt.body, text);
  const code::Block* otherwise = &stmt.otherwise;
  while (otherwise->size() == 1 && otherwise->front()->kind == StmtKind::kIf) {
    const Stmt& next = *otherwise->front();
    text.Reopen(Concat({"} else if (", Integer(next.value), ") {"}));
    PrintBlock(next.body, text);
    otherwise = &next.otherwise;
  }
  if (!otherwise->empty()) {
    text.Reopen("} else {");
    PrintBlock(*otherwise, text);
  }
  text.Close();
}

void StatementWriter::PrintTensor(const Stmt& stmt, Text& text) {
  const std::string& name = names_.Of(NameKind::kVariable, stmt.name);
  const auto queue = [&]() -> const std::string& {
    return names_.Of(NameKind::kQueue, stmt.from);
  };
  const auto declare = [&](const std::string& value) {
    const bool kept = facts_.Of(stmt.name).kept;
    text.Statement(Concat(
        {kept ? "" : LocalType(stmt.dtype) + " ", name, " = ", value, ";"}));
  };
  const std::string type = TypeName(stmt.dtype);
  const std::string part =
      stmt.value.Is(0) ? "" : Concat({"[", Integer(stmt.value), "]"});
  switch (stmt.kind) {
    case StmtKind::kAlloc:
      return declare(Concat({queue(), ".AllocTensor<", type, ">()"}));
    case StmtKind::kDeQue:
      return declare(Concat({queue(), ".DeQue<", type, ">()"}));
    case StmtKind::kGet:
      return declare(Concat({names_.Of(NameKind::kBuffer, stmt.from), ".Get<",
                             type, ">()", part}));
    case StmtKind::kCast:
      if (facts_.DtypeOf(stmt.from) == stmt.dtype) {
        return declare(names_.Of(NameKind::kVariable, stmt.from) + part);
      }
      return declare(Concat({names_.Of(NameKind::kVariable, stmt.from),
                             ".ReinterpretCast<", type, ">()", part}));
    case StmtKind::kEnQue:
      return text.Statement(Concat({queue(), ".EnQue(", name, ");"}));
    case StmtKind::kFree:
      return text.Statement(Concat({queue(), ".FreeTensor(", name, ");"}));
    default:
      throw InternalError("[crux] no statement of tensors");
  }
}

void StatementWriter::PrintStatement(const Stmt& stmt, Text& text) {
  const auto variable = [&]() -> const std::string& {
    return names_.Of(NameKind::kVariable, stmt.name);
  };
  switch (stmt.kind) {
    case StmtKind::kComment:
      return text.Comment(stmt.text);
    case StmtKind::kLet:
      return text.Statement(Concat(
          {"const int64_t ", variable(), " = ", Integer(stmt.value), ";"}));
    case StmtKind::kVariable:
      return text.Statement(
          Concat({"int64_t ", variable(), " = ", Integer(stmt.value), ";"}));
    case StmtKind::kSet:
      return text.Statement(
          Concat({variable(), " = ", Integer(stmt.value), ";"}));
    case StmtKind::kScalarLet: {
      const DType dtype = stmt.scalar->dtype;
      const std::string type = dtype == DType::kBool ? "bool"
                               : IsFloating(dtype)   ? "float"
                                                     : TypeName(dtype);
      return text.Statement(fmt::format("const {} {} = {};", type, variable(),
                                        TextOf(*stmt.scalar, scalars_)));
    }
    case StmtKind::kFor:
    case StmtKind::kIf:
      return PrintNested(stmt, text);
    case StmtKind::kCall:
      if (PrintSpecialCall(stmt, text)) return;
      return text.Statement(CallText(stmt));
    case StmtKind::kAlloc:
    case StmtKind::kEnQue:
    case StmtKind::kDeQue:
    case StmtKind::kFree:
    case StmtKind::kGet:
    case StmtKind::kCast:
      return PrintTensor(stmt, text);
    case StmtKind::kSetValue:
      return text.Statement(
          fmt::format("{}.SetValue({}, {});", LocalText({stmt.target.name, 0}),
                      Integer(stmt.target.offset),
                      ArgumentOf(*stmt.scalar, facts_.DtypeOf(stmt.target.name),
                                 scalars_)));
    case StmtKind::kSetGlobal: {
      const DType dtype = facts_.globals.at(stmt.global.name);
      text.Statement(fmt::format("{}.SetValue({}, {});",
                                 GlobalText({stmt.global.name, 0}),
                                 Integer(stmt.global.offset),
                                 ArgumentOf(*stmt.scalar, dtype, scalars_)));
      return text.Statement(
          fmt::format("DataCacheCleanAndInvalid<{}, "
                      "CacheLine::SINGLE_CACHE_LINE, "
                      "DcciDst::CACHELINE_OUT>({});",
                      TypeName(dtype), GlobalText(stmt.global)));
    }
    case StmtKind::kSync:
      printed_.helpers.insert(Helper::kSync);
      return text.Statement(fmt::format("Sync<HardEvent::{}>();", stmt.text));
    case StmtKind::kBarrier:
      return text.Statement(fmt::format("PipeBarrier<{}>();", stmt.text));
    case StmtKind::kSyncAll:
      return text.Statement("SyncAll();");
    case StmtKind::kOpenElement:
      return text.Statement(fmt::format(
          "{}.SetGlobalBuffer({}.GetDataPtr<__gm__ {}>({}));",
          GlobalText({stmt.global.name, 0}),
          names_.Of(NameKind::kList, stmt.global.name),
          TypeName(facts_.globals.at(stmt.global.name)), Integer(stmt.value)));
    case StmtKind::kInvoke: {
      std::vector<std::string> args;
      for (const std::string& tensor : stmt.tensors) {
        if (IsKeptFor(stmt, tensor)) continue;
        args.push_back(names_.Of(NameKind::kVariable, tensor));
      }
      for (const ir::Int& argument : stmt.arguments) {
        args.push_back(Integer(argument));
      }
      return text.Statement(
          Concat({stmt.function, "(", Joined(args, ", "), ");"}));
    }
    case StmtKind::kFault:
      text.Statement(
          fmt::format("ascendc_assert(false, {});", Quoted(stmt.text)));
      return text.Statement("Trap();");
  }
  throw InternalError("[crux] a statement that cannot be printed");
}

}  // namespace belay::crux::print
