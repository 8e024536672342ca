// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_MERGED_TEXT_H_
#define BELAY_CRUX_PRINT_MERGED_TEXT_H_

// Merged variants as C++: what only some of them have stands under an `if`.

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "crux/print/merge_variants.h"
#include "crux/print/statement_tree.h"
#include "crux/print/text.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {

// A variable of a type that cannot be declared ahead of its value would have
// to be: the variants need texts of their own.
class CannotMerge : public std::runtime_error {
 public:
  explicit CannotMerge(const std::string& name) : std::runtime_error(name) {}
};

class MergedWriter {
 public:
  // `keyword`: "if constexpr" or "if".
  MergedWriter(VariantSpace& space, Vocabulary& vocabulary,
               const VariantMerger& merger, std::string keyword)
      : space_(space),
        vocabulary_(vocabulary),
        merger_(merger),
        keyword_(std::move(keyword)) {}

  // Throws CannotMerge.
  void Function(const FunctionText& function, Text& text);
  void Members(Text& text);
  // The statements of a block that ReadBlock has read. Throws CannotMerge.
  void Block(const FunctionText& block, Text& text);

 private:
  struct Node {
    const Statement* statement = nullptr;
    const Alias* alias = nullptr;
    VariantSet variants;
  };
  using Nodes = std::vector<Node>;
  using Names = std::unordered_set<Word>;

  void PrintBlock(const std::vector<Statement>& block,
                  const VariantSet& context, Text& text);
  void PrintNodes(const Nodes& nodes, const VariantSet& context, Text& text);
  // Nodes of some variants of the context.
  void PrintChoice(const Nodes& nodes, const VariantSet& context, bool goes_on,
                   Text& text);
  void PrintNode(const Node& node, Text& text);
  // The end of the statements from `begin` on that add to one sum.
  size_t SumEnd(const Nodes& nodes, size_t begin) const;
  void PrintSumOf(const Nodes& nodes, const VariantSet& context, Text& text);
  // Of queues: the deepest that any variant has. Init says how many buffers
  // there are.
  std::map<Word, Word> Depths() const;
  // How many of the nodes from `begin` on one choice takes.
  size_t ChoiceEnd(const Nodes& nodes, size_t begin, size_t end,
                   const VariantSet& context);
  const Literal* SplitOf(const Nodes& nodes, size_t begin, size_t end,
                         const VariantSet& context, size_t& reach);
  void Hoist(const Nodes& nodes, const std::vector<size_t>& ends,
             const VariantSet& context, std::map<size_t, Text>& hoisted);
  // "T x = a ? y : z;" for nodes that only give a variable its value.
  bool PrintValueChoice(const Nodes& nodes, const VariantSet& context,
                        Text& text);
  // Whether two nodes give one name its value, in other variants each.
  bool AreChoice(const Node& a, const Node& b, const VariantSet& context);
  bool IsChoiceOf(Word name, const Node& a, const Node& b,
                  const VariantSet& context);
  // Whether "queue.DeQue<X>()" is spelt with this X.
  bool GivesElements(const Tokens& value, Token element);
  // Whether two declarations say the same type.
  bool HaveOneType(const Tokens& a, const Tokens& b) const;
  // What a node that declares `name` and does no more gives it.
  std::optional<std::string> ValueOf(Word name, const Node& node);
  // The tensor `from` as `name`, which may be of another type in variants where
  // it is not taken.
  std::optional<std::string> TensorOf(Word name, Word from);
  // "LocalTensor<T> name;"; without a head the type is what the function knows.
  std::string AheadOfValue(Word name, const Tokens* head,
                           const std::optional<Declaration>& declared);
  void FindSuspects(const std::vector<Statement>& block, const VariantSet& all);
  // Of the suspects.
  const Names& Mentioned(const Statement& statement);
  std::string TextOf(const Tokens& tokens, const VariantSet& variants);

  VariantSpace& space_;
  Vocabulary& vocabulary_;
  const VariantMerger& merger_;
  std::string keyword_;
  const FunctionText* function_ = nullptr;
  std::unordered_map<const Statement*, Names> mentioned_;
  Names suspects_;
  Names hoisted_;  // in the function at hand
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_MERGED_TEXT_H_
