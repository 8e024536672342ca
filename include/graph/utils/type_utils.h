// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GRAPH_UTILS_TYPE_UTILS_H_
#define BELAY_GRAPH_UTILS_TYPE_UTILS_H_

// ge::TypeUtils: names and sizes of element types and formats.

#include <string>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

class TypeUtils {
 public:
  // "DT_FLOAT16"; "UNDEFINED" for a number that is no type.
  static std::string DataTypeToSerialString(DataType type) {
    for (const Named<DataType>& entry : kTypes) {
      if (entry.value == type) return entry.name;
    }
    return "UNDEFINED";
  }
  static DataType SerialStringToDataType(const std::string& name) {
    for (const Named<DataType>& entry : kTypes) {
      if (name == entry.name) return entry.value;
    }
    return DT_UNDEFINED;
  }
  static AscendString DataTypeToAscendString(const DataType& type) {
    return AscendString(DataTypeToSerialString(type).c_str());
  }

  // "ND"; "RESERVED" for a number that is no format.
  static std::string FormatToSerialString(Format format) {
    for (const Named<Format>& entry : kFormats) {
      if (entry.value == GetPrimaryFormat(format)) return entry.name;
    }
    return "RESERVED";
  }
  static Format SerialStringToFormat(const std::string& name) {
    for (const Named<Format>& entry : kFormats) {
      if (name == entry.name) return entry.value;
    }
    return FORMAT_RESERVED;
  }
  static AscendString FormatToAscendString(const Format& format) {
    return AscendString(FormatToSerialString(format).c_str());
  }

  // Bytes of one element. False, and `length` as it was, for a type without a
  // size in bytes.
  static bool GetDataTypeLength(DataType type, uint32_t& length) {
    const int size = GetSizeByDataType(type);
    if (size < 0 || size >= kDataTypeSizeBitOffset) return false;
    length = static_cast<uint32_t>(size);
    return true;
  }

  static bool IsDataTypeValid(DataType type) {
    return type >= DT_FLOAT && type < DT_MAX && type != DT_UNDEFINED;
  }
  static bool IsFormatValid(Format format) {
    return FormatToSerialString(format) != "RESERVED";
  }

 private:
  template <typename T>
  struct Named {
    T value;
    const char* name;
  };

  static constexpr Named<DataType> kTypes[] = {
      {DT_FLOAT, "DT_FLOAT"},
      {DT_FLOAT16, "DT_FLOAT16"},
      {DT_INT8, "DT_INT8"},
      {DT_INT16, "DT_INT16"},
      {DT_UINT16, "DT_UINT16"},
      {DT_UINT8, "DT_UINT8"},
      {DT_INT32, "DT_INT32"},
      {DT_INT64, "DT_INT64"},
      {DT_UINT32, "DT_UINT32"},
      {DT_UINT64, "DT_UINT64"},
      {DT_BOOL, "DT_BOOL"},
      {DT_DOUBLE, "DT_DOUBLE"},
      {DT_STRING, "DT_STRING"},
      {DT_DUAL, "DT_DUAL"},
      {DT_DUAL_SUB_INT8, "DT_DUAL_SUB_INT8"},
      {DT_DUAL_SUB_UINT8, "DT_DUAL_SUB_UINT8"},
      {DT_COMPLEX32, "DT_COMPLEX32"},
      {DT_COMPLEX64, "DT_COMPLEX64"},
      {DT_COMPLEX128, "DT_COMPLEX128"},
      {DT_QINT8, "DT_QINT8"},
      {DT_QINT16, "DT_QINT16"},
      {DT_QINT32, "DT_QINT32"},
      {DT_QUINT8, "DT_QUINT8"},
      {DT_QUINT16, "DT_QUINT16"},
      {DT_RESOURCE, "DT_RESOURCE"},
      {DT_STRING_REF, "DT_STRING_REF"},
      {DT_VARIANT, "DT_VARIANT"},
      {DT_BF16, "DT_BF16"},
      {DT_INT4, "DT_INT4"},
      {DT_UINT1, "DT_UINT1"},
      {DT_INT2, "DT_INT2"},
      {DT_UINT2, "DT_UINT2"},
      {DT_HIFLOAT8, "DT_HIFLOAT8"},
      {DT_FLOAT8_E5M2, "DT_FLOAT8_E5M2"},
      {DT_FLOAT8_E4M3FN, "DT_FLOAT8_E4M3FN"},
      {DT_FLOAT8_E8M0, "DT_FLOAT8_E8M0"},
      {DT_FLOAT6_E3M2, "DT_FLOAT6_E3M2"},
      {DT_FLOAT6_E2M3, "DT_FLOAT6_E2M3"},
      {DT_FLOAT4_E2M1, "DT_FLOAT4_E2M1"},
      {DT_FLOAT4_E1M2, "DT_FLOAT4_E1M2"},
  };
  static constexpr Named<Format> kFormats[] = {
      {FORMAT_NCHW, "NCHW"},
      {FORMAT_NHWC, "NHWC"},
      {FORMAT_ND, "ND"},
      {FORMAT_NC1HWC0, "NC1HWC0"},
      {FORMAT_FRACTAL_Z, "FRACTAL_Z"},
      {FORMAT_NC1HWC0_C04, "NC1HWC0_C04"},
      {FORMAT_FRACTAL_Z_C04, "FRACTAL_Z_C04"},
      {FORMAT_CHWN, "CHWN"},
      {FORMAT_HWCN, "HWCN"},
      {FORMAT_C1HWNCoC0, "C1HWNCoC0"},
      {FORMAT_MD, "MD"},
      {FORMAT_NDHWC, "NDHWC"},
      {FORMAT_FRACTAL_ZZ, "FRACTAL_ZZ"},
      {FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
      {FORMAT_NCDHW, "NCDHW"},
      {FORMAT_DHWCN, "DHWCN"},
      {FORMAT_NDC1HWC0, "NDC1HWC0"},
      {FORMAT_FRACTAL_Z_3D, "FRACTAL_Z_3D"},
      {FORMAT_CN, "CN"},
      {FORMAT_NC, "NC"},
      {FORMAT_DHWNC, "DHWNC"},
      {FORMAT_FRACTAL_ZN_LSTM, "FRACTAL_ZN_LSTM"},
      {FORMAT_FRACTAL_Z_G, "FRACTAL_Z_G"},
      {FORMAT_ALL, "ALL"},
      {FORMAT_NULL, "NULL"},
      {FORMAT_ND_RNN_BIAS, "ND_RNN_BIAS"},
      {FORMAT_FRACTAL_ZN_RNN, "FRACTAL_ZN_RNN"},
      {FORMAT_NCL, "NCL"},
      {FORMAT_FRACTAL_Z_WINO, "FRACTAL_Z_WINO"},
      {FORMAT_C1HWC0, "C1HWC0"},
  };
};

}  // namespace ge

#endif  // BELAY_GRAPH_UTILS_TYPE_UTILS_H_
