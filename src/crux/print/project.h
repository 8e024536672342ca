// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_PROJECT_H_
#define BELAY_CRUX_PRINT_PROJECT_H_

// The parts of an operator project.

#include <string>

#include "crux/print/class_groups.h"
#include "crux/print/compiled.h"
#include "crux/print/text.h"
#include "crux/print/tiling_text.h"

namespace belay::crux::print {

// "LayerNorm" of `layer_norm`; "DoubleOp" of `double`, which no kernel of C++
// can be called.
std::string OperatorType(const typed::Kernel& kernel);

// The name that this type gives the kernel and the project's files: that in the
// program as a rule, but "pool2d" of `pool_2d`.
std::string EntryOf(const typed::Kernel& kernel);

// "SoftmaxTilingData".
std::string TilingType(const typed::Kernel& kernel);

// op_host: definition, shape and type inference, tiling.
Text PrintHostFile(const Compiled& compiled, const KernelClasses& classes,
                   const TilingFields& fields);

// op_kernel: classes and the entry that chooses one.
Text PrintKernelFile(const Compiled& compiled, const KernelClasses& classes);

// "From softmax.crux.", and the licence's line.
Text FileHead(const Compiled& compiled, const std::string& what);

// The shape a parameter must have, for messages: "[M, N]".
std::string ShapeWords(const typed::Kernel& kernel,
                       const typed::Parameter& parameter);

// Bytes of an element of a dtype variable, by its position, in a single source:
// "4", or "T == \"f32\" ? 4 : 2".
std::string SizeByDtype(const Compiled& compiled, size_t variable);

// Definitions that `needs` asks for, after "using Dims = …".
Text HostDefinitions(const HostNeeds& needs, const TilingText& tiling);

// Refusals of inputs whose shapes disagree, and what they need.
Text ShapeChecks(const typed::Kernel& kernel, HostNeeds& needs, Road road);

// Whether a variable of that name occurs in the lines.
bool Mentions(const Text& text, const std::string& word);

// Whether functions of <cmath> occur in them.
bool CallsMath(const Text& text);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_PROJECT_H_
