// SPDX-License-Identifier: Apache-2.0
// KERNEL_TASK_TYPE_DEFAULT in a kernel that was built ahead of time. The cores
// were chosen when it was launched, by SetKernelMode or by the kernel's marks,
// so there is nothing left to do.

#include "belay/guest_abi.h"

void belay_task_type(uint32_t) noexcept {}
void belay_task_type_of_key(uint64_t, uint32_t) noexcept {}
void belay_suggest_task_type(uint32_t) noexcept {}
