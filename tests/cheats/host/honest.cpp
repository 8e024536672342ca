// SPDX-License-Identifier: Apache-2.0
// No cheat: the kernel beside it must pass with this host part.
// expect: passed

#include "sqrt_host.h"
