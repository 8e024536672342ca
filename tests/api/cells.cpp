// SPDX-License-Identifier: Apache-2.0
#include "cells.h"

namespace belay::sweep {

std::string NameOf(const Cell& cell) {
  return cell.table + " / " + cell.row + " / " + cell.column + " / " +
         cell.mark;
}

Cells& Cells::Get() {
  static Cells cells;
  return cells;
}

void Cells::Note(const Cell& cell, bool agreed) {
  const auto [found, is_new] = agreed_.try_emplace(cell, agreed);
  if (!is_new) found->second = found->second && agreed;
}

bool Cells::IsGreen(const Cell& cell) const {
  const auto found = agreed_.find(cell);
  return found != agreed_.end() && found->second;
}

}  // namespace belay::sweep
