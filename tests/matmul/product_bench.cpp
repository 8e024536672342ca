// SPDX-License-Identifier: Apache-2.0
#include "product_bench.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

#include "base/dtype.h"
#include "base/float16.h"
#include "belay/guest_abi.h"

namespace belay::runtime::matmul {

using abi::DType;
using abi::MatmulFormat;

namespace {

// What a kernel is given.
struct Arguments {
  const ProductBench::Ask* ask;
  const abi::MatmulSpec* spec;
  const AscendC::tiling::TCubeTiling* tiling;
  const abi::MatmulJob* job;
};

void Entry(void* arguments) {
  const auto& given = *static_cast<const Arguments*>(arguments);
  abi::PipeState pipe{};
  belay_pipe_init(&pipe);
  abi::MatmulState state{};
  state.spec = given.spec;
  abi::MatmulState* states[] = {&state};
  belay_matmul_register(states, 1, &pipe, belay_workspace());
  const AscendC::tiling::TCubeTiling tiling = *given.tiling;
  belay_matmul_init(&state, &tiling);
  if (belay_matmul_serve(states, 1) == 0) {
    const abi::MatmulJob cut = state.job;
    state.job = *given.job;
    state.job.org_m = cut.org_m;
    state.job.org_n = cut.org_n;
    state.job.org_ka = cut.org_ka;
    state.job.org_kb = cut.org_kb;
    state.job.single_m = cut.single_m;
    state.job.single_n = cut.single_n;
    state.job.single_k = cut.single_k;
    (*given.ask)(state);
  }
  belay_matmul_leave(&state);
  belay_pipe_destroy(&pipe);
}

void PutElement(DType dtype, std::byte* base, size_t index, double value) {
  switch (dtype) {
    case DType::kFloat: {
      const auto bits = static_cast<float>(value);
      std::memcpy(base + index * 4, &bits, 4);
      return;
    }
    case DType::kHalf: {
      const Half bits = HalfFromFloat(static_cast<float>(value));
      std::memcpy(base + index * 2, &bits, 2);
      return;
    }
    case DType::kBfloat16: {
      const Bfloat16 bits = BfloatFromFloat(static_cast<float>(value));
      std::memcpy(base + index * 2, &bits, 2);
      return;
    }
    case DType::kInt32: {
      const auto bits = static_cast<int32_t>(value);
      std::memcpy(base + index * 4, &bits, 4);
      return;
    }
    case DType::kInt4: {
      auto& pair = reinterpret_cast<uint8_t*>(base)[index / 2];
      const auto nibble = static_cast<uint8_t>(static_cast<int>(value) & 15);
      pair = index % 2 == 0 ? static_cast<uint8_t>((pair & 0xf0) | nibble)
                            : static_cast<uint8_t>((pair & 0x0f) | nibble << 4);
      return;
    }
    default:
      reinterpret_cast<int8_t*>(base)[index] = static_cast<int8_t>(value);
  }
}

double GetElement(DType dtype, const std::byte* base, size_t index) {
  switch (dtype) {
    case DType::kFloat: {
      float value;
      std::memcpy(&value, base + index * 4, 4);
      return value;
    }
    case DType::kHalf: {
      Half bits;
      std::memcpy(&bits, base + index * 2, 2);
      return ToFloat(bits);
    }
    case DType::kBfloat16: {
      Bfloat16 bits;
      std::memcpy(&bits, base + index * 2, 2);
      return ToFloat(bits);
    }
    case DType::kInt32: {
      int32_t value;
      std::memcpy(&value, base + index * 4, 4);
      return value;
    }
    default:
      return reinterpret_cast<const int8_t*>(base)[index];
  }
}

// Where element (row, column) lies.
size_t PlaceOf(const Matrix& matrix, const abi::MatmulMatrix& type, int row,
               int column) {
  if (type.format != MatmulFormat::kNz) {
    return static_cast<size_t>(row) * matrix.columns + column;
  }
  const int wide = 256 / BitsOf(type.dtype);
  return (static_cast<size_t>(column / wide) * matrix.rows + row) * wide +
         column % wide;
}

Matrix Draw(int rows, int columns, DType dtype, std::mt19937_64& random) {
  Matrix matrix{rows, columns, {}};
  std::uniform_int_distribution<int> small(-7, 7);
  std::uniform_int_distribution<int> eighths(-16, 16);
  for (int i = 0; i < rows * columns; ++i) {
    matrix.values.push_back(IsFloating(dtype) ? eighths(random) / 8.0
                                              : small(random));
  }
  return matrix;
}

Matrix Turned(const Matrix& matrix) {
  Matrix turned{matrix.columns, matrix.rows, matrix.values};
  for (int row = 0; row < matrix.rows; ++row) {
    for (int column = 0; column < matrix.columns; ++column) {
      turned.At(column, row) = matrix.At(row, column);
    }
  }
  return turned;
}

}  // namespace

abi::Operand GlobalOperand(uint64_t address, DType dtype) {
  abi::Operand operand{};
  operand.address = address;
  operand.block_stride = 1;
  operand.repeat_stride = 8;
  operand.dtype = dtype;
  operand.memory = abi::Memory::kGm;
  return operand;
}

std::string Problem::Text() const {
  return fmt::format(
      "{} × {} × {}{}{}{}, {} to {}, A {} B {} C {}, base {} × {} × {}, step "
      "{} {} {} {}, depth {} {}, order {}, double {} {} {}, slabs {}",
      m, n, k, transpose_a ? ", A turned" : "", transpose_b ? ", B turned" : "",
      bias ? ", bias" : "", NameOf(spec.a.dtype), NameOf(spec.c.dtype),
      static_cast<int>(spec.a.format), static_cast<int>(spec.b.format),
      static_cast<int>(spec.c.format), tiling.baseM, tiling.baseN, tiling.baseK,
      tiling.stepM, tiling.stepN, tiling.stepKa, tiling.stepKb, tiling.depthA1,
      tiling.depthB1, tiling.iterateOrder, tiling.dbL0A, tiling.dbL0B,
      tiling.dbL0C, spec.whole_slabs);
}

ProductBench::ProductBench(bool check)
    : device_([&] {
        DeviceOptions options;
        if (check) options.check = check::CheckOptions{};
        return options;
      }()) {
  Device::Install(&device_);
  device_.SetFaultSink(
      [this](npu::Fault fault) { faults_.push_back(std::move(fault)); });
  device_.SetWorkspace(device_.chip().global().Allocate(16 << 20));
}

ProductBench::~ProductBench() { Device::Install(nullptr); }

uint64_t ProductBench::Store(const Matrix& matrix,
                             const abi::MatmulMatrix& type) {
  const size_t bytes = BytesOf(type.dtype, matrix.values.size());
  const uint64_t place = device_.chip().global().Allocate(bytes);
  std::vector<std::byte> data(bytes);
  for (int row = 0; row < matrix.rows; ++row) {
    for (int column = 0; column < matrix.columns; ++column) {
      PutElement(type.dtype, data.data(), PlaceOf(matrix, type, row, column),
                 matrix.At(row, column));
    }
  }
  std::memcpy(reinterpret_cast<void*>(place), data.data(), bytes);
  device_.chip().NotifyHostWrite({place, bytes, 0});
  return place;
}

void ProductBench::Prepare(const Problem& problem, uint64_t seed) {
  problem_ = problem;
  std::mt19937_64 random(seed);
  a_ = Draw(problem.m, problem.k, problem.spec.a.dtype, random);
  b_ = Draw(problem.k, problem.n, problem.spec.b.dtype, random);
  bias_ = Draw(1, problem.n, problem.spec.bias.dtype, random);
  a_place_ = Store(problem.transpose_a ? Turned(a_) : a_, problem.spec.a);
  b_place_ = Store(problem.transpose_b ? Turned(b_) : b_, problem.spec.b);
  bias_place_ = Store(bias_, problem.spec.bias);
  const size_t elements = static_cast<size_t>(problem.m) * problem.n;
  result_ = GlobalOperand(
      device_.chip().global().Allocate(BytesOf(problem.spec.c.dtype, elements)),
      problem.spec.c.dtype);
}

bool ProductBench::Run(const std::string& kind, const Ask& ask) {
  faults_.clear();
  abi::MatmulJob job{};
  job.a = GlobalOperand(a_place_, problem_.spec.a.dtype);
  job.b = GlobalOperand(b_place_, problem_.spec.b.dtype);
  job.bias = GlobalOperand(bias_place_, problem_.spec.bias.dtype);
  job.transpose_a = problem_.transpose_a;
  job.transpose_b = problem_.transpose_b;
  job.has_bias = problem_.bias;
  const Arguments arguments{&ask, &problem_.spec, &problem_.tiling, &job};
  const Kernel kernel{"product", kind, Entry};
  return device_.Launch(kernel, 1, &arguments, sizeof arguments) ==
             LaunchStatus::kOk &&
         faults_.empty();
}

bool ProductBench::Launch(const std::string& kind,
                          const std::function<void()>& code) {
  faults_.clear();
  const std::function<void()>* argument = &code;
  const Kernel kernel{
      "object", kind, [](void* arguments) {
        (**static_cast<const std::function<void()>**>(arguments))();
      }};
  return device_.Launch(kernel, 1, &argument, sizeof argument) ==
             LaunchStatus::kOk &&
         faults_.empty();
}

Matrix ProductBench::Result() const {
  Matrix result{problem_.m, problem_.n, {}};
  result.values.resize(static_cast<size_t>(problem_.m) * problem_.n);
  const auto* base = reinterpret_cast<const std::byte*>(result_.address);
  for (int row = 0; row < problem_.m; ++row) {
    for (int column = 0; column < problem_.n; ++column) {
      abi::MatmulMatrix type = problem_.spec.c;
      size_t place = static_cast<size_t>(row) * problem_.n + column;
      if (type.format == MatmulFormat::kNz) {
        const int wide = BitsOf(type.dtype) == 8 ? 32 : 16;
        place = (static_cast<size_t>(column / wide) * problem_.m + row) * wide +
                column % wide;
      }
      result.At(row, column) = GetElement(type.dtype, base, place);
    }
  }
  return result;
}

Matrix ProductBench::Expected() const {
  Matrix result{problem_.m, problem_.n, {}};
  for (int row = 0; row < problem_.m; ++row) {
    for (int column = 0; column < problem_.n; ++column) {
      double sum = problem_.bias ? bias_.At(0, column) : 0;
      for (int i = 0; i < problem_.k; ++i) {
        sum += a_.At(row, i) * b_.At(i, column);
      }
      result.values.push_back(sum);
    }
  }
  return result;
}

std::string ProductBench::FaultText() const {
  std::string text;
  for (const npu::Fault& fault : faults_) {
    text += fault.diagnostic.code + " " + fault.diagnostic.message + "\n";
  }
  return text;
}

}  // namespace belay::runtime::matmul
