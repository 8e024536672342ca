// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/client.h"

#include <algorithm>

#include "runtime/matmul/batch.h"
#include "runtime/matmul/calls.h"

namespace belay::runtime::matmul {

using abi::MatmulCall;
using abi::MatmulFormat;
using abi::Memory;
using abi::Pipe;

namespace {

bool IsInUb(const abi::Operand& tensor) {
  return tensor.address != 0 && tensor.memory == Memory::kUb;
}

// Bytes from the first to the last one a move reads.
uint64_t SpanOf(const abi::Instruction& move) {
  if (move.op == abi::Op::kDataCopyNd2Nz) {
    const abi::Nd2Nz& nd2nz = move.nd2nz;
    return belay::BytesOf(
        move.src0.dtype,
        (nd2nz.matrices - 1) * size_t{nd2nz.source_matrix_stride} +
            (nd2nz.rows - 1) * size_t{nd2nz.source_row_stride} + nd2nz.columns);
  }
  const abi::Transfer& transfer = move.transfer;
  return transfer.block_count * uint64_t{transfer.block_bytes} +
         (transfer.block_count - 1) *
             static_cast<uint64_t>(std::max<int64_t>(transfer.source_gap, 0));
}

}  // namespace

void ForwardToCube(Device& device, const abi::Instruction& move) {
  auto& pipe = *static_cast<abi::PipeState*>(device.current()->pipe);
  auto& state = *reinterpret_cast<abi::MatmulState*>(pipe.matmul_owner);
  Instructions instructions(device, pipe, move.pc);
  Client(instructions, state).Forward(move);
}

Client::Client(Instructions& instructions, abi::MatmulState& state)
    : instructions_(instructions),
      state_(state),
      channel_(instructions, state.workspace,
               instructions.device().current()->subblock) {}

int32_t Client::Results() { return Product(instructions_, state_).Results(); }

void Client::Stage(abi::Operand& tensor, uint64_t bytes, bool copies) {
  const abi::Operand copy = channel_.CopyOf(tensor);
  if (copies) {
    instructions_.Order(Pipe::kV, Pipe::kMte3);
    instructions_.Copy(copy, tensor, (bytes + 31) / 32 * 32);
  }
  tensor = copy;
}

abi::MatmulJob Client::Staged(bool copies) {
  abi::MatmulJob job = state_.job;
  const auto stage = [&](const abi::MatmulMatrix& type, abi::Operand& tensor,
                         int32_t rows, int32_t columns, int32_t& org_rows,
                         int32_t& org_columns) {
    if (!IsInUb(tensor)) return;
    const int32_t wide = AlignUp(columns, BlockElements(type.dtype));
    const int32_t high =
        type.format == MatmulFormat::kNz ? AlignUp(rows, 16) : rows;
    org_rows = high;
    org_columns = wide;
    Stage(tensor,
          belay::BytesOf(type.dtype,
                         static_cast<size_t>(high) * static_cast<size_t>(wide)),
          copies);
  };
  const abi::MatmulSpec& spec = *state_.spec;
  // C keeps its shape when A and B get others.
  if (job.org_kc == 0) job.org_kc = job.org_n;
  if (job.c_rows == 0) job.c_rows = job.org_m;
  if (job.transpose_a != 0) {
    stage(spec.a, job.a, job.single_k, job.single_m, job.org_ka, job.org_m);
  } else {
    stage(spec.a, job.a, job.single_m, job.single_k, job.org_m, job.org_ka);
  }
  if (job.transpose_b != 0) {
    stage(spec.b, job.b, job.single_n, job.single_k, job.org_n, job.org_kb);
  } else {
    stage(spec.b, job.b, job.single_k, job.single_n, job.org_kb, job.org_n);
  }
  if (job.has_bias != 0 && IsInUb(job.bias)) {
    Stage(job.bias,
          belay::BytesOf(spec.bias.dtype, static_cast<size_t>(job.single_n)),
          copies);
  }
  return job;
}

void Client::Send(const abi::MatmulRequest& request, bool copies) {
  Message message{};
  message.request = request;
  message.job = Staged(copies);
  // What this core has stored is there when the cube core reads the message,
  // and what it has fetched may be written over.
  instructions_.Order(Pipe::kMte3, Pipe::kS);
  instructions_.Order(Pipe::kMte2, Pipe::kS);
  channel_.Post(state_, message);
}

void Client::Init() {
  Message message{};
  message.request.call = MatmulCall::kInit;
  message.job = state_.job;
  message.tiling = state_.tiling;
  channel_.Post(state_, message);
}

void Client::Forward(const abi::Instruction& move) {
  Message message{};
  message.request.call = MatmulCall::kCopyToL1;
  message.instruction = move;
  if (move.src0.memory == Memory::kUb) {
    Stage(message.instruction.src0, SpanOf(move), true);
  }
  instructions_.Order(Pipe::kMte3, Pipe::kS);
  channel_.Post(state_, message);
}

void Client::Quit() {
  Message message{};
  message.request.call = MatmulCall::kQuit;
  message.job = state_.job;
  channel_.Post(state_, message);
}

void Client::CopyIn(const abi::Operand& local, const abi::Operand& from,
                    int64_t elements, bool sync) {
  const uint64_t bytes =
      belay::BytesOf(state_.spec->c.dtype, static_cast<size_t>(elements));
  instructions_.Order(Pipe::kV, Pipe::kMte2);
  instructions_.Copy(local, from, (bytes + 31) / 32 * 32);
  if (sync) {
    instructions_.Order(Pipe::kMte2, Pipe::kV);
  } else {
    state_.is_copying = 1;
  }
}

uint64_t Client::Do(const abi::MatmulRequest& request) {
  switch (request.call) {
    case MatmulCall::kIterate:
      return Iterate(request) ? 1 : 0;
    case MatmulCall::kGet:
      return Get(request);
    case MatmulCall::kIterateAll:
    case MatmulCall::kIterateBatch:
    case MatmulCall::kIterateNBatch:
      Whole(request);
      return 0;
    case MatmulCall::kGetBatch:
      return GetBatch(request);
    case MatmulCall::kWaitAll:
      if (state_.waits_all != 0) channel_.AwaitResult(state_);
      state_.waits_all = 0;
      return 0;
    case MatmulCall::kWaitGet:
      if (state_.is_copying != 0) instructions_.Order(Pipe::kMte2, Pipe::kV);
      state_.is_copying = 0;
      return 0;
    case MatmulCall::kEnd:
      Send(request, false);
      return 0;
    default:
      return 0;
  }
}

bool Client::Iterate(const abi::MatmulRequest& request) {
  abi::MatmulProgress& at = state_.progress[0];
  if (at.running == 0) {
    at.running = 1;
    at.next = 0;
  }
  const int32_t results = Results();
  abi::MatmulRequest asked = request;
  asked.result = at.next;
  if (request.sync == 0) {
    at.running = 0;
    at.fetched = 0;
    state_.told = 0;
    state_.asked = results;
    Send(asked, true);
    return false;
  }
  if (at.next >= results) {
    at.running = 0;
    return false;
  }
  Send(asked, at.next == 0);
  ++at.next;
  return true;
}

uint64_t Client::Get(const abi::MatmulRequest& request) {
  abi::MatmulProgress& at = state_.progress[0];
  const AscendC::tiling::TCubeTiling& tiling = state_.tiling;
  const int64_t block = int64_t{tiling.baseM} * tiling.baseN;
  if (request.sync == 0) {
    const int32_t index = at.fetched++;
    const int32_t each = ResultsTold(state_.asked);
    while (state_.told <= index && state_.told < state_.asked) {
      channel_.AwaitResult(state_);
      state_.told += each;
    }
    const uint64_t address = PlaceInWorkspace(state_, index);
    if (request.has_local != 0) {
      abi::Operand from = state_.job.workspace;
      from.address = address;
      CopyIn(request.local, from, block, false);
    }
    return address;
  }
  abi::MatmulRequest asked = request;
  if (request.has_global != 0) {
    asked.keeps = request.has_local;
    Send(asked, false);
    channel_.AwaitResult(state_);
  }
  if (request.has_local != 0) {
    asked.global = channel_.CopyOf(request.local);
    asked.has_global = 1;
    asked.sequential = 1;
    asked.keeps = 0;
    Send(asked, false);
    channel_.AwaitResult(state_);
    CopyIn(request.local, asked.global, block, true);
  }
  return 0;
}

uint64_t Client::GetBatch(const abi::MatmulRequest& request) {
  abi::MatmulProgress& at = state_.progress[0];
  const int32_t batches = std::max(request.batch_a, request.batch_b);
  const int32_t index = at.fetched++;
  while (state_.told <= index && state_.told < state_.asked) {
    channel_.AwaitResult(state_);
    ++state_.told;
  }
  abi::Operand from = state_.job.workspace;
  from.address += belay::BytesOf(
      state_.spec->c.dtype,
      static_cast<size_t>(BatchElements(state_, index * batches)));
  if (request.has_local != 0) {
    CopyIn(request.local, from, BatchElements(state_, batches), false);
  }
  return from.address;
}

void Client::Whole(const abi::MatmulRequest& request) {
  abi::MatmulRequest asked = request;
  abi::MatmulJob& job = state_.job;
  const abi::MatmulJob unchanged = job;
  const bool to_ub = request.has_local != 0;
  // Copies of tensors in UB must stay until the product has read them.
  const bool stages =
      IsInUb(job.a) || IsInUb(job.b) || (job.has_bias != 0 && IsInUb(job.bias));
  if (stages) asked.wait = 1;
  const int32_t unit = BlockElements(state_.spec->c.dtype);
  const int32_t wide = AlignUp(job.single_n, unit);
  if (to_ub) {
    asked.global = channel_.CopyOf(request.local);
    asked.has_global = 1;
    job.org_kc = wide;
    job.c_rows = job.single_m;
  }
  Send(asked, true);
  job = unchanged;
  state_.progress[0].running = 0;
  if (request.call == MatmulCall::kIterateNBatch && request.sync == 0) {
    state_.progress[0].fetched = 0;
    state_.told = 0;
    state_.asked = request.batch_loop;
    return;
  }
  if (request.sync == 0 && !stages) {
    state_.waits_all = request.wait;
    return;
  }
  channel_.AwaitResult(state_);
  if (to_ub) {
    const int32_t high = state_.spec->c.format == MatmulFormat::kNz
                             ? AlignUp(job.single_m, 16)
                             : job.single_m;
    const int64_t count = request.call == MatmulCall::kIterateBatch
                              ? std::max(request.batch_a, request.batch_b)
                              : 1;
    CopyIn(request.local, asked.global, count * high * wide, true);
  }
}

}  // namespace belay::runtime::matmul
