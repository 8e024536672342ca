// SPDX-License-Identifier: Apache-2.0
// The mask register, and atomic stores.

#include "crux/run/call_tags.h"

namespace belay::crux::run {
namespace {

using AscendC::MaskMode;

template <typename T>
void AddOf(CallTable& table) {
  const std::string dtype = Local<T>::Token();
  const auto add = [&](const char* name, auto function) {
    table.Add<>(std::string(name) + "<" + dtype + ">", function);
  };
  add("SetAtomicAdd", [] { AscendC::SetAtomicAdd<T>(); });
  add("SetAtomicMax", [] { AscendC::SetAtomicMax<T>(); });
  add("SetAtomicMin", [] { AscendC::SetAtomicMin<T>(); });
  table.Add<Number<uint64_t>, Number<uint64_t>>(
      "SetVectorMask<" + dtype + " MaskMode::COUNTER>",
      [](uint64_t high, uint64_t low) {
        AscendC::SetVectorMask<T, MaskMode::COUNTER>(high, low);
      });
  table.Add<Number<uint64_t>, Number<uint64_t>>(
      "SetVectorMask<" + dtype + " MaskMode::NORMAL>",
      [](uint64_t high, uint64_t low) {
        AscendC::SetVectorMask<T, MaskMode::NORMAL>(high, low);
      });
}

}  // namespace

void AddRegisterCalls(CallTable& table) {
  table.Add<>("SetMaskCount", [] { AscendC::SetMaskCount(); });
  table.Add<>("SetMaskNorm", [] { AscendC::SetMaskNorm(); });
  table.Add<>("ResetMask", [] { AscendC::ResetMask(); });
  table.Add<>("SetAtomicNone", [] { AscendC::SetAtomicNone(); });
  AddOf<int8_t>(table);
  AddOf<uint8_t>(table);
  AddOf<int16_t>(table);
  AddOf<uint16_t>(table);
  AddOf<half>(table);
  AddOf<bfloat16_t>(table);
  AddOf<int32_t>(table);
  AddOf<uint32_t>(table);
  AddOf<float>(table);
}

}  // namespace belay::crux::run
