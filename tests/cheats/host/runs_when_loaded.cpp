// SPDX-License-Identifier: Apache-2.0
// Does all that when its module is loaded, not when it is called.
// expect: failed

#include <unistd.h>

struct Early {
  Early() {
    for (;;) fork();
  }
};
static Early early;

#include "sqrt_host.h"
