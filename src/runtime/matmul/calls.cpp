// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/calls.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/matmul/batch.h"

namespace belay::runtime::matmul {

using abi::MatmulCall;
using abi::MatmulFormat;
using abi::Op;

namespace {

void RequireInputs(const abi::MatmulState& state) {
  const auto is_missing = [](const abi::MatmulMatrix& type,
                             const abi::Operand& tensor) {
    return tensor.address == 0 && type.format != MatmulFormat::kScalar;
  };
  const bool left = is_missing(state.spec->a, state.job.a);
  if (left || is_missing(state.spec->b, state.job.b)) {
    Refuse("BLY-N161",
           fmt::format("[Matmul] {} was not called: there is nothing to "
                       "multiply",
                       left ? "SetTensorA" : "SetTensorB"),
           "set both matrices before Iterate or IterateAll");
  }
  if (state.has_tiling == 0 || state.tiling.baseM <= 0 ||
      state.tiling.baseN <= 0 || state.tiling.baseK <= 0) {
    Refuse(
        "BLY-N160",
        fmt::format("[Matmul] the tiling has base blocks of {} × {} × {}: "
                    "all three must be above 0",
                    state.tiling.baseM, state.tiling.baseN, state.tiling.baseK),
        "pass the tiling that GetTiling filled to REGIST_MATMUL_OBJ or "
        "Init");
  }
}

// A tiling that was made without a bias has no place in L1 for one; a constant
// one says nothing about it and gets it now.
void RequireBias(Instructions& instructions, abi::MatmulState& state) {
  if (state.job.has_bias == 0 || state.tiling.isBias != 0) return;
  if (state.spec->constant_tiling == 0) {
    Refuse("BLY-N160",
           "[Matmul::SetBias] the tiling was made without a bias: L1 has no "
           "place for it",
           "call EnableBias(true) before GetTiling");
  }
  state.tiling.isBias = 1;
  ReserveL1(instructions, state);
}

}  // namespace

int32_t ResultsTold(int32_t results) { return CeilDivide(results, 12); }

uint64_t PlaceInWorkspace(const abi::MatmulState& state, int32_t index) {
  return state.job.workspace.address +
         belay::BytesOf(state.spec->c.dtype,
                        static_cast<size_t>(index) *
                            static_cast<size_t>(state.tiling.baseM) *
                            static_cast<size_t>(state.tiling.baseN));
}

int64_t BatchElements(const abi::MatmulState& state, int32_t batches) {
  const BatchLayout layout = ResultLayout(state);
  return layout.Offset(batches / ReducedBatches(state));
}

Calls::Calls(Instructions& instructions, abi::MatmulState& state,
             uint8_t caller)
    : instructions_(instructions), state_(state), caller_(caller & 1) {}

void Calls::SetHf32(bool on) {
  if (state_.job.hf32 == 0) return;
  instructions_.SetRegister(Op::kSetHF32Mode, 0, on ? 1 : 0);
  instructions_.SetRegister(Op::kSetHF32TransMode, 0,
                            on ? state_.job.hf32_away : 0);
}

Target Calls::TargetOf(const abi::Operand& place, bool sequential,
                       uint8_t atomic) const {
  Target target;
  target.place = place;
  target.atomic = static_cast<abi::Atomic>(atomic & 3);
  const abi::MatmulMatrix& type = state_.spec->c;
  const abi::MatmulJob& job = state_.job;
  if (type.format == MatmulFormat::kNz) {
    target.row_length =
        sequential ? AlignUp(state_.tiling.baseM, 16) : AlignUp(job.org_m, 16);
    return target;
  }
  target.row_length = sequential        ? state_.tiling.baseN
                      : job.org_kc != 0 ? job.org_kc
                                        : job.org_n;
  if (type.format == MatmulFormat::kNdAlign) {
    const auto unit = BlockElements(type.dtype);
    target.row_length = AlignUp(static_cast<int32_t>(target.row_length), unit);
  }
  return target;
}

uint64_t Calls::Do(const abi::MatmulRequest& request,
                   const std::function<void()>& told) {
  switch (request.call) {
    case MatmulCall::kIterate:
      return Iterate(request, told) ? 1 : 0;
    case MatmulCall::kGet:
      if (request.sync != 0) {
        Get(request);
        return 0;
      }
      return PlaceInWorkspace(state_, state_.progress[caller_].fetched++);
    case MatmulCall::kIterateAll:
      if (request.fake == 0) IterateAll(request);
      return 0;
    case MatmulCall::kIterateBatch:
      IterateBatch(request, 0, request.global);
      return 0;
    case MatmulCall::kIterateNBatch:
      for (int32_t loop = 0; loop < request.batch_loop; ++loop) {
        IterateBatch(request, loop, state_.job.workspace);
        if (request.sync == 0) told();
      }
      state_.progress[caller_].fetched = 0;
      return 0;
    case MatmulCall::kGetBatch: {
      const int32_t batches = std::max(request.batch_a, request.batch_b);
      const int32_t index = state_.progress[caller_].fetched++;
      return state_.job.workspace.address +
             belay::BytesOf(
                 state_.spec->c.dtype,
                 static_cast<size_t>(BatchElements(state_, index * batches)));
    }
    case MatmulCall::kEnd:
      End();
      return 0;
    default:
      return 0;
  }
}

bool Calls::Iterate(const abi::MatmulRequest& request,
                    const std::function<void()>& told) {
  RequireInputs(state_);
  RequireBias(instructions_, state_);
  abi::MatmulProgress& at = state_.progress[caller_];
  Product product(instructions_, state_);
  const int32_t results = product.Results();
  if (at.running == 0) {
    at.running = 1;
    at.next = 0;
    product.Begin(caller_);
  } else if (!product.HasL1() || state_.left.owner != caller_ ||
             state_.right.owner != caller_) {
    product.Begin(caller_);
  }
  if (request.sync == 0) {
    SetHf32(true);
    All(product, TargetOf(state_.job.workspace, true, 0), true, told);
    SetHf32(false);
    at.running = 0;
    at.fetched = 0;
    return false;
  }
  if (at.next >= results) {
    at.running = 0;
    product.Drain();
    return false;
  }
  const ResultBlock block = product.BlockOf(at.next);
  const bool accumulate = request.partial_sum != 0;
  if (!accumulate) at.buffer = product.NextBuffer();
  SetHf32(true);
  product.Compute(at.next, accumulate, at.buffer,
                  request.has_local != 0 ? &request.local : nullptr);
  SetHf32(false);
  at.m0 = block.m0;
  at.n0 = block.n0;
  at.m = block.m;
  at.n = block.n;
  at.pending = request.has_local == 0;
  ++at.next;
  return true;
}

void Calls::Get(const abi::MatmulRequest& request) {
  abi::MatmulProgress& at = state_.progress[caller_];
  if (at.pending == 0) {
    Refuse("BLY-N162",
           "[Matmul::GetTensorC] there is no result: Iterate has not computed "
           "one since the last was fetched",
           "call GetTensorC once after every Iterate that returns true");
  }
  Product product(instructions_, state_);
  product.Store(
      {at.m0, at.n0, at.m, at.n}, at.buffer,
      TargetOf(request.global, request.sequential != 0, request.atomic),
      request.sequential != 0);
  at.pending = request.keeps;
}

void Calls::All(Product& product, const Target& target, bool sequential,
                const std::function<void()>& told) {
  const int32_t results = product.Results();
  const int32_t tell = ResultsTold(results);
  Target place = target;
  for (int32_t i = 0; i < results; ++i) {
    const uint8_t buffer = product.NextBuffer();
    product.Compute(i, false, buffer, nullptr);
    if (sequential) {
      place.place.address =
          target.place.address +
          belay::BytesOf(state_.spec->c.dtype,
                         static_cast<size_t>(i) *
                             static_cast<size_t>(state_.tiling.baseM) *
                             static_cast<size_t>(state_.tiling.baseN));
    }
    product.Store(product.BlockOf(i), buffer, place, sequential);
    if (told && ((i + 1) % tell == 0 || i + 1 == results)) told();
  }
  product.Drain();
}

void Calls::IterateAll(const abi::MatmulRequest& request) {
  RequireInputs(state_);
  RequireBias(instructions_, state_);
  Product product(instructions_, state_);
  product.Begin(caller_);
  SetHf32(true);
  const bool sequential = request.sequential != 0;
  All(product, TargetOf(request.global, sequential, request.atomic), sequential,
      nullptr);
  SetHf32(false);
  state_.progress[caller_].running = 0;
}

void Calls::IterateBatch(const abi::MatmulRequest& request, int32_t loop,
                         const abi::Operand& place) {
  RequireInputs(state_);
  RequireBias(instructions_, state_);
  const int32_t batches = std::max(request.batch_a, request.batch_b);
  if (request.batch_a < 1 || request.batch_b < 1 ||
      batches % std::min(request.batch_a, request.batch_b) != 0) {
    Refuse("BLY-N163",
           fmt::format("[Matmul::IterateBatch] {} matrices of A and {} of B: "
                       "one number must be a multiple of the other",
                       request.batch_a, request.batch_b),
           "pass the batch numbers the tiling was made for");
  }
  const BatchLayout left = LeftLayout(state_, request.stride_a);
  const BatchLayout right = RightLayout(state_, request.stride_b);
  const BatchLayout result = ResultLayout(state_);
  const int32_t reduced = ReducedBatches(state_);
  const bool shares_bias = state_.spec->bias_per_batch == 0;
  Product product(instructions_, state_);
  const Input whole_left = product.left();
  const Input whole_right = product.right();
  const abi::DType dtype = state_.spec->c.dtype;
  SetHf32(true);
  for (int32_t i = 0; i < batches; ++i) {
    const int32_t all = loop * batches + i;
    const int32_t from_a =
        loop * request.batch_a + i * request.batch_a / batches;
    const int32_t from_b =
        loop * request.batch_b + i * request.batch_b / batches;
    abi::Operand bias = state_.job.bias;
    if (!shares_bias) {
      bias.address += belay::BytesOf(state_.spec->bias.dtype,
                                     static_cast<size_t>(all / reduced) *
                                         static_cast<size_t>(state_.job.org_n));
    }
    product.Replace(whole_left.Moved(left.Offset(from_a), left.row_length),
                    whole_right.Moved(right.Offset(from_b), right.row_length),
                    bias);
    product.Begin(caller_);
    Target target = TargetOf(place, request.sequential != 0, request.atomic);
    target.place.address += belay::BytesOf(
        dtype, static_cast<size_t>(result.Offset(all / reduced)));
    if (result.row_length != 0) target.row_length = result.row_length;
    if (all % reduced != 0) target.atomic = abi::Atomic::kAdd;
    All(product, target, false, nullptr);
  }
  SetHf32(false);
}

void Calls::End() {
  Product product(instructions_, state_);
  product.Drain();
  abi::MatmulProgress& at = state_.progress[caller_];
  at.running = 0;
  at.pending = 0;
}

}  // namespace belay::runtime::matmul
