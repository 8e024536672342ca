// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_CALL_TABLE_H_
#define BELAY_CRUX_RUN_CALL_TABLE_H_

// The AscendC functions that compiled kernels call, by name and the types of
// their arguments, each as a function over argument values.
//
// A key is what overload resolution looks at: "Add(f32 f32 f32 #)". Tensors are
// their dtype, with an @ in front in global memory; integers, numbers and words
// (RoundMode::CAST_RINT) are #; structs are their names. Template arguments
// that are no types stand in front: "Sort<true>(…)"; types stand there, too,
// where no argument has one: "SetAtomicAdd<f32>()".

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "crux/run/program.h"

namespace belay::crux::run {

class CallTable {
 public:
  // The table of all families; made at the first call.
  static const CallTable& Get();

  // Null if there is none.
  Call Find(const std::string& key) const;

  // `f` is called with what the tags make of the arguments. F must have no
  // state.
  template <typename... Tags, typename F>
  void Add(std::string_view name, F) {
    std::string key(name);
    key += '(';
    bool first = true;
    ((key += first ? "" : " ", first = false, key += Tags::Token()), ...);
    key += ')';
    calls_.emplace(std::move(key), &Run<F, Tags...>);
  }

 private:
  template <typename F, typename... Tags>
  static void Run(const Argument* arguments) {
    RunAt<F, Tags...>(arguments, std::index_sequence_for<Tags...>{});
  }
  template <typename F, typename... Tags, size_t... i>
  static void RunAt([[maybe_unused]] const Argument* arguments,
                    std::index_sequence<i...>) {
    F{}(Tags::From(arguments[i])...);
  }

  std::unordered_map<std::string, Call> calls_;
};

// What the last GatherMask gave back: how many elements it kept.
extern uint64_t last_gathered;

// One for each family of functions.
void AddBinaryCalls(CallTable& table);
void AddUnaryCalls(CallTable& table);
void AddScalarCalls(CallTable& table);
void AddCastCalls(CallTable& table);
void AddCompareCalls(CallTable& table);
void AddFillCalls(CallTable& table);
void AddMoveCalls(CallTable& table);
void AddReduceCalls(CallTable& table);
void AddOrderCalls(CallTable& table);
void AddTurnCalls(CallTable& table);
void AddMathCalls(CallTable& table);
void AddRegisterCalls(CallTable& table);

// The number of a word: "RoundMode::CAST_RINT", "true". Throws InternalError.
int64_t NumberOfWord(const std::string& word);
// Of "V_MTE2": HardEvent's number; of "PIPE_ALL": pipe_t's.
int32_t NumberOfEvent(const std::string& name);
int32_t NumberOfPipe(const std::string& name);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_CALL_TABLE_H_
