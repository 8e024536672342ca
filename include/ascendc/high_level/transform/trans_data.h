// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_H_

// TransData: NCDHW to NDC1HWC0 or FRACTAL_Z_3D and back, tile by tile: all
// pixels of an image by 16 channels. Pixels of NCDHW are padded to 32 bytes;
// channels and images that fill up a 16 are 0.

#include "ascendc/data_copy.h"
#include "ascendc/fill.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/high_level/transform/trans_data_config.h"
#include "ascendc/layout.h"
#include "ascendc/sync.h"
#include "ascendc/transpose.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename T, typename U>
struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

}  // namespace AscendC

namespace belay::api {

struct ImageShape {
  uint32_t n;
  uint32_t c;
  uint32_t d;
  uint32_t pixels;
};

template <typename T>
class ChannelTiles {
 public:
  BELAY_API ChannelTiles(const ImageShape& shape, Temporary& temporary)
      : shape_(shape), padded_(PaddedPixels(shape.pixels)) {
    tile_ = temporary.Take<T>(padded_ * 16);
    spare_ = temporary.Take<T>(padded_);
    AscendC::Duplicate(spare_.template ReinterpretCast<uint16_t>(), uint16_t{0},
                       padded_);
    AscendC::PipeBarrier<PIPE_V>();
  }

  BELAY_API const AscendC::LocalTensor<T>& tile() const { return tile_; }

  // Channels 16 · c1 and on of one depth of one image, as [pixels][16].
  BELAY_API void Load(const AscendC::LocalTensor<T>& ncdhw, uint32_t n,
                      uint32_t d, uint32_t c1) const {
    uint64_t rows[16];
    for (uint32_t c0 = 0; c0 < 16; ++c0) {
      const uint32_t c = c1 * 16 + c0;
      rows[c0] = c < shape_.c ? ncdhw[RowOf(n, d, c)].GetPhyAddr()
                              : spare_.GetPhyAddr();
    }
    uint64_t columns[16];
    for (uint32_t i = 0; i < 16; ++i) columns[i] = tile_[i * 16].GetPhyAddr();
    Transpose(columns, 16, rows, 1);
  }

  // The other way round.
  BELAY_API void Store(const AscendC::LocalTensor<T>& ncdhw, uint32_t n,
                       uint32_t d, uint32_t c1) const {
    uint64_t rows[16];
    for (uint32_t c0 = 0; c0 < 16; ++c0) {
      const uint32_t c = c1 * 16 + c0;
      rows[c0] = c < shape_.c ? ncdhw[RowOf(n, d, c)].GetPhyAddr()
                              : spare_.GetPhyAddr();
    }
    uint64_t columns[16];
    for (uint32_t i = 0; i < 16; ++i) columns[i] = tile_[i * 16].GetPhyAddr();
    Transpose(rows, 1, columns, 16);
  }

  // The tile's pixels, `apart` pieces of 16 elements from each other outside.
  BELAY_API void CopyOut(const AscendC::LocalTensor<T>& to,
                         uint32_t apart) const {
    AscendC::DataCopy(to, tile_,
                      {static_cast<uint16_t>(shape_.pixels), 1, 0,
                       static_cast<uint16_t>(apart - 1)});
    AscendC::PipeBarrier<PIPE_V>();
  }
  BELAY_API void CopyIn(const AscendC::LocalTensor<T>& from,
                        uint32_t apart) const {
    AscendC::DataCopy(tile_, from,
                      {static_cast<uint16_t>(shape_.pixels), 1,
                       static_cast<uint16_t>(apart - 1), 0});
    AscendC::PipeBarrier<PIPE_V>();
  }

 private:
  BELAY_API uint32_t RowOf(uint32_t n, uint32_t d, uint32_t c) const {
    return ((n * shape_.c + c) * shape_.d + d) * padded_;
  }
  BELAY_API void Transpose(uint64_t (&to)[16], uint32_t to_stride,
                           uint64_t (&from)[16], uint32_t from_stride) const {
    const uint32_t repeats = padded_ / 16;
    for (uint32_t done = 0; done < repeats; done += 255) {
      const uint32_t now = repeats - done < 255 ? repeats - done : 255;
      AscendC::TransDataTo5HD<T>(
          to, from,
          {false, false, static_cast<uint8_t>(now),
           static_cast<uint16_t>(now == 1 ? 0 : to_stride),
           static_cast<uint16_t>(now == 1 ? 0 : from_stride)});
      for (int i = 0; i < 16; ++i) {
        to[i] += now * to_stride * 32;
        from[i] += now * from_stride * 32;
      }
    }
    AscendC::PipeBarrier<PIPE_V>();
  }

  ImageShape shape_;
  uint32_t padded_;
  AscendC::LocalTensor<T> tile_;
  // A channel that is not there: zeros to load, a place to store.
  AscendC::LocalTensor<T> spare_;
};

template <typename Shape>
BELAY_API ImageShape ImageOf(const Shape& ncdhw) {
  return {static_cast<uint32_t>(std::get<0>(ncdhw)),
          static_cast<uint32_t>(std::get<1>(ncdhw)),
          static_cast<uint32_t>(std::get<2>(ncdhw)),
          static_cast<uint32_t>(std::get<3>(ncdhw)) *
              static_cast<uint32_t>(std::get<4>(ncdhw))};
}

// `packed` is the side in NDC1HWC0 or FRACTAL_Z_3D.
template <AscendC::DataFormat format, bool pack, typename T>
BELAY_API void TransImages(const AscendC::LocalTensor<T>& packed,
                           const AscendC::LocalTensor<T>& ncdhw,
                           const ImageShape& shape, Temporary temporary) {
  constexpr bool kFractalZ = format == AscendC::DataFormat::FRACTAL_Z_3D;
  if (shape.n * shape.c * shape.d * shape.pixels == 0) return;
  const ChannelTiles<T> tiles(shape, temporary);
  const uint32_t c1 = (shape.c + 15) / 16;
  const uint32_t n1 = (shape.n + 15) / 16;
  if (pack && kFractalZ && shape.n % 16 != 0) {
    AscendC::Duplicate(packed.template ReinterpretCast<uint16_t>(), uint16_t{0},
                       n1 * 256 * c1 * shape.d * shape.pixels);
    AscendC::PipeBarrier<PIPE_V>();
  }
  for (uint32_t n = 0; n < shape.n; ++n) {
    for (uint32_t d = 0; d < shape.d; ++d) {
      for (uint32_t c = 0; c < c1; ++c) {
        const uint32_t apart = kFractalZ ? n1 * 16 : 1;
        const uint32_t at =
            kFractalZ ? (d * c1 + c) * shape.pixels * n1 * 256 + n * 16
                      : ((n * shape.d + d) * c1 + c) * shape.pixels * 16;
        if constexpr (pack) {
          tiles.Load(ncdhw, n, d, c);
          tiles.CopyOut(packed[at], apart);
        } else {
          tiles.CopyIn(packed[at], apart);
          tiles.Store(ncdhw, n, d, c);
        }
      }
    }
  }
}

template <const AscendC::TransDataConfig& config, typename T, typename U,
          typename S>
BELAY_API void TransDataImpl(const AscendC::LocalTensor<T>& dst,
                             const AscendC::LocalTensor<T>& src,
                             const AscendC::TransDataParams<U, S>& params,
                             const Temporary& temporary) {
  using AscendC::DataFormat;
  constexpr bool kPack = config.srcFormat == DataFormat::NCDHW;
  constexpr DataFormat kPlain = kPack ? config.srcFormat : config.dstFormat;
  constexpr DataFormat kPacked = kPack ? config.dstFormat : config.srcFormat;
  static_assert(
      kPlain == DataFormat::NCDHW && (kPacked == DataFormat::NDC1HWC0 ||
                                      kPacked == DataFormat::FRACTAL_Z_3D),
      "AscendC::TransData goes from NCDHW to NDC1HWC0 or "
      "FRACTAL_Z_3D, or back");
  static_assert(IsIn<T>(kSetOf<DType::kInt16, DType::kUint16, DType::kHalf,
                               DType::kBfloat16>),
                "AscendC::TransData takes int16_t, uint16_t, half or "
                "bfloat16_t");
  if constexpr (kPack) {
    TransImages<kPacked, true>(dst, src, ImageOf(params.srcLayout.GetShape()),
                               temporary);
  } else {
    TransImages<kPacked, false>(src, dst, ImageOf(params.dstLayout.GetShape()),
                                temporary);
  }
}

}  // namespace belay::api

namespace AscendC {

template <const TransDataConfig& config, typename T, typename U, typename S>
BELAY_API void TransData(const LocalTensor<T>& dstTensor,
                         const LocalTensor<T>& srcTensor,
                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                         const TransDataParams<U, S>& params) {
  belay::api::TransDataImpl<config>(
      dstTensor, srcTensor, params,
      belay::api::Temporary("TransData", sharedTmpBuffer));
}
template <const TransDataConfig& config, typename T, typename U, typename S>
BELAY_API void TransData(const LocalTensor<T>& dstTensor,
                         const LocalTensor<T>& srcTensor,
                         const TransDataParams<U, S>& params) {
  belay::api::TransDataImpl<config>(dstTensor, srcTensor, params,
                                    belay::api::Temporary("TransData"));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_H_
