// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TILING_VARIANT_H_
#define BELAY_CRUX_PRINT_TILING_VARIANT_H_

// The host's statements for one variant: values of the tiling data, memory that
// is needed, pieces, cores and workspace.

#include "crux/compile.h"
#include "crux/print/host_text.h"
#include "crux/print/text.h"
#include "crux/print/tiling_text.h"

namespace belay::crux::print {

// Stands for the tiling key until it is known.
inline constexpr std::string_view kKeyWord = "TheTilingKey";

// `only`: nothing else is tried if it does not fit. Adds what the statements
// mention to what `tiling` needs, and does what that says of pieces.
Text PrintTilingVariant(const typed::Kernel& kernel,
                        const CompiledVariant& variant,
                        const TilingFields& fields, Road road, bool only,
                        TilingText& tiling);

// Whether its pieces are shared out together with those of loops around it.
bool IsInTurns(const ir::TileParameter& parameter);

// An element for each tensor or number of a list.
bool IsArray(const ir::HostValue& value);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TILING_VARIANT_H_
