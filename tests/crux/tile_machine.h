// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TILE_MACHINE_H_
#define BELAY_TESTS_CRUX_TILE_MACHINE_H_

// Runs the tile form of a kernel on one core, with the interpreter's
// arithmetic: what lowering or a pass made of a program can be held to the
// program, before there is any code.

#include <string>

#include "crux/interpret/interpret.h"
#include "crux/ir/tile.h"

namespace belay::testing {

struct TileOptions {
  int64_t piece = 7;  // what tile=auto and every tile parameter means
  bool fits = true;   // what fits() answers
};

// What the interpreter computes, in both arithmetics.
struct Reference {
  crux::interpret::Results exact;
  crux::interpret::Results real;
};

Reference Interpreted(const crux::typed::Kernel& source,
                      const crux::interpret::Arguments& arguments,
                      const TileOptions& options);

// What differs between the results of the kernel, in float64 arithmetic, and
// the reference; empty when nothing does. Elements that rounding puts in doubt
// are not looked at.
std::string DifferencesOfTiles(const crux::ir::Kernel& kernel,
                               const crux::typed::Kernel& source,
                               const crux::interpret::Arguments& arguments,
                               const TileOptions& options,
                               const Reference& reference);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_TILE_MACHINE_H_
