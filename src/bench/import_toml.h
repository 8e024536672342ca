// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_TOML_H_
#define BELAY_BENCH_IMPORT_TOML_H_

// The two files of an imported task, as text.

#include <string>
#include <vector>

#include "bench/import_model.h"
#include "bench/import_task.h"
#include "bench/task.h"

namespace belay::bench {

struct ImportedOutput {
  std::string name;
  DType dtype = DType::kFloat;
  std::string shape = "?";
};

// What the model file leaves open.
struct Draft {
  std::string name;  // of the task
  std::vector<ImportedOutput> outputs;
  bool scale = false;           // real outputs are measured against the scale S
  bool own_scale = false;       // S by a scale() of the reference
  bool uniform_is_real = true;  // torch.rand inputs also get negative numbers
  std::vector<Value> edge_sizes;
  Value regime_sizes;  // of the group with other regimes; null for none
  std::vector<Regime> regimes;
  bool large = false;  // the sizes of the file are too large for lint
  bool with_file_sizes = true;
};

// Whether terms are added up in forward(), so that they may cancel.
bool AddsUp(const Model& model);

// The names and values of the sizes in the file.
Value SizesOf(const Model& model);

std::string DraftToml(const Model& model, const Draft& draft,
                      const ImportOptions& options);
// With `own_scale`, S is the output's magnitude plus that of a typical element.
std::string DraftReference(const Model& model, const Draft& draft);

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_TOML_H_
