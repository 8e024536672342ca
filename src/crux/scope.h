// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SCOPE_H_
#define BELAY_CRUX_SCOPE_H_

// What names mean while a function is checked: a stack of frames, one for each
// function, loop and branch that is open.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crux/size.h"
#include "crux/syntax.h"
#include "crux/typed.h"

namespace belay::crux {

enum class BindingKind : uint8_t {
  kVariable,     // variable
  kAlias,        // expr stands for the name
  kLoop,         // loop
  kParameter,    // parameter
  kSize,         // a size bound by a shape
  kPack,         // a pack of sizes
  kElementSize,  // a size of list elements, not to be used by itself
  kLost,         // not to be used; reason says why
  kError,        // a message has been given
};

struct Binding {
  BindingKind kind = BindingKind::kError;
  const typed::Variable* variable = nullptr;
  const typed::Expr* expr = nullptr;
  const typed::Loop* loop = nullptr;
  const typed::Parameter* parameter = nullptr;
  Size value = Size::Unknown();  // of an integer
  std::string reason;            // kLost: "it is assigned only …"
  SourceRange range;             // where the name was bound
  size_t frame = 0;              // the frame the name belongs to
};

enum class FrameKind : uint8_t { kFunction, kLoop, kBranch };

struct Frame {
  FrameKind kind = FrameKind::kFunction;
  typed::Loop* loop = nullptr;                  // kLoop
  typed::IfKind how = typed::IfKind::kVariant;  // kBranch
  std::set<std::string, std::less<>> assigned;  // kLoop: in its body
  std::set<const typed::Variable*> carried;     // kLoop: as loop->carried
  std::map<std::string, Binding, std::less<>> names;
};

class Scope {
 public:
  void Push(FrameKind kind);
  std::map<std::string, Binding, std::less<>> Pop();

  Frame& top() { return frames_.back(); }
  size_t depth() const { return frames_.size(); }
  Frame& at(size_t index) { return frames_[index]; }

  // In the frames of this function, innermost first. Null if there is none.
  const Binding* Find(std::string_view name) const;

  // Binds in the innermost frame; binding.frame stays as given.
  void Bind(std::string_view name, Binding binding);

  // Whether a loop of that kind is open, callers of helpers included.
  bool Inside(typed::LoopKind kind) const;

  // Names that can be used here, for suggestions.
  std::vector<std::string> Names() const;

 private:
  std::vector<Frame> frames_;
};

// Names that statements assign, in blocks below them too, loop variables left
// out.
void CollectAssigned(const syntax::Block& block,
                     std::set<std::string, std::less<>>& names);

}  // namespace belay::crux

#endif  // BELAY_CRUX_SCOPE_H_
