// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_KERNEL_ATTRIBUTES_H_
#define BELAY_TOOLCHAIN_KERNEL_ATTRIBUTES_H_

// Clang attributes behind __global__, __aicore__, __vector__, __cube__ and
// __mix__. They reach the module as annotations of these names.

namespace belay::toolchain {

inline constexpr char kKernelAnnotation[] = "belay.kernel";
inline constexpr char kAicoreAnnotation[] = "belay.aicore";
// Followed by "vector", "cube" or "mix:1:2".
inline constexpr char kKindAnnotation[] = "belay.kind:";
// The same, where the kernel does not say so and its calls do.
inline constexpr char kInferredAnnotation[] = "belay.inferred:";
// Of kernels that do not say so either: they lead to calls for vector cores.
inline constexpr char kVectorCallsAnnotation[] = "belay.vector_calls";
// Followed by how many parameters the kernel has.
inline constexpr char kParametersAnnotation[] = "belay.parameters:";

// Makes the attributes known to Clang; later calls do nothing.
void RegisterKernelAttributes();

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_KERNEL_ATTRIBUTES_H_
