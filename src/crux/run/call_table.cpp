// SPDX-License-Identifier: Apache-2.0
#include "crux/run/call_table.h"

#include <map>

#include "base/error.h"
#include "crux/run/call_tags.h"

namespace belay::crux::run {

uint64_t last_gathered = 0;

const CallTable& CallTable::Get() {
  static const CallTable* const table = [] {
    auto* made = new CallTable;
    AddBinaryCalls(*made);
    AddUnaryCalls(*made);
    AddScalarCalls(*made);
    AddCastCalls(*made);
    AddCompareCalls(*made);
    AddFillCalls(*made);
    AddMoveCalls(*made);
    AddReduceCalls(*made);
    AddOrderCalls(*made);
    AddTurnCalls(*made);
    AddMathCalls(*made);
    AddRegisterCalls(*made);
    return made;
  }();
  return *table;
}

Call CallTable::Find(const std::string& key) const {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : found->second;
}

int64_t NumberOfWord(const std::string& word) {
  using AscendC::CMPMODE;
  using AscendC::ReduceOrder;
  using AscendC::RoundMode;
  using AscendC::SELMODE;
  static const std::map<std::string, int64_t, std::less<>> words = {
      {"true", 1},
      {"false", 0},
      {"MASK_PLACEHOLDER", 0},
#define BELAY_WORD(word) {#word, static_cast<int64_t>(word)},
      BELAY_WORD(RoundMode::CAST_NONE) BELAY_WORD(
          RoundMode::CAST_RINT) BELAY_WORD(RoundMode::CAST_FLOOR)
          BELAY_WORD(RoundMode::CAST_CEIL) BELAY_WORD(
              RoundMode::CAST_ROUND) BELAY_WORD(RoundMode::CAST_TRUNC)
              BELAY_WORD(RoundMode::CAST_ODD) BELAY_WORD(
                  CMPMODE::LT) BELAY_WORD(CMPMODE::GT) BELAY_WORD(CMPMODE::EQ)
                  BELAY_WORD(CMPMODE::LE) BELAY_WORD(CMPMODE::GE) BELAY_WORD(
                      CMPMODE::NE) BELAY_WORD(SELMODE::VSEL_CMPMASK_SPR)
                      BELAY_WORD(SELMODE::VSEL_TENSOR_SCALAR_MODE) BELAY_WORD(
                          SELMODE::VSEL_TENSOR_TENSOR_MODE)
                          BELAY_WORD(ReduceOrder::ORDER_VALUE_INDEX)
                              BELAY_WORD(ReduceOrder::ORDER_INDEX_VALUE)
                                  BELAY_WORD(ReduceOrder::ORDER_ONLY_VALUE)
                                      BELAY_WORD(ReduceOrder::ORDER_ONLY_INDEX)
#undef BELAY_WORD
  };
  const auto found = words.find(word);
  if (found == words.end()) {
    throw InternalError("[crux run] no word '" + word + "'");
  }
  return found->second;
}

int32_t NumberOfEvent(const std::string& name) {
  using AscendC::HardEvent;
  static const std::map<std::string, HardEvent, std::less<>> events = {
      {"MTE2_V", HardEvent::MTE2_V},
      {"V_MTE2", HardEvent::V_MTE2},
      {"MTE3_V", HardEvent::MTE3_V},
      {"V_MTE3", HardEvent::V_MTE3},
      {"MTE3_MTE2", HardEvent::MTE3_MTE2},
      {"MTE2_MTE3", HardEvent::MTE2_MTE3},
      {"S_V", HardEvent::S_V},
      {"V_S", HardEvent::V_S},
      {"S_MTE2", HardEvent::S_MTE2},
      {"MTE2_S", HardEvent::MTE2_S},
      {"S_MTE3", HardEvent::S_MTE3},
      {"MTE3_S", HardEvent::MTE3_S},
  };
  const auto found = events.find(name);
  if (found == events.end()) {
    throw InternalError("[crux run] no event '" + name + "'");
  }
  return static_cast<int32_t>(found->second);
}

int32_t NumberOfPipe(const std::string& name) {
  static const std::map<std::string, pipe_t, std::less<>> pipes = {
      {"PIPE_S", PIPE_S},       {"PIPE_V", PIPE_V},
      {"PIPE_MTE2", PIPE_MTE2}, {"PIPE_MTE3", PIPE_MTE3},
      {"PIPE_ALL", PIPE_ALL},
  };
  const auto found = pipes.find(name);
  if (found == pipes.end()) {
    throw InternalError("[crux run] no pipe '" + name + "'");
  }
  return static_cast<int32_t>(found->second);
}

}  // namespace belay::crux::run
