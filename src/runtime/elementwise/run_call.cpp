// SPDX-License-Identifier: Apache-2.0
// belay_elementwise: one call of a kernel, piece by piece.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/catalogue.h"
#include "runtime/elementwise/functions.h"
#include "runtime/guest_fault.h"

namespace belay::runtime::elementwise {
namespace {

using Function = void (*)(const Piece&);

constexpr Function kFunctions[] = {
#define BELAY_ELEMENTWISE(name, registers, masks) name,
#include "belay/elementwise.def"
#undef BELAY_ELEMENTWISE
};

// To whole repeats.
uint64_t RoundedUp(uint64_t count) {
  constexpr uint64_t kLanes = abi::ElementwiseWork::kLanes;
  return (count + kLanes - 1) / kLanes * kLanes;
}

bool IsBinary(abi::Elementwise function) {
  switch (function) {
    case abi::Elementwise::kAxpy:
    case abi::Elementwise::kFmod:
    case abi::Elementwise::kGeGLU:
    case abi::Elementwise::kPower:
    case abi::Elementwise::kPowerInt:
    case abi::Elementwise::kReGlu:
    case abi::Elementwise::kSwiGLU:
      return true;
    default:
      return false;
  }
}

bool MayWorkInPlace(abi::Elementwise function) {
  switch (function) {
    case abi::Elementwise::kAxpy:
    case abi::Elementwise::kFasterGelu:
    case abi::Elementwise::kFasterGeluV2:
    case abi::Elementwise::kGelu:
    case abi::Elementwise::kRound:
    case abi::Elementwise::kTrunc:
      return true;
    default:
      return false;
  }
}

// Bytes of UB from `start` on.
struct Span {
  uint64_t start;
  uint64_t bytes;

  bool Overlaps(const Span& other) const {
    return start < other.start + other.bytes && other.start < start + bytes;
  }
};

Span SpanOf(const abi::Operand& operand, uint64_t count) {
  const bool wide = operand.dtype == abi::DType::kFloat ||
                    operand.dtype == abi::DType::kInt32;
  return {operand.address, count * (wide ? 4 : 2)};
}

void WarnOfOverlaps(Device& device, const abi::ElementwiseCall& call,
                    uint64_t pc) {
  const Span dst = SpanOf(call.dst, call.count);
  const uint64_t used = std::min<uint64_t>(
      call.temporary_bytes,
      abi::WorkOf(call.function).Bytes(RoundedUp(call.count)));
  const Span temporary = {call.temporary.address, used};
  const char* what = nullptr;
  if (temporary.Overlaps(dst)) what = "the temporary buffer and the result";
  for (const abi::Operand* src : {&call.src0, &call.src1}) {
    if (src->dtype == abi::DType::kNone) continue;
    const Span source = SpanOf(*src, call.count);
    if (temporary.Overlaps(source)) {
      what = "the temporary buffer and a source";
    } else if (dst.Overlaps(source) && !MayWorkInPlace(call.function)) {
      what = "the result and a source";
    }
  }
  if (what == nullptr) return;
  npu::Fault fault;
  fault.diagnostic.code = code::kN172;
  fault.diagnostic.severity = Severity::kWarning;
  fault.diagnostic.message =
      fmt::format("[{}] {} must not overlap", call.name, what);
  fault.diagnostic.fix = "give each of them memory of its own";
  fault.diagnostic.core = device.current()->core->Name();
  fault.diagnostic.pipe = "V";
  fault.pc = pc;
  device.chip().Report(std::move(fault));
}

void RunCall(Device& device, const abi::ElementwiseCall& call, uint64_t pc) {
  WarnOfOverlaps(device, call, pc);
  const Function function = kFunctions[static_cast<int>(call.function)];
  const uint64_t room = abi::WorkOf(call.function).Lanes(call.temporary_bytes);
  for (uint64_t first = 0; first < call.count; first += room) {
    const auto count =
        static_cast<uint32_t>(std::min(room, call.count - first));
    const auto lanes = static_cast<uint32_t>(RoundedUp(count));
    const Piece piece(device.chip(), *device.current()->core, pc, call, lanes,
                      room);
    piece.Load(piece[0], call.src0, first, count);
    if (IsBinary(call.function)) {
      piece.Load(piece[1], call.src1, first, count);
    }
    function(piece);
    piece.Store(call.dst, piece[0], first, count);
  }
}

}  // namespace
}  // namespace belay::runtime::elementwise

void belay_elementwise(const belay::abi::ElementwiseCall* call) {
  using belay::runtime::Device;
  const belay::runtime::GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = belay::runtime::RunningDevice("AscendC function", place);
  belay::runtime::RunOrFail(place, [&] {
    belay::runtime::elementwise::RunCall(device, *call, place.pc);
  });
}
