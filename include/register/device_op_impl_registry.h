// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_DEVICE_OP_IMPL_REGISTRY_H_
#define BELAY_REGISTER_DEVICE_OP_IMPL_REGISTRY_H_

// DEVICE_IMPL_OP_OPTILING: tiling that CANN runs on the device's own CPU. Here
// it runs where all tiling does.

#include "register/op_impl_registry.h"

#define DEVICE_IMPL_OP_OPTILING(type) IMPL_OP(type)

#endif  // BELAY_REGISTER_DEVICE_OP_IMPL_REGISTRY_H_
