// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_EVENT_H_
#define BELAY_ASCENDC_EVENT_H_

// Pipes and events in the record's terms.

#include "ascendc/inline.h"
#include "ascendc/types.h"
#include "belay/instruction.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Pipes this chip does not have count as all pipes.
BELAY_API constexpr abi::Pipe PipeOf(pipe_t pipe) {
  switch (pipe) {
    case PIPE_S:
      return abi::Pipe::kS;
    case PIPE_V:
      return abi::Pipe::kV;
    case PIPE_M:
      return abi::Pipe::kM;
    case PIPE_MTE1:
      return abi::Pipe::kMte1;
    case PIPE_MTE2:
      return abi::Pipe::kMte2;
    case PIPE_MTE3:
      return abi::Pipe::kMte3;
    case PIPE_FIX:
      return abi::Pipe::kFix;
    default:
      return abi::Pipe::kAll;
  }
}

struct EventPipes {
  abi::Pipe from;
  abi::Pipe to;
};

BELAY_API constexpr EventPipes PipesOf(AscendC::HardEvent event) {
  using abi::Pipe;
  using AscendC::HardEvent;
  switch (event) {
#define BELAY_EVENT(name, from, to) \
  case HardEvent::name:             \
    return {Pipe::from, Pipe::to};
    BELAY_EVENT(MTE2_MTE1, kMte2, kMte1)
    BELAY_EVENT(MTE1_MTE2, kMte1, kMte2)
    BELAY_EVENT(MTE1_M, kMte1, kM)
    BELAY_EVENT(M_MTE1, kM, kMte1)
    BELAY_EVENT(MTE2_V, kMte2, kV)
    BELAY_EVENT(V_MTE2, kV, kMte2)
    BELAY_EVENT(MTE3_V, kMte3, kV)
    BELAY_EVENT(V_MTE3, kV, kMte3)
    BELAY_EVENT(M_V, kM, kV)
    BELAY_EVENT(V_M, kV, kM)
    BELAY_EVENT(V_V, kV, kV)
    BELAY_EVENT(MTE3_MTE1, kMte3, kMte1)
    BELAY_EVENT(MTE1_MTE3, kMte1, kMte3)
    BELAY_EVENT(MTE1_V, kMte1, kV)
    BELAY_EVENT(MTE2_M, kMte2, kM)
    BELAY_EVENT(M_MTE2, kM, kMte2)
    BELAY_EVENT(V_MTE1, kV, kMte1)
    BELAY_EVENT(M_FIX, kM, kFix)
    BELAY_EVENT(FIX_M, kFix, kM)
    BELAY_EVENT(MTE3_MTE2, kMte3, kMte2)
    BELAY_EVENT(MTE2_MTE3, kMte2, kMte3)
    BELAY_EVENT(S_V, kS, kV)
    BELAY_EVENT(V_S, kV, kS)
    BELAY_EVENT(S_MTE2, kS, kMte2)
    BELAY_EVENT(MTE2_S, kMte2, kS)
    BELAY_EVENT(S_MTE3, kS, kMte3)
    BELAY_EVENT(MTE3_S, kMte3, kS)
    BELAY_EVENT(MTE2_FIX, kMte2, kFix)
    BELAY_EVENT(FIX_MTE2, kFix, kMte2)
    BELAY_EVENT(FIX_S, kFix, kS)
    BELAY_EVENT(M_S, kM, kS)
    BELAY_EVENT(FIX_MTE3, kFix, kMte3)
    BELAY_EVENT(MTE1_FIX, kMte1, kFix)
    BELAY_EVENT(FIX_MTE1, kFix, kMte1)
    BELAY_EVENT(FIX_FIX, kFix, kFix)
#undef BELAY_EVENT
    case HardEvent::MAX:
      break;
  }
  return {Pipe::kAll, Pipe::kAll};
}

BELAY_API constexpr abi::Pipe FromOf(AscendC::HardEvent event) {
  return PipesOf(event).from;
}
BELAY_API constexpr abi::Pipe ToOf(AscendC::HardEvent event) {
  return PipesOf(event).to;
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_EVENT_H_
