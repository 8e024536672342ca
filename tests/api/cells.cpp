// SPDX-License-Identifier: Apache-2.0
#include "cells.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include "expected_cells.h"
#include "not_yet.h"

namespace belay::sweep {
namespace {

constexpr const char* kColumns[] = {
    "bool",     "int4b_t", "int8_t",     "uint8_t", "int16_t",
    "uint16_t", "half",    "bfloat16_t", "int32_t", "uint32_t",
    "float",    "int64_t", "uint64_t",   "double",  "any"};

// How a mark is written in the table.
struct Sign {
  const char* mark;
  const char* sign;
  const char* meaning;
};

constexpr Sign kSigns[] = {
    {"count", "c", "first n elements"},
    {"mask", "m", "mask and repeats, mask as a number"},
    {"bits", "b", "mask and repeats, mask as bits"},
    {"register", "r", "`isSetMask = false`, or lanes from the mask register"},
    {"operator", "o", "operator of LocalTensor"},
    {"trait", "T", "first n elements of tensors of TensorTrait"},
    {"params", "p", "DataCopyParams"},
    {"ext params", "e", "DataCopyExtParams"},
    {"SetPadValue", "v", "padding by SetPadValue"},
    {"slice", "s", "SliceInfo"},
    {"Nd2Nz", "z", "Nd2NzParams"},
    {"Nz2Nd", "d", "Nz2NdParamsFull"},
    {"pattern", "1", "built-in pattern"},
    {"tensor", "t", "pattern in a tensor"},
    {"lanes", "n", "number of lanes"},
    {"high and low", "h", "two words"},
    {"call", "x", "its only form"},
    {"refused", "-", "compiles, and ends with BLY-N107 when it runs"},
};

constexpr const char* kTables[][2] = {
    {"Vector", "Vector interfaces"},
    {"Cast", "Cast"},
    {"Cast round modes", "Round modes of Cast"},
    {"Comparison modes", "Modes of comparisons"},
    {"Movement", "Movement"},
    {"Cube", "Cube interfaces"},
};

std::vector<std::string> Split(std::string_view text) {
  const char separator = text.find(',') == text.npos ? ' ' : ',';
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

// Position of a mark in its cell.
size_t RankOf(const std::string& mark) {
  const auto* sign =
      std::find_if(std::begin(kSigns), std::end(kSigns),
                   [&](const Sign& s) { return mark == s.mark; });
  return static_cast<size_t>(sign - kSigns);
}

std::string SignsOf(std::set<std::string> marks) {
  std::vector<std::string> ordered(marks.begin(), marks.end());
  constexpr std::string_view kModes = "R F C A Z N O LT GT EQ LE GE NE ";
  std::sort(ordered.begin(), ordered.end(),
            [&](const std::string& a, const std::string& b) {
              return std::pair(RankOf(a), kModes.find(a + " ")) <
                     std::pair(RankOf(b), kModes.find(b + " "));
            });
  std::string text;
  for (const std::string& mark : ordered) {
    const size_t rank = RankOf(mark);
    if (rank < std::size(kSigns)) {
      text += kSigns[rank].sign;
    } else {
      text += (mark.size() > 1 && !text.empty() ? " " : "") + mark;
    }
  }
  return text;
}

void RenderTable(const char* table, const char* title, std::string& page) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> rows;
  std::set<std::string> used;
  for (const auto& [cell, agreed] : Cells::Get().all()) {
    if (cell.table != table || !agreed) continue;
    rows[cell.row][cell.column].insert(cell.mark);
    used.insert(cell.column);
  }
  page += std::string("\n## ") + title + "\n\n| |";
  std::string rule = "|---|";
  for (const char* column : kColumns) {
    if (!used.contains(column)) continue;
    page += std::string(" ") + column + " |";
    rule += "---|";
  }
  page += "\n" + rule + "\n";
  for (auto& [row, columns] : rows) {
    page += "| " + row + " |";
    for (const char* column : kColumns) {
      if (used.contains(column)) page += " " + SignsOf(columns[column]) + " |";
    }
    page += "\n";
  }
}

bool Covers(const NotYet& entry, const Cell& cell) {
  return cell.table == entry.table && cell.row == entry.row &&
         (*entry.mark == '\0' || cell.mark == entry.mark);
}

const NotYet* FindNotYet(const Cell& cell) {
  for (const NotYet& entry : kNotYet) {
    if (Covers(entry, cell)) return &entry;
  }
  return nullptr;
}

template <typename F>
void ForEachExpected(F f) {
  for (const ExpectedRow& row : kExpectedCells) {
    for (const std::string& mark : Split(row.marks)) {
      for (const std::string& column : Split(row.columns)) {
        f(Cell{row.table, row.row, column, mark});
      }
    }
  }
}

}  // namespace

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

bool IsNotYet(const Cell& cell) { return FindNotYet(cell) != nullptr; }

std::string MissingCells() {
  std::string text;
  std::set<const NotYet*> needed;
  std::set<Cell> expected;
  ForEachExpected([&](const Cell& cell) {
    expected.insert(cell);
    if (Cells::Get().IsGreen(cell)) return;
    if (const NotYet* entry = FindNotYet(cell)) {
      needed.insert(entry);
    } else {
      text += "expected, not green: " + NameOf(cell) + "\n";
    }
  });
  for (const NotYet& entry : kNotYet) {
    if (needed.contains(&entry)) continue;
    text += std::string("green, to be taken off kNotYet: ") + entry.row + " " +
            entry.mark + "\n";
  }
  for (const auto& [cell, agreed] : Cells::Get().all()) {
    if (expected.contains(cell)) continue;
    text += "run, not expected: " + NameOf(cell) + "\n";
  }
  return text;
}

std::string RenderCoverage() {
  size_t green = 0;
  for (const auto& [cell, agreed] : Cells::Get().all()) green += agreed;
  std::string page =
      "# Coverage of the AscendC interfaces\n\n"
      "Made by the test `api_sweep`, not by hand: every mark is a call that "
      "was made as a kernel makes it, on random data with tails, masks, "
      "repeats and strides, and whose every byte of UB and every register "
      "agreed with the naive model of tests/npu/vector; for the cube, whose "
      "every byte of the memory it writes agreed with plain loops over rows "
      "and columns. The columns are element types (of the destination, where "
      "source and destination differ; of the factors for Mmad).\n\n"
      "To make it anew: `ctest -R api_sweep`, then copy tests/api/coverage.md "
      "of the build folder here. The test `api_coverage` fails while the two "
      "differ. tests/api/expected_cells.h lists what must be here.\n\n" +
      std::to_string(green) + " cells.\n\n| sign | form |\n|---|---|\n";
  for (const Sign& sign : kSigns) {
    page += std::string("| ") + sign.sign + " | " + sign.meaning + " |\n";
  }
  for (const auto& [table, title] : kTables) RenderTable(table, title, page);
  page +=
      "\nRound modes: R CAST_RINT, F CAST_FLOOR, C CAST_CEIL, A CAST_ROUND, Z "
      "CAST_TRUNC, N CAST_NONE, O CAST_ODD. From int32_t to half the mode has "
      "no effect: the value is multiplied by the scale of SetDeqScale.\n";
  page += "\n## Not yet\n\n";
  if (std::size(kNotYet) == 0) page += "Nothing.\n";
  for (const NotYet& entry : kNotYet) {
    page += std::string("- ") + entry.row +
            (*entry.mark == '\0' ? "" : std::string(" (") + entry.mark + ")") +
            ": " + entry.reason + "\n";
  }
  return page;
}

std::string ListCells() {
  std::string text = "table\trow\tcolumn\tmark\tgreen\n";
  for (const auto& [cell, agreed] : Cells::Get().all()) {
    text += cell.table + "\t" + cell.row + "\t" + cell.column + "\t" +
            cell.mark + "\t" + (agreed ? "1" : "0") + "\n";
  }
  return text;
}

}  // namespace belay::sweep
