// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_CELLS_H_
#define BELAY_TESTS_API_CELLS_H_

// What the sweep really ran: one cell per API name, element type and form.

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace belay::sweep {

// `table` and `row` name a line of docs/coverage.md, `column` is an element
// type, `mark` the form that was called.
struct Cell {
  std::string table;
  std::string row;
  std::string column;
  std::string mark;

  auto operator<=>(const Cell&) const = default;
};

std::string NameOf(const Cell& cell);

// Cells of this process, by what became of them.
class Cells {
 public:
  static Cells& Get();

  // A cell counts as green while every comparison of it agreed.
  void Note(const Cell& cell, bool agreed);
  bool IsGreen(const Cell& cell) const;
  const std::map<Cell, bool>& all() const { return agreed_; }

 private:
  std::map<Cell, bool> agreed_;
};

// docs/coverage.md as the cells of this process make it.
std::string RenderCoverage();

// All cells, one a line, fields separated by tabs.
std::string ListCells();

// Whether not_yet.h lists the cell.
bool IsNotYet(const Cell& cell);

// What is wrong with them by expected_cells.h, one a line: cells that should
// be green, entries of kNotYet that are, and cells nobody expects.
std::string MissingCells();

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_CELLS_H_
