// SPDX-License-Identifier: Apache-2.0
#include "check/init_report.h"

#include <fmt/format.h>

#include "base/catalogue.h"
#include "npu/names.h"

namespace belay::check {
namespace {

std::string FixOf(std::string_view code) {
  if (code == code::kI101 || code == code::kI110) {
    return "write these bytes first (Duplicate, or padding with a value), or "
           "store fewer: DataCopyPad moves any number of bytes";
  }
  if (code == code::kI102) {
    return "write the element before it is read, or read fewer elements";
  }
  if (code == code::kI103) {
    return "write all offsets the active lanes use, or use fewer lanes";
  }
  if (code == code::kI104) {
    return "give GatherMask the number of valid lanes (counter mode), or clear "
           "the bits of the others";
  }
  if (code == code::kI105) {
    return "reduce the valid elements only (count or mask), or fill the tail "
           "with the neutral value first";
  }
  if (code == code::kI106) {
    return "fill the tail with a value that sorts last first";
  }
  if (code == code::kI107) {
    return "set the destination to zero first, with aclrtMemset or in the "
           "kernel";
  }
  if (code == code::kI109) {
    return "store as many bytes as were brought in, or pad with a value of "
           "your own (isPad)";
  }
  return "write the whole tensor after AllocTensor, or store fewer bytes";
}

}  // namespace

uint64_t InitReport::OtherPlace(const InitFinding& finding,
                                const BufferTable& buffers) const {
  if (finding.origin.pc != 0) return finding.origin.pc;
  const BufferTable::Buffer* buffer = buffers.Find(finding.address);
  return buffer == nullptr ? 0 : buffer->pc;
}

std::string InitReport::NameByte(uint64_t address,
                                 const BufferTable::Buffer* buffer,
                                 bool with_name) const {
  if (const auto place = chip_.on_chip().Locate(address)) {
    const std::string_view memory = npu::NameOf(place->memory);
    if (buffer == nullptr) {
      return fmt::format("byte {} of {}", place->offset, memory);
    }
    return fmt::format("byte {} of {} (byte {} of {})", place->offset, memory,
                       address - buffer->address,
                       with_name ? "'{name}'" : "its buffer");
  }
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Find(address);
  if (allocation == nullptr) return fmt::format("address {:#x}", address);
  return fmt::format("byte {} of {}", address - allocation->base,
                     allocation->Describe());
}

void InitReport::Write(const InitFinding& finding, const BufferTable& buffers,
                       bool reused, std::string rule) {
  const BufferTable::Buffer* buffer = buffers.Find(finding.address);
  npu::Fault fault;
  fault.pc = finding.pc;
  fault.name_pc = buffer == nullptr ? 0 : buffer->pc;
  Diagnostic& diagnostic = fault.diagnostic;
  diagnostic.code = finding.code;
  diagnostic.severity = FindCode(finding.code)->severity;
  diagnostic.core = finding.core.Name();
  diagnostic.pipe = npu::NameOf(finding.pipe);
  diagnostic.message =
      fmt::format("{}{}", rule, NameByte(finding.address, buffer, true));
  diagnostic.fix = FixOf(finding.code);

  // Blocks that follow others on a core find what those left.
  bool on_chip = chip_.on_chip().Spans(finding.address);
  const Origin& origin = finding.origin;
  const std::string_view made_by = npu::NameOf(origin.op);
  switch (origin.kind) {
    case Origin::Kind::kNeverWritten:
      if (!on_chip) {
        diagnostic.notes.push_back(
            {"neither the host nor a kernel ever wrote it", {}});
      } else if (buffer != nullptr) {
        fault.notes.push_back(
            {"nothing was written there since the block began; its buffer was "
             "made here",
             buffer->pc});
      } else {
        diagnostic.notes.push_back(
            {"nothing was written there since the block began", {}});
      }
      break;
    case Origin::Kind::kSource: {
      const BufferTable::Buffer* root = buffers.Find(origin.root);
      on_chip = chip_.on_chip().Spans(origin.root);
      fault.notes.push_back(
          {fmt::format(
               "{} made it here, from undefined bytes: the first was {}",
               made_by, NameByte(origin.root, root, false)),
           origin.pc});
      if (root != nullptr) {
        fault.notes.push_back({"the buffer of these was made here", root->pc});
      }
      break;
    }
    case Origin::Kind::kPadding:
      fault.notes.push_back(
          {fmt::format("{} padded with undefined bytes here: isPad is false "
                       "and SetPadValue was not called",
                       made_by),
           origin.pc});
      on_chip = false;
      break;
    case Origin::Kind::kWorkBuffer:
      fault.notes.push_back(
          {fmt::format("{} used it as its work buffer here", made_by),
           origin.pc});
      on_chip = false;
      break;
    case Origin::Kind::kCompareBits:
      fault.notes.push_back(
          {fmt::format("{} made it here, by bits of the comparison register "
                       "that no comparison has set",
                       made_by),
           origin.pc});
      on_chip = false;
      break;
    case Origin::Kind::kFiller:
      fault.notes.push_back(
          {fmt::format(
               "{} brought fewer bytes here than whole blocks have, and "
               "filled the last up with its first element",
               made_by),
           origin.pc});
      on_chip = false;
      break;
    case Origin::Kind::kAllocated:
      fault.notes.push_back(
          {"the tensor was allocated here, and these bytes hold what its "
           "buffer was used for before",
           origin.pc});
      on_chip = false;
      break;
  }
  if (on_chip && reused) {
    diagnostic.notes.push_back(
        {fmt::format("{} ran another block of this launch before: what that "
                     "one left there does not count as written",
                     finding.core.Name()),
         {}});
  }
  findings_.Add(std::move(fault));
}

}  // namespace belay::check
