// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_LOAD_PARAMS_H_
#define BELAY_ASCENDC_CUBE_LOAD_PARAMS_H_

// The structs of LoadData and of what goes with it. Constructors keep AscendC's
// widths, so that narrowing in braces is refused as the card's compiler does.

#include "ascendc/cube/types.h"
#include "ascendc/params.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Start, stride and gap count fractals of 512 bytes; the stride runs from
// start to start, the gap from end to start.
struct LoadData2DParams {
  BELAY_API constexpr LoadData2DParams() {}
  BELAY_API constexpr LoadData2DParams(uint16_t start, uint8_t repeat,
                                       uint16_t source_stride, uint8_t reserved,
                                       uint16_t destination_gap, bool transpose,
                                       uint8_t address_mode)
      : startIndex(start),
        dstGap(destination_gap),
        srcStride(source_stride),
        ifTranspose(transpose),
        repeatTimes(repeat),
        sid(reserved),
        addrMode(address_mode) {}

  belay::api::Field<uint16_t> startIndex{0};
  belay::api::Field<uint16_t> dstGap{0};
  belay::api::Field<uint16_t> srcStride{0};
  bool ifTranspose = false;
  belay::api::Field<uint8_t> repeatTimes{0};
  uint8_t sid = 0;
  uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

// Start and stride count squares of fractals, gaps fractals.
struct LoadData2dTransposeParams {
  BELAY_API constexpr LoadData2dTransposeParams() {}
  BELAY_API constexpr LoadData2dTransposeParams(uint16_t start, uint8_t repeat,
                                                uint16_t source_stride,
                                                uint16_t destination_gap,
                                                uint16_t fractal_gap)
      : startIndex(start),
        repeatTimes(repeat),
        srcStride(source_stride),
        dstGap(destination_gap),
        dstFracGap(fractal_gap) {}
  BELAY_API constexpr LoadData2dTransposeParams(uint16_t start, uint8_t repeat,
                                                uint16_t source_stride,
                                                uint16_t destination_gap,
                                                uint16_t fractal_gap,
                                                uint8_t address_mode)
      : LoadData2dTransposeParams(start, repeat, source_stride, destination_gap,
                                  fractal_gap) {
    addrMode = address_mode;
  }

  belay::api::Field<uint16_t> startIndex{0};
  belay::api::Field<uint8_t> repeatTimes{0};
  belay::api::Field<uint16_t> srcStride{0};
  belay::api::Field<uint16_t> dstGap{0};
  belay::api::Field<uint16_t> dstFracGap{0};
  uint8_t addrMode = 0;
};

// A part of the matrix that im2col makes of a feature map NC1HWC0 in L1. All
// in elements.
template <typename T>
struct LoadData3DParamsV2 {
  LoadData3DParamsV2() = default;
  BELAY_API LoadData3DParamsV2(const uint8_t padding[PAD_SIZE], uint16_t height,
                               uint16_t width, uint16_t channels,
                               uint16_t k_extension, uint16_t m_extension,
                               uint16_t k_start, uint16_t m_start,
                               uint8_t stride_width, uint8_t stride_height,
                               uint8_t filter_width, uint8_t filter_height,
                               uint8_t dilation_width, uint8_t dilation_height,
                               bool transpose, bool small_k, T padding_value)
      : l1H(height),
        l1W(width),
        channelSize(channels),
        kExtension(k_extension),
        mExtension(m_extension),
        kStartPt(k_start),
        mStartPt(m_start),
        strideW(stride_width),
        strideH(stride_height),
        filterW(filter_width),
        filterH(filter_height),
        dilationFilterW(dilation_width),
        dilationFilterH(dilation_height),
        enTranspose(transpose),
        enSmallK(small_k),
        padValue(padding_value) {
    for (int i = 0; i < PAD_SIZE; ++i) padList[i] = padding[i];
  }
  BELAY_API LoadData3DParamsV2(const uint8_t padding[PAD_SIZE], uint16_t height,
                               uint16_t width, uint16_t channels,
                               uint16_t k_extension, uint16_t m_extension,
                               uint16_t k_start, uint16_t m_start,
                               uint8_t stride_width, uint8_t stride_height,
                               uint8_t filter_width, uint8_t filter_height,
                               uint8_t dilation_width, uint8_t dilation_height,
                               bool transpose, bool small_k, T padding_value,
                               bool wide_filter, bool high_filter,
                               bool right_fmatrix)
      : LoadData3DParamsV2(padding, height, width, channels, k_extension,
                           m_extension, k_start, m_start, stride_width,
                           stride_height, filter_width, filter_height,
                           dilation_width, dilation_height, transpose, small_k,
                           padding_value) {
    filterSizeW = wide_filter;
    filterSizeH = high_filter;
    fMatrixCtrl = right_fmatrix;
  }

  uint8_t padList[PAD_SIZE] = {0, 0, 0, 0};  // left, right, top, bottom
  belay::api::Field<uint16_t> l1H{0};
  belay::api::Field<uint16_t> l1W{0};
  belay::api::Field<uint16_t> channelSize{0};
  belay::api::Field<uint16_t> kExtension{0};
  belay::api::Field<uint16_t> mExtension{0};
  belay::api::Field<uint16_t> kStartPt{0};
  belay::api::Field<uint16_t> mStartPt{0};
  belay::api::Field<uint8_t> strideW{1};
  belay::api::Field<uint8_t> strideH{1};
  belay::api::Field<uint8_t> filterW{1};
  belay::api::Field<uint8_t> filterH{1};
  belay::api::Field<uint8_t> dilationFilterW{1};
  belay::api::Field<uint8_t> dilationFilterH{1};
  bool enTranspose = false;
  bool enSmallK = false;
  T padValue = T();
  bool filterSizeW = false;  // 256 wider
  bool filterSizeH = false;  // 256 higher
  bool fMatrixCtrl = false;
};

// The same with fields packed: extConfig holds k and m extension and k and m
// start, 16 bits each from the lowest; filterConfig the strides, the filter and
// the dilation, each width then height, 8 bits each from the lowest.
struct LoadData3DParamsV2Pro {
  BELAY_API constexpr LoadData3DParamsV2Pro() {}
  BELAY_API constexpr LoadData3DParamsV2Pro(uint16_t channels, bool transpose,
                                            bool small_k, bool wide_filter,
                                            bool high_filter,
                                            bool right_fmatrix,
                                            uint64_t extensions,
                                            uint64_t filter)
      : channelSize(channels),
        enTranspose(transpose),
        enSmallK(small_k),
        filterSizeW(wide_filter),
        filterSizeH(high_filter),
        fMatrixCtrl(right_fmatrix),
        extConfig(extensions),
        filterConfig(filter) {}

  belay::api::Field<uint16_t> channelSize{0};
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;
  uint64_t filterConfig = 0x10101010101;
};

// repeatMode 0: along m, in 16 rows; 1: along k, in 32 bytes.
struct LoadDataRepeatParam {
  BELAY_API constexpr LoadDataRepeatParam() {}
  BELAY_API constexpr LoadDataRepeatParam(uint16_t stride, uint8_t times,
                                          uint8_t mode)
      : repeatStride(stride), repeatTime(times), repeatMode(mode) {}

  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
};

// Blocks of 32 bytes in L1, of 512 in L0A and L0B.
template <typename T>
struct InitConstValueParams {
  InitConstValueParams() = default;
  BELAY_API InitConstValueParams(uint16_t repeat, uint16_t blocks, uint16_t gap,
                                 T value)
      : repeatTimes(repeat), blockNum(blocks), dstGap(gap), initValue(value) {}
  // 512 bytes a time, without gaps.
  BELAY_API InitConstValueParams(uint16_t repeat, T value)
      : repeatTimes(repeat), initValue(value) {}

  belay::api::Field<uint16_t> repeatTimes{0};
  belay::api::Field<uint16_t> blockNum{0};
  belay::api::Field<uint16_t> dstGap{0};
  T initValue = T();
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_LOAD_PARAMS_H_
