// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_CALL_TAGS_H_
#define BELAY_CRUX_RUN_CALL_TAGS_H_

// How argument values become the arguments of AscendC functions: the tags that
// CallTable::Add takes, and the functions themselves.

#include <string>

#include "crux/run/call_table.h"
#include "kernel_operator.h"

namespace belay::crux::run {

template <typename T>
AscendC::LocalTensor<T> LocalAs(const LocalView& view) {
  return AscendC::LocalTensor<T>(static_cast<AscendC::TPosition>(view.position),
                                 view.address, view.bytes, 0,
                                 {view.buffer, view.buffer_bytes});
}

template <typename T>
AscendC::GlobalTensor<T> GlobalAs(const GlobalView& view) {
  AscendC::GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<T*>(view.buffer), view.elements);
  tensor.MoveTo(view.address);
  if (view.past_l2) {
    tensor.SetL2CacheHint(AscendC::CacheMode::CACHE_MODE_DISABLE);
  }
  return tensor;
}

template <typename T>
struct Local {
  static std::string Token() {
    return std::string(belay::NameOf(belay::api::kDTypeOf<T>));
  }
  static AscendC::LocalTensor<T> From(const Argument& argument) {
    return LocalAs<T>(argument.local);
  }
};

template <typename T>
struct Global {
  static std::string Token() { return "@" + Local<T>::Token(); }
  static AscendC::GlobalTensor<T> From(const Argument& argument) {
    return GlobalAs<T>(argument.global);
  }
};

// A number as T, an enumeration's word as T.
template <typename T>
struct Number {
  static std::string Token() { return "#"; }
  static T From(const Argument& argument) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(argument.whole);
    } else {
      return NumberAs<T>(argument);
    }
  }
};
using Count = Number<int64_t>;

// A struct whose members `names` are set from the fields in order.
#define BELAY_STRUCT_TAG(tag, type, ...)                      \
  struct tag {                                                \
    static std::string Token() { return #type; }              \
    static AscendC::type From(const Argument& argument) {     \
      AscendC::type value;                                    \
      const int64_t* field = argument.fields.data();          \
      belay::crux::run::SetFields(field, value, __VA_ARGS__); \
      return value;                                           \
    }                                                         \
  };

template <typename S, typename... Members>
void SetFields(const int64_t* field, S& value, Members... members) {
  ((value.*members = *field++), ...);
}

BELAY_STRUCT_TAG(UnaryRepeat, UnaryRepeatParams,
                 &AscendC::UnaryRepeatParams::dstBlkStride,
                 &AscendC::UnaryRepeatParams::srcBlkStride,
                 &AscendC::UnaryRepeatParams::dstRepStride,
                 &AscendC::UnaryRepeatParams::srcRepStride)
BELAY_STRUCT_TAG(BinaryRepeat, BinaryRepeatParams,
                 &AscendC::BinaryRepeatParams::dstBlkStride,
                 &AscendC::BinaryRepeatParams::src0BlkStride,
                 &AscendC::BinaryRepeatParams::src1BlkStride,
                 &AscendC::BinaryRepeatParams::dstRepStride,
                 &AscendC::BinaryRepeatParams::src0RepStride,
                 &AscendC::BinaryRepeatParams::src1RepStride)

// Wraps an overloaded function of AscendC.
#define BELAY_FUNCTION(name) \
  [](const auto&... arguments) { AscendC::name(arguments...); }

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_CALL_TAGS_H_
