// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_STRUCT_H_
#define BELAY_TILING_STRUCT_H_

// Tiling structs of the library, as kernel code has them. One list of fields,
//   #define BELAY_FOO_TILING(FIELD) FIELD(uint32_t, rows) FIELD(float, factor)
// makes the struct here and, on the host, the class in belay/tiling_class.h.

#define BELAY_TILING_STRUCT_FIELD_(type, name) type name = {};

// AscendC::tiling::Name, which is Name at global scope too.
#define BELAY_TILING_STRUCT(Name, FIELDS) \
  namespace AscendC::tiling {             \
  struct Name {                           \
    FIELDS(BELAY_TILING_STRUCT_FIELD_)    \
  };                                      \
  }                                       \
  using AscendC::tiling::Name;

#endif  // BELAY_TILING_STRUCT_H_
