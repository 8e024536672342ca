// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_FIXPIPE_PARAMS_H_
#define BELAY_ASCENDC_CUBE_FIXPIPE_PARAMS_H_

// The structs of Fixpipe and of DataCopy out of L0C.

#include "ascendc/cube/types.h"
#include "ascendc/params.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// srcStride counts 16 elements of L0C. dstStride: elements of a row where the
// result is row-major, else 32 bytes between columns of blocks. srcNdStride
// counts 1024 bytes, dstNdStride elements.
struct FixpipeParamsV220 {
  BELAY_API constexpr FixpipeParamsV220() {}
  BELAY_API constexpr FixpipeParamsV220(uint16_t columns, uint16_t rows,
                                        uint16_t source_stride,
                                        uint32_t destination_stride, bool relu)
      : nSize(columns),
        mSize(rows),
        srcStride(source_stride),
        dstStride(destination_stride),
        reluEn(relu) {}
  BELAY_API constexpr FixpipeParamsV220(
      uint16_t columns, uint16_t rows, uint16_t source_stride,
      uint32_t destination_stride, bool relu, QuantMode_t quant, int64_t scale,
      uint16_t matrices, uint16_t source_matrix, uint16_t destination_matrix,
      uint8_t unit_flag)
      : FixpipeParamsV220(columns, rows, source_stride, destination_stride,
                          relu) {
    quantPre = quant;
    deqScalar = static_cast<uint64_t>(scale);
    ndNum = matrices;
    srcNdStride = source_matrix;
    dstNdStride = destination_matrix;
    unitFlag = unit_flag;
  }
  BELAY_API constexpr FixpipeParamsV220(
      uint16_t columns, uint16_t rows, uint16_t source_stride,
      uint32_t destination_stride, bool relu, QuantMode_t quant, int64_t scale,
      uint16_t matrices, uint16_t source_matrix, uint16_t destination_matrix,
      uint8_t unit_flag, bool channel_split)
      : FixpipeParamsV220(columns, rows, source_stride, destination_stride,
                          relu, quant, scale, matrices, source_matrix,
                          destination_matrix, unit_flag) {
    isChannelSplit = channel_split;
  }

  belay::api::Field<uint16_t> nSize{0};
  belay::api::Field<uint16_t> mSize{0};
  belay::api::Field<uint16_t> srcStride{0};
  belay::api::Field<uint32_t> dstStride{0};
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint64_t deqScalar = 0;
  belay::api::Field<uint16_t> ndNum{1};
  belay::api::Field<uint16_t> srcNdStride{0};
  belay::api::Field<uint16_t> dstNdStride{0};
  bool reluEn = false;
  uint8_t unitFlag = 0;
  bool isChannelSplit = false;
};

// The same for DataCopy; scales and the row-major form's matrices are set
// before.
struct DataCopyCO12DstParams {
  BELAY_API constexpr DataCopyCO12DstParams() {}
  BELAY_API constexpr DataCopyCO12DstParams(uint16_t columns, uint16_t rows,
                                            uint32_t destination_stride,
                                            uint16_t source_stride,
                                            QuantMode_t quant, uint8_t relu,
                                            bool channel_split, bool row_major)
      : nSize(columns),
        mSize(rows),
        dstStride(destination_stride),
        srcStride(source_stride),
        quantPre(quant),
        reluPre(relu),
        channelSplit(channel_split),
        nz2ndEn(row_major) {}

  uint8_t sid = 0;
  belay::api::Field<uint16_t> nSize{0};
  belay::api::Field<uint16_t> mSize{0};
  belay::api::Field<uint32_t> dstStride{1};
  belay::api::Field<uint16_t> srcStride{1};
  uint8_t unitFlag = 0;
  uint8_t clipReluPre = 0;
  uint8_t eltWiseOp = 0;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  uint8_t reluPre = 0;
  bool channelSplit = false;
  bool nz2ndEn = false;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_FIXPIPE_PARAMS_H_
