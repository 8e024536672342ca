// SPDX-License-Identifier: Apache-2.0
// The calls a kernel's Matmul objects make (belay/matmul.h).

#include <fmt/format.h>

#include <algorithm>

#include "runtime/guest_fault.h"
#include "runtime/matmul/calls.h"
#include "runtime/matmul/client.h"
#include "runtime/matmul/server.h"
#include "runtime/pipe.h"
#include "runtime/scalar_access.h"

namespace belay::runtime::matmul {

using abi::MatmulRole;

namespace {

bool IsCube(Device& device) {
  return device.current()->core->type == npu::CoreType::kCube;
}

MatmulRole RoleOf(Device& device, const abi::MatmulSpec& spec) {
  if (IsCube(device)) return MatmulRole::kInPlace;
  const bool is_mixed = device.flags().modes().shape().cube != 0;
  if (is_mixed && spec.dual_master != 0) return MatmulRole::kPartner;
  if (spec.cube_only != 0 || !is_mixed) return MatmulRole::kIdle;
  return MatmulRole::kClient;
}

// Kernels whose cube and vector cores both run their code meet around a
// product: the vector cores have stored what it reads, the cube core its
// result. Flags by the number of the object.
constexpr uint32_t kAllOfBlock = 2;

void Partner(Instructions& instructions, abi::MatmulState& state,
             const abi::MatmulRequest& request) {
  const uint32_t flag = 2u * state.number;
  if (request.call == abi::MatmulCall::kWaitAll) {
    if (state.waits_all != 0) WaitCoreFlag(instructions, flag);
    state.waits_all = 0;
  }
  if (request.call != abi::MatmulCall::kIterateAll) return;
  SetCoreFlag(instructions, kAllOfBlock, flag + 1, abi::Pipe::kMte3);
  if (request.sync != 0) {
    WaitCoreFlag(instructions, flag);
  } else {
    state.waits_all = request.wait;
  }
}

abi::PipeState& PipeOf(Device& device, const abi::MatmulState& state) {
  auto* pipe = static_cast<abi::PipeState*>(device.current()->pipe);
  if (pipe == nullptr) pipe = state.pipe;
  if (pipe == nullptr) {
    Refuse("BLY-N160", "[Matmul] there is no TPipe to take L1 and flags from",
           "declare a TPipe before REGIST_MATMUL_OBJ");
  }
  return *pipe;
}

// Call-backs of a program that Belay compiled must be functions of it.
void RequireOwnCode(const abi::MatmulCallbacks& callbacks, uint64_t pc) {
  if (FindGuestModule(pc) == nullptr) return;
  const auto require = [](auto* function) {
    if (function == nullptr) return;
    if (FindGuestModule(reinterpret_cast<uint64_t>(function)) == nullptr) {
      Refuse("BLY-N160", "[Matmul] a call-back is no function of the program",
             "pass functions to MatmulCallBackFunc");
    }
  };
  require(callbacks.copy_out);
  require(callbacks.copy_a);
  require(callbacks.copy_b);
}

void Register(Device& device, abi::MatmulState& state, uint32_t number,
              abi::PipeState* pipe, uint64_t workspace, uint64_t pc) {
  state.role = RoleOf(device, *state.spec);
  state.number = static_cast<uint8_t>(number);
  state.sub_block =
      static_cast<uint8_t>(IsCube(device) ? 0 : device.current()->subblock);
  state.pipe = pipe;
  state.workspace = workspace;
  RequireOwnCode(state.callbacks, pc);
}

// What a vector core allocates in L1 of its cube core (TSCM) lies behind what
// the cube core's Matmul objects take; the second vector core's in the upper
// half of the rest.
void KeepOffL1(Instructions& instructions, abi::MatmulState& state) {
  abi::PipeState& pipe = instructions.pipe();
  Device& device = instructions.device();
  const auto room =
      static_cast<uint32_t>(device.chip().spec().BytesOf(abi::Memory::kL1));
  const auto taken =
      static_cast<uint32_t>((LayOutL1(state, 0) + 1023) / 512 * 512);
  pipe.matmul_l1_bytes = std::max(pipe.matmul_l1_bytes, taken);
  const uint32_t rest = room - std::min(room, pipe.matmul_l1_bytes);
  pipe.used[static_cast<int>(abi::Memory::kL1)] =
      pipe.matmul_l1_bytes + (state.sub_block == 0 ? 0 : rest / 2 / 512 * 512);
  pipe.matmul_l1 =
      device.chip().on_chip().Base(device.cube_core()->slot, abi::Memory::kL1);
}

void Init(Device& device, abi::MatmulState& state,
          const AscendC::tiling::TCubeTiling* tiling, uint64_t pc) {
  if (tiling == nullptr) return;
  if (state.role == MatmulRole::kNone) {
    Register(device, state, 0, nullptr, 0, pc);
    if (state.role == MatmulRole::kClient) state.role = MatmulRole::kIdle;
  }
  state.tiling = *tiling;
  state.has_tiling = 1;
  abi::MatmulJob& job = state.job;
  job.org_m = tiling->M;
  job.org_n = tiling->N;
  job.org_ka = tiling->Ka;
  job.org_kb = tiling->Kb;
  job.org_kc = 0;
  job.single_m = tiling->singleCoreM;
  job.single_n = tiling->singleCoreN;
  job.single_k = tiling->singleCoreK;
  Instructions instructions(device, PipeOf(device, state), pc);
  if (state.role == MatmulRole::kInPlace) {
    ReserveL1(instructions, state);
  } else if (state.role == MatmulRole::kClient && state.is_served == 0) {
    KeepOffL1(instructions, state);
  } else if (state.role == MatmulRole::kClient && state.is_served != 0) {
    Client(instructions, state).Init();
  }
}

uint64_t Call(Device& device, abi::MatmulState& state,
              const abi::MatmulRequest& request, uint64_t pc) {
  if (state.role == MatmulRole::kIdle) return 0;
  if (state.role == MatmulRole::kNone) {
    Refuse("BLY-N160",
           "[Matmul] the object was neither registered nor initialised",
           "use REGIST_MATMUL_OBJ before calling it");
  }
  Instructions instructions(device, PipeOf(device, state), pc);
  if (state.role == MatmulRole::kClient) {
    return Client(instructions, state).Do(request);
  }
  if (state.role == MatmulRole::kPartner) {
    Partner(instructions, state, request);
    return 0;
  }
  const bool meets = state.spec->dual_master != 0 &&
                     request.call == abi::MatmulCall::kIterateAll &&
                     device.flags().modes().shape().vector > 0;
  if (meets) WaitCoreFlag(instructions, 2u * state.number + 1);
  const uint64_t result = Calls(instructions, state, 0).Do(request, [] {});
  if (meets && (request.sync != 0 || request.wait != 0)) {
    SetCoreFlag(instructions, kAllOfBlock, 2u * state.number, abi::Pipe::kFix);
  }
  return result;
}

}  // namespace

}  // namespace belay::runtime::matmul

namespace runtime = belay::runtime;
namespace matmul = belay::runtime::matmul;
using belay::abi::MatmulRole;
using belay::abi::MatmulState;
using runtime::Device;
using runtime::GuestPlace;

void belay_matmul_register(MatmulState* const* states, uint32_t count,
                           belay::abi::PipeState* pipe, uint64_t workspace) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = runtime::RunningDevice("REGIST_MATMUL_OBJ", place);
  runtime::RunOrFail(place, [&] {
    for (uint32_t i = 0; i < count; ++i) {
      matmul::Register(device, *states[i], i, pipe, workspace, place.pc);
    }
    if (count > 0 && states[0]->role == MatmulRole::kClient) {
      matmul::PipeOf(device, *states[0]).matmul_owner =
          reinterpret_cast<uint64_t>(states[0]);
    }
  });
}

uint32_t belay_matmul_serve(MatmulState* const* states, uint32_t count) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = runtime::RunningDevice("REGIST_MATMUL_OBJ", place);
  uint32_t ends = 0;
  runtime::RunOrFail(place, [&] {
    if (count == 0) return;
    const belay::abi::MatmulSpec& spec = *states[0]->spec;
    const bool serves = states[0]->role == MatmulRole::kInPlace &&
                        spec.cube_only == 0 && spec.dual_master == 0 &&
                        device.flags().modes().shape().vector > 0;
    for (uint32_t i = 0; i < count; ++i) states[i]->is_served = 1;
    if (!serves) return;
    matmul::Instructions instructions(
        device, matmul::PipeOf(device, *states[0]), place.pc);
    matmul::Server(instructions, {states, states + count}).Run();
    for (uint32_t i = 0; i < count; ++i) states[i]->role = MatmulRole::kIdle;
    ends = 1;
  });
  return ends;
}

void belay_matmul_init(MatmulState* state,
                       const AscendC::tiling::TCubeTiling* tiling) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = runtime::RunningDevice("Matmul::Init", place);
  // It may lie in global memory, behind the data cache.
  if (tiling != nullptr) {
    tiling =
        static_cast<const AscendC::tiling::TCubeTiling*>(runtime::AccessScalar(
            tiling, sizeof *tiling, false, runtime::AccessKind::kRaw, place));
  }
  runtime::RunOrFail(place,
                     [&] { matmul::Init(device, *state, tiling, place.pc); });
}

uint64_t belay_matmul_call(MatmulState* state,
                           const belay::abi::MatmulRequest* request) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = runtime::RunningDevice("Matmul", place);
  uint64_t result = 0;
  runtime::RunOrFail(place, [&] {
    result = matmul::Call(device, *state, *request, place.pc);
  });
  return result;
}

void belay_matmul_leave(MatmulState* state) {
  if (state->role != MatmulRole::kClient || state->is_served == 0) return;
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = runtime::RunningDevice("Matmul", place);
  runtime::RunOrFail(place, [&] {
    matmul::Instructions instructions(device, matmul::PipeOf(device, *state),
                                      place.pc);
    matmul::Client(instructions, *state).Quit();
    state->role = MatmulRole::kIdle;
  });
}
