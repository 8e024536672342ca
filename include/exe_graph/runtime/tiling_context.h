// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_

// gert::TilingContext: what a tiling function is told and what it decides.

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tensor.h"
#include "exe_graph/runtime/tiling_data.h"
#include "graph/ge_error_codes.h"
#include "platform/platform_info.h"

namespace gert {

class TilingContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // --- what it is told -------------------------------------------------------

  // What the parse function filled in; nullptr without one.
  const void* GetCompileInfo() const {
    return Answer("GetCompileInfo", 0, -1, call_->compile_info);
  }
  template <typename T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(GetCompileInfo());
  }

  const StorageShape* GetInputShape(size_t index) const {
    return Answer("GetInputShape", index, -1, ShapeOf(Input(index)));
  }
  const StorageShape* GetRequiredInputShape(size_t ir_index) const {
    return Answer("GetRequiredInputShape", ir_index, -1,
                  ShapeOf(InputAt(ir_index, 0)));
  }
  // nullptr when the optional input is absent.
  const StorageShape* GetOptionalInputShape(size_t ir_index) const {
    return Answer("GetOptionalInputShape", ir_index, -1,
                  ShapeOf(InputAt(ir_index, 0)));
  }
  const StorageShape* GetDynamicInputShape(size_t ir_index,
                                           size_t relative) const {
    return Answer("GetDynamicInputShape", ir_index, relative,
                  ShapeOf(InputAt(ir_index, relative)));
  }

  const Tensor* GetInputTensor(size_t index) const {
    return Answer("GetInputTensor", index, -1, Input(index));
  }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const {
    return Answer("GetRequiredInputTensor", ir_index, -1, InputAt(ir_index, 0));
  }
  const Tensor* GetOptionalInputTensor(size_t ir_index) const {
    return Answer("GetOptionalInputTensor", ir_index, -1, InputAt(ir_index, 0));
  }
  const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative) const {
    return Answer("GetDynamicInputTensor", ir_index, relative,
                  InputAt(ir_index, relative));
  }

  const StorageShape* GetOutputShape(size_t index) const {
    return Answer("GetOutputShape", index, -1,
                  ShapeOf(index < call_->output_count ? call_->outputs + index
                                                      : nullptr));
  }

  fe::PlatFormInfos* GetPlatformInfo() const { return call_->platform; }
  int32_t GetDeterministic() const { return call_->deterministic; }

  // --- what it decides -------------------------------------------------------

  ge::graphStatus SetTilingKey(uint64_t key) {
    call_->tiling_key = key;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return call_->tiling_key; }

  ge::graphStatus SetBlockDim(uint32_t blocks) {
    call_->blocks = blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetBlockDim() const { return call_->blocks; }
  // Newer names of the same.
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) {
    return SetBlockDim(blocks);
  }
  uint32_t GetSimdNumBlocks() const { return call_->blocks; }

  ge::graphStatus SetAicpuBlockDim(uint32_t blocks) {
    call_->aicpu_blocks = blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetAicpuBlockDim() const { return call_->aicpu_blocks; }

  ge::graphStatus SetTilingCond(int32_t condition) {
    call_->tiling_condition = condition;
    return ge::GRAPH_SUCCESS;
  }
  int32_t GetTilingCond() const { return call_->tiling_condition; }

  // Asks that outputs with an InitValue be filled before the kernel starts.
  ge::graphStatus SetNeedAtomic(bool needed) {
    call_->needs_atomic = needed;
    return ge::GRAPH_SUCCESS;
  }
  bool NeedAtomic() const { return call_->needs_atomic; }

  // 1: all blocks must run at once.
  ge::graphStatus SetScheduleMode(uint32_t mode) {
    call_->schedule_mode = mode;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetScheduleMode() const { return call_->schedule_mode; }

  ge::graphStatus SetLocalMemorySize(uint32_t bytes) {
    call_->local_memory_bytes = bytes;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetLocalMemorySize() const { return call_->local_memory_bytes; }
  ge::graphStatus SetDynUBufSize(uint32_t bytes) {
    return SetLocalMemorySize(bytes);
  }

  // The tiling bytes as a T, whose size they take; nullptr if there is no
  // room for one.
  template <typename T>
  T* GetTilingData() {
    TilingData* data = call_->tiling_data;
    if (sizeof(T) > data->GetCapacity()) {
      belay_host_tiling_overflow("GetTilingData", sizeof(T),
                                 data->GetCapacity());
      return nullptr;
    }
    data->SetDataSize(sizeof(T));
    return static_cast<T*>(data->GetData());
  }
  TilingData* GetRawTilingData() { return call_->tiling_data; }

  // Room for the sizes of `count` workspaces, in bytes; nullptr if there are
  // too many.
  size_t* GetWorkspaceSizes(size_t count) {
    static_assert(sizeof(size_t) == sizeof(uint64_t), "64-bit hosts");
    if (count > belay::abi::HostCall::kMaxWorkspaces) {
      return Answer<size_t>("GetWorkspaceSizes", count, -1, nullptr);
    }
    call_->workspace_count = count;
    return reinterpret_cast<size_t*>(call_->workspaces);
  }
  size_t GetWorkspaceNum() const { return call_->workspace_count; }

  // Tensors of a call lie densely.
  bool InputIsView(size_t) const { return false; }
  bool OutputIsView(size_t) const { return false; }

 private:
  const Tensor* Input(size_t index) const {
    return index < call_->input_count ? call_->inputs + index : nullptr;
  }
  const Tensor* InputAt(size_t ir_index, size_t relative) const {
    return At(call_->inputs, InputOf(ir_index, relative));
  }
  static const StorageShape* ShapeOf(const Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetShape();
  }
};

using TilingKernelFunc = uint32_t (*)(TilingContext*);

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
