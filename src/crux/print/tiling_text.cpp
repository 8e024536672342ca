// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "crux/print/dtype_text.h"
#include "crux/print/kernel_class.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using ir::HostSource;
using ir::HostValue;
using ir::Int;

bool IsArray(const HostValue& value) {
  return value.source == HostSource::kPerItem ||
         value.source == HostSource::kList;
}

// The statements of one variant.
class VariantWriter {
 public:
  VariantWriter(const typed::Kernel& kernel, const CompiledVariant& variant,
                const TilingFields& fields, Road road)
      : kernel_(kernel),
        tiles_(*variant.tiles),
        code_(*variant.code),
        fields_(fields),
        road_(road),
        host_(kernel, variant.dtypes) {
    for (const HostValue& value : tiles_.host) values_[value.name] = &value;
    integers_.spell = [this](const std::string& name) { return Spell(name); };
    integers_.may_be_negative = [this](const std::string& name) {
      return HostMayBeNegative(name);
    };
    integers_.host = true;
    integers_.helpers = &host_.needs().integer_helpers;
  }

  // What must hold; empty: nothing.
  std::string Condition(const CompiledVariant& variant) {
    std::vector<std::string> parts;
    for (const auto& [condition, holds] : variant.conditions) {
      const int least = holds ? precedence::kAnd : precedence::kUnary;
      parts.push_back((holds ? "" : "!") + host_.Of(*condition, least));
    }
    return fmt::format("{}", fmt::join(parts, " && "));
  }

  // `key` names the variant; `only`: nothing is tried if it does not fit.
  void Print(int key, bool only, Text& text) {
    for (const auto& [condition, message] : tiles_.asserts) {
      text.Statement(RefusalText(
          "!" + host_.Of(*condition, precedence::kUnary),
          message.empty()
              ? fmt::format("a condition of {} does not hold", kernel_.name)
              : message,
          road_));
    }
    for (const HostValue& value : tiles_.host) PrintValue(value, text);
    const bool checks = PrintRoom(text);
    if (checks && !only) text.Statement(fmt::format("if ({}) {{", fits_));
    if (checks && only) {
      text.Statement(RefusalText(
          not_fits_, kernel_.name + " does not fit on chip for these shapes",
          road_));
    }
    PrintPieces(text);
    for (const HostValue& value : tiles_.host) {
      if (value.source != HostSource::kFormula) continue;
      if (!fields_.contains(value.name)) continue;
      text.Statement(fmt::format("tiling->{} = {};", FieldName(value.name),
                                 Text_(value.formula)));
    }
    const std::string blocks = Text_(Max(Int(1), code_.block_dim));
    const std::string bytes = Text_(code_.workspace_bytes);
    const std::string_view declare = only ? "const int64_t " : "";
    if (only) {
      text.Statement(fmt::format("const uint64_t key = {};", key));
    } else {
      text.Statement(fmt::format("key = {};", key));
    }
    text.Statement(fmt::format("{}blocks = {};", declare, blocks));
    if (only || bytes != "0") {
      text.Statement(fmt::format("{}workspace_bytes = {};", declare, bytes));
    }
    if (checks && !only) text.Close();
  }

  HostNeeds& needs() { return host_.needs(); }
  bool chooses_pieces() const { return !tiles_.parameters.empty(); }

 private:
  std::string Text_(const Int& value, int least = 0) {
    return TextOf(value, integers_, least);
  }

  bool IsProgramName(const std::string& name) const {
    const auto& sizes = kernel_.sizes;
    const auto& packs = kernel_.packs;
    return kernel_.FindParameter(name) != nullptr ||
           std::find(sizes.begin(), sizes.end(), name) != sizes.end() ||
           std::find(packs.begin(), packs.end(), name) != packs.end();
  }

  // A local of the block, which hides no name of the program.
  std::string LocalName(const std::string& name) const {
    return LegalName(name) + (IsProgramName(name) ? "_value" : "");
  }

  std::string Spell(const std::string& name) {
    if (name == "core_count" || name == "ub_size") return name;
    const auto found = values_.find(name);
    if (found == values_.end()) {
      throw InternalError(fmt::format("[crux] no host value {}", name));
    }
    const HostValue& value = *found->second;
    switch (value.source) {
      case HostSource::kSize:
        host_.needs().sizes.insert(name);
        return LegalName(name);
      case HostSource::kChosen:
        return in_bytes_ ? LegalName(name) : "tiling->" + FieldName(name);
      case HostSource::kFormula:
        if (fields_.contains(name) && !in_bytes_) {
          return "tiling->" + FieldName(name);
        }
        throw InternalError("[crux] a formula that was not written out");
      default:
        return fields_.contains(name) ? "tiling->" + FieldName(name)
                                      : LocalName(name);
    }
  }

  bool HostMayBeNegative(const std::string& name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return false;
    const HostSource source = found->second->source;
    if (source == HostSource::kFormula) {
      return MayBeNegative(found->second->formula, integers_);
    }
    if (source == HostSource::kExpr) {
      return host_.MayBeNegative(*found->second->expr);
    }
    return source == HostSource::kPerItem || source == HostSource::kList;
  }

  // Formulas written out.
  Int Expanded(const Int& expr) const {
    return Substitute(expr, [&](const std::string& name) -> std::optional<Int> {
      const auto found = values_.find(name);
      if (found == values_.end() ||
          found->second->source != HostSource::kFormula) {
        return std::nullopt;
      }
      return Expanded(found->second->formula);
    });
  }

  void PrintValue(const HostValue& value, Text& text) {
    const bool field = fields_.contains(value.name);
    const std::string target =
        field ? "tiling->" + FieldName(value.name)
              : fmt::format("const {} {}", value.real ? "double" : "int64_t",
                            LocalName(value.name));
    switch (value.source) {
      case HostSource::kSize:
        if (!field) return;
        host_.needs().sizes.insert(value.name);
        return text.Statement(
            fmt::format("{} = {};", target, LegalName(value.name)));
      case HostSource::kExpr:
        return text.Statement(
            fmt::format("{} = {};", target, host_.Of(*value.expr)));
      case HostSource::kPerItem:
        return PrintPerItem(value, text);
      case HostSource::kList: {
        const std::string list = host_.Of(*value.expr);
        text.Statement(RefusalText(
            fmt::format("{}.size() > {}", list, kArraySize),
            fmt::format("{} has more than {} elements", list, kArraySize),
            road_));
        return text.Statement(
            fmt::format("std::copy({0}.begin(), {0}.end(), tiling->{1});", list,
                        FieldName(value.name)));
      }
      case HostSource::kLargest:
        return PrintLargest(value, field, text);
      case HostSource::kFormula:
      case HostSource::kChosen:
        return;
    }
  }

  void PrintPerItem(const HostValue& value, Text& text) {
    const std::string list = host_.DimsOf(*value.loop->list);
    text.Statement(RefusalText(
        fmt::format("{}.size() > {}", list, kArraySize),
        fmt::format("a list has more than {} tensors", kArraySize), road_));
    host_.EnterElement("i");
    const std::string element = host_.Of(*value.expr);
    host_.LeaveElement();
    text.Statement(
        fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", list));
    text.Statement(
        fmt::format("tiling->{}[i] = {};", FieldName(value.name), element));
    text.Close();
  }

  void PrintLargest(const HostValue& value, bool field, Text& text) {
    const HostValue& array = *values_.at(value.formula.name());
    const std::string list = array.source == HostSource::kPerItem
                                 ? host_.DimsOf(*array.loop->list)
                                 : host_.Of(*array.expr);
    const std::string target =
        field ? "tiling->" + FieldName(value.name) : LocalName(value.name);
    text.Statement(fmt::format("{}{} = 0;", field ? "" : "int64_t ", target));
    text.Statement(
        fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", list));
    text.Statement(fmt::format("{0} = std::max(tiling->{1}[i], {0});", target,
                               FieldName(array.name)));
    text.Close();
  }

  // A call of `bytes` with piece `at` as it is spelt, those before it as they
  // were chosen and those behind it at their units.
  std::string BytesWith(size_t at, const std::string& piece) const {
    std::vector<std::string> pieces;
    for (size_t i = 0; i < tiles_.parameters.size(); ++i) {
      const ir::TileParameter& parameter = tiles_.parameters[i];
      pieces.push_back(i < at    ? "tiling->" + FieldName(parameter.name)
                       : i == at ? piece
                                 : fmt::format("{}", parameter.unit));
    }
    return fmt::format("bytes({})", fmt::join(pieces, ", "));
  }

  // A short sum in one line, a long one term by term.
  void PrintBytes(const std::string& head, const Int& needed, Text& text) {
    constexpr size_t kShort = 20;
    const std::string sum = Text_(needed);
    if (sum.size() <= kShort) {
      text.Statement(fmt::format("{} return {}; }};", head, sum));
      return;
    }
    std::vector<Int> terms;
    const auto add = [&](const auto& self, const Int& part) -> void {
      if (part.kind() == ir::IntKind::kAdd) {
        self(self, part.args()[0]);
        self(self, part.args()[1]);
      } else {
        terms.push_back(part);
      }
    };
    add(add, needed);
    text.Statement(head);
    std::set<size_t> done;
    for (size_t i = 0; i < terms.size(); ++i) {
      if (done.contains(i)) continue;
      // Equal terms together.
      Int term = terms[i];
      for (size_t j = i + 1; j < terms.size(); ++j) {
        if (done.contains(j) || !Same(terms[i], terms[j])) continue;
        term = term + terms[j];
        done.insert(j);
      }
      text.Statement(fmt::format(
          "{} {};", i == 0 ? "int64_t total =" : "total +=", Text_(term)));
    }
    text.Statement("return total;");
    text.Close("};");
  }

  // Defines `bytes`. False: the memory needed is known to be there.
  bool PrintRoom(Text& text) {
    const Int needed = Expanded(code_.ub_bytes);
    if (tiles_.parameters.empty()) {
      if (needed.is_constant()) return false;
      const std::string bytes = Text_(needed, precedence::kRelation + 1);
      fits_ = bytes + " <= ub_size";
      not_fits_ = bytes + " > ub_size";
      return true;
    }
    std::vector<std::string> pieces;
    for (const ir::TileParameter& parameter : tiles_.parameters) {
      pieces.push_back("int64_t " + LegalName(parameter.name));
    }
    text.Comment("Bytes of on-chip memory.");
    const std::string head =
        fmt::format("const auto bytes = [&]({}) {{", fmt::join(pieces, ", "));
    in_bytes_ = true;
    PrintBytes(head, needed, text);
    in_bytes_ = false;
    const std::string least =
        BytesWith(0, fmt::format("{}", tiles_.parameters[0].unit));
    fits_ = least + " <= ub_size";
    not_fits_ = least + " > ub_size";
    return true;
  }

  void PrintPieces(Text& text) {
    for (size_t i = 0; i < tiles_.parameters.size(); ++i) {
      const ir::TileParameter& parameter = tiles_.parameters[i];
      const std::string field = "tiling->" + FieldName(parameter.name);
      const std::string extent = Text_(Expanded(parameter.extent));
      text.Statement(fmt::format(
          "{} = LargestPiece({}, {}, {}, ub_size, [&](int64_t piece) {{ "
          "return {}; }});",
          field, extent, parameter.unit, parameter.most,
          BytesWith(i, "piece")));
      const bool shared = parameter.role != ir::TileParameter::Role::kPiece;
      text.Statement(fmt::format(
          "{0} = SharedOut({1}, {2}, {3}, {4}, {0}, {5});", field, extent,
          shared ? Text_(Expanded(parameter.outer)) : "1", parameter.unit,
          std::max(parameter.grain, parameter.unit),
          shared ? "core_count" : "1"));
    }
  }

  const typed::Kernel& kernel_;
  const ir::Kernel& tiles_;
  const code::Kernel& code_;
  const TilingFields& fields_;
  Road road_;
  HostText host_;
  IntegerContext integers_;
  std::map<std::string, const HostValue*> values_;
  bool in_bytes_ = false;  // printing the body of `bytes`
  std::string fits_;
  std::string not_fits_;
};

std::string TextOfLines(const Text& text) {
  std::string all;
  for (const Line& line : text.lines()) all += line.text + "\n";
  return all;
}

// A block that is the same for several choices of dtypes.
struct Block {
  int key = 0;
  std::string condition;
  std::string lines;
  Text text;
  std::vector<const DtypeChoice*> choices;
};

// How many statements all blocks begin with.
size_t CommonLines(const std::vector<Block>& blocks) {
  const std::vector<Line>& first = blocks[0].text.lines();
  size_t count = 0;
  for (; count < first.size(); ++count) {
    const Line& line = first[count];
    if (line.kind != LineKind::kStatement || line.indent != 0 ||
        line.text.ends_with('{')) {
      break;
    }
    const bool shared =
        std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
          const std::vector<Line>& lines = block.text.lines();
          return count < lines.size() && lines[count].text == line.text;
        });
    if (!shared) break;
  }
  return count;
}

}  // namespace

std::vector<DtypeChoice> ChoicesOf(const Compiled& compiled) {
  std::vector<DtypeChoice> choices;
  for (const CompiledVariant& variant : compiled.variants) {
    if (choices.empty() || choices.back().dtypes != variant.dtypes) {
      choices.push_back({variant.dtypes, {}});
    }
    choices.back().variants.push_back(&variant);
  }
  return choices;
}

TilingFields FieldsOf(const Compiled& compiled,
                      const std::set<std::string>& used) {
  TilingFields fields;
  for (const CompiledVariant& variant : compiled.variants) {
    for (const HostValue& value : variant.tiles->host) {
      const bool kept = IsArray(value) || value.source == HostSource::kChosen;
      if (!kept && !used.contains(value.name)) continue;
      TilingField& field = fields[value.name];
      field.type = value.real ? "float" : "int64_t";
      field.array = IsArray(value);
    }
  }
  return fields;
}

Text TilingStruct(const std::string& type, const TilingFields& fields) {
  Text text;
  text.Declaration(fmt::format("struct {} {{", type));
  // Wide ones first: no gaps.
  for (const std::string_view width : {"int64_t", "float"}) {
    for (const auto& [name, field] : fields) {
      if (field.type != width) continue;
      text.Declaration(
          fmt::format("{} {}{};", field.type, FieldName(name),
                      field.array ? fmt::format("[{}]", kArraySize) : ""));
    }
  }
  if (fields.empty()) text.Declaration("int64_t nothing;");
  text.Close("};");
  return text;
}

TilingText PrintTiling(const Compiled& compiled, const TilingFields& fields,
                       Road road) {
  const std::vector<DtypeChoice> choices = ChoicesOf(compiled);
  TilingText result;
  std::vector<Block> blocks;
  const auto print = [&](const DtypeChoice& choice, int key, bool only) {
    const CompiledVariant& variant =
        *choice.variants[static_cast<size_t>(key) - 1];
    VariantWriter writer(*compiled.kernel, variant, fields, road);
    Block block;
    block.key = key;
    block.condition = writer.Condition(variant);
    writer.Print(key, only, block.text);
    block.lines = TextOfLines(block.text);
    block.choices.push_back(&choice);
    result.needs.Add(writer.needs());
    result.chooses_pieces |= writer.chooses_pieces();
    return block;
  };
  for (const DtypeChoice& choice : choices) {
    for (size_t i = 0; i < choice.variants.size(); ++i) {
      Block block = print(choice, static_cast<int>(i) + 1, false);
      const auto same =
          std::find_if(blocks.begin(), blocks.end(), [&](const Block& other) {
            return other.key == block.key &&
                   other.condition == block.condition &&
                   other.lines == block.lines;
          });
      if (same == blocks.end()) {
        blocks.push_back(std::move(block));
      } else {
        same->choices.push_back(&choice);
      }
    }
  }
  if (blocks.size() == 1 && blocks[0].condition.empty()) {
    result.body = print(choices[0], 1, true).text;
    return result;
  }
  const size_t common = CommonLines(blocks);
  // Of one choice of dtypes the first that holds and fits is taken.
  std::stable_sort(
      blocks.begin(), blocks.end(),
      [](const Block& a, const Block& b) { return a.key < b.key; });
  Text& text = result.body;
  text.AppendLines(
      {blocks[0].text.lines().begin(),
       blocks[0].text.lines().begin() + static_cast<ptrdiff_t>(common)});
  text.Statement("uint64_t key = 0;");
  text.Statement("int64_t blocks = 1;");
  text.Statement("int64_t workspace_bytes = 0;");
  for (const Block& block : blocks) {
    std::vector<std::string> conditions;
    if (block.key > 1) conditions.push_back("key == 0");
    if (block.choices.size() < choices.size()) {
      std::vector<std::vector<DType>> dtypes;
      for (const DtypeChoice* choice : block.choices) {
        dtypes.push_back(choice->dtypes);
      }
      conditions.push_back(DtypeCondition(*compiled.kernel, dtypes, road));
    }
    if (!block.condition.empty()) conditions.push_back(block.condition);
    for (std::string& condition : conditions) {
      const bool mixes = condition.find("||") != std::string::npos;
      if (mixes && conditions.size() > 1) condition = "(" + condition + ")";
    }
    text.Statement(
        conditions.empty()
            ? "{"
            : fmt::format("if ({}) {{", fmt::join(conditions, " && ")));
    text.AppendLines(
        {block.text.lines().begin() + static_cast<ptrdiff_t>(common),
         block.text.lines().end()});
    text.Close();
  }
  text.Statement(RefusalText(
      "key == 0",
      compiled.kernel->name + " does not fit on chip for these shapes", road));
  return result;
}

std::string RefusalText(const std::string& condition,
                        const std::string& message, Road road) {
  if (road == Road::kSource) {
    return fmt::format("if ({}) return Refused({});", condition,
                       QuotedText(message));
  }
  // A macro sees the commas between braces.
  const bool wrap = condition.find('{') != std::string::npos;
  return fmt::format(
      "OP_CHECK_IF({}, OP_LOGE(context->GetNodeName(), {}), "
      "return ge::GRAPH_FAILED);",
      wrap ? "(" + condition + ")" : condition, QuotedText(message));
}

std::vector<std::string> PieceDefinitions() {
  return {
      "// The largest multiple of `unit`, at most `extent` rounded up and "
      "`most`,",
      "// whose bytes fit.",
      "template <typename Bytes>",
      "int64_t LargestPiece(int64_t extent, int64_t unit, int64_t most, "
      "int64_t room,",
      "                     const Bytes& bytes) {",
      "  int64_t low = 1;",
      "  int64_t high = (std::max<int64_t>(extent, 1) + unit - 1) / unit;",
      "  high = std::min(high, std::max<int64_t>(most / unit, 1));",
      "  while (low < high) {",
      "    const int64_t middle = low + (high - low + 1) / 2;",
      "    if (bytes(middle * unit) <= room) {",
      "      low = middle;",
      "    } else {",
      "      high = middle - 1;",
      "    }",
      "  }",
      "  return low * unit;",
      "}",
      "",
      "// More even pieces, as long as no core gets more of them; multiples of "
      "`grain`",
      "// where they are larger.",
      "int64_t SharedOut(int64_t extent, int64_t outer, int64_t unit, "
      "int64_t grain,",
      "                  int64_t piece, int64_t core_count) {",
      "  extent = std::max<int64_t>(extent, 1);",
      "  outer = std::max<int64_t>(outer, 1);",
      "  if (piece > grain) piece -= piece % grain;",
      "  const int64_t pieces = (extent + piece - 1) / piece;",
      "  const int64_t rounds = (outer * pieces + core_count - 1) / "
      "core_count;",
      "  const int64_t most = std::max(pieces, rounds * core_count / outer);",
      "  const int64_t share = (extent + most - 1) / most;",
      "  const int64_t step = share > grain ? grain : unit;",
      "  return std::min(piece, (share + step - 1) / step * step);",
      "}",
  };
}

}  // namespace belay::crux::print
