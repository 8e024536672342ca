// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_OP_HOST_TILING_H_
#define BELAY_OP_HOST_TILING_H_

// Tiling classes on the host. An object's own bytes are the tiling data: a
// class has no virtual functions and an empty base, so the compiler lays its
// fields out as the kernel's struct has them. To describe its fields, a class
// is constructed once while a list is attached; each field's initialiser notes
// itself there.

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <new>
#include <type_traits>

#include "belay/op_host.h"

namespace optiling {

using belay::abi::HostTilingClass;
using belay::abi::HostTilingField;

template <typename Class>
class TilingDef {
 public:
  size_t GetDataSize() const { return sizeof(Class); }

  // Nothing is written when `capacity` is too small; that is reported.
  void SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer == nullptr || capacity < sizeof(Class)) {
      belay_host_tiling_overflow(Class::GetTilingClassName(), sizeof(Class),
                                 buffer == nullptr ? 0 : capacity);
      return;
    }
    memcpy(buffer, static_cast<const Class*>(this), sizeof(Class));
  }
};

// C++ name of a field's type, as kernel code may write it.
template <typename T>
constexpr const char* FieldTypeName() {
  if constexpr (std::is_enum<T>::value) {
    return FieldTypeName<typename std::underlying_type<T>::type>();
  } else if constexpr (std::is_same<T, bool>::value) {
    return "bool";
  } else if constexpr (std::is_floating_point<T>::value) {
    return sizeof(T) == 4 ? "float" : "double";
  } else {
    static_assert(std::is_integral<T>::value,
                  "a tiling field is a number; for a class use "
                  "TILING_DATA_FIELD_DEF_STRUCT");
    constexpr bool is_signed = std::is_signed<T>::value;
    switch (sizeof(T)) {
      case 1:
        return is_signed ? "int8_t" : "uint8_t";
      case 2:
        return is_signed ? "int16_t" : "uint16_t";
      case 4:
        return is_signed ? "int32_t" : "uint32_t";
      default:
        return is_signed ? "int64_t" : "uint64_t";
    }
  }
}

// Where the fields of the object at `object` are noted. No std::vector: every
// file with a tiling class would compile it.
struct FieldList {
  const void* object = nullptr;
  HostTilingField* fields = nullptr;  // from malloc, kept for ever
  uint64_t count = 0;

  void Add(const HostTilingField& field) {
    void* larger = realloc(fields, (count + 1) * sizeof(HostTilingField));
    if (larger == nullptr) abort();
    fields = static_cast<HostTilingField*>(larger);
    fields[count++] = field;
  }
};

// Null as a rule.
inline FieldList*& AttachedFieldList() {
  static thread_local FieldList* list = nullptr;
  return list;
}

inline void NoteBytes(void* object, const char* name, const char* type,
                      void* field, uint64_t bytes, uint64_t count) {
  FieldList* list = AttachedFieldList();
  if (list == nullptr || list->object != object) return;
  list->Add({name, type,
             static_cast<uint64_t>(static_cast<uint8_t*>(field) -
                                   static_cast<uint8_t*>(object)),
             bytes, count});
}

// Returns the field's first value.
template <typename T>
T NoteField(void* object, const char* name, void* field, uint64_t count) {
  NoteBytes(object, name, FieldTypeName<T>(), field, sizeof(T), count);
  return T{};
}

template <typename T>
T NoteStruct(void* object, const char* name, void* field) {
  NoteBytes(object, name, T::GetTilingClassName(), field, sizeof(T), 0);
  // A first member has its owner's address: its fields are not the owner's.
  FieldList*& attached = AttachedFieldList();
  FieldList* list = attached;
  attached = nullptr;
  T value;
  attached = list;
  return value;
}

template <typename Class>
const HostTilingClass* DescribeTilingClass() {
  static const struct Description {
    Description() {
      alignas(Class) uint8_t place[sizeof(Class)];
      list.object = place;
      FieldList*& attached = AttachedFieldList();
      attached = &list;
      new (place) Class();
      attached = nullptr;
      result = {Class::GetTilingClassName(),
                sizeof(Class),
                {list.fields, list.count}};
    }
    FieldList list;
    HostTilingClass result;
  } description;
  return &description.result;
}

template <typename Class>
bool RegisterTilingClass(const char* type) {
  static_assert(std::is_trivially_copyable<Class>::value,
                "a tiling class is bytes");
  belay_register_tiling_class(type, &DescribeTilingClass<Class>);
  return true;
}

}  // namespace optiling

#endif  // BELAY_OP_HOST_TILING_H_
