// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul_tiling/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tiling/matmul/matmul_tiling_types.h"

namespace belay::runtime {
namespace {

using matmul_tiling::CubeFormat;
using matmul_tiling::DataType;
using matmul_tiling::TPosition;

// Bits of a fractal's row.
constexpr int64_t kRowBits = 256;

// 0 for types the cube does not take.
int InputBits(int32_t dtype) {
  switch (static_cast<DataType>(dtype)) {
    case DataType::DT_FLOAT:
      return 32;
    case DataType::DT_FLOAT16:
    case DataType::DT_BF16:
      return 16;
    case DataType::DT_INT8:
      return 8;
    case DataType::DT_INT4:
      return 4;
    default:
      return 0;
  }
}

int OutputBits(int32_t dtype) {
  const auto type = static_cast<DataType>(dtype);
  if (type == DataType::DT_INT32) return 32;
  if (type == DataType::DT_UINT8) return 8;
  return type == DataType::DT_INT4 ? 0 : InputBits(dtype);
}

bool IsNz(const abi::MatmulOperand& operand) {
  return static_cast<CubeFormat>(operand.format) == CubeFormat::NZ;
}

bool IsInL1(const abi::MatmulOperand& operand) {
  return static_cast<TPosition>(operand.position) == TPosition::TSCM;
}

bool IsTransposed(const abi::MatmulOperand& operand) {
  return (operand.transposed != 0) !=
         (static_cast<CubeFormat>(operand.format) == CubeFormat::COLUMN_MAJOR);
}

// Cycles per fractal grow with the type: 32-bit products take four times as
// many steps along K as 16-bit ones, HF32 twice.
int64_t FractalK(int bits, bool hf32) {
  if (bits == 32) return hf32 ? 8 : 4;
  return kRowBits / bits;
}

int64_t Chosen(int32_t value, int64_t otherwise) {
  return value > 0 ? value : otherwise;
}

int64_t Step(int64_t natural, int32_t wanted) {
  return wanted > 0 ? std::lcm(natural, static_cast<int64_t>(wanted)) : natural;
}

}  // namespace

std::variant<MatmulProblem, std::string> ReadMatmulProblem(
    const abi::MatmulTilingRequest& request,
    const npu::ChipSpec::MatmulRates& rates) {
  MatmulProblem problem;
  problem.request = request;

  problem.shape = {Chosen(request.shape.m, request.whole_m),
                   Chosen(request.shape.n, request.whole_n),
                   Chosen(request.shape.k, request.whole_ka)};
  if (problem.shape.m <= 0 || problem.shape.n <= 0 || problem.shape.k <= 0) {
    return fmt::format(
        "the shape is M {}, N {}, K {}: SetShape or SetOrgShape must give "
        "numbers above 0",
        problem.shape.m, problem.shape.n, problem.shape.k);
  }

  const int a_bits = InputBits(request.a.dtype);
  const int b_bits = InputBits(request.b.dtype);
  problem.c_bits = OutputBits(request.c.dtype);
  if (a_bits == 0 || b_bits == 0 || problem.c_bits == 0) {
    return fmt::format(
        "A, B and C are of types {}, {} and {}: this chip multiplies float, "
        "float16, bfloat16, int8 and int4",
        request.a.dtype, request.b.dtype, request.c.dtype);
  }
  // The narrower one is widened on its way to L1.
  problem.bits = std::max(a_bits, b_bits);
  problem.fractal_k = FractalK(problem.bits, request.hf32 != 0);

  if (request.has_bias != 0) {
    const int bits = OutputBits(request.bias.dtype);
    if (bits < 16) {
      return fmt::format(
          "the bias is of type {}: float, float16, bfloat16 and int32 are "
          "possible",
          request.bias.dtype);
    }
    problem.bias_bytes = bits / 8;
  }
  if (request.quantization == abi::MatmulQuantization::kVector) {
    problem.quant_bytes = sizeof(uint64_t);
    problem.quant_room = rates.quant_bytes;
  }

  const int64_t row = kRowBits / problem.bits;
  const bool a_transposed = IsTransposed(request.a);
  const bool b_transposed = IsTransposed(request.b);
  const int64_t step_k =
      !a_transposed && b_transposed ? row : std::max(row, kFractal);
  problem.base_step = {kFractal, kFractal, step_k};
  problem.a_rows_step = a_transposed ? std::max(row, kFractal) : kFractal;
  problem.b_columns_step = b_transposed ? kFractal : std::max(row, kFractal);
  problem.a_is_in_l1 = IsInL1(request.a);
  problem.b_is_in_l1 = IsInL1(request.b);
  problem.a_rows = {IsNz(request.a), !a_transposed,
                    a_transposed ? Chosen(request.whole_m, problem.shape.m)
                                 : Chosen(request.whole_ka, problem.shape.k)};
  problem.b_rows = {IsNz(request.b), b_transposed,
                    b_transposed ? Chosen(request.whole_kb, problem.shape.k)
                                 : Chosen(request.whole_n, problem.shape.n)};

  problem.single_step = {Step(kFractal, request.single_step.m),
                         Step(kFractal, request.single_step.n),
                         Step(step_k, request.single_step.k)};
  if (IsNz(request.a) || IsNz(request.b)) {
    problem.single_step.k = Step(problem.single_step.k,
                                 static_cast<int32_t>(std::max(row, kFractal)));
  }
  return problem;
}

}  // namespace belay::runtime
