// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_EXPECTED_CELLS_H_
#define BELAY_TESTS_API_EXPECTED_CELLS_H_

// What the sweep must have run: names, forms and element types of the 910B by
// the interface pages and by what the vendor's headers take. A cell that is
// expected and not green fails the run, unless not_yet.h says why it may.

namespace belay::sweep {

// Every mark for every column; words are separated by spaces, or by commas
// where they have spaces themselves.
struct ExpectedRow {
  const char* table;
  const char* row;
  const char* marks;
  const char* columns;
};

inline constexpr const char* kVectorForms = "count mask bits register";
inline constexpr const char* kElementwise = "count mask bits register trait";
inline constexpr const char* kMaskOnly = "mask bits register";
inline constexpr const char* kNoRegister = "count mask bits";
inline constexpr const char* kFloats = "half float";
inline constexpr const char* kArithmetic = "int16_t half int32_t float";
inline constexpr const char* kWords = "int16_t uint16_t";
inline constexpr const char* kShifted = "int16_t uint16_t int32_t uint32_t";
inline constexpr const char* kMoved =
    "int16_t uint16_t half bfloat16_t int32_t uint32_t float";
// Types that compile and that the chip has no instruction for.
inline constexpr const char* kOddTypes =
    "bool int4b_t int8_t uint8_t int64_t uint64_t double";
inline constexpr const char* kEveryType =
    "bool int4b_t int8_t uint8_t int16_t uint16_t half bfloat16_t int32_t "
    "uint32_t float int64_t uint64_t double";
inline constexpr const char* kBytesToDoubles =
    "bool int8_t uint8_t int16_t uint16_t half bfloat16_t int32_t uint32_t "
    "float int64_t uint64_t double";
inline constexpr const char* kSliced =
    "int8_t uint8_t int16_t uint16_t half bfloat16_t int32_t uint32_t float";
inline constexpr const char* kAccumulated =
    "int8_t int16_t half bfloat16_t int32_t float";
inline constexpr const char* kNotAccumulated =
    "bool int4b_t uint8_t uint16_t uint32_t int64_t uint64_t double";
inline constexpr const char* kTransposed =
    "int8_t uint8_t int16_t uint16_t half int32_t uint32_t float";

inline constexpr ExpectedRow kExpectedCells[] = {
    // Unary.
    {"Vector", "Abs", kElementwise, kFloats},
    {"Vector", "Abs", "refused", "int16_t"},
    {"Vector", "Exp", kElementwise, kFloats},
    {"Vector", "Ln", kElementwise, kFloats},
    {"Vector", "Not", kElementwise, kWords},
    {"Vector", "Reciprocal", kElementwise, kFloats},
    {"Vector", "Relu", kElementwise, "half int32_t float"},
    {"Vector", "Rsqrt", kElementwise, kFloats},
    {"Vector", "Sqrt", kElementwise, kFloats},
    // Binary.
    {"Vector", "Add", kElementwise, kArithmetic},
    {"Vector", "Add", "operator", kArithmetic},
    {"Vector", "AddRelu", kElementwise, "int16_t half float"},
    {"Vector", "And", kElementwise, kWords},
    {"Vector", "And", "operator", kWords},
    {"Vector", "And", "refused",
     "bool int4b_t int8_t uint8_t half bfloat16_t int32_t uint32_t float "
     "int64_t uint64_t double"},
    {"Vector", "Div", kElementwise, kFloats},
    {"Vector", "Div", "operator", kFloats},
    {"Vector", "Max", kElementwise, kArithmetic},
    {"Vector", "Min", kElementwise, kArithmetic},
    {"Vector", "Mul", kElementwise, kArithmetic},
    {"Vector", "Mul", "operator", kArithmetic},
    {"Vector", "Or", kElementwise, kWords},
    {"Vector", "Or", "operator", kWords},
    {"Vector", "Or", "refused",
     "bool int4b_t int8_t uint8_t half bfloat16_t int32_t uint32_t float "
     "int64_t uint64_t double"},
    {"Vector", "Sub", kElementwise, kArithmetic},
    {"Vector", "Sub", "operator", kArithmetic},
    {"Vector", "SubRelu", kElementwise, "int16_t half float"},
    // With a scalar.
    {"Vector", "Adds", kElementwise, kArithmetic},
    {"Vector", "Axpy", kVectorForms, kFloats},
    {"Vector", "Axpy from half", kVectorForms, "float"},
    {"Vector", "LeakyRelu", kElementwise, kFloats},
    {"Vector", "Maxs", kElementwise, kArithmetic},
    {"Vector", "Mins", kElementwise, kArithmetic},
    {"Vector", "Muls", kElementwise, kArithmetic},
    {"Vector", "ShiftLeft", kElementwise, kShifted},
    {"Vector", "ShiftRight", kElementwise, kShifted},
    // Fused; the column is the type of dst.
    {"Vector", "AddDeqRelu from int32_t", kVectorForms, "half"},
    {"Vector", "AddReluCast from float", kVectorForms, "half"},
    {"Vector", "AddReluCast from half", kVectorForms, "int8_t"},
    {"Vector", "AddReluCast from int16_t", kVectorForms, "int8_t"},
    {"Vector", "CastDequant from int16_t", kVectorForms, "int8_t uint8_t"},
    {"Vector", "CastDequant from int32_t", kVectorForms, "half"},
    {"Vector", "FusedMulAdd", kVectorForms, kFloats},
    {"Vector", "MulAddDst", kVectorForms, kFloats},
    {"Vector", "MulAddDst from half", kVectorForms, "float"},
    {"Vector", "MulAddRelu", kVectorForms, kFloats},
    {"Vector", "FusedMulAddRelu", kVectorForms, kFloats},
    {"Vector", "MulCast from half", kVectorForms, "int8_t uint8_t"},
    {"Vector", "SubReluCast from float", kVectorForms, "half"},
    {"Vector", "SubReluCast from half", kVectorForms, "int8_t"},
    {"Vector", "SubReluCast from int16_t", kVectorForms, "int8_t"},
    // Comparison and selection.
    {"Vector", "Compare", kVectorForms, "half int32_t float"},
    {"Vector", "Compare", "operator", "half int32_t float"},
    {"Vector", "Compares", kVectorForms, "half int32_t float"},
    {"Vector", "CompareScalar", kVectorForms, "half int32_t float"},
    {"Vector", "Compare to register", kMaskOnly, kFloats},
    {"Vector", "GetCmpMask", "call", "uint8_t uint16_t uint32_t"},
    {"Vector", "SetCmpMask", "call", "uint8_t uint16_t uint32_t uint64_t"},
    {"Vector", "Select, two tensors", kVectorForms, kFloats},
    {"Vector", "Select, two tensors, one repeat", kVectorForms, kFloats},
    {"Vector", "Select, tensor and scalar", kVectorForms, kFloats},
    {"Vector", "Select, two tensors, bits in uint16_t", kNoRegister, kFloats},
    {"Vector", "Select, two tensors, bits in uint32_t", kNoRegister, kFloats},
    {"Vector", "Select, two tensors, bits in uint64_t", kNoRegister, kFloats},
    {"Vector", "Select, two tensors, one repeat, bits in uint16_t", kNoRegister,
     kFloats},
    {"Vector", "Select, two tensors, one repeat, bits in uint32_t", kNoRegister,
     kFloats},
    {"Vector", "Select, two tensors, one repeat, bits in uint64_t", kNoRegister,
     kFloats},
    {"Vector", "Select, tensor and scalar, bits in uint16_t", kNoRegister,
     kFloats},
    {"Vector", "Select, tensor and scalar, bits in uint32_t", kNoRegister,
     kFloats},
    {"Vector", "Select, tensor and scalar, bits in uint64_t", kNoRegister,
     kFloats},
    // Reductions.
    {"Vector", "ReduceMax", kNoRegister, kFloats},
    {"Vector", "ReduceMin", kNoRegister, kFloats},
    {"Vector", "ReduceSum", kVectorForms, kFloats},
    {"Vector", "ReduceDataBlock<MAX>", kMaskOnly, kFloats},
    {"Vector", "ReduceDataBlock<MIN>", kMaskOnly, kFloats},
    {"Vector", "ReduceDataBlock<SUM>", kMaskOnly, kFloats},
    {"Vector", "ReducePairElem<SUM>", kMaskOnly, kFloats},
    {"Vector", "ReduceRepeat<MAX>", kMaskOnly, kFloats},
    {"Vector", "ReduceRepeat<MIN>", kMaskOnly, kFloats},
    {"Vector", "ReduceRepeat<SUM>", kMaskOnly, kFloats},
    {"Vector", "BlockReduceMax", kMaskOnly, kFloats},
    {"Vector", "BlockReduceMin", kMaskOnly, kFloats},
    {"Vector", "BlockReduceSum", kMaskOnly, kFloats},
    {"Vector", "PairReduceSum", kMaskOnly, kFloats},
    {"Vector", "RepeatReduceSum", kMaskOnly, kFloats},
    {"Vector", "WholeReduceMax", kMaskOnly, kFloats},
    {"Vector", "WholeReduceMin", kMaskOnly, kFloats},
    {"Vector", "WholeReduceSum", kMaskOnly, kFloats},
    {"Vector", "GetReduceRepeatMaxMinSpr", "call", kFloats},
    {"Vector", "GetReduceRepeatSumSpr", "call", kFloats},
    // Filling, gathering, copying.
    {"Vector", "Duplicate", kVectorForms, kMoved},
    {"Vector", "Brcb", "call", kMoved},
    {"Vector", "Brcb", "refused", kOddTypes},
    {"Vector", "CreateVecIndex", kNoRegister, kArithmetic},
    {"Vector", "Copy", kMaskOnly, kMoved},
    {"Vector", "Copy", "refused", kOddTypes},
    {"Vector", "Gather", kNoRegister, kMoved},
    {"Vector", "Gather", "refused", kOddTypes},
    {"Vector", "Gatherb", "call", "uint16_t uint32_t"},
    {"Vector", "GatherMask", "pattern tensor", kMoved},
    {"Vector", "GatherMask", "refused", kOddTypes},
    // Sorting and transposing.
    {"Vector", "Sort32", "call", kFloats},
    {"Vector", "MrgSort", "call", kFloats},
    {"Vector", "GetMrgSortResult", "call", kFloats},
    {"Vector", "Transpose", "call", "int16_t uint16_t half"},
    {"Vector", "Transpose", "refused",
     "bool int4b_t int8_t uint8_t bfloat16_t int32_t uint32_t float int64_t "
     "uint64_t double"},
    {"Vector", "TransDataTo5HD", "call", kTransposed},
    {"Vector", "TransDataTo5HD", "refused",
     "bool int4b_t bfloat16_t int64_t uint64_t double"},
    // Registers.
    {"Vector", "SetVectorMask", "lanes,high and low", kMoved},
    {"Vector", "SetMaskCount", "call", "any"},
    {"Vector", "SetMaskNorm", "call", "any"},
    {"Vector", "ResetMask", "call", "any"},

    // Cast: the row is the source, the column the destination.
    {"Cast", "Cast from int4b_t", kVectorForms, "half"},
    {"Cast", "Cast from int8_t", kVectorForms, "half"},
    {"Cast", "Cast from uint8_t", kVectorForms, "half"},
    {"Cast", "Cast from int16_t", kVectorForms, "half float"},
    {"Cast", "Cast from int16_t", "refused", "int8_t uint8_t"},
    {"Cast", "Cast from half", kVectorForms,
     "int4b_t int8_t uint8_t int16_t int32_t float"},
    {"Cast", "Cast from bfloat16_t", kVectorForms, "int32_t float"},
    {"Cast", "Cast from int32_t", kVectorForms, "int16_t half float int64_t"},
    {"Cast", "Cast from float", kVectorForms,
     "int16_t half bfloat16_t int32_t float int64_t"},
    {"Cast", "Cast from int64_t", kVectorForms, "int32_t float"},
    {"Cast round modes", "Cast from int4b_t", "N", "half"},
    {"Cast round modes", "Cast from int8_t", "N", "half"},
    {"Cast round modes", "Cast from uint8_t", "N", "half"},
    {"Cast round modes", "Cast from int16_t", "R F C A Z N", "half"},
    {"Cast round modes", "Cast from int16_t", "N", "float"},
    {"Cast round modes", "Cast from half", "R F C A Z N",
     "int4b_t int8_t uint8_t"},
    {"Cast round modes", "Cast from half", "R F C A Z", "int16_t int32_t"},
    {"Cast round modes", "Cast from half", "N", "float"},
    {"Cast round modes", "Cast from bfloat16_t", "R F C A Z", "int32_t"},
    {"Cast round modes", "Cast from bfloat16_t", "N", "float"},
    {"Cast round modes", "Cast from int32_t", "N", "int16_t half int64_t"},
    {"Cast round modes", "Cast from int32_t", "R F C A Z N", "float"},
    {"Cast round modes", "Cast from float", "R F C A Z",
     "int16_t half bfloat16_t int32_t float int64_t"},
    {"Cast round modes", "Cast from float", "O N", "half"},
    {"Cast round modes", "Cast from int64_t", "N", "int32_t"},
    {"Cast round modes", "Cast from int64_t", "R F C A Z", "float"},

    {"Comparison modes", "Compare", "LT GT EQ LE GE NE", kFloats},
    {"Comparison modes", "Compare", "EQ", "int32_t"},
    {"Comparison modes", "Compares", "LT GT EQ LE GE NE", kFloats},
    {"Comparison modes", "Compares", "EQ", "int32_t"},
    {"Comparison modes", "CompareScalar", "LT GT EQ LE GE NE", kFloats},
    {"Comparison modes", "CompareScalar", "EQ", "int32_t"},
    {"Comparison modes", "Compare to register", "LT GT EQ LE GE NE", kFloats},

    // Movement.
    {"Movement", "DataCopy GM to UB", "count params", kEveryType},
    {"Movement", "DataCopy UB to GM", "count params", kEveryType},
    {"Movement", "DataCopy UB to UB", "count params", kEveryType},
    {"Movement", "DataCopy GM to UB", "slice", kSliced},
    {"Movement", "DataCopy UB to GM", "slice", kSliced},
    {"Movement", "DataCopy GM to UB", "Nd2Nz", kSliced},
    {"Movement", "DataCopy UB to GM", "Nz2Nd",
     "int16_t uint16_t half bfloat16_t int32_t uint32_t float"},
    {"Movement", "DataCopyPad GM to UB", "params,ext params", kEveryType},
    {"Movement", "DataCopyPad GM to UB", "SetPadValue", kBytesToDoubles},
    {"Movement", "DataCopyPad UB to GM", "params,ext params", kEveryType},
    {"Movement", "SetAtomicAdd", "call", kAccumulated},
    {"Movement", "SetAtomicMax", "call", kAccumulated},
    {"Movement", "SetAtomicMin", "call", kAccumulated},
    {"Movement", "SetAtomicAdd", "refused", kNotAccumulated},
    {"Movement", "SetAtomicMax", "refused", kNotAccumulated},
    {"Movement", "SetAtomicMin", "refused", kNotAccumulated},
    {"Movement", "LocalTensor, GetValue and SetValue", "call", kEveryType},
    {"Movement", "GlobalTensor, GetValue and SetValue", "call", kEveryType},
    // The cube.
    {"Cube", "DataCopy GM to L1", "Nd2Nz", kSliced},
    {"Cube", "Fill", "call", kMoved},
    {"Cube", "Fixpipe from float", "NoQuant", "float"},
    {"Cube", "Fixpipe from float", "F322F16", "half"},
    {"Cube", "Fixpipe from float", "F322BF16", "bfloat16_t"},
    {"Cube", "Fixpipe from float", "QF322B8_PRE", "int8_t"},
    {"Cube", "Fixpipe from int32_t", "NoQuant", "int32_t"},
    {"Cube", "Fixpipe from int32_t", "DEQF16", "half"},
    {"Cube", "Fixpipe from int32_t", "REQ8", "int8_t"},
    {"Cube", "LoadData", "call", kSliced},
    {"Cube", "LoadData", "transposed", "int16_t uint16_t half bfloat16_t"},
    {"Cube", "LoadData of a feature map", "call",
     "int8_t uint8_t half bfloat16_t int32_t uint32_t float"},
    {"Cube", "LoadDataWithTranspose", "call",
     "int8_t uint8_t half bfloat16_t int32_t uint32_t float"},
    {"Cube", "Mmad", "call bias", "int8_t half bfloat16_t float"},
};

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_EXPECTED_CELLS_H_
