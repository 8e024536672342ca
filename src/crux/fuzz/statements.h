// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_STATEMENTS_H_
#define BELAY_CRUX_FUZZ_STATEMENTS_H_

// Writes random statements: loops, variants, assignments, stores.

#include <string>

#include "crux/fuzz/expressions.h"
#include "crux/fuzz/scope.h"

namespace belay::crux::fuzz {

class Statements {
 public:
  explicit Statements(Scope& scope) : scope_(scope), expressions_(scope) {}

  // One or two loops over the cores with statements and a store inside, and
  // values across cores around them.
  void CoresNest();

  // Whole little algorithms that need more than one loop or a special place.
  void Scratch();       // stored by one nest, loaded by the next
  void Packed();        // compress with a prefix across cores, upto
  void InPlace();       // inout, atomic_add
  void DeviceBounds();  // integers of the device as bounds and indices
  void AcrossParts();   // values across cores updated piece by piece
  void Scatter();       // stores at positions that a tile gives
  void HostSizes();     // host lines, choose, ceil_div, views

  // A nest in two variants: if fits().
  void FitsVariants();

 private:
  struct Across {
    std::string name;
    Op combine;
    TileType type;
  };

  // Opens a loop, leaves the scope inside it.
  void OpenCores();
  void OpenLoop(LoopSort sort, const Dim& size, const std::string& low_high);
  void Close();

  void Some(int count);
  void Assign();
  void Reassign();
  void Store();
  void Tiles();
  void HostIf();
  void DeviceIf();
  void Optional();

  Across DeclareAcross();
  void UpdateAcross(const Across& across);

  // A local that may be assigned here; null if there is none.
  const Local* Assignable();
  // A type that PlaceFor takes here.
  TileType StorableType();

  Scope& scope_;
  Expressions expressions_;
  int depth_ = 0;  // of blocks
};

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_STATEMENTS_H_
