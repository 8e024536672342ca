// SPDX-License-Identifier: Apache-2.0
#include "bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/dtype.h"
#include "belay/guest_abi.h"
#include "naive_model.h"
#include "naive_numbers.h"
#include "npu/names.h"

namespace belay::sweep {
namespace {

struct LaunchArguments {
  const Kernel* kernel;
  const uint8_t* before;
  uint8_t* after;
  npu::VectorState* state;
  bool saturate;
};

void SetSaturation() {
  abi::Instruction control{};
  control.op = abi::Op::kSetCtrl;  // all bits 0
  belay_issue(&control);
}

void RunOnBlock(void* raw) {
  const auto& arguments = *static_cast<const LaunchArguments*>(raw);
  auto* ub = reinterpret_cast<void*>(belay_memory_base(abi::Memory::kUb));
  std::memcpy(ub, arguments.before, npu::kUbBytes);
  if (arguments.saturate) SetSaturation();
  (*arguments.kernel)();
  std::memcpy(arguments.after, ub, npu::kUbBytes);
  *arguments.state = runtime::Device::Get()->current()->core->vector;
}

abi::Instruction Bound(const abi::Instruction& record,
                       const npu::UbBuffer& ub) {
  abi::Instruction bound = record;
  for (abi::Operand* operand :
       {&bound.dst, &bound.src0, &bound.src1, &bound.src2}) {
    if (operand->dtype != abi::DType::kNone) {
      operand->address = ub.address(operand->address);
    }
  }
  if (record.op == abi::Op::kMrgSort) {
    for (uint64_t& list : bound.merge.list) list = ub.address(list);
  }
  if (record.op == abi::Op::kTransDataTo5HD) {
    static uint64_t rows[2][16];
    const auto bind = [&](uint64_t& list, uint64_t to[16]) {
      const auto* offsets = reinterpret_cast<const uint64_t*>(list);
      for (int i = 0; i < 16; ++i) to[i] = ub.address(offsets[i]);
      list = reinterpret_cast<uint64_t>(to);
    };
    bind(bound.lists.destinations, rows[0]);
    bind(bound.lists.sources, rows[1]);
  }
  return bound;
}

// Float bits as a number line without gaps.
int64_t Ordinal(uint32_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & 0x7fffffffu);
  return (bits >> 31) != 0 ? -magnitude : magnitude;
}

// Exp and Ln of float may be off by one in the last place.
bool IsApproximate(const abi::Instruction& record) {
  return (record.op == abi::Op::kExp || record.op == abi::Op::kLn) &&
         record.dst.dtype == abi::DType::kFloat;
}

std::string Describe(const abi::Instruction& record) {
  const auto operand = [](const char* name, const abi::Operand& o) {
    if (o.dtype == abi::DType::kNone) return std::string();
    return fmt::format(" {}={}@{} blk {} rep {};", name, AscendNameOf(o.dtype),
                       o.address, o.block_stride, o.repeat_stride);
  };
  return fmt::format(
      "{} form {} mode {} repeat {} count {} mask {:#x} {:#x} scalar {:#x};"
      "{}{}{}{}",
      npu::NameOf(record.op), static_cast<int>(record.form), record.mode,
      record.repeat, record.count, record.mask[0], record.mask[1],
      record.scalar, operand("dst", record.dst), operand("src0", record.src0),
      operand("src1", record.src1), operand("src2", record.src2));
}

// Select with a scalar or with bits for every lane, and AddDeqRelu, leave
// garbage in the last 8 KB of UB: 128 bytes, and 4 for each element. `staged`:
// SetCmpMask has brought what Select would have to leave there.
void TakeScratch(const abi::Instruction& record, bool staged,
                 const npu::VectorState& state, npu::UbBuffer& ub) {
  uint64_t bytes = 0;
  if (record.op == abi::Op::kSelect) {
    const auto mode = static_cast<abi::Select>(record.mode);
    if (mode != abi::Select::kCmpMaskRegister && !staged) bytes = 128;
  } else if (record.op == abi::Op::kAddDeqRelu) {
    uint64_t elements = uint64_t{record.repeat} * 64;
    if (record.form == abi::Form::kCount) {
      elements = record.count;
    } else if (state.counter_mode) {
      elements = record.form == abi::Form::kContinuous ? record.count
                 : record.form == abi::Form::kBitwise  ? record.mask[0]
                                                       : state.mask[0];
    }
    bytes = std::min<uint64_t>(elements * 4, 8192);
  }
  std::memset(ub.data() + npu::kUbBytes - 8192, 0xFF, bytes);
}

}  // namespace

Bench& Bench::Get() {
  static Bench bench;
  return bench;
}

Bench::Bench()
    : draw(npu::TestSeed()),
      elements_(npu::TestSeed() + 1),
      device_(std::make_unique<runtime::Device>(runtime::DeviceOptions{})) {
  runtime::Device::Install(device_.get());
  device_->SetFaultSink([this](npu::Fault fault) {
    // Warnings come beside results, which are compared.
    if (fault.diagnostic.severity != Severity::kError) return;
    if (!outcome_.code.empty()) return;
    outcome_.code = fault.diagnostic.code;
    outcome_.message = fault.diagnostic.message;
  });
  device_->chip().AddObserver(this);
  for (uint32_t at = 0; at < npu::kUbBytes; at += 8) {
    const uint64_t word = draw.Word();
    std::memcpy(image_.data() + at, &word, 8);
  }
}

void Bench::Fill(uint32_t at, uint32_t bytes, abi::DType dtype) {
  const int bits = npu::naive::BitsOfType(dtype);
  const uint32_t step = bits < 8 ? 1 : static_cast<uint32_t>(bits) / 8;
  for (uint32_t offset = 0; offset < bytes; offset += step) {
    uint64_t element = bits < 8 ? draw.Word() : elements_.Element(dtype);
    std::memcpy(image_.data() + at + offset, &element, step);
  }
}

void Bench::OnInstruction(const npu::InstructionEvent& event) {
  if (event.lanes != nullptr) {
    outcome_.vector_records.push_back(event.instruction);
  }
}

const Outcome& Bench::Run(const Kernel& kernel, bool saturate) {
  outcome_ = Outcome{};
  LaunchArguments arguments{&kernel, image_.data(), actual_.data(),
                            &outcome_.state, saturate};
  const runtime::LaunchStatus status = device_->Launch(
      {"sweep", "vector", RunOnBlock}, 1, &arguments, sizeof arguments);
  outcome_.ok = status == runtime::LaunchStatus::kOk;
  return outcome_;
}

const Outcome& Bench::RunOnCube(const Kernel& kernel) {
  outcome_ = Outcome{};
  const Kernel* argument = &kernel;
  const auto call = [](void* raw) { (**static_cast<const Kernel**>(raw))(); };
  const runtime::LaunchStatus status =
      device_->Launch({"sweep", "cube", call}, 1, &argument, sizeof argument);
  outcome_.ok = status == runtime::LaunchStatus::kOk;
  return outcome_;
}

std::string Bench::Difference(
    const std::vector<abi::Instruction>& records) const {
  const npu::VectorState& expected = expected_state_;
  bool approximate = false;
  for (const auto& record : records) approximate |= IsApproximate(record);
  if (std::memcmp(expected_.data(), actual_.data(), npu::kUbBytes) != 0) {
    for (uint32_t at = 0; at < npu::kUbBytes; at += 4) {
      uint32_t a;
      uint32_t b;
      std::memcpy(&a, expected_.data() + at, 4);
      std::memcpy(&b, actual_.data() + at, 4);
      if (a == b) continue;
      if (approximate && std::abs(Ordinal(a) - Ordinal(b)) <= 1) continue;
      return fmt::format("UB word at byte {} should be {:#010x}, is {:#010x}",
                         at, a, b);
    }
  }
  const npu::VectorState& state = outcome_.state;
  const auto same = [](const uint64_t a[2], const uint64_t b[2]) {
    return a[0] == b[0] && a[1] == b[1];
  };
  if (!same(state.mask, expected.mask)) {
    return fmt::format(
        "the mask register should be {:#x} {:#x}, is {:#x} {:#x}",
        expected.mask[0], expected.mask[1], state.mask[0], state.mask[1]);
  }
  if (state.counter_mode != expected.counter_mode) {
    return "the mode of the mask register differs";
  }
  if (!same(state.compare_mask, expected.compare_mask)) {
    return "the comparison register differs";
  }
  if (state.reduced_sum != expected.reduced_sum ||
      state.reduced_value != expected.reduced_value ||
      state.reduced_index != expected.reduced_index) {
    return "a register of reductions differs";
  }
  if (state.gathered != expected.gathered) {
    return fmt::format("the number of gathered elements should be {}, is {}",
                       expected.gathered, state.gathered);
  }
  return {};
}

void Bench::Check(const Cell& cell,
                  const std::vector<abi::Instruction>& records,
                  const npu::VectorState& before, const Kernel& kernel) {
  expected_.CopyFrom(image_);
  expected_state_ = before;
  for (const abi::Instruction& record : records) {
    // Scales in a tensor: the register holds its address.
    if (record.op == abi::Op::kCastDequant && (record.mode & 2) != 0) {
      expected_state_.dequant = expected_.address(before.dequant);
    }
    const bool staged = records.front().op == abi::Op::kSetCmpMask;
    TakeScratch(record, staged, expected_state_, expected_);
    npu::naive::Execute(Bound(record, expected_), expected_state_);
  }
  Run(kernel, before.saturate);
  std::string what;
  if (!outcome_.code.empty()) {
    what = outcome_.code + ": " + outcome_.message;
  } else if (outcome_.vector_records.size() != records.size()) {
    what = fmt::format("{} vector instructions were issued instead of {}",
                       outcome_.vector_records.size(), records.size());
  } else {
    what = Difference(records);
  }
  if (!what.empty()) {
    for (const auto& record : records) what += "\n  " + Describe(record);
  }
  Note(cell, what.empty(), what);
}

void Bench::CheckRefused(const Cell& cell, const std::string& code,
                         const Kernel& kernel) {
  Run(kernel);
  Note(cell, outcome_.code == code,
       fmt::format("should end with {}, ended with '{}' {}", code,
                   outcome_.code, outcome_.message));
}

void Bench::Note(const Cell& cell, bool agreed, const std::string& what) {
  const auto found = Cells::Get().all().find(cell);
  const bool first = found == Cells::Get().all().end() || found->second;
  Cells::Get().Note(cell, agreed);
  if (!agreed && first && !IsNotYet(cell))
    ADD_FAILURE() << NameOf(cell) << ": " << what;
}

}  // namespace belay::sweep
