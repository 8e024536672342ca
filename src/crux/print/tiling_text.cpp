// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.h"
#include "crux/print/class_words.h"
#include "crux/print/dtype_text.h"
#include "crux/print/kernel_class.h"
#include "crux/print/late_items.h"
#include "crux/print/merge_variants.h"
#include "crux/print/merged_text.h"
#include "crux/print/names.h"
#include "crux/print/project.h"
#include "crux/print/tiling_sums.h"
#include "crux/print/tiling_variant.h"
#include "crux/print/variant_space.h"
#include "crux/print/wider_fields.h"

namespace belay::crux::print {
namespace {

using ir::HostSource;
using ir::HostValue;
using ir::Int;

// Spells what tells variants apart on the host.
class HostWords : public VariantWords {
 public:
  HostWords(const typed::Kernel& kernel, Road road)
      : kernel_(kernel), road_(road) {}

  std::string IsDtype(size_t variable, DType dtype) const override {
    return fmt::format("{} == {}", Name(variable),
                       road_ == Road::kProject
                           ? "ge::" + GeName(dtype)
                           : fmt::format("\"{}\"", belay::NameOf(dtype)));
  }
  std::string Answer(const std::string& condition) const override {
    const auto found = guards_.find(condition);
    const std::string own = found == guards_.end() ? "" : found->second;
    return own + Wrapped(condition, own.empty());
  }
  // It is worked out when the host runs.
  bool IsNoUnasked() const override { return false; }
  std::string SizeOf(size_t variable) const override {
    return Name(variable) + "_size";
  }
  std::string BlockOf(size_t variable) const override {
    return Name(variable) + "_block";
  }
  std::string WordOf(size_t variable) const override {
    return Name(variable) + "_word";
  }

  // A condition that only some variants ask makes sense behind those before
  // it. Throws CannotMerge where that is not always the same.
  void Guard(const std::vector<VariantFacts>& variants) {
    std::map<std::string, std::set<std::string>> before;
    std::map<std::string, size_t> asked;
    for (const VariantFacts& facts : variants) {
      std::string so_far;
      for (const auto& [condition, holds] : facts.answers) {
        before[condition].insert(so_far);
        ++asked[condition];
        so_far += (holds ? "" : "!") + Wrapped(condition, false) + " && ";
      }
    }
    for (const auto& [condition, guards] : before) {
      if (asked[condition] == variants.size() || IsTotal(condition)) continue;
      if (guards.size() > 1) throw CannotMerge(condition);
      guards_[condition] = *guards.begin();
    }
  }

 private:
  // Whether it can be worked out for every call: no division, no element.
  static bool IsTotal(const std::string& condition) {
    return condition.find_first_of("/%[") == std::string::npos &&
           condition.find("Div(") == std::string::npos &&
           condition.find("Mod(") == std::string::npos;
  }

  static std::string Wrapped(const std::string& condition, bool alone) {
    const bool plain = alone || condition.find(' ') == std::string::npos;
    return plain ? condition : "(" + condition + ")";
  }
  std::string Name(size_t variable) const {
    return LegalName(kernel_.dtypes[variable]->name);
  }

  const typed::Kernel& kernel_;
  Road road_;
  std::map<std::string, std::string> guards_;
};

// The variants of one class.
struct Block {
  std::string condition;  // empty: none
  Text text;
};

// Which of the variants' conditions hold, without their first `depth` answers;
// empty: always.
std::string AnyHolds(const std::vector<VariantFacts>& variants, size_t depth) {
  const VariantFacts* asks = nullptr;
  for (const VariantFacts& facts : variants) {
    if (facts.answers.size() == depth) return "";
    if (asks == nullptr) asks = &facts;
  }
  const std::string& condition = asks->answers[depth].first;
  std::vector<VariantFacts> sides[2];
  std::vector<VariantFacts> others;
  for (const VariantFacts& facts : variants) {
    const auto& [asked, holds] = facts.answers[depth];
    (asked == condition ? sides[holds ? 1 : 0] : others).push_back(facts);
  }
  const bool plain = condition.find(' ') == std::string::npos;
  const bool loose = condition.find("||") != std::string::npos;
  std::vector<std::string> alternatives;
  std::string rest[2];
  for (const int side : {1, 0}) {
    if (!sides[side].empty()) rest[side] = AnyHolds(sides[side], depth + 1);
  }
  if (!sides[0].empty() && !sides[1].empty() && rest[0] == rest[1]) {
    if (rest[0].empty()) return "";
    alternatives.push_back(rest[0]);
  } else {
    for (const int side : {1, 0}) {
      if (sides[side].empty()) continue;
      const bool mixes = rest[side].find("||") != std::string::npos;
      const bool wrap = side == 1 ? loose : !plain;
      alternatives.push_back((side == 1 ? "" : "!") +
                             (wrap ? "(" + condition + ")" : condition) +
                             (rest[side].empty() ? "" : " && ") +
                             (mixes ? "(" + rest[side] + ")" : rest[side]));
    }
  }
  if (!others.empty()) alternatives.push_back(AnyHolds(others, depth));
  return fmt::format("{}", fmt::join(alternatives, " || "));
}

// When one of the instances is to be run.
std::string ConditionOf(const typed::Kernel& kernel,
                        const std::vector<VariantFacts>& variants,
                        size_t choices, Road road) {
  // Choices of dtypes with the same conditions together.
  std::vector<std::pair<std::string, std::vector<std::vector<DType>>>> parts;
  std::vector<std::vector<DType>> seen;
  for (const VariantFacts& facts : variants) {
    if (std::find(seen.begin(), seen.end(), facts.dtypes) != seen.end()) {
      continue;
    }
    seen.push_back(facts.dtypes);
    std::vector<VariantFacts> own;
    for (const VariantFacts& other : variants) {
      if (other.dtypes == facts.dtypes) own.push_back(other);
    }
    const std::string holds = AnyHolds(own, 0);
    const auto known =
        std::find_if(parts.begin(), parts.end(),
                     [&](const auto& part) { return part.first == holds; });
    if (known == parts.end()) {
      parts.push_back({holds, {facts.dtypes}});
    } else {
      known->second.push_back(facts.dtypes);
    }
  }
  std::vector<std::string> alternatives;
  for (const auto& [holds, dtypes] : parts) {
    std::vector<std::string> both;
    if (dtypes.size() < choices) {
      both.push_back(DtypeCondition(kernel, dtypes, road));
    }
    if (!holds.empty()) both.push_back(holds);
    for (std::string& one : both) {
      const bool mixes = one.find("||") != std::string::npos;
      if (mixes && both.size() > 1) one = "(" + one + ")";
    }
    if (both.empty()) return "";
    const std::string text = fmt::format("{}", fmt::join(both, " && "));
    const bool wrap = parts.size() > 1 && both.size() > 1;
    alternatives.push_back(wrap ? "(" + text + ")" : text);
  }
  return fmt::format("{}", fmt::join(alternatives, " || "));
}

// What a block chooses; it is declared in front of all blocks.
bool SetsChoice(const Line& line) {
  constexpr std::array<std::string_view, 3> kChoices = {
      "key = ", "blocks = ", "workspace_bytes = "};
  return std::any_of(
      kChoices.begin(), kChoices.end(),
      [&](std::string_view one) { return line.text.starts_with(one); });
}

// How many statements all blocks begin with, before the first choice.
size_t CommonLines(const std::vector<Block>& blocks) {
  const std::vector<Line>& first = blocks[0].text.lines();
  size_t count = 0;
  for (; count < first.size(); ++count) {
    const Line& line = first[count];
    if (line.kind != LineKind::kStatement || line.indent != 0 ||
        line.text.ends_with('{') || SetsChoice(line)) {
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

// The key of whichever of `set` a call is for.
std::string KeyText(VariantSpace& space, const std::vector<int>& keys,
                    const VariantSet& set) {
  std::set<int> values;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (set.test(i)) values.insert(keys[i]);
  }
  if (values.size() == 1) return fmt::format("{}", *values.begin());
  for (const bool apart : {true, false}) {
    for (const Literal* literal : space.LiteralsWithin(set)) {
      const VariantSet holds = literal->holds & set;
      std::set<int> here;
      std::set<int> there;
      for (size_t i = 0; i < keys.size(); ++i) {
        if (set.test(i)) (holds.test(i) ? here : there).insert(keys[i]);
      }
      const bool disjoint =
          std::none_of(here.begin(), here.end(),
                       [&](int key) { return there.contains(key); });
      if (apart && !disjoint) continue;
      const std::string left = KeyText(space, keys, holds);
      const std::string right = KeyText(space, keys, set & ~holds);
      const auto wrapped = [](const std::string& text) {
        return text.find('?') == std::string::npos ? text : "(" + text + ")";
      };
      return fmt::format("{} ? {} : {}", space.Condition(holds, set),
                         wrapped(left), wrapped(right));
    }
  }
  throw InternalError("[crux] keys that nothing tells apart");
}

void ReplaceKey(Text& text, const std::string& key) {
  std::vector<Line> lines = text.lines();
  for (Line& line : lines) {
    const size_t at = line.text.find(kKeyWord);
    if (at != std::string::npos) line.text.replace(at, kKeyWord.size(), key);
  }
  text = Text();
  text.AppendLines(lines);
}

// Some variants' values may stand under conditions, and are asked for behind
// them: then the name is declared in front.
void DeclareInFront(Text& text, std::string_view name) {
  constexpr std::string_view kType = "const int64_t ";
  const std::string begin = fmt::format("{}{} = ", kType, name);
  const auto declares = [&](const Line& line) {
    return line.text.starts_with(begin);
  };
  const std::vector<Line>& lines = text.lines();
  if (std::none_of(lines.begin(), lines.end(), [&](const Line& line) {
        return declares(line) && line.indent != 0;
      })) {
    return;
  }
  Text whole;
  whole.Statement(fmt::format("int64_t {} = 0;", name));
  for (Line& line : text.mutable_lines()) {
    if (declares(line)) line.text.erase(0, kType.size());
  }
  whole.Append(text);
  text = std::move(whole);
}

class TilingWriter {
 public:
  TilingWriter(const Compiled& compiled, const TilingFields& fields, Road road)
      : compiled_(compiled),
        kernel_(*compiled.kernel),
        fields_(fields),
        road_(road),
        choices_(ChoicesOf(compiled).size()) {}

  TilingText Print(const std::vector<std::vector<KeyedVariant>>& groups) {
    result_.late = LateOfSome(compiled_);
    for (const auto& group : groups) {
      for (const KeyedVariant& one : group) {
        for (const ir::TileParameter& piece : one.variant->tiles->parameters) {
          result_.chooses_pieces = true;
          result_.pieces_in_turns |= IsInTurns(piece);
        }
      }
    }
    // One group and no condition: nothing else is tried.
    std::optional<Block> only;
    if (groups.size() == 1) only = PrintBlock(groups[0], true);
    if (only && only->condition.empty()) {
      result_.body = only->text;
      DeclareInFront(result_.body, "blocks");
      DeclareInFront(result_.body, "workspace_bytes");
    } else {
      for (const auto& group : groups) {
        blocks_.push_back(PrintBlock(group, false));
      }
      PrintBlocks();
    }
    Text sizes;
    for (const size_t variable : sizes_) {
      const std::string name = LegalName(kernel_.dtypes[variable]->name);
      sizes.Statement(
          fmt::format("const int64_t {}_size = {};", name,
                      road_ == Road::kProject
                          ? fmt::format("ge::GetSizeByDataType({})", name)
                          : SizeByDtype(compiled_, variable)));
      if (blocks_of_.contains(variable)) {
        sizes.Statement(
            fmt::format("const int64_t {0}_block = 32 / {0}_size;", name));
      }
    }
    sizes.Append(result_.body);
    result_.body = sizes;
    return std::move(result_);
  }

 private:
  Block PrintBlock(const std::vector<KeyedVariant>& group, bool only) {
    std::vector<VariantFacts> facts;
    std::vector<int> keys;
    const NamedLines lines(kernel_);
    for (const KeyedVariant& one : group) {
      facts.push_back(FactsOf(kernel_, *one.variant));
      HostText host(kernel_, one.variant->dtypes, &lines);
      for (const auto& [condition, holds] : one.variant->conditions) {
        host.Of(*condition);
      }
      result_.needs.Add(host.needs());
      keys.push_back(one.key);
    }
    HostWords words(kernel_, road_);
    words.Guard(facts);
    VariantSpace space(kernel_, words);
    Vocabulary vocabulary;
    ClassReader reader(vocabulary);
    VariantMerger merger(space, vocabulary);
    std::map<const code::Kernel*, Text> printed;  // twins share theirs
    for (size_t i = 0; i < group.size(); ++i) {
      const size_t number = space.Add(facts[i]);
      const CompiledVariant& variant = *group[i].variant;
      const auto [known, fresh] = printed.try_emplace(variant.code.get());
      if (fresh) {
        known->second =
            PrintTilingVariant(kernel_, variant, fields_, road_, only, result_);
      }
      merger.Add(number, reader.ReadBlock(known->second));
    }
    Block block;
    block.condition = ConditionOf(kernel_, facts, choices_, road_);
    MergedWriter(space, vocabulary, merger, "if")
        .Block(
            WithFieldsSet(merger.text().functions[0], space.all(), vocabulary),
            block.text);
    block.text = WithShortSums(block.text);
    ReplaceKey(block.text, KeyText(space, keys, space.all()));
    // A source of one key has nothing to ask it.
    if (road_ == Road::kSource) {
      std::erase_if(block.text.mutable_lines(), [](const Line& line) {
        return line.text == "const uint64_t key = 1;";
      });
    }
    sizes_.insert(space.used_sizes().begin(), space.used_sizes().end());
    sizes_.insert(space.used_blocks().begin(), space.used_blocks().end());
    blocks_of_.insert(space.used_blocks().begin(), space.used_blocks().end());
    return block;
  }

  // The statement that says how many cores take part, if all blocks have the
  // same and it speaks of nothing of their own; it is taken out of them.
  std::string TakeCores() {
    constexpr std::string_view kBegin = "blocks = ";
    std::string found;
    for (const Block& block : blocks_) {
      for (const Line& line : block.text.lines()) {
        if (!line.text.starts_with(kBegin)) continue;
        if (!found.empty() && line.text != found) return "";
        found = line.text;
      }
    }
    for (size_t at = 0; at < found.size();) {
      size_t end = at;
      while (end < found.size() && IsWordPart(found[end])) ++end;
      const std::string_view word =
          std::string_view(found).substr(at, end - at);
      const bool field = at >= 2 && found.compare(at - 2, 2, "->") == 0;
      constexpr std::array<std::string_view, 8> kKnown = {
          "blocks", "std",     "min",        "max",
          "clamp",  "int64_t", "core_count", "tiling"};
      if (!word.empty() && !field &&
          !std::isdigit(static_cast<unsigned char>(word[0])) &&
          std::find(kKnown.begin(), kKnown.end(), word) == kKnown.end()) {
        return "";
      }
      at = std::max(end, at + 1);
    }
    for (Block& block : blocks_) {
      std::erase_if(block.text.mutable_lines(),
                    [&](const Line& line) { return line.text == found; });
    }
    return found;
  }

  void PrintBlocks() {
    const std::string cores = TakeCores();
    const size_t common = CommonLines(blocks_);
    Text& text = result_.body;
    const std::vector<Line>& first = blocks_[0].text.lines();
    text.AppendLines(
        {first.begin(), first.begin() + static_cast<ptrdiff_t>(common)});
    std::vector<Text*> texts;
    for (Block& block : blocks_) texts.push_back(&block.text);
    for (const std::string& line : TakeSum(text, texts)) text.Statement(line);
    text.Statement("uint64_t key = 0;");
    if (cores.empty()) text.Statement("int64_t blocks = 1;");
    const bool uses_workspace =
        std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) {
          return Mentions(block.text, "workspace_bytes");
        });
    if (uses_workspace) text.Statement("int64_t workspace_bytes = 0;");
    for (const Block& block : blocks_) {
      std::vector<std::string> conditions;
      if (&block != blocks_.data()) conditions.emplace_back("key == 0");
      if (!block.condition.empty()) {
        const bool mixes = block.condition.find("||") != std::string::npos;
        conditions.push_back(mixes && !conditions.empty()
                                 ? "(" + block.condition + ")"
                                 : block.condition);
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
    text.Statement(
        RefusalText("key == 0", "the shapes do not fit on chip", road_));
    if (!cores.empty()) text.Statement("const int64_t " + cores);
  }

  const Compiled& compiled_;
  const typed::Kernel& kernel_;
  const TilingFields& fields_;
  Road road_;
  size_t choices_;
  TilingText result_;
  std::vector<Block> blocks_;
  std::set<size_t> sizes_;
  std::set<size_t> blocks_of_;
};

using Group = std::vector<KeyedVariant>;

// A call may be for several variants of one choice of dtypes: those of earlier
// keys are tried first. Groups in an order that does so; nothing: there is
// none.
std::optional<std::vector<Group>> InOrder(const typed::Kernel& kernel,
                                          std::vector<Group> groups) {
  std::vector<std::vector<VariantFacts>> facts;
  for (const Group& group : groups) {
    facts.emplace_back();
    for (const KeyedVariant& one : group) {
      facts.back().push_back(FactsOf(kernel, *one.variant));
    }
  }
  const auto is_before = [&](size_t a, size_t b) {
    for (size_t i = 0; i < groups[a].size(); ++i) {
      for (size_t j = 0; j < groups[b].size(); ++j) {
        if (groups[a][i].key < groups[b][j].key &&
            !AreExclusive(facts[a][i], facts[b][j])) {
          return true;
        }
      }
    }
    return false;
  };
  std::vector<size_t> left(groups.size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<Group> ordered;
  while (!left.empty()) {
    const auto next = std::find_if(left.begin(), left.end(), [&](size_t one) {
      return std::none_of(left.begin(), left.end(), [&](size_t other) {
        return other != one && is_before(other, one);
      });
    });
    if (next == left.end()) return std::nullopt;
    ordered.push_back(std::move(groups[*next]));
    left.erase(next);
  }
  return ordered;
}

// What the tiling works out from other values of it.
ir::NameSet NamesOfHost(const CompiledVariant& variant) {
  ir::NameSet names;
  for (const HostValue& value : variant.tiles->host) {
    CollectNames(value.formula, names);
  }
  for (const ir::TileParameter& parameter : variant.tiles->parameters) {
    for (const Int& one : {parameter.extent, parameter.outer, parameter.most}) {
      CollectNames(one, names);
    }
  }
  for (const Int& one : {variant.code->ub_bytes, variant.code->block_dim,
                         variant.code->workspace_bytes}) {
    CollectNames(one, names);
  }
  return names;
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
    const ir::NameSet spoken = NamesOfHost(variant);
    for (const HostValue& value : variant.tiles->host) {
      const bool kept = value.source == HostSource::kChosen ||
                        value.source == HostSource::kSlots ||
                        (IsArray(value) && spoken.contains(value.name));
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
    std::vector<std::string> names;
    for (const auto& [name, field] : fields) {
      if (field.type != width) continue;
      names.push_back(FieldName(name) +
                      (field.array ? fmt::format("[{}]", kArraySize) : ""));
    }
    if (names.empty()) continue;
    text.Declaration(fmt::format("{} {};", width, fmt::join(names, ", ")));
  }
  if (fields.empty()) text.Declaration("int64_t nothing;");
  text.Close("};");
  return text;
}

TilingText PrintTiling(const Compiled& compiled, const TilingFields& fields,
                       std::vector<std::vector<KeyedVariant>> groups,
                       Road road) {
  try {
    if (const auto ordered = InOrder(*compiled.kernel, groups)) {
      return TilingWriter(compiled, fields, road).Print(*ordered);
    }
  } catch (const CannotMerge&) {
  }
  // One after the other.
  std::vector<KeyedVariant> all;
  for (const auto& group : groups) {
    all.insert(all.end(), group.begin(), group.end());
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const KeyedVariant& a, const KeyedVariant& b) {
                     return a.key < b.key;
                   });
  groups.clear();
  for (const KeyedVariant& one : all) groups.push_back({one});
  return TilingWriter(compiled, fields, road).Print(groups);
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

}  // namespace belay::crux::print
