// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_SYMBOLIZE_H_
#define BELAY_TOOLCHAIN_SYMBOLIZE_H_

// From a code address in a compiled module to lines of source.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

class Symbolizer {
 public:
  // Reads the module on the first question, not before.
  explicit Symbolizer(std::string module_path);
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // The places an instruction stands for, innermost first, through inlining.
  // `module_offset` is the address of the instruction less the address the
  // module is loaded at; for a return address pass one less, so that the call
  // is found and not what follows it. Empty when nothing is known.
  std::vector<SourceLocation> Frames(uint64_t module_offset);

 private:
  class Reader;
  std::string module_path_;
  std::unique_ptr<Reader> reader_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_SYMBOLIZE_H_
