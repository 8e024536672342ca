// SPDX-License-Identifier: Apache-2.0
// Variables of merged variants that get their value under a condition.

#include <fmt/format.h>

#include <optional>
#include <string>

#include "crux/print/merged_text.h"

namespace belay::crux::print {
namespace {

bool OpensWith(const Tokens& tokens, Word word) {
  return !tokens.empty() && !IsSlot(tokens[0]) && WordOf(tokens[0]) == word;
}

}  // namespace

std::optional<std::string> MergedWriter::TensorOf(Word name, Word from) {
  const auto variable = function_->variables.find(from);
  const auto member = merger_.text().member_at.find(from);
  const auto own = function_->variables.find(name);
  if (own == function_->variables.end()) return std::nullopt;
  const std::string& text = vocabulary_.Text(from);
  const Tokens& type = own->second.type;
  if (member != merger_.text().member_at.end()) {
    const Tokens& head = merger_.text().members[member->second].parts[0].head;
    if (std::equal(type.begin(), type.end(), head.begin())) return text;
  } else if (variable == function_->variables.end()) {
    return std::nullopt;
  } else if (variable->second.type == type) {
    return text;
  }
  if (type.size() != 4) return std::nullopt;
  return fmt::format("{}.ReinterpretCast<{}>()", text,
                     TextOf({type[2]}, space_.all()));
}

std::optional<std::string> MergedWriter::ValueOf(Word name, const Node& node) {
  if (node.alias != nullptr) {
    if (node.alias->name != name) return std::nullopt;
    return TensorOf(name, node.alias->from);
  }
  const Statement& statement = *node.statement;
  if (statement.nested) return std::nullopt;
  const Tokens& head = statement.parts[0].head;
  const auto declared = DeclarationIn(head, vocabulary_);
  if (!declared || declared->name != name ||
      WordOf(head[declared->at + 1]) != vocabulary_.Of("=")) {
    return std::nullopt;
  }
  // Without the type before it and the semicolon behind.
  const Tokens value(head.begin() + static_cast<ptrdiff_t>(declared->at) + 2,
                     head.end() - 1);
  const bool tensor = OpensWith(
      Tokens(head.begin() + static_cast<ptrdiff_t>(declared->type), head.end()),
      Vocabulary::kLocalTensor);
  if (tensor && value.size() == 1 && !IsSlot(value[0])) {
    return TensorOf(name, WordOf(value[0]));
  }
  // Both values of a choice are of the type that is declared, in all variants.
  if (tensor && !GivesElements(value, head[declared->type + 2])) {
    return std::nullopt;
  }
  return TextOf(value, node.variants).substr(1);
}

bool MergedWriter::GivesElements(const Tokens& value, Token element) {
  for (size_t i = value.size(); i-- > 2;) {
    if (IsSlot(value[i]) || WordOf(value[i]) != Vocabulary::kGreater ||
        IsSlot(value[i - 2]) || WordOf(value[i - 2]) != Vocabulary::kLess) {
      continue;
    }
    return TextOf({value[i - 1]}, space_.all()) ==
           TextOf({element}, space_.all());
  }
  return true;
}

bool MergedWriter::HaveOneType(const Tokens& a, const Tokens& b) const {
  const auto left = DeclarationIn(a, vocabulary_);
  const auto right = DeclarationIn(b, vocabulary_);
  const auto type = [](const Tokens& head, const Declaration& how) {
    return std::pair(head.begin() + static_cast<ptrdiff_t>(how.type),
                     head.begin() + static_cast<ptrdiff_t>(how.at));
  };
  const auto [begin, end] = type(a, *left);
  const auto [other_begin, other_end] = type(b, *right);
  return std::equal(
      begin, end, other_begin, other_end,
      [](Token one, Token other) { return WordOf(one) == WordOf(other); });
}

bool MergedWriter::IsChoiceOf(Word name, const Node& a, const Node& b,
                              const VariantSet& context) {
  return (a.variants | b.variants) == context &&
         (a.variants & b.variants).none() && ValueOf(name, a) &&
         ValueOf(name, b) &&
         (a.alias != nullptr || b.alias != nullptr ||
          HaveOneType(a.statement->parts[0].head, b.statement->parts[0].head));
}

bool MergedWriter::AreChoice(const Node& a, const Node& b,
                             const VariantSet& context) {
  if (a.alias != nullptr) return IsChoiceOf(a.alias->name, a, b, context);
  const auto declared = DeclarationIn(a.statement->parts[0].head, vocabulary_);
  return declared && !declared->loop &&
         IsChoiceOf(declared->name, a, b, context);
}

bool MergedWriter::PrintValueChoice(const Nodes& nodes,
                                    const VariantSet& context, Text& text) {
  if (nodes.size() != 2) return false;
  const Tokens* head = nullptr;
  std::optional<Declaration> declared;
  const Statement* first = nullptr;
  for (const Node& node : nodes) {
    if (node.statement == nullptr || head != nullptr) continue;
    first = node.statement;
    head = &first->parts[0].head;
    declared = DeclarationIn(*head, vocabulary_);
    if (!declared || declared->loop) return false;
  }
  const Word name = declared ? declared->name : nodes[0].alias->name;
  if (!IsChoiceOf(name, nodes[0], nodes[1], context)) return false;
  std::string target = vocabulary_.Text(name);
  if (!hoisted_.contains(name)) {
    const std::string type = AheadOfValue(name, head, declared);
    target = type.substr(0, type.rfind(" " + target) + 1) + target;
  }
  if (first != nullptr) {
    for (const std::string& comment : first->comments) text.Comment(comment);
  }
  const std::string value = *ValueOf(name, nodes[0]);
  const std::string other = *ValueOf(name, nodes[1]);
  const std::string choice =
      value == other ? value
                     : fmt::format("{} ? {} : {}",
                                   space_.Condition(nodes[0].variants, context),
                                   value, other);
  text.Statement(fmt::format("{} = {};", target, choice));
  return true;
}

std::string MergedWriter::AheadOfValue(
    Word name, const Tokens* head, const std::optional<Declaration>& declared) {
  Tokens type;
  if (head != nullptr) {
    type.assign(head->begin() + static_cast<ptrdiff_t>(declared->type),
                head->begin() + static_cast<ptrdiff_t>(declared->at));
  } else {
    type = function_->variables.at(name).type;
  }
  type[0] = IsSlot(type[0]) ? SlotToken(SlotOf(type[0]), false)
                            : TokenOf(WordOf(type[0]), false);
  const std::string text =
      TextOf(type, space_.all()) + " " + vocabulary_.Text(name);
  if (OpensWith(type, vocabulary_.Of("LocalTensor"))) return text + ";";
  const bool plain = IsSlot(type[0]) || vocabulary_.IsType(WordOf(type[0])) ||
                     vocabulary_.Text(WordOf(type[0])) == "double";
  if (!plain) throw CannotMerge(vocabulary_.Text(name));
  return text + " = 0;";
}

}  // namespace belay::crux::print
