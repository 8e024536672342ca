// SPDX-License-Identifier: Apache-2.0
#include "cube_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "npu/names.h"

namespace belay::sweep {
namespace {

constexpr abi::Memory kMemories[] = {abi::Memory::kL1,  abi::Memory::kL0a,
                                     abi::Memory::kL0b, abi::Memory::kL0c,
                                     abi::Memory::kBt,  abi::Memory::kFb};

// On the core: what the bench holds into its memories, then back.
void RunBetweenCopies(CubeBench& bench, const Kernel& kernel) {
  for (const abi::Memory memory : kMemories) {
    const CubeBench::Bytes& bytes = bench.In(memory);
    std::memcpy(reinterpret_cast<void*>(belay_memory_base(memory)),
                bytes.data(), bytes.size());
  }
  kernel();
  for (const abi::Memory memory : kMemories) {
    CubeBench::Bytes& bytes = bench.In(memory);
    std::memcpy(bytes.data(),
                reinterpret_cast<const void*>(belay_memory_base(memory)),
                bytes.size());
  }
}

// Bytes of each memory a test sees.
constexpr size_t kSeen[] = {0, 0, 65536, 16384, 16384, 16384, 1024, 2048};

void Scramble(Draw& draw, uint8_t* bytes, uint64_t count) {
  for (uint64_t at = 0; at + 8 <= count; at += 8) {
    const uint64_t word = draw.Word();
    std::memcpy(bytes + at, &word, 8);
  }
}

}  // namespace

CubeBench::CubeBench(uint64_t global_bytes)
    : global_bytes_(global_bytes),
      global_(reinterpret_cast<uint8_t*>(
          bench_.device().chip().global().Allocate(global_bytes))) {
  Scramble(bench_.draw, global_, global_bytes_);
  for (const abi::Memory memory : kMemories) {
    In(memory).resize(kSeen[static_cast<size_t>(memory)]);
    Scramble(bench_.draw, In(memory).data(), In(memory).size());
  }
}

CubeBench::~CubeBench() {
  bench_.device().chip().global().Free(reinterpret_cast<uint64_t>(global_));
}

bool CubeBench::Run(const Kernel& kernel, std::string& what) {
  const Outcome& outcome =
      bench_.RunOnCube([&] { RunBetweenCopies(*this, kernel); });
  if (outcome.code.empty()) return true;
  what = outcome.code + ": " + outcome.message;
  return false;
}

void CubeBench::Check(const Cell& cell, abi::Memory memory,
                      const Bytes& expected, const Kernel& kernel) {
  std::string what;
  if (Run(kernel, what)) {
    const uint8_t* actual =
        memory == abi::Memory::kGm ? global_ : In(memory).data();
    const auto [wrong, at] =
        std::mismatch(expected.begin(), expected.end(), actual);
    if (wrong != expected.end()) {
      what = fmt::format("byte {} of {} should be {:#04x}, is {:#04x}",
                         wrong - expected.begin(), npu::NameOf(memory), *wrong,
                         *at);
    }
  }
  bench_.Note(cell, what.empty(), what);
}

}  // namespace belay::sweep
