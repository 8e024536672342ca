// SPDX-License-Identifier: Apache-2.0
// Registers: the mask and its mode, and atomic moves to global memory.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "global_bench.h"
#include "kernels.h"
#include "naive_numbers.h"

namespace belay::sweep::sweep_registers {
namespace {

using AscendC::MaskMode;

void CheckMask(const char* row, const char* column, const char* mark,
               uint64_t low, uint64_t high, bool counter,
               const Kernel& kernel) {
  Bench& bench = Bench::Get();
  const Outcome& outcome = bench.Run(kernel);
  bench.Note({"Vector", row, column, mark},
             outcome.ok && outcome.state.mask[0] == low &&
                 outcome.state.mask[1] == high &&
                 outcome.state.counter_mode == counter,
             "the mask register or its mode is wrong");
}

TEST(Registers, Mask) {
  const auto sweep = []<typename T>() {
    const char* name = Type<T>::kName;
    CheckMask("SetVectorMask", name, "high and low", 0x123456789abcdef0, 0xf00d,
              false,
              [] { AscendC::SetVectorMask<T>(0xf00d, 0x123456789abcdef0); });
    CheckMask("SetVectorMask", name, "high and low", 77, 0, true, [] {
      AscendC::SetMaskCount();
      AscendC::SetVectorMask<T, MaskMode::COUNTER>(0, 77);
    });
    for (const int32_t lanes : {0, 1, 63, 64, 65, 127, 128}) {
      const auto ones = [](int32_t n) {
        return n >= 64 ? ~uint64_t{0} : n <= 0 ? 0 : (uint64_t{1} << n) - 1;
      };
      CheckMask("SetVectorMask", name, "lanes", ones(lanes), ones(lanes - 64),
                false, [&] { AscendC::SetVectorMask<T>(lanes); });
    }
    CheckMask("SetVectorMask", name, "lanes", 100000, 0, true, [] {
      AscendC::SetMaskCount();
      AscendC::SetVectorMask<T, MaskMode::COUNTER>(100000);
    });
  };
  ForEach(Moved{}, sweep);
}

TEST(Registers, MaskModes) {
  constexpr uint64_t kAll = ~uint64_t{0};
  CheckMask("SetMaskCount", "any", "call", kAll, kAll, true,
            [] { AscendC::SetMaskCount(); });
  CheckMask("SetMaskNorm", "any", "call", kAll, kAll, false, [] {
    AscendC::SetMaskCount();
    AscendC::SetMaskNorm();
  });
  CheckMask("ResetMask", "any", "call", kAll, kAll, false, [] {
    AscendC::SetVectorMask<float>(0, 3);
    AscendC::ResetMask();
  });
}

enum class Atomic { kAdd, kMax, kMin };

uint64_t Combine(Atomic how, uint64_t old, uint64_t value, abi::DType dtype) {
  if (!npu::naive::IsFloat(dtype)) {
    const __int128 a = npu::naive::DecodeInteger(old, dtype);
    const __int128 b = npu::naive::DecodeInteger(value, dtype);
    const __int128 result = how == Atomic::kAdd   ? a + b
                            : how == Atomic::kMax ? (a > b ? a : b)
                                                  : (a < b ? a : b);
    return npu::naive::EncodeInteger(result, dtype, false);
  }
  const long double a = npu::naive::Decode(old, dtype);
  const long double b = npu::naive::Decode(value, dtype);
  if (how == Atomic::kAdd) {
    return npu::naive::Encode(a + b, dtype, abi::Round::kRint, false);
  }
  return (how == Atomic::kMax ? a > b : a < b) ? old : value;
}

// Small numbers of both signs, exact in every type.
uint64_t DrawNumber(abi::DType dtype) {
  const auto whole = static_cast<int64_t>(Bench::Get().draw.Below(101)) - 50;
  if (!npu::naive::IsFloat(dtype)) {
    return npu::naive::EncodeInteger(whole, dtype, false);
  }
  return npu::naive::Encode(whole == 0 ? 1.0L : whole * 0.25L, dtype,
                            abi::Round::kRint, false);
}

template <typename T>
void SweepAtomic(Atomic how, const char* row, void (*set)(),
                 void (*stop)() = AscendC::SetAtomicNone) {
  GlobalBench bench;
  constexpr abi::DType kType = Type<T>::kDType;
  for (int i = 0; i < kCalls; ++i) {
    const auto count =
        static_cast<uint32_t>(1 + bench.draw().Below(4)) * 32 / sizeof(T);
    for (uint32_t e = 0; e < count; ++e) {
      const uint64_t old = DrawNumber(kType);
      const uint64_t value = DrawNumber(kType);
      const uint64_t result = Combine(how, old, value, kType);
      const uint64_t again = Combine(how, result, value, kType);
      const uint32_t at = e * sizeof(T);
      std::memcpy(bench.global() + at, &old, sizeof(T));
      std::memcpy(bench.ub() + kSrc0At + at, &value, sizeof(T));
      std::memcpy(bench.ub_image() + kSrc0At + at, &value, sizeof(T));
      std::memcpy(bench.global_image() + at, &again, sizeof(T));
      // After the atomic mode ends, moves are plain again.
      std::memcpy(bench.global_image() + 4096 + at, &value, sizeof(T));
    }
    bench.Check({"Movement", row, Type<T>::kName, "call"}, [&] {
      set();
      const auto src = TensorAt<T>(kSrc0At);
      AscendC::DataCopy(bench.Tensor<T>(), src, count);
      AscendC::DataCopy(bench.Tensor<T>(), src, count);
      stop();
      AscendC::DataCopy(bench.Tensor<T>()[4096 / sizeof(T)], src, count);
    });
  }
}

TEST(Registers, Atomics) {
  using Accumulated = Types<int8_t, int16_t, half, bfloat16_t, int32_t, float>;
  ForEach(Accumulated{}, []<typename T>() {
    SweepAtomic<T>(Atomic::kAdd, "SetAtomicAdd",
                   [] { AscendC::SetAtomicAdd<T>(); });
    SweepAtomic<T>(Atomic::kMax, "SetAtomicMax",
                   [] { AscendC::SetAtomicMax<T>(); });
    SweepAtomic<T>(
        Atomic::kMin, "SetAtomicMin", [] { AscendC::SetAtomicMin<T>(); },
        [] { AscendC::DisableDmaAtomic(); });
  });
}

// The compiler takes these types; a move must not go on as if it could add.
TEST(Registers, AtomicsOfOtherTypesAreRefused) {
  using Others = Types<bool, AscendC::int4b_t, uint8_t, uint16_t, uint32_t,
                       int64_t, uint64_t, double>;
  const auto check = []<typename T>(const char* row, void (*set)()) {
    GlobalBench bench;
    Bench::Get().CheckRefused(
        {"Movement", row, Type<T>::kName, "refused"}, "BLY-N107", [&] {
          set();
          AscendC::DataCopy(bench.Tensor<T>(), TensorAt<T>(kSrc0At), 64);
        });
  };
  ForEach(Others{}, [&]<typename T>() {
    check.template operator()<T>("SetAtomicAdd",
                                 [] { AscendC::SetAtomicAdd<T>(); });
    check.template operator()<T>("SetAtomicMax",
                                 [] { AscendC::SetAtomicMax<T>(); });
    check.template operator()<T>("SetAtomicMin",
                                 [] { AscendC::SetAtomicMin<T>(); });
  });
}

template <typename T>
uint64_t BitsOf(const T& element) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &element, sizeof element);
  return bits & (~uint64_t{0} >> (64 - kBits<T>));
}

// Writes element after element, reads each back; all bytes are compared.
template <typename T, typename Tensor>
void SweepValues(const char* row, GlobalBench& bench, uint8_t* image,
                 Tensor tensor) {
  for (int i = 0; i < kCalls; ++i) {
    std::vector<uint64_t> elements(1 + bench.draw().Below(40));
    const auto first = static_cast<uint32_t>(bench.draw().Below(50));
    for (size_t k = 0; k < elements.size(); ++k) {
      elements[k] = bench.draw().Word() & (~uint64_t{0} >> (64 - kBits<T>));
      if (std::is_same_v<T, bool>) elements[k] &= 1;
      const uint64_t at = first + k;
      if (kBits<T> == 4) {
        const int shift = static_cast<int>(at % 2) * 4;
        image[at / 2] = static_cast<uint8_t>((image[at / 2] & ~(15 << shift)) |
                                             elements[k] << shift);
      } else {
        std::memcpy(image + at * sizeof(T), &elements[k], sizeof(T));
      }
    }
    bool same = true;
    const Cell cell{"Movement", row, Type<T>::kName, "call"};
    bench.Check(cell, [&] {
      auto to = tensor();
      for (size_t k = 0; k < elements.size(); ++k) {
        to.SetValue(first + k, ValueOf<T>(elements[k]));
      }
      for (size_t k = 0; k < elements.size(); ++k) {
        same = same && BitsOf(to.GetValue(first + k)) == elements[k];
      }
    });
    Bench::Get().Note(cell, same, "GetValue gives something else");
  }
}

TEST(Registers, Values) {
  using AllTypes =
      Types<bool, AscendC::int4b_t, int8_t, uint8_t, int16_t, uint16_t, half,
            bfloat16_t, int32_t, uint32_t, float, int64_t, uint64_t, double>;
  ForEach(AllTypes{}, []<typename T>() {
    GlobalBench bench;
    SweepValues<T>("LocalTensor, GetValue and SetValue", bench,
                   bench.ub_image() + kDstAt,
                   [] { return TensorAt<T>(kDstAt); });
    SweepValues<T>("GlobalTensor, GetValue and SetValue", bench,
                   bench.global_image(),
                   [&] { return bench.template Tensor<T>(); });
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_registers
