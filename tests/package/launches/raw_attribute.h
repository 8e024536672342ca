// SPDX-License-Identifier: Apache-2.0
#ifndef RAW_ATTRIBUTE_H_
#define RAW_ATTRIBUTE_H_

// Functions marked with the raw attributes that g++ does not know.

__forceinline__ [aicore] int32_t Twice(int32_t value) { return 2 * value; }
inline [host, aicore] int32_t Thrice(int32_t value) { return 3 * value; }

#endif  // RAW_ATTRIBUTE_H_
