// SPDX-License-Identifier: Apache-2.0
// DumpTensor (belay/guest_abi.h): prints elements of a tensor.

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "base/dtype.h"
#include "base/float16.h"
#include "belay/guest_abi.h"
#include "runtime/guest_fault.h"

namespace belay::runtime {
namespace {

template <typename T>
T Element(uint64_t address, uint32_t index) {
  T value;
  std::memcpy(&value,
              reinterpret_cast<const std::byte*>(address) + index * sizeof(T),
              sizeof(T));
  return value;
}

std::string ElementText(DType dtype, uint64_t address, uint32_t index) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUint8:
      return fmt::to_string(Element<uint8_t>(address, index));
    case DType::kInt8:
      return fmt::to_string(Element<int8_t>(address, index));
    case DType::kInt16:
      return fmt::to_string(Element<int16_t>(address, index));
    case DType::kUint16:
      return fmt::to_string(Element<uint16_t>(address, index));
    case DType::kInt32:
      return fmt::to_string(Element<int32_t>(address, index));
    case DType::kUint32:
      return fmt::to_string(Element<uint32_t>(address, index));
    case DType::kInt64:
      return fmt::to_string(Element<int64_t>(address, index));
    case DType::kUint64:
      return fmt::to_string(Element<uint64_t>(address, index));
    case DType::kHalf:
      return fmt::format("{:f}", ToFloat(Element<Half>(address, index)));
    case DType::kBfloat16:
      return fmt::format("{:f}", ToFloat(Element<Bfloat16>(address, index)));
    case DType::kFloat:
      return fmt::format("{:f}", Element<float>(address, index));
    default:
      return "?";
  }
}

constexpr const char* kPositions[] = {
    "GM",  "A1", "A2", "B1", "B2",  "C1",   "C2",        "CO1",
    "CO2", "UB", "UB", "UB", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};

}  // namespace
}  // namespace belay::runtime

void belay_dump_tensor(uint64_t address, belay::abi::DType dtype,
                       belay::abi::Position position, uint32_t label,
                       uint32_t count) {
  namespace runtime = belay::runtime;
  const runtime::GuestPlace place = BELAY_GUEST_PLACE();
  runtime::Device& device = runtime::RunningDevice("DumpTensor", place);
  belay::npu::Core& core = *device.current()->core;
  const uint64_t bytes = belay::BytesOf(dtype, count + count % 2);
  runtime::RunOrFail(place, [&] {
    // No flag leads from the fixpipe to the scalar unit, so on cube cores the
    // call itself waits for all pipes.
    if (core.type == belay::npu::CoreType::kCube) {
      belay::abi::Instruction barrier{};
      barrier.op = belay::abi::Op::kPipeBarrier;
      barrier.sync.from = barrier.sync.to = belay::abi::Pipe::kAll;
      barrier.pc = place.pc;
      device.chip().Issue(core, barrier);
    }
    device.chip().AccessDirect(core, address, bytes, false, place.pc);
  });
  std::string text = fmt::format(
      "DumpTensor: desc={}, addr=0x{:x}, data_type={}, position={}, "
      "block_id={}, dump_size={}\n[",
      label, address, belay::AscendNameOf(dtype),
      runtime::kPositions[static_cast<int>(position)], device.current()->index,
      count);
  for (uint32_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    text += runtime::ElementText(dtype, address, i);
  }
  text += "]\n";
  std::fputs(text.c_str(), stdout);
}
