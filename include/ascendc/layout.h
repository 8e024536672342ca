// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_LAYOUT_H_
#define BELAY_ASCENDC_LAYOUT_H_

// Layout: the shape of a tensor and the distance between neighbours in each
// dimension, in elements. Dimensions may be tuples of dimensions.

#include "ascendc/std.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename... Ts>
using Shape = Std::tuple<Ts...>;
template <typename... Ts>
using Stride = Std::tuple<Ts...>;
template <typename... Ts>
using Coord = Std::tuple<Ts...>;

template <typename... Ts>
BELAY_API constexpr Shape<Ts...> MakeShape(const Ts&... dims) {
  return {dims...};
}
template <typename... Ts>
BELAY_API constexpr Stride<Ts...> MakeStride(const Ts&... strides) {
  return {strides...};
}
template <typename... Ts>
BELAY_API constexpr Coord<Ts...> MakeCoord(const Ts&... coordinates) {
  return {coordinates...};
}

}  // namespace AscendC

namespace belay::api {

namespace std_ = AscendC::Std;

template <typename T, typename U>
BELAY_API constexpr auto Plus(const T& a, const U& b) {
  return a + b;
}
template <size_t a, size_t b>
BELAY_API constexpr auto Plus(std_::Int<a>, std_::Int<b>) {
  return std_::Int<a + b>{};
}
template <typename T, typename U>
BELAY_API constexpr auto Times(const T& a, const U& b) {
  return a * b;
}
template <size_t a, size_t b>
BELAY_API constexpr auto Times(std_::Int<a>, std_::Int<b>) {
  return std_::Int<a * b>{};
}
template <typename T, typename U>
BELAY_API constexpr auto Quotient(const T& a, const U& b) {
  return b == 0 ? a : a / b;
}
template <size_t a, size_t b>
BELAY_API constexpr auto Quotient(std_::Int<a>, std_::Int<b>) {
  return std_::Int<(b == 0 ? a : a / (b == 0 ? 1 : b))>{};
}
template <typename T, typename U>
BELAY_API constexpr auto Remainder(const T& a, const U& b) {
  return b == 0 ? a : a % b;
}
template <size_t a, size_t b>
BELAY_API constexpr auto Remainder(std_::Int<a>, std_::Int<b>) {
  return std_::Int<(b == 0 ? a : a % (b == 0 ? 1 : b))>{};
}

template <typename Coordinate, typename Shape, typename Stride>
BELAY_API constexpr auto IndexAt(const Coordinate& at, const Shape& shape,
                                 const Stride& stride);

// Dimensions `d` and up of a coordinate with as many parts as the stride.
template <size_t d, typename Coordinate, typename Shape, typename Stride>
BELAY_API constexpr auto IndexFrom(const Coordinate& at, const Shape& shape,
                                   const Stride& stride) {
  const auto here =
      IndexAt(std::get<d>(at), std::get<d>(shape), std::get<d>(stride));
  if constexpr (d + 1 == std::tuple_size_v<Stride>) {
    return here;
  } else {
    return Plus(here, IndexFrom<d + 1>(at, shape, stride));
  }
}

// Dimensions `d` and up of a number that counts the first dimension fastest.
template <size_t d, typename Coordinate, typename Shape, typename Stride>
BELAY_API constexpr auto LinearFrom(const Coordinate& at, const Shape& shape,
                                    const Stride& stride) {
  if constexpr (d + 1 == std::tuple_size_v<Stride>) {
    return IndexAt(at, std::get<d>(shape), std::get<d>(stride));
  } else {
    return Plus(
        IndexAt(Remainder(at, std::get<d>(shape)), std::get<d>(shape),
                std::get<d>(stride)),
        LinearFrom<d + 1>(Quotient(at, std::get<d>(shape)), shape, stride));
  }
}

template <typename Coordinate, typename Shape, typename Stride>
BELAY_API constexpr auto IndexAt(const Coordinate& at, const Shape& shape,
                                 const Stride& stride) {
  if constexpr (!std_::is_tuple_v<Stride>) {
    return Times(at, stride);
  } else if constexpr (std_::is_tuple_v<Coordinate>) {
    return IndexFrom<0>(at, shape, stride);
  } else {
    return LinearFrom<0>(at, shape, stride);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename CoordType, typename ShapeType, typename StrideType>
BELAY_API constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape,
                                 const StrideType& stride) {
  return belay::api::IndexAt(coord, shape, stride);
}

template <typename ShapeType, typename StrideType>
struct Layout {
  BELAY_API constexpr Layout(const ShapeType& shape = {},
                             const StrideType& stride = {})
      : shape_(shape), stride_(stride) {}

  BELAY_API constexpr Layout& layout() { return *this; }
  BELAY_API constexpr const Layout& layout() const { return *this; }
  BELAY_API constexpr ShapeType& GetShape() { return shape_; }
  BELAY_API constexpr const ShapeType& GetShape() const { return shape_; }
  BELAY_API constexpr StrideType& GetStride() { return stride_; }
  BELAY_API constexpr const StrideType& GetStride() const { return stride_; }

  // Where a coordinate lies, in elements.
  template <typename CoordType>
  BELAY_API constexpr auto operator()(const CoordType& coord) const {
    return Crd2Idx(coord, shape_, stride_);
  }

 private:
  ShapeType shape_;
  StrideType stride_;
};

template <typename ShapeType, typename StrideType>
BELAY_API constexpr auto MakeLayout(const ShapeType& shape,
                                    const StrideType& stride) {
  return Layout<ShapeType, StrideType>(shape, stride);
}

template <typename CoordType, typename ShapeType, typename StrideType>
BELAY_API constexpr auto Crd2Idx(const CoordType& coord,
                                 const Layout<ShapeType, StrideType>& layout) {
  return layout(coord);
}

template <typename T>
struct is_layout : Std::false_type {};
template <typename ShapeType, typename StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : Std::true_type {};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_LAYOUT_H_
