// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "crux/print/kernel_class.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using ir::HostSource;
using ir::HostValue;
using ir::Int;

// Buffers of one size that are counted one by one.
constexpr int64_t kMostQueues = 8;

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

  void Print(bool only, Text& text) {
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
    text.Statement(
        fmt::format("{}key = {};", only ? "const uint64_t " : "", kKeyWord));
    text.Statement(fmt::format("{}blocks = {};", declare, blocks));
    if (only || bytes != "0") {
      text.Statement(fmt::format("{}workspace_bytes = {};", declare, bytes));
    }
    if (checks && !only) text.Close();
  }

  HostNeeds& needs() { return host_.needs(); }

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

  // A short sum in one line, a long one term by term, equal terms together.
  void PrintBytes(const std::string& head, const Int& needed, Text& text) {
    constexpr size_t kShort = 20;
    const std::string sum = Text_(needed);
    if (sum.size() <= kShort) {
      text.Statement(fmt::format("{} return {}; }};", head, sum));
      return;
    }
    int64_t constant = 0;
    std::vector<std::pair<std::string, int>> terms;
    const auto add = [&](const auto& self, const Int& part,
                         int64_t times) -> void {
      if (part.kind() == ir::IntKind::kAdd) {
        self(self, part.args()[0], times);
        self(self, part.args()[1], times);
      } else if (part.kind() == ir::IntKind::kMul &&
                 part.args()[0].kind() == ir::IntKind::kAlignUp &&
                 part.args()[1].is_constant() && part.args()[1].value() > 0 &&
                 part.args()[1].value() <= kMostQueues) {
        self(self, part.args()[0], times * part.args()[1].value());
      } else if (part.is_constant()) {
        constant += part.value() * times;
      } else {
        const std::string term = Text_(part, precedence::kSum);
        const auto known =
            std::find_if(terms.begin(), terms.end(),
                         [&](const auto& one) { return one.first == term; });
        if (known == terms.end()) {
          terms.emplace_back(term, times);
        } else {
          known->second += static_cast<int>(times);
        }
      }
    };
    add(add, needed, 1);
    text.Statement(head);
    text.Statement(fmt::format("int64_t total = {};", constant));
    for (const auto& [term, times] : terms) {
      for (int i = 0; i < times; ++i) {
        text.Statement(fmt::format("total += {};", term));
      }
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
      text.Statement(
          fmt::format("{0} = SharedOut({1}, {2}, {3}, {4}, {0}, {5});", field,
                      extent, shared ? Text_(Expanded(parameter.outer)) : "1",
                      parameter.unit, std::max(parameter.grain, parameter.unit),
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

}  // namespace

bool IsArray(const HostValue& value) {
  return value.source == HostSource::kPerItem ||
         value.source == HostSource::kList;
}

Text PrintTilingVariant(const typed::Kernel& kernel,
                        const CompiledVariant& variant,
                        const TilingFields& fields, Road road, bool only,
                        HostNeeds& needs) {
  VariantWriter writer(kernel, variant, fields, road);
  Text text;
  writer.Print(only, text);
  needs.Add(writer.needs());
  return text;
}

}  // namespace belay::crux::print
