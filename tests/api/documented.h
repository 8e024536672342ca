// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_DOCUMENTED_H_
#define BELAY_TESTS_API_DOCUMENTED_H_

// The calls an interface page shows above its printed numbers: mask as a
// number, mask as bits, first n elements; each is an example of its own.

#include <gtest/gtest.h>

#include <string>

#include "kernels.h"
#include "printed.h"

namespace belay::sweep {

template <typename T>
void Put(uint32_t at, std::string_view text, uint32_t count) {
  PutPrinted(at, Type<T>::kDType, Printed(text, count));
}

template <typename T>
void Expect(const std::string& example, uint32_t at, std::string_view text,
            uint32_t count) {
  const Outcome& outcome = Bench::Get().last();
  ASSERT_TRUE(outcome.ok) << example << ": " << outcome.message;
  ExpectPrinted(example, at, Type<T>::kDType, Printed(text, count));
}

inline constexpr uint64_t kAllLanes[2] = {~uint64_t{0}, ~uint64_t{0}};

// Runs `call` in the three forms over `count` elements whose widest type is
// `Widest`: call(mask, repeat, params), call(bits, …), call(count). The
// printed result is compared after each.
template <typename Widest, typename T, typename Params, typename F>
void ExpectThreeForms(const std::string& page, uint32_t count,
                      const Params& params, std::string_view result, F call) {
  constexpr uint32_t kLanes = 256 / sizeof(Widest);
  const uint32_t repeat = count / kLanes;
  Bench::Get().Run([&] { call(uint64_t{kLanes}, repeat, params); });
  Expect<T>(page + ", mask as a number", kDstAt, result, count);
  Bench::Get().Run([&] { call(kAllLanes, repeat, params); });
  Expect<T>(page + ", mask as bits", kDstAt, result, count);
  Bench::Get().Run([&] { call(count); });
  Expect<T>(page + ", first n elements", kDstAt, result, count);
}

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_DOCUMENTED_H_
