// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ACL_ACL_H_
#define BELAY_ACL_ACL_H_

// The acl host interface: what a program calls before and after a launch.

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

// `configPath` may be null; a configuration file is not read.
aclError aclInit(const char* configPath);
aclError aclFinalize();

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion,
                         int32_t* patchVersion);

#ifdef __cplusplus
}
#endif

#endif  // BELAY_ACL_ACL_H_
