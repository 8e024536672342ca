// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "crux/ir/beside.h"
#include "crux/print/kernel_class.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using ir::HostSource;
using ir::HostValue;
using ir::Int;

// A variable of `bytes`.
const std::string kPitch = "row_pitch";

// Buffers of one size that are counted one by one.
constexpr int64_t kMostQueues = 8;

std::string WithoutNumbers(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

// The statements of one variant.
class VariantWriter {
 public:
  VariantWriter(const typed::Kernel& kernel, const CompiledVariant& variant,
                const TilingFields& fields, Road road, const TilingText& tiling)
      : kernel_(kernel),
        tiles_(*variant.tiles),
        code_(*variant.code),
        fields_(fields),
        road_(road),
        in_turns_(tiling.pieces_in_turns),
        late_(tiling.late),
        lines_(kernel),
        host_(kernel, variant.dtypes, &lines_) {
    for (const HostValue& value : tiles_.host) values_[value.name] = &value;
    integers_.spell = [this](const std::string& name) { return Spell(name); };
    integers_.may_be_negative = [this](const std::string& name) {
      return HostMayBeNegative(name);
    };
    integers_.host = true;
    integers_.helpers = &host_.needs().integer_helpers;
  }

  void Print(bool only, Text& text) {
    for (const ir::Assertion& one : tiles_.asserts) {
      text.Statement(RefusalText(
          "!" + host_.Of(*one.condition, precedence::kUnary),
          one.message.empty()
              ? fmt::format("a condition of {} does not hold", kernel_.name)
              : one.Text(),
          road_));
    }
    if (!late_.empty()) {
      text.Statement(fmt::format("tiling->{} = 0;", FieldName(late_)));
    }
    for (const HostValue& value : tiles_.host) PrintValue(value, text);
    PrintFormulas(false, text);
    const bool checks = PrintRoom(text);
    if (checks && !only) text.Statement(fmt::format("if ({}) {{", fits_));
    if (checks && only) {
      text.Statement(
          RefusalText(not_fits_, "the shapes do not fit on chip", road_));
    }
    PrintPieces(text);
    PrintFormulas(true, text);
    const std::string blocks = BlocksText(Blocks());
    const std::string bytes = Text_(code_.workspace_bytes);
    const std::string_view declare = only ? "const int64_t " : "";
    text.Statement(
        fmt::format("{}key = {};", only ? "const uint64_t " : "", kKeyWord));
    text.Statement(fmt::format("{}blocks = {};", declare, blocks));
    if (bytes != "0") {
      text.Statement(fmt::format("{}workspace_bytes = {};", declare, bytes));
    }
    if (checks && !only) text.Close();
  }

  HostNeeds& needs() { return host_.needs(); }

 private:
  // Those that need pieces, or those that need none.
  void PrintFormulas(bool of_pieces, Text& text) {
    for (const HostValue& value : tiles_.host) {
      if (value.source != HostSource::kFormula ||
          !fields_.contains(value.name) ||
          NeedsPieces(value.formula) != of_pieces) {
        continue;
      }
      text.Statement(fmt::format(
          "tiling->{} = {};", FieldName(value.name),
          IsNamed(value) ? host_.NameOf(*value.variable)
                         : PrintedFormula(Said(value.formula), text)));
      ready_.push_back({value.name, Expanded(value.formula)});
    }
  }

  bool NeedsPieces(const Int& expr) const {
    if (expr.kind() == ir::IntKind::kName) {
      const auto found = values_.find(expr.name());
      if (found == values_.end()) return false;
      const HostValue& value = *found->second;
      return value.source == HostSource::kChosen ||
             value.source == HostSource::kSlots ||
             (value.source == HostSource::kFormula &&
              NeedsPieces(value.formula));
    }
    const auto args = expr.args();
    return std::any_of(args.begin(), args.end(),
                       [&](const Int& arg) { return NeedsPieces(arg); });
  }

  // With what fields hold by now by their names.
  Int ByFields(const Int& expr) const {
    const auto args = expr.args();
    if (args.empty()) return expr;
    for (const auto& [name, formula] : ready_) {
      if (Same(formula, expr)) return Int::Name(name);
    }
    if (args.size() == 1) return expr;
    return MapArgs(expr, [&](const Int& arg) { return ByFields(arg); });
  }

  // At least one, with what a field holds by the field's name.
  Int Blocks() const {
    const auto named = [&](const auto& self, const Int& part) -> Int {
      for (const auto& [name, formula] : ready_) {
        if (Same(formula, Expanded(part))) return Int::Name(name);
      }
      if (part.kind() != ir::IntKind::kMin &&
          part.kind() != ir::IntKind::kMax) {
        return part;
      }
      const Int a = self(self, part.args()[0]);
      const Int b = self(self, part.args()[1]);
      const bool most = part.kind() == ir::IntKind::kMax;
      if (most && a.Is(1) && IsPositive(b)) return b;
      if (most && b.Is(1) && IsPositive(a)) return a;
      return Int::Of(part.kind(), a, b);
    };
    const Int blocks = named(named, code_.block_dim);
    return IsPositive(blocks) ? blocks : Max(Int(1), blocks);
  }

  // min(core_count, max(1, n)) is n between the two.
  std::string BlocksText(const Int& blocks) {
    if (blocks.kind() == ir::IntKind::kMin) {
      for (const size_t most : {0, 1}) {
        const Int& least = blocks.args()[1 - most];
        if (!Same(blocks.args()[most], Int::Name("core_count")) ||
            least.kind() != ir::IntKind::kMax) {
          continue;
        }
        for (const size_t one : {0, 1}) {
          if (!least.args()[one].Is(1)) continue;
          return fmt::format("std::clamp<int64_t>({}, 1, core_count)",
                             Text_(least.args()[1 - one]));
        }
      }
    }
    return Text_(blocks);
  }

  static bool IsPositive(const Int& value) {
    const auto args = value.args();
    switch (value.kind()) {
      case ir::IntKind::kConstant:
        return value.value() > 0;
      case ir::IntKind::kName:
        return value.name() == "core_count";
      case ir::IntKind::kMin:
        return IsPositive(args[0]) && IsPositive(args[1]);
      case ir::IntKind::kMax:
        return IsPositive(args[0]) || IsPositive(args[1]);
      default:
        return false;
    }
  }

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

  // By the name of its line.
  bool IsNamed(const HostValue& value) const {
    return value.variable != nullptr && lines_.Has(*value.variable);
  }

  std::string Spell(const std::string& name) {
    if (name == kPitch || name == "core_count" || name == "ub_size") {
      return name;
    }
    if (name == "ub_used") return BytesWith(tiles_.parameters.size(), "");
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
        if (fields_.contains(name)) return "tiling->" + FieldName(name);
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

  // Formulas that no field holds written out.
  Int Said(const Int& expr) const {
    return Substitute(expr, [&](const std::string& name) -> std::optional<Int> {
      const auto found = values_.find(name);
      if (found == values_.end() || fields_.contains(name) ||
          found->second->source != HostSource::kFormula) {
        return std::nullopt;
      }
      return Said(found->second->formula);
    });
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
      case HostSource::kExpr: {
        const std::string spelt = host_.Of(*value.expr);
        if (!field && spelt == LocalName(value.name)) return;
        return text.Statement(fmt::format("{} = {};", target, spelt));
      }
      case HostSource::kPerItem:
        return field ? PrintPerItem(value, text) : void();
      case HostSource::kList: {
        if (!field) return;
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
      case HostSource::kSlots:
        return;
    }
  }

  void PrintPerItem(const HostValue& value, Text& text) {
    const std::string list = host_.DimsOf(*value.loop->list);
    if (checked_.insert(list).second) {
      text.Statement(RefusalText(
          fmt::format("{}.size() > {}", list, kArraySize),
          fmt::format("a list has more than {} tensors", kArraySize), road_));
    }
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
    return BytesOf([&](size_t i) {
      return i < at ? Field(i) : i == at ? piece : Unit(i);
    });
  }

  // One that shares the memory with others of its group: those that follow are
  // as large in proportion to what they would be alone, which the fields hold.
  std::string BytesBeside(size_t at) const {
    return BytesOf([&](size_t i) {
      if (i < at) return Field(i);
      if (i == at) return std::string("piece");
      if (groups_[i] != groups_[at]) return Unit(i);
      return fmt::format("std::max<int64_t>({} * piece / {}, {})", Field(i),
                         Field(at), Unit(i));
    });
  }

  template <typename Spell>
  std::string BytesOf(const Spell& spell) const {
    std::vector<std::string> pieces;
    for (size_t i = 0; i < tiles_.parameters.size(); ++i) {
      pieces.push_back(spell(i));
    }
    return fmt::format("bytes({})", fmt::join(pieces, ", "));
  }

  std::string Field(size_t parameter) const {
    return "tiling->" + FieldName(tiles_.parameters[parameter].name);
  }
  std::string Unit(size_t parameter) const {
    return fmt::format("{}", tiles_.parameters[parameter].unit);
  }

  // A long sum that is compared is added up first, term by term.
  std::string PrintedFormula(const Int& whole, Text& text) {
    const Int formula = ByFields(whole);
    const bool both = formula.kind() == ir::IntKind::kAnd;
    const Int compared = both ? formula.args()[0] : formula;
    if (compared.kind() != ir::IntKind::kLess ||
        !compared.args()[0].is_constant() ||
        compared.args()[1].kind() != ir::IntKind::kAdd) {
      return Text_(formula);
    }
    std::vector<Int> terms;
    const auto add = [&](const auto& self, const Int& part) -> void {
      if (part.kind() != ir::IntKind::kAdd) return terms.push_back(part);
      self(self, part.args()[0]);
      self(self, part.args()[1]);
    };
    add(add, compared.args()[1]);
    constexpr size_t kShort = 2;
    if (terms.size() <= kShort) return Text_(formula);
    // Terms of variants that have more come last.
    std::stable_sort(
        terms.begin(), terms.end(), [&](const Int& a, const Int& b) {
          return WithoutNumbers(Text_(b)) < WithoutNumbers(Text_(a));
        });
    const std::string moved =
        ++sums_ == 1 ? "moved" : fmt::format("moved{}", sums_);
    for (const Int& term : terms) {
      const bool first = &term == terms.data();
      text.Statement(
          fmt::format("{}{} {} {};", first ? "int64_t " : "", moved,
                      first ? "=" : "+=", Text_(term, precedence::kSum)));
    }
    const std::string most =
        fmt::format("{} < {}", compared.args()[0].value(), moved);
    return both ? fmt::format("{} && {}", most,
                              Text_(formula.args()[1], precedence::kAnd))
                : most;
  }

  // One of two numbers.
  static bool IsChoice(const Int& value) {
    return value.kind() == ir::IntKind::kSelect &&
           value.args()[1].is_constant() && value.args()[2].is_constant();
  }

  // A choice that several buffers ask for, how far apart their rows are, by a
  // name.
  Int WithPitch(const Int& needed, Text& text) {
    std::vector<Int> choices;
    std::optional<Int> common;
    const auto find = [&](const auto& self, const Int& part) -> void {
      if (part.kind() == ir::IntKind::kSelect && !IsChoice(part)) {
        const bool again = std::ranges::any_of(
            choices, [&](const Int& one) { return Same(one, part); });
        if (again && !common) common = part;
        return choices.push_back(part);
      }
      for (const Int& arg : part.args()) self(self, arg);
    };
    find(find, needed);
    if (!common || values_.contains(kPitch) || IsProgramName(kPitch)) {
      return needed;
    }
    text.Statement("const int64_t " + kPitch + " = " + Text_(*common) + ";");
    const auto named = [&](const auto& self, const Int& part) -> Int {
      if (Same(part, *common)) return Int::Name(kPitch);
      if (part.args().size() < 2) return part;
      return MapArgs(part, [&](const Int& arg) { return self(self, arg); });
    };
    return named(named, needed);
  }

  // Term by term, in an order that variants have in common.
  void PrintBytes(const std::string& head, const Int& all, Text& text) {
    text.Statement(head);
    const Int needed = WithPitch(all, text);
    int64_t constant = 0;
    std::vector<std::pair<std::string, int>> terms;
    struct Choice {
      Int condition;
      Int yes;
      Int no;
    };
    std::vector<Choice> choices;
    const auto add = [&](const auto& self, const Int& part,
                         int64_t times) -> void {
      if (part.kind() == ir::IntKind::kAdd) {
        self(self, part.args()[0], times);
        self(self, part.args()[1], times);
      } else if (part.kind() == ir::IntKind::kSub &&
                 part.args()[1].is_constant()) {
        self(self, part.args()[0], times);
        constant -= part.args()[1].value() * times;
      } else if (part.kind() == ir::IntKind::kMul &&
                 part.args()[0].kind() == ir::IntKind::kAlignUp &&
                 part.args()[1].is_constant() && part.args()[1].value() > 0 &&
                 part.args()[1].value() <= kMostQueues) {
        self(self, part.args()[0], times * part.args()[1].value());
      } else if (part.is_constant()) {
        constant += part.value() * times;
      } else if (IsChoice(part) && times == 1) {
        const Int& condition = part.args()[0];
        const auto known = std::find_if(
            choices.begin(), choices.end(),
            [&](const Choice& one) { return Same(one.condition, condition); });
        Choice& choice = known == choices.end()
                             ? choices.emplace_back(Choice{condition, 0, 0})
                             : *known;
        choice.yes = choice.yes + part.args()[1];
        choice.no = choice.no + part.args()[2];
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
    // A pad and what it leaves of a period are the same together.
    for (const Choice& choice : choices) {
      const Int value = Int::Select(choice.condition, choice.yes, choice.no);
      if (value.is_constant()) {
        constant += value.value();
      } else {
        terms.emplace_back(Text_(value, precedence::kSum), 1);
      }
    }
    std::stable_sort(terms.begin(), terms.end(),
                     [](const auto& a, const auto& b) {
                       return WithoutNumbers(a.first) < WithoutNumbers(b.first);
                     });
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
    const Int needed = ByFields(Expanded(code_.ub_bytes));
    if (tiles_.parameters.empty()) {
      if (needed.is_constant()) return false;
      const std::string bytes = fmt::format("uint64_t({})", Text_(needed));
      fits_ = bytes + " <= ub_size";
      not_fits_ = bytes + " > ub_size";
      return true;
    }
    std::vector<std::string> pieces;
    for (const ir::TileParameter& parameter : tiles_.parameters) {
      pieces.push_back("int64_t " + LegalName(parameter.name));
    }
    PrintMostSlots(text);
    text.Comment("Bytes of on-chip memory.");
    const std::string head = fmt::format(
        "const auto bytes = [&]({}) -> uint64_t {{", fmt::join(pieces, ", "));
    in_bytes_ = true;
    PrintBytes(head, needed, text);
    in_bytes_ = false;
    const std::string least =
        BytesWith(0, fmt::format("{}", tiles_.parameters[0].unit));
    for (const code::HostSlots& slots : code_.slots) {
      const std::string field = "tiling->" + FieldName(slots.name);
      text.Statement(
          fmt::format("{0} = {1} > ub_size ? 1 : {0};", field, least));
    }
    fits_ = least + " <= ub_size";
    not_fits_ = least + " > ub_size";
    return true;
  }

  // Those of equal numbers in one statement.
  void PrintMostSlots(Text& text) {
    std::map<int64_t, std::string> fields;
    for (const code::HostSlots& slots : code_.slots) {
      fields[slots.most] += fmt::format("tiling->{} = ", FieldName(slots.name));
    }
    for (const auto& [most, targets] : fields) {
      text.Statement(fmt::format("{}{};", targets, most));
    }
  }

  void PrintPieces(Text& text) {
    const auto alone = [&](size_t at) {
      return BytesOf([&](size_t i) { return i == at ? "piece" : Unit(i); });
    };
    bool first = true;
    for (size_t i = 0; i < groups_.size(); ++i) {
      if (groups_[i] == 0) continue;
      if (std::exchange(first, false)) {
        text.Comment("Alone, then as large in proportion as there is room.");
      }
      PrintPiece(i, alone(i), true, text);
    }
    for (size_t i = 0; i < groups_.size(); ++i) {
      const bool beside = groups_[i] != 0;
      PrintPiece(i, beside ? BytesBeside(i) : BytesWith(i, "piece"), false,
                 text);
    }
  }

  // Alone: how often its loop is gone through is not known yet.
  void PrintPiece(size_t i, const std::string& needed, bool alone, Text& text) {
    const ir::TileParameter& parameter = tiles_.parameters[i];
    const std::string extent = Text_(ByFields(Expanded(parameter.extent)));
    const std::string bytes =
        tiles_.parameters.size() == 1
            ? "bytes"
            : fmt::format("[&](int64_t piece) {{ return {}; }}", needed);
    const bool shared = parameter.role != ir::TileParameter::Role::kPiece;
    const std::string outer =
        shared && !alone ? Text_(ByFields(Expanded(parameter.outer))) : "1";
    text.Statement(fmt::format("{} = Piece({}, {}{}, {}, {}, ub_size, {}, {});",
                               Field(i), extent, in_turns_ ? outer + ", " : "",
                               parameter.unit,
                               std::max(parameter.grain, parameter.unit),
                               Text_(ByFields(Expanded(parameter.most))),
                               shared ? "core_count" : "1", bytes));
  }

  const typed::Kernel& kernel_;
  const ir::Kernel& tiles_;
  const code::Kernel& code_;
  const std::vector<int> groups_ = ir::BesideEachOther(tiles_);
  const TilingFields& fields_;
  Road road_;
  bool in_turns_;     // Piece has `outer`
  std::string late_;  // as LateOfSome gives it
  NamedLines lines_;
  HostText host_;
  IntegerContext integers_;
  std::map<std::string, const HostValue*> values_;
  bool in_bytes_ = false;  // printing the body of `bytes`
  std::vector<std::pair<std::string, Int>> ready_;  // formulas of fields
  std::set<std::string> checked_;  // lists that fit into an array
  int sums_ = 0;                   // that formulas compare
  std::string fits_;
  std::string not_fits_;
};

}  // namespace

bool IsInTurns(const ir::TileParameter& parameter) {
  return parameter.role != ir::TileParameter::Role::kPiece &&
         !parameter.outer.Is(1);
}

bool IsArray(const HostValue& value) {
  return value.source == HostSource::kPerItem ||
         value.source == HostSource::kList;
}

Text PrintTilingVariant(const typed::Kernel& kernel,
                        const CompiledVariant& variant,
                        const TilingFields& fields, Road road, bool only,
                        TilingText& tiling) {
  VariantWriter writer(kernel, variant, fields, road, tiling);
  Text text;
  writer.Print(only, text);
  tiling.needs.Add(writer.needs());
  return text;
}

}  // namespace belay::crux::print
