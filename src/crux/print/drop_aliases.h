// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_DROP_ALIASES_H_
#define BELAY_CRUX_PRINT_DROP_ALIASES_H_

// One name for what lies in one place of a buffer, in each function of a class.

#include "crux/print/text.h"

namespace belay::crux::print {

// "LocalTensor<float> e = t_buffer_.Get<float>();" goes where a tensor that is
// declared with the same value is in scope; that one's name takes its place.
// The value takes the place of one that is used once, and is called as its
// buffer or a part of another tensor, where that takes lines away; so does
// the call "Min(a, b)" that of an integer which only the next statement is
// handed.
void DropAliases(Text& text);

// All of the scratch buffer is called "work" where that takes lines away.
void NameScratch(Text& text);

// Tensors that are members of a class lose the number at the end of their name
// where the class has no other of that name.
void DropNumbers(Text& text);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_DROP_ALIASES_H_
