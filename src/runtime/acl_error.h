// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_ACL_ERROR_H_
#define BELAY_RUNTIME_ACL_ERROR_H_

// What an acl call that fails leaves behind.

#include <string>

#include "acl/acl_base.h"

namespace belay::runtime {

// Remembers the error and its message for the calling thread, returns `code`.
aclError RefuseAcl(aclError code, std::string message);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_ACL_ERROR_H_
