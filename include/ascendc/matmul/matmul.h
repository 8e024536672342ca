// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_MATMUL_H_
#define BELAY_ASCENDC_MATMUL_MATMUL_H_

// The Matmul object: C = A × B + Bias, block by block. It keeps what the
// kernel sets; the library computes, on this core or on the cube core that
// belongs to this vector core.

#include "ascendc/matmul/arithmetic.h"
#include "ascendc/matmul/describe.h"
#include "ascendc/pipe.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE,
          const auto& MM_CFG, class MM_CB,
          template <const auto&, typename...> class MATMUL_POLICY,
          bool cube_only>
class MatmulObject {
 public:
  using SrcAT = AscendC::PrimT<typename A_TYPE::T>;
  using SrcBT = AscendC::PrimT<typename B_TYPE::T>;
  using DstT = AscendC::PrimT<typename C_TYPE::T>;
  using BiasT = AscendC::PrimT<typename BIAS_TYPE::T>;
  using AType = A_TYPE;
  using BType = B_TYPE;
  using CType = C_TYPE;
  using BiasType = BIAS_TYPE;

  static_assert(!kIsOtherChips<MATMUL_POLICY>,
                "Matmul: this policy is not on the Ascend 910B (documents list "
                "MatmulPolicy, TrianUpperMatmulPolicy, TrianLowerMatmulPolicy "
                "and NBuffer33MatmulPolicy)");

  BELAY_API MatmulObject() { Reset(); }
  BELAY_API ~MatmulObject() { belay_matmul_leave(&state_); }
  // A copy has the settings but is not registered.
  BELAY_API MatmulObject(const MatmulObject& other) : state_(other.state_) {
    state_.role = abi::MatmulRole::kNone;
  }
  BELAY_API MatmulObject& operator=(const MatmulObject& other) {
    const abi::MatmulRole role = state_.role;
    if (role == abi::MatmulRole::kNone) {
      state_ = other.state_;
      state_.role = role;
    }
    return *this;
  }

  BELAY_API void Init(const TCubeTiling* __restrict cubeTiling,
                      AscendC::TPipe* tpipe = nullptr) {
    static_cast<void>(tpipe);
    InitTiling(cubeTiling);
  }

  BELAY_API void SetOrgShape(int orgM, int orgN, int orgK) {
    SetOrgShape(orgM, orgN, orgK, orgK);
  }
  BELAY_API void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb,
                             int orgKc = 0) {
    abi::MatmulJob& job = state_.job;
    job.org_m = orgM;
    job.org_n = orgN;
    job.org_ka = orgKa;
    job.org_kb = orgKb;
    job.org_kc = orgKc;
  }
  BELAY_API void SetSingleShape(int singleM, int singleN, int singleK) {
    SetTail(singleM, singleN, singleK);
  }
  BELAY_API void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    abi::MatmulJob& job = state_.job;
    if (tailM != -1) job.single_m = tailM;
    if (tailN != -1) job.single_n = tailN;
    if (tailK != -1) job.single_k = tailK;
  }

  BELAY_API void SetTensorA(const AscendC::GlobalTensor<SrcAT>& gm,
                            bool isTransposeA = false) {
    SetLeft(OperandOf(gm), isTransposeA);
  }
  BELAY_API void SetTensorA(const AscendC::LocalTensor<SrcAT>& leftMatrix,
                            bool isTransposeA = false) {
    SetLeft(OperandOf(leftMatrix, 1, 8), isTransposeA);
  }
  BELAY_API void SetTensorA(SrcAT aScalar) {
    state_.job.a_scalar = BitsOf(aScalar);
    SetLeft({}, false);
  }
  BELAY_API void SetTensorB(const AscendC::GlobalTensor<SrcBT>& gm,
                            bool isTransposeB = false) {
    SetRight(OperandOf(gm), isTransposeB);
  }
  BELAY_API void SetTensorB(const AscendC::LocalTensor<SrcBT>& rightMatrix,
                            bool isTransposeB = false) {
    SetRight(OperandOf(rightMatrix, 1, 8), isTransposeB);
  }
  BELAY_API void SetTensorB(SrcBT bScalar) {
    state_.job.b_scalar = BitsOf(bScalar);
    SetRight({}, false);
  }
  BELAY_API void SetSparseIndex(
      const AscendC::GlobalTensor<uint8_t>& indexGlobal) {
    state_.job.index = OperandOf(indexGlobal);
  }

  BELAY_API void SetBias(const AscendC::GlobalTensor<BiasT>& biasGlobal) {
    state_.job.bias = OperandOf(biasGlobal);
    state_.job.has_bias = 1;
  }
  BELAY_API void SetBias(const AscendC::LocalTensor<BiasT>& inputBias) {
    state_.job.bias = OperandOf(inputBias, 1, 8);
    state_.job.has_bias = 1;
  }
  BELAY_API void DisableBias() { state_.job.has_bias = 0; }
  BELAY_API void ClearBias() { DisableBias(); }

  BELAY_API void SetQuantScalar(const uint64_t quantScalar) {
    state_.job.quant_scalar = quantScalar;
    state_.job.quant_kind = abi::MatmulQuant::kScalar;
  }
  BELAY_API void SetQuantVector(
      const AscendC::GlobalTensor<uint64_t>& quantTensor) {
    state_.job.quant = OperandOf(quantTensor);
    state_.job.quant_kind = abi::MatmulQuant::kVector;
  }
  BELAY_API void SetQuantVector(
      const AscendC::LocalTensor<uint64_t>& quantTensor) {
    state_.job.quant = OperandOf(quantTensor, 1, 8);
    state_.job.quant_kind = abi::MatmulQuant::kVector;
  }
  [[noreturn]] BELAY_API void SetAntiQuantScalar(const SrcAT, const SrcAT) {
    belay_not_on_chip("Matmul::SetAntiQuantScalar");
  }
  [[noreturn]] BELAY_API void SetAntiQuantVector(
      const AscendC::LocalTensor<SrcAT>&, const AscendC::LocalTensor<SrcAT>&) {
    belay_not_on_chip("Matmul::SetAntiQuantVector");
  }
  template <typename T>
  [[noreturn]] BELAY_API void SetTensorScaleA(const T&, bool = false) {
    belay_not_on_chip("Matmul::SetTensorScaleA");
  }
  template <typename T>
  [[noreturn]] BELAY_API void SetTensorScaleB(const T&, bool = true) {
    belay_not_on_chip("Matmul::SetTensorScaleB");
  }

  BELAY_API void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    state_.job.hf32 = enableHF32;
    state_.job.hf32_away = transMode == 1;
  }
  BELAY_API void SetUserDefInfo(const uint64_t tilingPtr) {
    state_.job.user_info = tilingPtr;
  }
  BELAY_API void SetSelfDefineData(const uint64_t dataPtr) {
    state_.job.self_data = dataPtr;
  }
  template <class T>
  BELAY_API void SetWorkspace(AscendC::GlobalTensor<T>& addr) {
    state_.job.workspace = OperandOf(addr);
  }
  template <class T>
  BELAY_API void SetWorkspace(__gm__ const T* addr, int size) {
    AscendC::GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(const_cast<T*>(addr), static_cast<uint64_t>(size));
    state_.job.workspace = OperandOf(tensor);
  }
  // UB that the chips without a path from GM to L1 would convert formats in.
  BELAY_API void SetLocalWorkspace(const AscendC::LocalTensor<uint8_t>&) {}
  BELAY_API void SetSubBlockIdx(uint8_t subBlockIdx) {
    state_.sub_block = subBlockIdx;
  }
  BELAY_API uint8_t GetSubBlockIdx() const { return state_.sub_block; }
  BELAY_API void SetBatchNum(int32_t batchA, int32_t batchB) {
    batch_a_ = batchA;
    batch_b_ = batchB;
  }
  BELAY_API void SetNBatchOutNum(int32_t nBatchOutNum) {
    n_batch_out_ = nBatchOutNum;
  }
  BELAY_API AscendC::MatrixOffset GetOffsetC() const {
    const abi::MatmulProgress& at = state_.progress[0];
    return {at.m0 * state_.job.org_n + at.n0, at.m0, at.n0, at.m, at.n};
  }

  template <bool sync = true>
  BELAY_API bool Iterate(bool enPartialSum = false) {
    abi::MatmulRequest request = Request<sync>(abi::MatmulCall::kIterate);
    request.partial_sum = enPartialSum;
    return belay_matmul_call(&state_, &request) != 0;
  }
  template <bool sync = true, typename T>
  BELAY_API bool Iterate(bool enPartialSum,
                         const AscendC::LocalTensor<T>& localCmatrix) {
    abi::MatmulRequest request = Request<sync>(abi::MatmulCall::kIterate);
    request.partial_sum = enPartialSum;
    PutLocal(request, localCmatrix);
    return belay_matmul_call(&state_, &request) != 0;
  }

  template <bool sync = true>
  BELAY_API void IterateAll(const AscendC::GlobalTensor<DstT>& gm,
                            uint8_t enAtomic = 0,
                            bool enSequentialWrite = false,
                            bool waitIterateAll = false, bool fakeMsg = false) {
    abi::MatmulRequest request = Request<sync>(abi::MatmulCall::kIterateAll);
    PutGlobal(request, gm);
    request.atomic = enAtomic;
    request.sequential = enSequentialWrite;
    request.wait = waitIterateAll;
    request.fake = fakeMsg;
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true>
  BELAY_API void IterateAll(const AscendC::LocalTensor<DstT>& ubCmatrix,
                            uint8_t enAtomic = 0) {
    abi::MatmulRequest request = Request<sync>(abi::MatmulCall::kIterateAll);
    PutLocal(request, ubCmatrix);
    request.atomic = enAtomic;
    belay_matmul_call(&state_, &request);
  }
  BELAY_API void WaitIterateAll() { Simple(abi::MatmulCall::kWaitAll); }

  template <bool sync = true>
  BELAY_API void GetTensorC(const AscendC::GlobalTensor<DstT>& gm,
                            uint8_t enAtomic = 0,
                            bool enSequentialWrite = false) {
    abi::MatmulRequest request =
        Get<sync>(abi::MatmulCall::kGet, enAtomic, enSequentialWrite);
    PutGlobal(request, gm);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true, bool doPad = false>
  BELAY_API void GetTensorC(const AscendC::LocalTensor<DstT>& c,
                            uint8_t enAtomic = 0,
                            bool enSequentialWrite = false, uint32_t = 0,
                            uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    abi::MatmulRequest request =
        Get<sync>(abi::MatmulCall::kGet, enAtomic, enSequentialWrite);
    PutLocal(request, c);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true>
  BELAY_API void GetTensorC(const AscendC::GlobalTensor<DstT>& gm,
                            const AscendC::LocalTensor<DstT>& co2Local,
                            uint8_t enAtomic = 0,
                            bool enSequentialWrite = false) {
    abi::MatmulRequest request =
        Get<sync>(abi::MatmulCall::kGet, enAtomic, enSequentialWrite);
    PutGlobal(request, gm);
    PutLocal(request, co2Local);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true>
  BELAY_API AscendC::GlobalTensor<DstT> GetTensorC(
      uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    const abi::MatmulRequest request =
        Get<sync>(abi::MatmulCall::kGet, enAtomic, enSequentialWrite);
    return InWorkspace(belay_matmul_call(&state_, &request));
  }
  BELAY_API void AsyncGetTensorC(const AscendC::LocalTensor<DstT>& c) {
    GetTensorC<false>(c);
  }
  BELAY_API void WaitGetTensorC() { Simple(abi::MatmulCall::kWaitGet); }

  // Either (batchA, batchB, sequential, strides, partialSum, atomic), or in
  // cube-only code (partialSum, atomic, sequential, strides) after SetBatchNum.
  template <bool sync = true, bool waitIterateBatch = false, typename First,
            typename Second>
  BELAY_API void IterateBatch(
      const AscendC::GlobalTensor<DstT>& gm, First first, Second second,
      bool enSequentialWrite, const uint32_t matrixStrideA = 0,
      const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0,
      const bool enPartialSum = false, const uint8_t enAtomic = 0) {
    abi::MatmulRequest request = Batch<sync, waitIterateBatch>(
        first, second, enSequentialWrite, matrixStrideA, matrixStrideB,
        matrixStrideC, enPartialSum, enAtomic);
    PutGlobal(request, gm);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true, bool waitIterateBatch = false, typename First,
            typename Second>
  BELAY_API void IterateBatch(
      const AscendC::LocalTensor<DstT>& ubCmatrix, First first, Second second,
      bool enSequentialWrite, const uint32_t matrixStrideA = 0,
      const uint32_t matrixStrideB = 0, const uint32_t matrixStrideC = 0,
      const bool enPartialSum = false, const uint8_t enAtomic = 0) {
    abi::MatmulRequest request = Batch<sync, waitIterateBatch>(
        first, second, enSequentialWrite, matrixStrideA, matrixStrideB,
        matrixStrideC, enPartialSum, enAtomic);
    PutLocal(request, ubCmatrix);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true, bool waitIterateBatch = false>
  BELAY_API void IterateNBatch(const uint32_t batchLoop, uint32_t batchA,
                               uint32_t batchB, bool enSequentialWrite,
                               const uint32_t matrixStrideA = 0,
                               const uint32_t matrixStrideB = 0,
                               const uint32_t matrixStrideC = 0) {
    abi::MatmulRequest request = Batch<sync, waitIterateBatch>(
        batchA, batchB, enSequentialWrite, matrixStrideA, matrixStrideB,
        matrixStrideC, false, 0);
    request.call = abi::MatmulCall::kIterateNBatch;
    request.batch_loop = static_cast<int32_t>(batchLoop);
    belay_matmul_call(&state_, &request);
  }
  BELAY_API void WaitIterateBatch() { Simple(abi::MatmulCall::kWaitAll); }

  template <bool sync = true>
  BELAY_API AscendC::GlobalTensor<DstT> GetBatchTensorC(
      uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    const abi::MatmulRequest request =
        GetBatch<sync>(batchA, batchB, enSequentialWrite);
    return InWorkspace(belay_matmul_call(&state_, &request));
  }
  template <bool sync = true>
  BELAY_API void GetBatchTensorC(const AscendC::LocalTensor<DstT>& c,
                                 uint32_t batchA, uint32_t batchB,
                                 bool enSequentialWrite = false) {
    abi::MatmulRequest request =
        GetBatch<sync>(batchA, batchB, enSequentialWrite);
    PutLocal(request, c);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync = true>
  BELAY_API AscendC::GlobalTensor<DstT> GetBatchC(
      uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    return GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
  }
  template <bool sync = true>
  BELAY_API void GetBatchC(const AscendC::LocalTensor<DstT>& c, uint32_t batchA,
                           uint32_t batchB, bool enSequentialWrite = false) {
    GetBatchTensorC<sync>(c, batchA, batchB, enSequentialWrite);
  }

  BELAY_API void End() { Simple(abi::MatmulCall::kEnd); }

  // For REGIST_MATMUL_OBJ.
  BELAY_API abi::MatmulState* BelayState() { return &state_; }
  BELAY_API void InitTiling(const TCubeTiling* tiling) {
    if constexpr (kHasConstantTiling) {
      constant_ = MM_CFG;
      if (tiling != nullptr && MM_CFG.singleCoreM == 0) TakeSizes(*tiling);
      belay_matmul_init(&state_, &constant_);
    } else {
      belay_matmul_init(&state_, tiling);
    }
  }
  static constexpr bool kHasConstantTiling = IsStaticTiling(MM_CFG);

 private:
  static constexpr abi::MatmulSpec kSpec =
      DescribeMatmul<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>(
          MatmulConfigIn(MM_CFG), kPartOf<MATMUL_POLICY>, cube_only,
          kHasConstantTiling);

  BELAY_API void Reset() {
    state_ = {};
    state_.spec = &kSpec;
    state_.callbacks = DescribeCallbacks<MM_CB>();
  }

  // All but the base blocks is the run's own.
  BELAY_API void TakeSizes(const TCubeTiling& tiling) {
    constant_ = tiling;
    constant_.baseM = MM_CFG.baseM;
    constant_.baseN = MM_CFG.baseN;
    constant_.baseK = MM_CFG.baseK;
  }

  BELAY_API void SetLeft(const Operand& tensor, bool transposed) {
    state_.job.a = tensor;
    state_.job.transpose_a = transposed;
    state_.progress[0].running = 0;
  }
  BELAY_API void SetRight(const Operand& tensor, bool transposed) {
    state_.job.b = tensor;
    state_.job.transpose_b = transposed;
    state_.progress[0].running = 0;
  }

  template <bool sync>
  BELAY_API abi::MatmulRequest Request(abi::MatmulCall call) const {
    abi::MatmulRequest request{};
    request.call = call;
    request.sync = sync;
    return request;
  }
  BELAY_API void Simple(abi::MatmulCall call) {
    const abi::MatmulRequest request = Request<true>(call);
    belay_matmul_call(&state_, &request);
  }
  template <bool sync>
  BELAY_API abi::MatmulRequest Get(abi::MatmulCall call, uint8_t atomic,
                                   bool sequential) const {
    abi::MatmulRequest request = Request<sync>(call);
    request.atomic = atomic;
    request.sequential = sequential;
    return request;
  }
  template <bool sync>
  BELAY_API abi::MatmulRequest GetBatch(uint32_t batch_a, uint32_t batch_b,
                                        bool sequential) const {
    abi::MatmulRequest request =
        Get<sync>(abi::MatmulCall::kGetBatch, 0, sequential);
    request.batch_a = static_cast<int32_t>(batch_a);
    request.batch_b = static_cast<int32_t>(batch_b);
    return request;
  }
  template <bool sync, bool wait, typename First, typename Second>
  BELAY_API abi::MatmulRequest Batch(First first, Second second,
                                     bool sequential, uint32_t stride_a,
                                     uint32_t stride_b, uint32_t,
                                     bool partial_sum, uint8_t atomic) const {
    abi::MatmulRequest request = Request<sync>(abi::MatmulCall::kIterateBatch);
    if constexpr (AscendC::IsSameType<First, bool>::value) {
      request.batch_a = batch_a_;
      request.batch_b = batch_b_;
      request.partial_sum = first;
      request.atomic = static_cast<uint8_t>(second);
    } else {
      request.batch_a = static_cast<int32_t>(first);
      request.batch_b = static_cast<int32_t>(second);
      request.partial_sum = partial_sum;
      request.atomic = atomic;
    }
    request.wait = wait;
    request.sequential = sequential;
    request.stride_a = stride_a;
    request.stride_b = stride_b;
    return request;
  }
  BELAY_API static void PutGlobal(abi::MatmulRequest& request,
                                  const AscendC::GlobalTensor<DstT>& gm) {
    request.global = OperandOf(gm);
    request.has_global = 1;
  }
  template <typename T>
  BELAY_API static void PutLocal(abi::MatmulRequest& request,
                                 const AscendC::LocalTensor<T>& local) {
    request.local = OperandOf(local, 1, 8);
    request.has_local = 1;
  }
  BELAY_API static AscendC::GlobalTensor<DstT> InWorkspace(uint64_t address) {
    AscendC::GlobalTensor<DstT> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<DstT*>(address));
    return tensor;
  }

  abi::MatmulState state_;
  TCubeTiling constant_{};
  int32_t batch_a_ = 1;
  int32_t batch_b_ = 1;
  int32_t n_batch_out_ = 1;
};

#if defined(ASCENDC_CUBE_ONLY)
inline constexpr bool kCubeOnly = true;
#else
inline constexpr bool kCubeOnly = false;
#endif

}  // namespace belay::api

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
using Matmul =
    belay::api::MatmulObject<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB,
                             MATMUL_POLICY, belay::api::kCubeOnly>;

// The same, computed by the core that calls it.
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
using MatmulImpl = belay::api::MatmulObject<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE,
                                            MM_CFG, MM_CB, MATMUL_POLICY, true>;

}  // namespace AscendC

// The older name of the namespace.
namespace matmul {
using namespace AscendC;
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_MATMUL_H_
