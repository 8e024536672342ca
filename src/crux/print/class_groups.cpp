// SPDX-License-Identifier: Apache-2.0
#include "crux/print/class_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/in_parallel.h"
#include "crux/print/class_words.h"
#include "crux/print/copy_functions.h"
#include "crux/print/copy_sizes.h"
#include "crux/print/drop_aliases.h"
#include "crux/print/free_functions.h"
#include "crux/print/in_float.h"
#include "crux/print/inline_views.h"
#include "crux/print/kept_tensors.h"
#include "crux/print/late_items.h"
#include "crux/print/merge_variants.h"
#include "crux/print/merged_text.h"
#include "crux/print/named_products.h"
#include "crux/print/names.h"
#include "crux/print/one_type.h"
#include "crux/print/scalar_text.h"
#include "crux/print/settle_parameters.h"
#include "crux/print/share_places.h"
#include "crux/print/take_float.h"
#include "crux/print/twin_text.h"

namespace belay::crux::print {
namespace {

// A variant joins a class that has this part of its statements; else it gets
// one of its own.
constexpr double kLikeClasses = 0.7;

struct Instance {
  const CompiledVariant* variant = nullptr;
  size_t code = 0;    // its number, of those that are printed
  size_t family = 0;  // its number
  int key = 1;
  const Instance* twin_of = nullptr;  // one before it
  VariantFacts facts;
  PrintedClass printed;  // of a twin: the other's
};

// Variants on their way into one class.
struct Draft {
  Draft(const typed::Kernel& kernel, Vocabulary& own_vocabulary)
      : vocabulary(own_vocabulary),
        words(kernel),
        space(kernel, words),
        merger(space, vocabulary) {}

  Vocabulary& vocabulary;
  ClassWords words;
  VariantSpace space;
  VariantMerger merger;
  std::vector<const Instance*> instances;
  std::vector<FunctionText> functions;  // merged, as they are written
};

// Whether both, or neither, has truth values for each of its dtypes: tiles of
// these have other types than their tensors, so a class by type has no room for
// them.
bool AreAlikeInBools(const VariantFacts& a, const VariantFacts& b) {
  return std::equal(a.dtypes.begin(), a.dtypes.end(), b.dtypes.begin(),
                    [](DType one, DType other) {
                      return (one == DType::kBool) == (other == DType::kBool);
                    });
}

// Of one family.
bool MayShare(const Instance& a, const Instance& b) {
  return AreExclusive(a.facts, b.facts) && AreAlikeInBools(a.facts, b.facts) &&
         a.printed.tensors == b.printed.tensors &&
         a.printed.uses_workspace == b.printed.uses_workspace &&
         a.printed.syncs_all == b.printed.syncs_all &&
         a.printed.stores_shapes == b.printed.stores_shapes;
}

void Join(Draft& draft, const Instance& instance, const ClassText& text) {
  draft.merger.Add(draft.space.Add(instance.facts), text);
  draft.instances.push_back(&instance);
}

// Members of what depends on a template's parameter: "x.template Get<T>()".
void MarkTemplates(Text& text) {
  for (Line& line : text.mutable_lines()) {
    for (const std::string_view call :
         {".ReinterpretCast<", ").Get<", ").AllocTensor<", ").DeQue<"}) {
      for (size_t at = line.text.find(call); at != std::string::npos;
           at = line.text.find(call, at + call.size() + 9)) {
        line.text.insert(line.text.find('.', at) + 1, "template ");
      }
    }
  }
}

// Where a tensor is may be said to variants that do not touch it, too: once,
// with its size where one of them knows it. Not where it is elsewhere for some.
FunctionText WithTensorsSet(FunctionText function, Vocabulary& vocabulary) {
  const Word set = vocabulary.Of("SetGlobalBuffer");
  const Word comma = vocabulary.Of(",");
  const auto has = [](const Statement& statement, Word word) {
    const Tokens& head = statement.parts[0].head;
    return std::any_of(head.begin(), head.end(), [&](Token token) {
      return !IsSlot(token) && WordOf(token) == word;
    });
  };
  const auto tensor_of = [](const Statement& statement) {
    return statement.parts[0].head[0];
  };
  std::vector<Statement>& body = function.whole.parts[0].body;
  std::map<Token, int> sized;  // statements that say it with a size
  std::map<Token, int> plain;
  for (const Statement& statement : body) {
    if (!has(statement, set)) continue;
    ++(has(statement, comma) ? sized : plain)[tensor_of(statement)];
  }
  const auto is_one = [&](const Statement& statement) {
    const Token tensor = tensor_of(statement);
    return sized[tensor] == 1 || (sized[tensor] == 0 && plain[tensor] == 1);
  };
  for (Statement& statement : body) {
    if (has(statement, set) && is_one(statement)) {
      statement.variants = function.whole.variants;
    }
  }
  std::erase_if(body, [&](const Statement& statement) {
    return has(statement, set) && !has(statement, comma) &&
           sized[tensor_of(statement)] == 1;
  });
  return function;
}

// Gives how many conversions to float its functions have.
size_t SettleFunctions(Draft& draft) {
  Vocabulary& vocabulary = draft.vocabulary;
  for (const FunctionText& function : draft.merger.text().functions) {
    const std::vector<Slot>& slots = draft.merger.slots();
    draft.functions.push_back(WithCopySizes(
        WithTensorsSet(
            WithInlineViews(
                WithSharedPlaces(
                    WithOneTypeEach(function, slots, draft.space, vocabulary),
                    slots, vocabulary),
                vocabulary),
            vocabulary),
        slots, draft.space, vocabulary));
  }
  KeepTensors(draft.merger.text(), vocabulary, draft.functions);
  size_t conversions = 0;
  for (const FunctionText& function : draft.functions) {
    conversions += CountInFloat(function, vocabulary);
  }
  return conversions;
}

// Throws CannotMerge.
ClassGroup Write(Draft& draft, const typed::Kernel& kernel,
                 const std::string& name) {
  MergedWriter writer(draft.space, draft.vocabulary, draft.merger,
                      "if constexpr");
  const Instance& first = *draft.instances[0];
  const size_t is_public = first.printed.stores_shapes ? 3 : 2;
  std::vector<Text> functions;
  for (const FunctionText& function : draft.functions) {
    writer.Function(function, functions.emplace_back());
  }
  Text members;
  writer.Members(members);

  ClassGroup group;
  group.name = name;
  group.tensors = first.printed.tensors;
  group.uses_workspace = first.printed.uses_workspace;
  group.syncs_all = first.printed.syncs_all;
  group.stores_shapes = first.printed.stores_shapes;
  const VariantSpace& space = draft.space;
  group.parameters.assign(space.used_variables().begin(),
                          space.used_variables().end());
  for (const std::string& answer : draft.words.answers()) {
    if (space.used_answers().contains(answer)) {
      group.flags.push_back(draft.words.Answer(answer));
    }
  }
  for (size_t i = 0; i < draft.instances.size(); ++i) {
    ClassInstance instance;
    instance.variant = draft.instances[i]->variant;
    instance.key = draft.instances[i]->key;
    for (const std::string& flag : group.flags) {
      const auto& answers = draft.instances[i]->facts.answers;
      instance.flags.push_back(
          std::any_of(answers.begin(), answers.end(), [&](const auto& one) {
            return draft.words.Answer(one.first) == flag && one.second;
          }));
    }
    group.instances.push_back(std::move(instance));
  }
  const std::string parameters = TemplateParameters(kernel, group);
  Text& text = group.text;
  for (const std::string& answer : draft.words.answers()) {
    const std::string flag = draft.words.Answer(answer);
    const bool tells = flag.starts_with("kCase");
    if (tells && space.used_answers().contains(answer)) {
      text.Comment(fmt::format("{}: {}", flag, answer));
    }
  }
  if (!parameters.empty()) {
    text.Declaration(fmt::format("template <{}>", parameters));
  }
  text.Declaration(fmt::format("class {} {{", name));
  text.Access("public");
  for (size_t i = 0; i < functions.size(); ++i) {
    if (i == is_public) text.Access("private");
    if (i == is_public) draft.words.Constants(space, text);
    text.Append(std::move(functions[i]));
    text.Blank();
  }
  if (functions.size() == is_public) {
    text.Access("private");
    draft.words.Constants(space, text);
  }
  text.Append(std::move(members));
  text.Close("};");
  if (!parameters.empty()) MarkTemplates(text);
  return group;
}

// Each once.
std::vector<std::shared_ptr<const code::Kernel>> CodesOf(
    const std::vector<CompiledVariant>& variants) {
  std::vector<std::shared_ptr<const code::Kernel>> codes;
  std::set<const code::Kernel*> seen;
  for (const CompiledVariant& variant : variants) {
    if (seen.insert(variant.code.get()).second) codes.push_back(variant.code);
  }
  return codes;
}

// The text of a class by itself.
void Shorten(Text& text) {
  DropNumbers(text);
  DropAliases(text);
  NameProducts(text);
}

// Without their texts.
std::vector<Instance> InstancesOf(const Compiled& compiled) {
  std::vector<Instance> instances;
  std::map<const code::Kernel*, size_t> number;
  for (const auto& code : CodesOf(compiled.variants)) {
    number.emplace(code.get(), number.size());
  }
  for (const DtypeChoice& choice : ChoicesOf(compiled)) {
    for (size_t i = 0; i < choice.variants.size(); ++i) {
      Instance instance;
      instance.variant = choice.variants[i];
      instance.code = number.at(instance.variant->code.get());
      instance.key = static_cast<int>(i) + 1;
      instances.push_back(std::move(instance));
    }
  }
  for (Instance& instance : instances) {
    if (!instance.variant->twin) continue;
    instance.twin_of = &*std::find_if(
        instances.begin(), instances.end(),
        [&](const Instance& one) { return one.code == instance.code; });
  }
  return instances;
}

// What the variants of a class share.
ClassGroup Planned(const std::vector<const Instance*>& instances) {
  ClassGroup group;
  const PrintedClass& printed = instances[0]->printed;
  group.tensors = printed.tensors;
  group.uses_workspace = printed.uses_workspace;
  group.syncs_all = printed.syncs_all;
  group.stores_shapes = printed.stores_shapes;
  for (const Instance* instance : instances) {
    group.instances.push_back({instance->variant, instance->key, {}});
  }
  return group;
}

// Variants that a class may have in common, as they fit alike, on their way
// into classes.
class Family {
 public:
  explicit Family(const typed::Kernel& kernel)
      : kernel_(kernel), reader_(vocabulary_) {}

  const std::vector<std::unique_ptr<Draft>>& drafts() const { return drafts_; }

  void Add(Instance& instance) {
    if (instance.twin_of != nullptr) {
      instance.printed = instance.twin_of->printed;
      if (AddTwin(instance)) return;
    }
    // To the first class that it is like enough.
    const ClassText text = Parsed(instance);
    Draft* into = nullptr;
    for (const auto& draft : drafts_) {
      if (MayJoin(*draft, instance) &&
          draft->merger.Likeness(text) >= kLikeClasses) {
        into = draft.get();
        break;
      }
    }
    if (into == nullptr) {
      drafts_.push_back(std::make_unique<Draft>(kernel_, vocabulary_));
      into = drafts_.back().get();
    }
    Join(*into, instance, text);
  }

  // A class for these alone, which share one already.
  std::unique_ptr<Draft> Only(const std::vector<const Instance*>& some) {
    auto draft = std::make_unique<Draft>(kernel_, vocabulary_);
    for (const Instance* instance : some) {
      Join(*draft, *instance, Parsed(*instance));
    }
    return draft;
  }

 private:
  ClassText Parsed(const Instance& instance) {
    if (instance.twin_of == nullptr) {
      return reader_.Read(instance.printed.functions, instance.printed.members);
    }
    const PrintedClass own = twins_.Print(instance.printed);
    return reader_.Read(own.functions, own.members);
  }

  static bool MayJoin(const Draft& draft, const Instance& instance) {
    return draft.space.size() < kMostMerged &&
           std::all_of(draft.instances.begin(), draft.instances.end(),
                       [&](const Instance* other) {
                         return MayShare(*other, instance);
                       });
  }

  // To the class of its twin. False: it may not be there.
  bool AddTwin(const Instance& instance) {
    for (const auto& draft : drafts_) {
      const auto twin = std::find(draft->instances.begin(),
                                  draft->instances.end(), instance.twin_of);
      if (twin == draft->instances.end()) continue;
      if (!MayJoin(*draft, instance)) return false;
      draft->merger.AddTwin(
          draft->space.Add(instance.facts),
          static_cast<size_t>(twin - draft->instances.begin()),
          vocabulary_.Of(TypeName(DType::kHalf)),
          vocabulary_.Of(TypeName(DType::kBfloat16)));
      draft->instances.push_back(&instance);
      return true;
    }
    return false;
  }

  const typed::Kernel& kernel_;
  Vocabulary vocabulary_;
  ClassReader reader_;
  TwinPrinter twins_;
  std::vector<std::unique_ptr<Draft>> drafts_;
};

class Merge {
 public:
  Merge(const Compiled& compiled, const std::string& tiling_type)
      : kernel_(*compiled.kernel), instances_(InstancesOf(compiled)) {
    const std::string late = LateOfSome(compiled);
    const SettledKernels settled(CodesOf(compiled.variants));
    InChains(
        FindFamilies(),
        [&](size_t i) {
          Instance& instance = instances_[i];
          instance.facts = FactsOf(kernel_, *instance.variant);
          if (instance.twin_of != nullptr) return;
          instance.printed =
              PrintClass(*settled.Make(instance.code), tiling_type, late,
                         compiled.source, known_);
        },
        [&](size_t i) { FamilyOf(instances_[i]).Add(instances_[i]); });
    for (const auto& family : families_) {
      for (const auto& draft : family->drafts()) drafts_.push_back(draft.get());
    }
    // Instances lie in one vector.
    std::sort(drafts_.begin(), drafts_.end(),
              [](const Draft* a, const Draft* b) {
                return a->instances[0] < b->instances[0];
              });
  }

  KernelClasses Plan() const {
    KernelClasses result;
    for (const Draft* draft : drafts_) {
      result.groups.push_back(Planned(draft->instances));
    }
    AddNeeds(result);
    return result;
  }

  // Once.
  KernelClasses Write() {
    KernelClasses result;
    std::atomic<size_t> conversions = 0;
    ForEachDraft(
        [&](size_t i) { conversions += SettleFunctions(*drafts_[i]); });
    bool in_float = conversions >= kWorthInFloat;
    bool take_float = in_float && CallInFloat() >= kWorthTakeFloat;
    if (take_float) CallTakeFloat();
    try {
      result.groups.resize(drafts_.size());
      ForEachDraft([&](size_t i) {
        result.groups[i] =
            print::Write(*drafts_[i], kernel_, Name(i, drafts_.size()));
        Shorten(result.groups[i].text);
      });
    } catch (const CannotMerge&) {
      in_float = take_float = false;
      result.groups.clear();
      for (const Draft* draft : drafts_) WriteApart(*draft, result.groups);
      for (ClassGroup& group : result.groups) Shorten(group.text);
    }
    AddNeeds(result);
    if (in_float) result.functions.Append(InFloatDefinition());
    if (take_float) result.functions.Append(TakeFloatDefinition());
    drafts_.clear();
    // To drop what is no longer needed takes a while.
    InParallel(1 + families_.size(), [&](size_t i) {
      if (i > 0) return families_[i - 1].reset();
      result.functions.Append(TakeCopies(kernel_, result.groups));
      result.functions.Append(TakeFreeFunctions(kernel_, result.groups));
    });
    InParallel(result.groups.size(),
               [&](size_t i) { NameScratch(result.groups[i].text); });
    return result;
  }

 private:
  // Gives the numbers of the instances of each.
  std::vector<std::vector<size_t>> FindFamilies() {
    std::map<std::vector<std::pair<const typed::Statement*, bool>>, size_t>
        numbers;  // by what fits
    std::vector<std::vector<size_t>> chains;
    for (size_t i = 0; i < instances_.size(); ++i) {
      const auto [number, added] =
          numbers.emplace(instances_[i].variant->fits, families_.size());
      if (added) {
        families_.push_back(std::make_unique<Family>(kernel_));
        chains.emplace_back();
      }
      instances_[i].family = number->second;
      chains[number->second].push_back(i);
    }
    return chains;
  }

  Family& FamilyOf(const Instance& instance) {
    return *families_[instance.family];
  }

  // Calls work(number) for all drafts, those of a family one after the other.
  void ForEachDraft(const std::function<void(size_t)>& work) {
    InParallel(families_.size(), [&](size_t family) {
      for (size_t i = 0; i < drafts_.size(); ++i) {
        if (drafts_[i]->instances[0]->family == family) work(i);
      }
    });
  }

  // A class for each choice of dtypes; for each variant where there cannot be
  // one.
  void WriteApart(const Draft& draft, std::vector<ClassGroup>& groups) {
    const auto write = [&](const std::vector<const Instance*>& some) {
      const std::unique_ptr<Draft> own = FamilyOf(*some[0]).Only(some);
      SettleFunctions(*own);
      groups.push_back(print::Write(*own, kernel_, Name(groups.size(), 2)));
    };
    std::map<std::vector<DType>, std::vector<const Instance*>> by_dtypes;
    for (const Instance* instance : draft.instances) {
      by_dtypes[instance->variant->dtypes].push_back(instance);
    }
    for (const auto& [dtypes, some] : by_dtypes) {
      try {
        write(some);
      } catch (const CannotMerge&) {
        for (const Instance* instance : some) write({instance});
      }
    }
  }

  // Gives how many of these conversions are of what a queue gives.
  size_t CallInFloat() {
    std::atomic<size_t> takes = 0;
    ForEachDraft([&](size_t i) {
      Draft& draft = *drafts_[i];
      for (FunctionText& function : draft.functions) {
        function = WithInFloat(std::move(function), draft.vocabulary);
        takes +=
            CountTakeFloat(function, draft.merger.slots(), draft.vocabulary);
      }
    });
    return takes;
  }

  void CallTakeFloat() {
    for (Draft* draft : drafts_) {
      for (FunctionText& function : draft->functions) {
        function = WithTakeFloat(std::move(function), draft->merger.slots(),
                                 draft->vocabulary);
      }
    }
  }

  std::string Name(size_t number, size_t of) const {
    return CamelCase(kernel_.name) + "Kernel" +
           (of > 1 ? fmt::format("{}", number + 1) : "");
  }

  void AddNeeds(KernelClasses& classes) const {
    for (const Instance& instance : instances_) {
      classes.keys = std::max(classes.keys, instance.key);
      classes.helpers.insert(instance.printed.helpers.begin(),
                             instance.printed.helpers.end());
      classes.fields.insert(instance.printed.fields.begin(),
                            instance.printed.fields.end());
    }
  }

  const typed::Kernel& kernel_;
  std::vector<Instance> instances_;
  PrintedFunctions known_;
  std::vector<std::unique_ptr<Family>> families_;
  std::vector<Draft*> drafts_;  // in the order of their first instances
};

}  // namespace

ClassPrinter::ClassPrinter(const Compiled& compiled,
                           const std::string& tiling_type) {
  const auto merge = std::make_shared<Merge>(compiled, tiling_type);
  plan_ = [merge] { return merge->Plan(); };
  write_ = [merge] { return merge->Write(); };
}

KernelClasses PrintClasses(const Compiled& compiled,
                           const std::string& tiling_type) {
  return ClassPrinter(compiled, tiling_type).Write();
}

std::vector<std::vector<KeyedVariant>> VariantsByClass(
    const KernelClasses& classes) {
  std::vector<std::vector<KeyedVariant>> groups;
  for (const ClassGroup& group : classes.groups) {
    groups.emplace_back();
    for (const ClassInstance& instance : group.instances) {
      groups.back().push_back({instance.variant, instance.key});
    }
  }
  return groups;
}

std::string TemplateArguments(const ClassGroup& group,
                              const std::vector<std::string>& types,
                              const std::vector<bool>& flags) {
  std::vector<std::string> words = types;
  for (const bool flag : flags) words.emplace_back(flag ? "true" : "false");
  if (group.parameters.empty() && group.flags.empty()) return "";
  return fmt::format("<{}>", fmt::join(words, ", "));
}

std::string TemplateParameters(const typed::Kernel& kernel,
                               const ClassGroup& group) {
  std::vector<std::string> words;
  for (const size_t variable : group.parameters) {
    words.push_back("typename " + LegalName(kernel.dtypes[variable]->name));
  }
  for (const std::string& flag : group.flags) words.push_back("bool " + flag);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<std::string> InitParameters(const ClassGroup& group) {
  std::vector<std::string> arguments;
  for (const std::string& tensor : group.tensors) {
    arguments.push_back(LegalName(tensor));
  }
  if (group.uses_workspace) arguments.emplace_back("workspace");
  return arguments;
}

}  // namespace belay::crux::print
