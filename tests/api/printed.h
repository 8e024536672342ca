// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_PRINTED_H_
#define BELAY_TESTS_API_PRINTED_H_

// Numbers as the interface pages print them: "1 2 3 ... 512". They are put
// into UB before a kernel and compared with it afterwards.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"

namespace belay::sweep {

class Printed {
 public:
  // `text` may leave out the middle of `count` numbers with "...".
  Printed(std::string_view text, uint32_t count);

  // All numbers: where the middle is left out, the sequence goes on if it is
  // an arithmetic one, else its last number is repeated.
  std::vector<long double> Values() const;

  // True if the bits are those of the number at `index`: rounded to the type,
  // or as far as it was printed. Numbers that were left out always agree.
  bool Agrees(uint32_t index, uint64_t bits, abi::DType dtype) const;

  uint32_t count() const { return count_; }
  std::string TextAt(uint32_t index) const;

 private:
  std::vector<std::string> head_;
  std::vector<std::string> tail_;
  uint32_t count_;
};

// Writes numbers of `dtype` to byte `at` of the bench's UB image.
void PutPrinted(uint32_t at, abi::DType dtype, const Printed& printed);

// Compares UB after the last run and counts one documented vector; `example`
// names page and form.
void ExpectPrinted(const std::string& example, uint32_t at, abi::DType dtype,
                   const Printed& printed);

// How many vectors were compared so far in this process.
int PrintedVectors();

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_PRINTED_H_
