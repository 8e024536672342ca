// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PARSER_H_
#define BELAY_CRUX_PARSER_H_

// Tokens to syntax tree. What Python has and Crux has not is refused here, with
// what to write instead.

#include "crux/lexer.h"
#include "crux/messages.h"
#include "crux/syntax.h"

namespace belay::crux {

// After an error goes on with the next statement. What could not be read is a
// statement of kind kError, which holds the names it would have assigned as
// targets; a function that holds one has `broken` set.
void Parse(const Tokens& tokens, Messages& messages, syntax::Module& module);

}  // namespace belay::crux

#endif  // BELAY_CRUX_PARSER_H_
