// SPDX-License-Identifier: Apache-2.0
// Records of the cube's calls.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

template <typename T>
LocalTensor<T> At(TPosition position, uint32_t offset = 0) {
  return LocalTensor<T>(position, offset, 1024);
}

class Cube : public Headers {
 protected:
  template <typename T>
  GlobalTensor<T> InGm(uint64_t offset) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(
        reinterpret_cast<T*>(belay_memory_base(Memory::kGm) + offset), 4096);
    return tensor;
  }
  const abi::Instruction& Record(size_t index) {
    return Recorded().issued.at(index);
  }
  size_t Count() { return Recorded().issued.size(); }
};

TEST_F(Cube, LoadData2DKeepsItsFields) {
  LoadData(At<half>(TPosition::A2, 512), At<half>(TPosition::A1, 32),
           {1, 2, 3, 0, 4, true, 1});
  const abi::Instruction& record = OnlyRecord();
  EXPECT_EQ(record.op, Op::kLoadData2D);
  EXPECT_EQ(record.dst.memory, Memory::kL0a);
  EXPECT_EQ(record.dst.address, belay_memory_base(Memory::kL0a) + 512);
  EXPECT_EQ(record.src0.memory, Memory::kL1);
  EXPECT_EQ(record.load2d.start, 1u);
  EXPECT_EQ(record.load2d.repeat, 2u);
  EXPECT_EQ(record.load2d.source_stride, 3u);
  EXPECT_EQ(record.load2d.destination_gap, 4u);
  EXPECT_EQ(record.load2d.transpose, 1);
  EXPECT_EQ(record.load2d.descending, 1);
  Forget();
  LoadData2DParams params;
  params.repeatTimes = 256;
  params.srcStride = 70000;
  LoadData(At<float>(TPosition::B2), InGm<float>(64), params);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kL0b);
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kGm);
  EXPECT_EQ(OnlyRecord().load2d.repeat, 256u);
  EXPECT_EQ(OnlyRecord().load2d.source_stride, 70000u);
}

TEST_F(Cube, TransposingAndSparseLoads) {
  LoadDataWithTranspose(At<int8_t>(TPosition::B2), At<int8_t>(TPosition::B1),
                        {1, 2, 3, 4, 5});
  EXPECT_EQ(OnlyRecord().op, Op::kLoadDataTranspose);
  EXPECT_EQ(OnlyRecord().load2d.start, 1u);
  EXPECT_EQ(OnlyRecord().load2d.repeat, 2u);
  EXPECT_EQ(OnlyRecord().load2d.source_stride, 3u);
  EXPECT_EQ(OnlyRecord().load2d.destination_gap, 4u);
  EXPECT_EQ(OnlyRecord().load2d.fractal_gap, 5u);
  EXPECT_EQ(OnlyRecord().load2d.descending, 0);
  Forget();
  LoadDataWithSparse(At<int8_t>(TPosition::B2), At<int8_t>(TPosition::B1),
                     At<uint8_t>(TPosition::B1, 4096),
                     {3, 7, 9, 0, 9, false, 0});
  EXPECT_EQ(OnlyRecord().op, Op::kLoadDataSparse);
  EXPECT_EQ(OnlyRecord().src1.address, belay_memory_base(Memory::kL1) + 4096);
  EXPECT_EQ(OnlyRecord().load2d.start, 3u);
  EXPECT_EQ(OnlyRecord().load2d.repeat, 7u);
  EXPECT_EQ(OnlyRecord().load2d.source_stride, 0u);
}

TEST_F(Cube, FeatureMapsSetTheirRegistersFirst) {
  const uint8_t padding[] = {1, 2, 3, 4};
  LoadData3DParamsV2<half> params(padding, 5, 6, 32, 48, 64, 16, 80, 2, 3, 4, 7,
                                  8, 9, true, false, half(1.0f));
  params.filterSizeH = true;
  LoadData(At<half>(TPosition::A2), At<half>(TPosition::A1), params);
  ASSERT_EQ(Count(), 3u);
  EXPECT_EQ(Record(0).op, Op::kSetFmatrix);
  EXPECT_EQ(Record(0).fmatrix.height, 5);
  EXPECT_EQ(Record(0).fmatrix.width, 6);
  EXPECT_EQ(Record(0).fmatrix.pad_left, 1);
  EXPECT_EQ(Record(0).fmatrix.pad_right, 2);
  EXPECT_EQ(Record(0).fmatrix.pad_top, 3);
  EXPECT_EQ(Record(0).fmatrix.pad_bottom, 4);
  EXPECT_EQ(Record(1).op, Op::kSetLoadDataPaddingValue);
  EXPECT_EQ(Record(1).scalar, 0x3c00u);
  const abi::Load3D& load = Record(2).load3d;
  EXPECT_EQ(Record(2).op, Op::kLoadData3D);
  EXPECT_EQ(load.channels, 32);
  EXPECT_EQ(load.k_extension, 48);
  EXPECT_EQ(load.m_extension, 64);
  EXPECT_EQ(load.k_start, 16);
  EXPECT_EQ(load.m_start, 80);
  EXPECT_EQ(load.stride_width, 2);
  EXPECT_EQ(load.stride_height, 3);
  EXPECT_EQ(load.filter_width, 4);
  EXPECT_EQ(load.filter_height, 256 + 7);
  EXPECT_EQ(load.dilation_width, 8);
  EXPECT_EQ(load.dilation_height, 9);
  EXPECT_EQ(load.transpose, 1);
}

TEST_F(Cube, FeatureMapsCanLeaveTheirRegistersAlone) {
  static constexpr IsResetLoad3dConfig kKeep = {false, false};
  LoadData<half, kKeep>(At<half>(TPosition::A2), At<half>(TPosition::A1),
                        LoadData3DParamsV2<half>());
  EXPECT_EQ(OnlyRecord().op, Op::kLoadData3D);
  Forget();
  LoadData3DParamsV2Pro packed;
  packed.channelSize = 16;
  packed.extConfig = uint64_t{4} << 48 | uint64_t{3} << 32 | 2 << 16 | 1;
  packed.filterConfig =
      uint64_t{6} << 40 | uint64_t{5} << 32 | 4 << 24 | 3 << 16 | 2 << 8 | 1;
  packed.filterSizeW = true;
  LoadData(At<half>(TPosition::B2), At<half>(TPosition::B1), packed);
  const abi::Load3D& load = OnlyRecord().load3d;
  EXPECT_EQ(load.k_extension, 1);
  EXPECT_EQ(load.m_extension, 2);
  EXPECT_EQ(load.k_start, 3);
  EXPECT_EQ(load.m_start, 4);
  EXPECT_EQ(load.stride_width, 1);
  EXPECT_EQ(load.stride_height, 2);
  EXPECT_EQ(load.filter_width, 256 + 3);
  EXPECT_EQ(load.filter_height, 4);
  EXPECT_EQ(load.dilation_width, 5);
  EXPECT_EQ(load.dilation_height, 6);
}

TEST_F(Cube, RegistersOfLoads) {
  const uint8_t padding[PAD_SIZE] = {0, 0, 0, 9};
  SetFmatrix(3, 4, padding, FmatrixMode::FMATRIX_LEFT);
  EXPECT_EQ(OnlyRecord().fmatrix.height, 3);
  EXPECT_EQ(OnlyRecord().fmatrix.pad_bottom, 9);
  Forget();
  SetLoadDataRepeat({7, 2, 1});
  EXPECT_EQ(OnlyRecord().op, Op::kSetLoadDataRepeat);
  EXPECT_EQ(OnlyRecord().load_repeat.stride, 7);
  EXPECT_EQ(OnlyRecord().load_repeat.times, 2);
  EXPECT_EQ(OnlyRecord().load_repeat.along_k, 1);
  Forget();
  SetLoadDataBoundary(4096);
  EXPECT_EQ(OnlyRecord().op, Op::kSetLoadDataBoundary);
  EXPECT_EQ(OnlyRecord().scalar, 4096u);
  Forget();
  SetLoadDataPaddingValue(int8_t{-1});
  EXPECT_EQ(OnlyRecord().op, Op::kSetLoadDataPaddingValue);
  EXPECT_EQ(OnlyRecord().scalar, 0xffu);
}

TEST_F(Cube, FillsByBothNames) {
  Fill(At<half>(TPosition::A1), {2, 3, 4, 1});
  EXPECT_EQ(OnlyRecord().op, Op::kFill);
  EXPECT_EQ(OnlyRecord().fill.repeat, 2u);
  EXPECT_EQ(OnlyRecord().fill.blocks, 3u);
  EXPECT_EQ(OnlyRecord().fill.gap, 4u);
  EXPECT_EQ(OnlyRecord().scalar, 0x3c00u);
  Forget();
  InitConstValue(At<float>(TPosition::B2), {1, 1, 0, 0.5f});
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kL0b);
  EXPECT_EQ(OnlyRecord().scalar, 0x3f000000u);
}

TEST_F(Cube, Nd2NzToL1IsOneInstruction) {
  DataCopy(At<half>(TPosition::A1), InGm<half>(6),
           Nd2NzParams{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyNd2Nz);
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kHalf);
  const abi::Nd2Nz& copy = OnlyRecord().nd2nz;
  EXPECT_EQ(copy.matrices, 1u);
  EXPECT_EQ(copy.rows, 2u);
  EXPECT_EQ(copy.columns, 3u);
  EXPECT_EQ(copy.source_matrix_stride, 4u);
  EXPECT_EQ(copy.source_row_stride, 5u);
  EXPECT_EQ(copy.column_block_stride, 6u);
  EXPECT_EQ(copy.row_stride, 7u);
  EXPECT_EQ(copy.destination_matrix_stride, 8u);
  Forget();
  DataCopy(At<int4b_t>(TPosition::B1), InGm<int4b_t>(0),
           Nd2NzParams{1, 2, 3, 0, 5, 6, 1, 0});
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kInt8);
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kInt8);
}

TEST_F(Cube, MovesToTheBiasTableCount64Bytes) {
  DataCopy(At<float>(TPosition::C2), At<float>(TPosition::C1), {2, 3, 4, 5});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopy);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kBt);
  EXPECT_EQ(OnlyRecord().transfer.block_count, 2u);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 192u);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 128);
  EXPECT_EQ(OnlyRecord().transfer.destination_gap, 320);
  Forget();
  DataCopy(At<float>(TPosition::C2), At<half>(TPosition::C1), {1, 1, 0, 0});
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kFloat);
  EXPECT_EQ(OnlyRecord().src0.dtype, DType::kHalf);
}

TEST_F(Cube, MovesToTheFixpipeBufferCount128BytesFromStartToStart) {
  DataCopy(At<uint64_t>(TPosition::C2PIPE2GM), At<uint64_t>(TPosition::C1),
           {2, 1, 8, 3});
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kFb);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 128u);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 128);
  EXPECT_EQ(OnlyRecord().transfer.destination_gap, 256);
}

// What C starts from, by the parameters and the bias's place.
TEST_F(Cube, MmadStartsFromZeroItselfOrTheBias) {
  const auto c = At<float>(TPosition::CO1);
  const auto a = At<half>(TPosition::A2);
  const auto b = At<half>(TPosition::B2);
  Mmad(c, a, b, MmadParams{16, 32, 48, 3, false, true});
  EXPECT_EQ(OnlyRecord().op, Op::kMmad);
  EXPECT_EQ(OnlyRecord().mmad.m, 16);
  EXPECT_EQ(OnlyRecord().mmad.n, 32);
  EXPECT_EQ(OnlyRecord().mmad.k, 48);
  EXPECT_EQ(OnlyRecord().mmad.unit_flag, 3);
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kZero);
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kL0a);
  EXPECT_EQ(OnlyRecord().src1.memory, Memory::kL0b);
  Forget();
  Mmad(c, a, b, {16, 16, 16, true, 0, false, false, false});
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kAccumulate);
  Forget();
  Mmad(c, a, b, {16, 16, 16, 0, false, false});
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kAccumulate);
  Forget();
  Mmad(c, a, b, {16, 16, 16, 0, true, false});
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kBias);
  EXPECT_EQ(OnlyRecord().src2.address, belay_memory_base(Memory::kBt));
  Forget();
  MmadParams params;
  params.cmatrixInitVal = false;
  params.kDirectionAlign = true;
  Mmad(c, a, b, At<float>(TPosition::C2, 128), params);
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kBias);
  EXPECT_EQ(OnlyRecord().src2.address, belay_memory_base(Memory::kBt) + 128);
  EXPECT_EQ(OnlyRecord().mmad.k_align_16, 1);
  Forget();
  Mmad(c, a, b, At<float>(TPosition::CO1), params);
  EXPECT_EQ(OnlyRecord().mmad.init, abi::MmadInit::kAccumulate);
}

TEST_F(Cube, SparseProductsAndModes) {
  MmadWithSparse(At<int32_t>(TPosition::CO1), At<int8_t>(TPosition::A2),
                 At<int8_t>(TPosition::B2),
                 {16, 16, 64, false, 0, false, false, false});
  EXPECT_EQ(OnlyRecord().op, Op::kMmadSparse);
  EXPECT_EQ(OnlyRecord().mmad.k, 64);
  Forget();
  SetHF32Mode(HF32Mode::ENABLE);
  SetHF32Mode(false);
  SetHF32TransMode(HF32TransMode::NEAREST_ZERO);
  SetHF32TransMode(HF32TransMode::NEAREST_EVEN);
  SetMMRowMajor();
  SetMMColumnMajor();
  const Op ops[] = {Op::kSetHF32Mode,          Op::kSetHF32Mode,
                    Op::kSetHF32TransMode,     Op::kSetHF32TransMode,
                    Op::kSetMMLayoutTransform, Op::kSetMMLayoutTransform};
  ASSERT_EQ(Count(), 6u);
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(Record(i).op, ops[i]) << i;
    EXPECT_EQ(Record(i).mode, i % 2 == 0 ? 1 : 0) << i;
  }
}

TEST_F(Cube, FixpipeSetsItsRegistersFirst) {
  Fixpipe(
      InGm<half>(0), At<int32_t>(TPosition::CO1),
      FixpipeParamsV220{16, 17, 32, 33, true, DEQF16, 0x3f800000, 2, 3, 4, 3});
  ASSERT_EQ(Count(), 3u);
  EXPECT_EQ(Record(0).op, Op::kSetFixpipePreQuantFlag);
  EXPECT_EQ(Record(0).scalar, 0x3f800000u);
  EXPECT_EQ(Record(1).op, Op::kSetFixpipeNz2ndFlag);
  EXPECT_EQ(Record(1).nz2nd.matrices, 2);
  EXPECT_EQ(Record(1).nz2nd.source_matrix_stride, 3);
  EXPECT_EQ(Record(1).nz2nd.destination_matrix_stride, 4u);
  const abi::Fixpipe& fixpipe = Record(2).fixpipe;
  EXPECT_EQ(Record(2).op, Op::kFixpipe);
  EXPECT_EQ(fixpipe.n, 16u);
  EXPECT_EQ(fixpipe.m, 17u);
  EXPECT_EQ(fixpipe.source_stride, 32u);
  EXPECT_EQ(fixpipe.destination_stride, 33u);
  EXPECT_EQ(fixpipe.quant, abi::Quant::kDeqF16);
  EXPECT_EQ(fixpipe.relu, 1);
  EXPECT_EQ(fixpipe.unit_flag, 3);
  EXPECT_EQ(fixpipe.nz2nd, 1);
}

TEST_F(Cube, FixpipeByNzAndToL1) {
  FixpipeParamsV220 params(16, 16, 16, 32, false);
  params.isChannelSplit = true;
  Fixpipe<float, float, CFG_NZ>(InGm<float>(0), At<float>(TPosition::CO1),
                                params);
  EXPECT_EQ(OnlyRecord().fixpipe.nz2nd, 0);
  EXPECT_EQ(OnlyRecord().fixpipe.channel_split, 1);
  EXPECT_EQ(OnlyRecord().fixpipe.quant, abi::Quant::kNone);
  Forget();
  params.quantPre = F322BF16;
  Fixpipe(At<bfloat16_t>(TPosition::C1), At<float>(TPosition::CO1), params);
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kL1);
  EXPECT_EQ(OnlyRecord().fixpipe.nz2nd, 0);
  EXPECT_EQ(OnlyRecord().fixpipe.quant, abi::Quant::kF322BF16);
}

TEST_F(Cube, FixpipeLoadsItsScales) {
  FixpipeParamsV220 params(32, 16, 16, 32, false);
  params.quantPre = VREQ8;
  Fixpipe<int8_t, int32_t, CFG_NZ>(InGm<int8_t>(0), At<int32_t>(TPosition::CO1),
                                   At<uint64_t>(TPosition::C1, 256), params);
  ASSERT_EQ(Count(), 4u);
  EXPECT_EQ(Record(0).op, Op::kDataCopy);
  EXPECT_EQ(Record(0).dst.memory, Memory::kFb);
  EXPECT_EQ(Record(0).src0.address, belay_memory_base(Memory::kL1) + 256);
  EXPECT_EQ(Record(0).transfer.block_bytes, 256u);
  EXPECT_EQ(Record(1).op, Op::kSetFixpipeConfig);
  EXPECT_EQ(Record(1).src1.memory, Memory::kFb);
  EXPECT_EQ(Record(2).op, Op::kPipeBarrier);
  EXPECT_EQ(Record(2).sync.from, abi::Pipe::kFix);
  EXPECT_EQ(Record(3).op, Op::kFixpipe);
  EXPECT_EQ(Record(3).fixpipe.quant, abi::Quant::kVReq8);
}

TEST_F(Cube, CopiesOutOfL0cAndTheirRegisters) {
  DataCopyCO12DstParams params(16, 18, 20, 32, F322F16, 1, false, true);
  params.unitFlag = 2;
  DataCopy(InGm<half>(0), At<float>(TPosition::CO1), params);
  EXPECT_EQ(OnlyRecord().op, Op::kFixpipe);
  EXPECT_EQ(OnlyRecord().fixpipe.n, 16u);
  EXPECT_EQ(OnlyRecord().fixpipe.m, 18u);
  EXPECT_EQ(OnlyRecord().fixpipe.destination_stride, 20u);
  EXPECT_EQ(OnlyRecord().fixpipe.source_stride, 32u);
  EXPECT_EQ(OnlyRecord().fixpipe.quant, abi::Quant::kF322F16);
  EXPECT_EQ(OnlyRecord().fixpipe.relu, 1);
  EXPECT_EQ(OnlyRecord().fixpipe.unit_flag, 2);
  EXPECT_EQ(OnlyRecord().fixpipe.nz2nd, 1);
  Forget();
  SetFixPipeConfig(At<uint64_t>(TPosition::C2PIPE2GM, 128), true);
  EXPECT_EQ(OnlyRecord().op, Op::kSetFixpipeConfig);
  EXPECT_EQ(OnlyRecord().src1.address, belay_memory_base(Memory::kFb) + 128);
  EXPECT_EQ(OnlyRecord().mode, 1);
  Forget();
  SetFixPipeConfig(At<uint64_t>(TPosition::CO1), true);
  EXPECT_EQ(OnlyRecord().src1.dtype, DType::kNone);
  Forget();
  SetFixpipePreQuantFlag(42);
  EXPECT_EQ(OnlyRecord().scalar, 42u);
  Forget();
  SetFixpipeNz2ndFlag(2, 3, 4);
  EXPECT_EQ(OnlyRecord().nz2nd.matrices, 2);
  EXPECT_EQ(OnlyRecord().nz2nd.destination_matrix_stride, 4u);
}

// A call that only other chips have ends the block and names itself.
TEST_F(Cube, FormsOfOtherChips) {
  const auto missing = [](auto call) {
    try {
      call();
    } catch (const std::string& thrown) {
      return thrown;
    }
    return std::string();
  };
  const auto a1 = At<half>(TPosition::A1);
  const auto a2 = At<half>(TPosition::A2);
  const auto c = At<float>(TPosition::CO1);
  EXPECT_EQ(missing([&] { LoadData(a2, a1, LoadData2DParamsV2()); }),
            "not on chip: LoadData with LoadData2DParamsV2");
  EXPECT_EQ(missing([&] { LoadData(a2, a1, LoadData3DParamsV1<half>()); }),
            "not on chip: LoadData with LoadData3DParamsV1");
  EXPECT_EQ(
      missing([&] { LoadDataWithStride(a2, a1, LoadData3DParamsV2<half>()); }),
      "not on chip: LoadDataWithStride");
  EXPECT_EQ(missing([&] { MmadMx(c, a2, a2, MmadParams()); }),
            "not on chip: MmadMx");
  EXPECT_EQ(missing([&] { SetFixPipeClipRelu(1); }),
            "not on chip: SetFixPipeClipRelu");
  FixpipeParamsV220 params(16, 16, 16, 16, false);
  params.quantPre = VQF322F32_PRE;
  EXPECT_EQ(missing([&] { Fixpipe(InGm<float>(0), c, params); }),
            "not on chip: Fixpipe with this QuantMode_t");
}

}  // namespace
}  // namespace belay::header_test
