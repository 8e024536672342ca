// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TENSOR_TRAIT_H_
#define BELAY_ASCENDC_TENSOR_TRAIT_H_

// TensorTrait: an element type that also names a position and a layout. A
// tensor of TensorTrait<T> is a tensor of T.

#include "ascendc/dtype.h"
#include "ascendc/layout.h"
#include "ascendc/types.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename T, TPosition pos = TPosition::GM,
          typename LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
  using LiteType = T;
  using LiteLayoutType = LayoutType;
  static constexpr TPosition tPos = pos;

  BELAY_API constexpr TensorTrait(const LayoutType& layout = {})
      : layout_(layout) {}

  BELAY_API constexpr LayoutType& GetLayout() { return layout_; }
  BELAY_API constexpr const LayoutType& GetLayout() const { return layout_; }
  BELAY_API constexpr void SetLayout(const LayoutType& layout) {
    layout_ = layout;
  }
  BELAY_API constexpr decltype(auto) GetShape() const {
    return layout_.GetShape();
  }
  BELAY_API constexpr decltype(auto) GetStride() const {
    return layout_.GetStride();
  }

 private:
  LayoutType layout_;
};

template <typename T, TPosition pos, typename LayoutType>
BELAY_API constexpr auto MakeTensorTrait(const LayoutType& layout) {
  return TensorTrait<T, pos, LayoutType>(layout);
}

template <typename T>
struct is_tensorTrait : Std::false_type {};
template <typename T, TPosition pos, typename LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : Std::true_type {};

template <typename T, TPosition pos, typename LayoutType>
struct PrimTypeOf<TensorTrait<T, pos, LayoutType>> {
  using type = T;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_TENSOR_TRAIT_H_
