// SPDX-License-Identifier: Apache-2.0
#include "check/init_lanes.h"

#include "base/error.h"
#include "npu/names.h"

namespace belay::check {
namespace {

using npu::Family;

void Dispatch(LaneWork& work) {
  switch (npu::FamilyOf(work.instruction().op)) {
    case Family::kCast:
      return PropagateCastDequant(work);
    case Family::kCompare:
      return PropagateCompare(work);
    case Family::kCmpMask:
      return PropagateCmpMask(work);
    case Family::kSelect:
      return PropagateSelect(work);
    case Family::kReduceParts:
      return PropagateReduceParts(work);
    case Family::kDuplicate:
    case Family::kIndex:
    case Family::kCopy:
    case Family::kGather:
    case Family::kGatherb:
    case Family::kGatherMask:
    case Family::kBrcb:
    case Family::kTranspose:
    case Family::kTransposeLists:
      return PropagateMove(work);
    case Family::kSort:
      return PropagateSort(work);
    case Family::kMerge:
      return PropagateMerge(work);
    default:
      throw InternalError("[initcheck] no such vector instruction");
  }
}

}  // namespace

void Propagate(LaneWork& work) {
  switch (npu::FamilyOf(work.instruction().op)) {
    case Family::kReduce:
      return PropagateReduce(work);
    case Family::kCast:
      if (work.instruction().op == abi::Op::kCastDequant &&
          work.instruction().src0.dtype == abi::DType::kInt16) {
        break;
      }
      [[fallthrough]];
    case Family::kUnary:
    case Family::kBinary:
    case Family::kScalar:
    case Family::kFused:
      return PropagateElementwise(work);
    default:
      break;
  }
  for (const Touch& read : work.touches.reads) {
    work.shadow.Read(read.address, read.bytes);
  }
  for (const Touch& write : work.touches.writes) {
    work.shadow.Write(write.address, write.bytes);
  }
  Dispatch(work);
  for (const Touch& write : work.touches.writes) {
    work.shadow.Settle(write.address, write.bytes);
  }
}

}  // namespace belay::check
