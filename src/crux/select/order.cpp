// SPDX-License-Identifier: Apache-2.0
#include "base/catalogue.h"
#include "crux/ir/refusal.h"
#include "crux/select/emitter.h"

namespace belay::crux::select {

void SelectOrder(Emitter&, const ir::Stmt& stmt) {
  ir::Refuse(belay::code::kX301, stmt.line,
             std::string(InfoOf(stmt.op).spelling) + " is not compiled yet",
             "run it with --interpret");
}

void SelectPhilox(Emitter&, const ir::Stmt& stmt) {
  ir::Refuse(belay::code::kX301, stmt.line, "philox is not compiled yet",
             "run it with --interpret");
}

}  // namespace belay::crux::select
