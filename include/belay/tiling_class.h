// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_CLASS_H_
#define BELAY_TILING_CLASS_H_

// Tiling structs of the library, as operators' host code holds them in their
// own tiling classes: optiling::Name with set_field and get_field, laid out
// like AscendC::tiling::Name.

#include <string.h>

#include "belay/tiling_struct.h"
#include "register/tilingdata_base.h"

#if defined(__BELAY_KERNEL_TU__)

#define BELAY_TILING_CLASS(Name, FIELDS) \
  namespace optiling {                   \
  using AscendC::tiling::Name;           \
  }

#else

#define BELAY_TILING_CLASS_FIELD_(type, name) TILING_DATA_FIELD_DEF(type, name);

// Kernel code knows the struct by its qualified name: an operator's tiling
// class may hold one without registering it.
#define BELAY_TILING_CLASS(Name, FIELDS)                                      \
  namespace optiling {                                                        \
  class alignas(8) Name : public TilingDef<Name> {                            \
   public:                                                                    \
    static const char* GetTilingClassName() {                                 \
      return "AscendC::tiling::" #Name;                                       \
    }                                                                         \
    FIELDS(BELAY_TILING_CLASS_FIELD_)                                         \
    Name& operator=(const AscendC::tiling::Name& plain) {                     \
      memcpy(static_cast<void*>(this), &plain, sizeof(plain));                \
      return *this;                                                           \
    }                                                                         \
  };                                                                          \
  static_assert(sizeof(Name) == sizeof(AscendC::tiling::Name),                \
                "tiling structs of the library are whole 8-byte words long"); \
  }

#endif  // __BELAY_KERNEL_TU__

#endif  // BELAY_TILING_CLASS_H_
