// SPDX-License-Identifier: Apache-2.0
#include "crux/select/order.h"

#include <utility>

namespace belay::crux::select {

void Require(Emitter& emitter, const Int& condition, std::string message) {
  emitter.If(Int::Not(condition), [&] {
    code::Stmt fault;
    fault.kind = code::StmtKind::kFault;
    fault.text = std::move(message);
    emitter.Append(std::move(fault));
  });
}

void SelectOrder(Emitter& emitter, const ir::Stmt& stmt) {
  switch (stmt.op) {
    case Op::kTake:
      return SelectTake(emitter, stmt);
    case Op::kCompress:
      return SelectCompress(emitter, stmt);
    case Op::kDeinterleave:
      return SelectDeinterleave(emitter, stmt);
    default:
      if (!SortByVectors(emitter, stmt)) SortByScalars(emitter, stmt);
  }
}

}  // namespace belay::crux::select
