// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_ACL_ERROR_H_
#define BELAY_RUNTIME_ACL_ERROR_H_

// What an acl call that fails leaves behind.

#include <string>

#include "acl/acl_base.h"

namespace belay::runtime {

// Remembers the error and its message for the calling thread, returns `code`.
aclError RefuseAcl(aclError code, std::string message);

// The same for a pointer that must not be null: "[call] what is a null
// pointer".
aclError RefuseNull(const char* call, const char* what);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_ACL_ERROR_H_
