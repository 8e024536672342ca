// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_TILINGDATA_BASE_H_
#define BELAY_REGISTER_TILINGDATA_BASE_H_

// BEGIN_TILING_DATA_DEF and what follows it: a tiling class on the host, a
// plain struct of the same name and layout in kernel code. Each field lies at
// its natural alignment; classes are aligned and padded to 8 bytes.

#if defined(__BELAY_KERNEL_TU__)

#include <stdint.h>

#if defined(__BELAY_PROJECT_TILING__)
// The structs came from the operator's registration; here they would come a
// second time.
#define BEGIN_TILING_DATA_DEF(class_name) \
  namespace belay_second_##class_name {   \
    struct alignas(8) class_name {
#else
#define BEGIN_TILING_DATA_DEF(class_name)      \
  inline namespace belay_tiling_##class_name { \
    struct alignas(8) class_name {
#endif

#define TILING_DATA_FIELD_DEF(data_type, field_name) data_type field_name = {}
#define TILING_DATA_FIELD_DEF_ARR(data_type, count, field_name) \
  data_type field_name[count] = {}
#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
  struct_type field_name
#define END_TILING_DATA_DEF \
  }                         \
  ;                         \
  }
#define REGISTER_TILING_DATA_CLASS(op_type, class_name)

#else

#include "belay/op_host_tiling.h"
#include "graph/ascend_string.h"

#define BEGIN_TILING_DATA_DEF(class_name)                                \
  class alignas(8) class_name : public optiling::TilingDef<class_name> { \
   public:                                                               \
    static const char* GetTilingClassName() { return #class_name; }

#define TILING_DATA_FIELD_DEF(data_type, field_name)                           \
  void set_##field_name(data_type value) { belay_field_##field_name = value; } \
  data_type get_##field_name() const { return belay_field_##field_name; }      \
  data_type belay_field_##field_name = optiling::NoteField<data_type>(         \
      this, #field_name, &belay_field_##field_name, 0)

#define TILING_DATA_FIELD_DEF_ARR(data_type, count, field_name)                \
  void set_##field_name(const data_type* values) {                             \
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {                  \
      belay_field_##field_name[i] = values[i];                                 \
    }                                                                          \
  }                                                                            \
  data_type* get_##field_name() { return belay_field_##field_name; }           \
  const data_type* get_##field_name() const {                                  \
    return belay_field_##field_name;                                           \
  }                                                                            \
  data_type belay_field_##field_name[count] = {optiling::NoteField<data_type>( \
      this, #field_name, belay_field_##field_name, count)}

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
  struct_type field_name =                                    \
      optiling::NoteStruct<struct_type>(this, #field_name, &field_name)

#define END_TILING_DATA_DEF }

// Ends with its own semicolon: callers leave theirs out.
#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                       \
  [[maybe_unused]] static const bool belay_registered_##op_type##class_name = \
      optiling::RegisterTilingClass<class_name>(#op_type);

#endif  // __BELAY_KERNEL_TU__

#endif  // BELAY_REGISTER_TILINGDATA_BASE_H_
