// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_HOST_PROLOGUE_H_
#define BELAY_CRUX_PRINT_HOST_PROLOGUE_H_

// The first lines of a printed function of the host: shapes, attributes and
// sizes that the rest of it mentions.

#include <string>
#include <vector>

#include "crux/print/host_text.h"
#include "crux/print/text.h"
#include "crux/typed.h"

namespace belay::crux::print {

// Where a function of the host finds its call.
enum class HostPlace : uint8_t {
  kTiling,      // gert::TilingContext* context
  kInferShape,  // gert::InferShapeContext* context
  kMain,        // const Call call, in a single source
};

// Inputs (in, inout, value) and outputs (out, inout) of a project's operator,
// in order.
std::vector<const typed::Parameter*> InputsOf(const typed::Kernel& kernel);
std::vector<const typed::Parameter*> OutputsOf(const typed::Kernel& kernel);
std::vector<const typed::Parameter*> AttributesOf(const typed::Kernel& kernel);

// Declares what `needs` says, and adds to it what that needs in turn. Outputs'
// shapes are asked of a tiling context and worked out elsewhere.
Text PrintPrologue(const typed::Kernel& kernel, HostNeeds& needs,
                   HostPlace place);

// The number of the first tensor of an output among all outputs, lists counted
// by their elements: "1", "2 * x_dims.size()".
std::string OutputIndex(const typed::Kernel& kernel,
                        const typed::Parameter& output, HostNeeds& needs);
// The same by a word for the length of lists.
std::string OutputIndex(const typed::Kernel& kernel,
                        const typed::Parameter& output,
                        const std::string& length);

// The list whose length is that of all lists.
const typed::Parameter& LeadingList(const typed::Kernel& kernel);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_HOST_PROLOGUE_H_
