// SPDX-License-Identifier: Apache-2.0
#include "crux/print/merged_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/error.h"

namespace belay::crux::print {

std::string MergedWriter::TextOf(const Tokens& tokens,
                                 const VariantSet& variants) {
  std::string text;
  text.reserve(8 * tokens.size());
  // What is an argument by itself needs no brackets.
  const auto add = [&](std::string wrapped, size_t at) {
    const auto is = [&](size_t i, std::string_view signs) {
      return i < tokens.size() && !IsSlot(tokens[i]) &&
             signs.find(vocabulary_.Text(WordOf(tokens[i]))) !=
                 std::string_view::npos;
    };
    const bool alone = at > 0 && is(at - 1, "(,") && is(at + 1, ",)");
    if (alone && wrapped.starts_with('(')) {
      wrapped = wrapped.substr(1, wrapped.size() - 2);
    }
    text += wrapped;
  };
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token token = tokens[i];
    if (HasBlank(token)) text += ' ';
    if (!IsSlot(token)) {
      text += vocabulary_.Text(WordOf(token));
      continue;
    }
    const Slot& slot = merger_.slots()[SlotOf(token)];
    if (const std::optional<Word> word = slot.WordOfAll(variants)) {
      text += vocabulary_.Text(*word);
      continue;
    }
    std::vector<std::pair<size_t, std::string>> words;
    for (const auto& [variant, word] : slot.words) {
      if (variants.test(variant)) {
        words.emplace_back(variant, vocabulary_.Text(word));
      }
    }
    const Word any = slot.words[0].second;
    const auto choice = [&] {
      VariantSet first;
      std::string other;
      for (const auto& [variant, word] : words) {
        if (word == words[0].second) {
          first.set(variant);
        } else {
          other = word;
        }
      }
      return fmt::format("({} ? {} : {})", space_.Condition(first, variants),
                         words[0].second, other);
    };
    if (!vocabulary_.IsType(any) && vocabulary_.IsName(any)) {
      add(choice(), i);
      continue;
    }
    const auto variable = space_.VariableOf(words);
    if (variable) {
      space_.UseVariable(*variable);
      text += space_.VariableName(*variable);
      continue;
    }
    std::vector<std::pair<size_t, int64_t>> values;
    for (const auto& [variant, word] : words) {
      values.emplace_back(variant, std::strtoll(word.c_str(), nullptr, 10));
    }
    const auto form = space_.FormOf(values);
    add(form ? space_.SizeText(*form) : choice(), i);
  }
  return text;
}

// Variables that not all variants declare in the same way: others never have
// to be declared ahead.
void MergedWriter::FindSuspects(const std::vector<Statement>& block,
                                const VariantSet& all) {
  for (const Statement& statement : block) {
    for (const Alias& alias : statement.aliases) suspects_.insert(alias.name);
    for (const Part& part : statement.parts) {
      if (statement.variants != all) {
        const auto declared = DeclarationIn(part.head, vocabulary_);
        if (declared) suspects_.insert(declared->name);
      }
      FindSuspects(part.body, all);
    }
  }
}

void MergedWriter::Function(const FunctionText& function, Text& text) {
  hoisted_.clear();
  suspects_.clear();
  mentioned_.clear();
  FindSuspects(function.whole.parts[0].body, function.whole.variants);
  function_ = &function;
  const Statement& whole = function.whole;
  for (const std::string& comment : whole.comments) text.Comment(comment);
  text.Declaration(TextOf(whole.parts[0].head, whole.variants));
  PrintBlock(whole.parts[0].body, whole.variants, text);
  text.Close(whole.close);
}

std::map<Word, Word> MergedWriter::Depths() const {
  const auto is_less = [&](Word a, Word b) {
    return vocabulary_.Text(a) < vocabulary_.Text(b);
  };
  std::map<Word, Word> depths;
  for (const auto& [name, at] : merger_.text().member_at) {
    for (const Token token : merger_.text().members[at].parts[0].head) {
      std::vector<Word> words;
      if (!IsSlot(token)) {
        words = {WordOf(token)};
      } else {
        for (const auto& [variant, word] :
             merger_.slots()[SlotOf(token)].words) {
          words.push_back(word);
        }
      }
      if (!vocabulary_.IsInteger(words[0])) continue;
      depths[name] = *std::max_element(words.begin(), words.end(), is_less);
    }
  }
  // Those of which one is chosen have one type.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Slot& slot : merger_.slots()) {
      std::vector<Word> members;
      for (const auto& [variant, word] : slot.words) {
        if (depths.contains(word)) members.push_back(word);
      }
      for (const Word one : members) {
        for (const Word other : members) {
          if (!is_less(depths.at(one), depths.at(other))) continue;
          depths[one] = depths.at(other);
          changed = true;
        }
      }
    }
  }
  return depths;
}

void MergedWriter::Members(Text& text) {
  const std::map<Word, Word> depths = Depths();
  // Those of one type in one declaration.
  std::vector<std::pair<std::string, std::string>> declarations;
  for (const Statement& member : merger_.text().members) {
    Tokens head = member.parts[0].head;
    Word depth = 0;
    for (const Token token : head) {
      const auto found =
          IsSlot(token) ? depths.end() : depths.find(WordOf(token));
      if (found != depths.end()) depth = found->second;
    }
    for (Token& token : head) {
      const Word any = IsSlot(token)
                           ? merger_.slots()[SlotOf(token)].words[0].second
                           : WordOf(token);
      if (vocabulary_.IsInteger(any)) token = TokenOf(depth, HasBlank(token));
    }
    const std::string whole = TextOf(head, member.variants);
    const size_t name = whole.rfind(' ');
    const std::string type = whole.substr(0, name);
    const auto known =
        std::find_if(declarations.begin(), declarations.end(),
                     [&](const auto& one) { return one.first == type; });
    if (known == declarations.end()) {
      declarations.emplace_back(type, whole.substr(name + 1));
    } else {
      known->second.back() = ',';
      known->second += whole.substr(name);
    }
  }
  for (const auto& [type, names] : declarations) {
    text.Declaration(type + " " + names);
  }
}

void MergedWriter::Block(const FunctionText& block, Text& text) {
  hoisted_.clear();
  suspects_.clear();
  mentioned_.clear();
  FindSuspects(block.whole.parts[0].body, space_.all());
  function_ = &block;
  PrintBlock(block.whole.parts[0].body, space_.all(), text);
}

void MergedWriter::PrintBlock(const std::vector<Statement>& block,
                              const VariantSet& context, Text& text) {
  Nodes nodes;
  for (const Statement& statement : block) {
    for (const Alias& alias : statement.aliases) {
      const VariantSet here = alias.variants & context;
      if (here.any()) nodes.push_back({nullptr, &alias, here});
    }
    const VariantSet here = statement.variants & context;
    if (here.any()) nodes.push_back({&statement, nullptr, here});
  }
  PrintNodes(nodes, context, text);
}

const MergedWriter::Names& MergedWriter::Mentioned(const Statement& statement) {
  const auto found = mentioned_.find(&statement);
  if (found != mentioned_.end()) return found->second;
  Names names;
  for (const Part& part : statement.parts) {
    for (const Token token : part.head) {
      if (!IsSlot(token) && suspects_.contains(WordOf(token))) {
        names.insert(WordOf(token));
      }
    }
    for (const Statement& inner : part.body) {
      const Names& more = Mentioned(inner);
      names.insert(more.begin(), more.end());
      for (const Alias& alias : inner.aliases) {
        for (const Word word : {alias.name, alias.from}) {
          if (suspects_.contains(word)) names.insert(word);
        }
      }
    }
  }
  return mentioned_.emplace(&statement, std::move(names)).first->second;
}

// The literal for which the most nodes from `begin` on are each on one side.
const Literal* MergedWriter::SplitOf(const Nodes& nodes, size_t begin,
                                     size_t end, const VariantSet& context,
                                     size_t& reach) {
  const Literal* best = nullptr;
  reach = begin;
  for (const Literal* literal : space_.LiteralsWithin(context)) {
    size_t at = begin;
    while (at < end) {
      const VariantSet holds = nodes[at].variants & literal->holds;
      if (holds.any() && holds != nodes[at].variants) break;
      ++at;
    }
    if (at > reach) {
      reach = at;
      best = literal;
    }
  }
  return best;
}

size_t MergedWriter::ChoiceEnd(const Nodes& nodes, size_t begin, size_t end,
                               const VariantSet& context) {
  size_t reach = begin;
  if (SplitOf(nodes, begin, end, context, reach) != nullptr) return reach;
  const VariantSet& first = nodes[begin].variants;
  size_t at = begin + 1;
  // Another handle stands beside what other variants give the name.
  while (at < end && nodes[at].alias == nullptr &&
         (nodes[at].variants & ~first).none()) {
    ++at;
  }
  return at;
}

void MergedWriter::Hoist(const Nodes& nodes, const std::vector<size_t>& ends,
                         const VariantSet& context,
                         std::map<size_t, Text>& hoisted) {
  if (suspects_.empty()) return;
  // Of each variable that is declared among the nodes: the runs it occurs in.
  struct Use {
    const Tokens* declared = nullptr;
    std::optional<Declaration> how;
    int declarations = 0;
    bool conditional = false;  // only some variants have a declaration
    bool one_type = true;
    bool in_common = false;
    std::vector<size_t> runs;
  };
  std::map<Word, Use> uses;
  const auto declare = [&](const auto& self, const Statement& statement,
                           bool top, bool common) -> void {
    for (const Alias& alias : statement.aliases) {
      if (!top && !hoisted_.contains(alias.name)) {
        ++uses[alias.name].declarations;
        uses[alias.name].conditional = true;
      }
    }
    for (const Part& part : statement.parts) {
      const auto how = DeclarationIn(part.head, vocabulary_);
      if (how && !how->loop && suspects_.contains(how->name) &&
          !hoisted_.contains(how->name)) {
        Use& use = uses[how->name];
        ++use.declarations;
        use.conditional |= (statement.variants & context) != context;
        if (use.declared == nullptr) {
          use.declared = &part.head;
          use.how = how;
        }
        use.one_type &= HaveOneType(*use.declared, part.head);
        use.in_common |= top && common;
      }
      for (const Statement& inner : part.body) {
        self(self, inner, false, common);
      }
    }
  };
  for (const Node& node : nodes) {
    if (node.alias != nullptr) {
      if (hoisted_.contains(node.alias->name)) continue;
      Use& use = uses[node.alias->name];
      ++use.declarations;
      use.conditional = true;
      use.in_common |= node.variants == context;
    } else {
      declare(declare, *node.statement, true, node.variants == context);
    }
  }
  size_t run = 0;
  for (size_t i = 0; i < nodes.size(); ++i) {
    while (i >= ends[run]) ++run;
    const auto mention = [&](Word word) {
      const auto found = uses.find(word);
      if (found == uses.end()) return;
      if (found->second.runs.empty() || found->second.runs.back() != run) {
        found->second.runs.push_back(run);
      }
    };
    if (nodes[i].alias != nullptr) {
      mention(nodes[i].alias->name);
      mention(nodes[i].alias->from);
      continue;
    }
    for (const Word word : Mentioned(*nodes[i].statement)) mention(word);
  }
  // By run and type.
  std::map<size_t, std::map<std::string, std::string>> ahead;
  for (const auto& [name, use] : uses) {
    const bool plain = use.in_common && use.declarations == 1;
    if (plain || !use.conditional || use.runs.size() < 2) continue;
    const size_t run = use.runs[0];
    const size_t begin = run == 0 ? 0 : ends[run - 1];
    if (use.declarations == 2 && ends[run] == begin + 2 &&
        IsChoiceOf(name, nodes[begin], nodes[begin + 1], context)) {
      continue;
    }
    if (!use.one_type) throw CannotMerge(vocabulary_.Text(name));
    const std::string declaration = AheadOfValue(name, use.declared, use.how);
    const size_t type = declaration.find(" " + vocabulary_.Text(name),
                                         declaration.find('>') + 1);
    std::string& together = ahead[run][declaration.substr(0, type)];
    if (!together.empty()) together.back() = ',';
    together += declaration.substr(type);
    hoisted_.insert(name);
  }
  for (const auto& [run, types] : ahead) {
    for (const auto& [type, names] : types) {
      hoisted[run].Statement(type + names);
    }
  }
}

void MergedWriter::PrintNodes(const Nodes& nodes, const VariantSet& context,
                              Text& text) {
  if (nodes.empty()) return;
  // Runs: a node of all variants, or nodes of one choice.
  std::vector<size_t> ends;
  for (size_t i = 0; i < nodes.size(); i = ends.back()) {
    const size_t sum = SumEnd(nodes, i);
    if (sum > i + 1 || nodes[i].variants == context) {
      ends.push_back(std::max(sum, i + 1));
      continue;
    }
    size_t stretch = i;
    while (stretch < nodes.size() && nodes[stretch].variants != context) {
      ++stretch;
    }
    // A value that all of them choose stands by itself.
    const size_t end = ChoiceEnd(nodes, i, stretch, context);
    size_t pair = i;
    while (pair + 1 < end &&
           !AreChoice(nodes[pair], nodes[pair + 1], context)) {
      ++pair;
    }
    if (pair + 1 >= end) {
      ends.push_back(end);
    } else {
      ends.push_back(pair > i ? pair : pair + 2);
    }
  }
  const Names hoisted_outside = hoisted_;
  std::map<size_t, Text> hoisted;
  Hoist(nodes, ends, context, hoisted);
  size_t begin = 0;
  for (size_t run = 0; run < ends.size(); ++run) {
    const auto found = hoisted.find(run);
    if (found != hoisted.end()) text.Append(found->second);
    const Nodes some(nodes.begin() + static_cast<ptrdiff_t>(begin),
                     nodes.begin() + static_cast<ptrdiff_t>(ends[run]));
    if (SumEnd(some, 0) > 1) {
      PrintSumOf(some, context, text);
    } else if (nodes[begin].variants == context) {
      PrintNode(nodes[begin], text);
    } else {
      if (!PrintValueChoice(some, context, text)) {
        PrintChoice(some, context, false, text);
      }
    }
    begin = ends[run];
  }
  hoisted_ = hoisted_outside;
}

void MergedWriter::PrintChoice(const Nodes& nodes, const VariantSet& context,
                               bool goes_on, Text& text) {
  const auto open = [&](const std::string& condition) {
    const std::string head = fmt::format("{} ({}) {{", keyword_, condition);
    if (goes_on) {
      text.Reopen("} else " + head);
    } else {
      text.Statement(head);
    }
  };
  const VariantSet& first = nodes[0].variants;
  const bool alike =
      std::all_of(nodes.begin(), nodes.end(),
                  [&](const Node& node) { return node.variants == first; });
  size_t reach = 0;
  const Literal* split =
      alike ? nullptr : SplitOf(nodes, 0, nodes.size(), context, reach);
  if (split == nullptr || reach < nodes.size()) {
    open(space_.Condition(first, context));
    PrintNodes(nodes, first, text);
    if (!goes_on) text.Close();
    return;
  }
  // The side that comes first in the text comes first here.
  VariantSet side = split->holds & context;
  if ((first & side).none()) side = context & ~side;
  Nodes here;
  Nodes there;
  for (const Node& node : nodes) {
    ((node.variants & side).any() ? here : there).push_back(node);
  }
  // What all of a side's nodes ask for is asked at once.
  const bool at_once = std::all_of(
      here.begin(), here.end(),
      [&](const Node& node) { return node.variants == here[0].variants; });
  if (there.empty() || at_once) {
    side.reset();
    for (const Node& node : here) side |= node.variants;
  }
  open(space_.Condition(side, context));
  PrintNodes(here, side, text);
  if (!there.empty()) {
    const VariantSet other = context & ~side;
    const bool whole =
        std::any_of(there.begin(), there.end(),
                    [&](const Node& node) { return node.variants == other; });
    if (!whole && ChoiceEnd(there, 0, there.size(), other) == there.size()) {
      PrintChoice(there, other, true, text);
    } else {
      text.Reopen("} else {");
      PrintNodes(there, other, text);
    }
  }
  if (!goes_on) text.Close();
}

void MergedWriter::PrintNode(const Node& node, Text& text) {
  if (node.alias != nullptr) {
    const Word name = node.alias->name;
    std::string target = vocabulary_.Text(name);
    if (!hoisted_.contains(name)) {
      target = AheadOfValue(name, nullptr, std::nullopt);
      target.pop_back();
    }
    text.Statement(
        fmt::format("{} = {};", target, vocabulary_.Text(node.alias->from)));
    return;
  }
  const Statement& statement = *node.statement;
  for (const std::string& comment : statement.comments) text.Comment(comment);
  for (size_t p = 0; p < statement.parts.size(); ++p) {
    const Part& part = statement.parts[p];
    Tokens head = part.head;
    const auto declared = DeclarationIn(head, vocabulary_);
    if (declared && !declared->loop && hoisted_.contains(declared->name)) {
      head.erase(head.begin(),
                 head.begin() + static_cast<ptrdiff_t>(declared->at));
      head[0] = TokenOf(declared->name, false);
    }
    const std::string words = TextOf(head, node.variants);
    if (p > 0) {
      text.Reopen(words);
    } else if (statement.kind == LineKind::kDeclaration) {
      text.Declaration(words);
    } else {
      text.Statement(words);
    }
    PrintBlock(part.body, node.variants, text);
  }
  if (statement.nested) text.Close(statement.close);
}

}  // namespace belay::crux::print
