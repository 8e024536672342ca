// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TWIN_TEXT_H_
#define BELAY_CRUX_PRINT_TWIN_TEXT_H_

// The class of a variant of bf16, made from that of its twin (crux/twins.h).

#include <map>
#include <memory>

#include "crux/print/kernel_class.h"
#include "crux/print/text.h"

namespace belay::crux::print {

class TwinPrinter {
 public:
  // With bfloat16_t for half. Functions that are the same for both are shared,
  // and those that several classes share are shared again.
  PrintedClass Print(const PrintedClass& halves);

 private:
  std::map<std::shared_ptr<const Text>, std::shared_ptr<const Text>> known_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TWIN_TEXT_H_
