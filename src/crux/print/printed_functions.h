// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_PRINTED_FUNCTIONS_H_
#define BELAY_CRUX_PRINT_PRINTED_FUNCTIONS_H_

// Functions that several variants of a kernel have word for word, printed once.

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/name_numbers.h"
#include "crux/print/class_facts.h"
#include "crux/print/integer_text.h"
#include "crux/print/names.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// 128 bits of all that the text of a function follows from: functions of equal
// keys have equal texts.
struct FunctionKey {
  uint64_t low = 0;
  uint64_t high = 0;
  auto operator<=>(const FunctionKey&) const = default;
};

// Makes the keys of one class's functions. Names get their identifiers in the
// order in which keys come upon them.
class FunctionKeys {
 public:
  // All must outlive it.
  FunctionKeys(const code::Kernel& kernel, const ClassFacts& facts,
               Names& names)
      : kernel_(kernel), facts_(facts), names_(names) {}

  FunctionKey Of(const code::Function& function);

 private:
  void Add(uint64_t number);
  void Add(std::string_view text);
  void Add(DType dtype) { Add(static_cast<uint64_t>(dtype)); }
  void Add(const ir::Int& integer);
  void Add(const code::Local& local);
  void Add(const code::GlobalPart& global);
  void Add(const code::Scalar& scalar);
  void Add(const code::Arg& arg);
  void Add(const code::Block& block);
  void Add(const code::Stmt& stmt);
  void AddInvoke(const code::Stmt& stmt);
  // An integer or tensor, and what the class knows of it.
  void AddName(const std::string& name);
  void AddName(const std::string& name, uint64_t hash);
  void AddMember(NameKind kind, const std::string& name);
  uint64_t ContextOf(const std::string& name, uint64_t hash);

  const code::Kernel& kernel_;
  const ClassFacts& facts_;
  Names& names_;
  ir::NameNumbers numbers_;
  std::vector<uint64_t> contexts_;  // by a name's number
  FunctionKey key_;
};

// May be asked by several threads at a time.
class PrintedFunctions {
 public:
  struct One {
    std::shared_ptr<const Text> text;
    std::set<Helper> helpers;
    std::set<std::string> fields;
  };

  // Null: none yet.
  std::shared_ptr<const One> Find(const FunctionKey& key);
  // Gives the one that is there, which another thread may have added.
  std::shared_ptr<const One> Add(const FunctionKey& key, One one);

 private:
  std::mutex mutex_;
  std::map<FunctionKey, std::shared_ptr<const One>> known_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_PRINTED_FUNCTIONS_H_
