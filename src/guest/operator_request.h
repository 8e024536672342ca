// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_REQUEST_H_
#define BELAY_GUEST_OPERATOR_REQUEST_H_

// What a caller says about one call of an operator, before its signature is
// known: tensors by name, attributes as text.

#include <optional>
#include <string>
#include <vector>

#include "base/npy.h"

namespace belay::guest {

// A tensor in a file, and the type its bytes are to be read as ("bf16" for a
// file of uint16); kNone: the file's own.
// Or only a shape, whose values nobody needs: then `read_as` is its type.
struct TensorFile {
  std::string path;
  DType read_as = DType::kNone;
  std::optional<Shape> shape = {};
};

// --in NAME=…
struct InputRequest {
  enum class Form {
    kTensor,  // one file, or shape:8,16:f32
    kList,    // [a.npy,b.npy], or [shape:8,16:f32;shape:4:f32]
    kScalar,  // host values: scalar:1.5:f32, scalar:[1,2,3]:f32
    kAbsent,  // none
  };
  std::string name;
  Form form = Form::kTensor;
  std::vector<TensorFile> files;
  std::vector<std::string> scalars;
  DType scalar_dtype = DType::kNone;  // kNone: as the operator takes it
};

// What an output will be; a dtype of kNone is the operator's to say.
struct OutputShape {
  Shape shape;
  DType dtype = DType::kNone;
};

// All that is said about one output: --out, --out-like, --out-shape, --expect.
struct OutputRequest {
  std::string name;
  std::vector<std::string> files;
  std::string like;  // the input it has the shape of
  std::vector<OutputShape> shapes;
  std::vector<TensorFile> expected;
};

// --attr NAME=TEXT
struct AttributeRequest {
  std::string name;
  std::string text;
};

// Reads a tensor; one that is only a shape has no data. Throws UserError when
// the file cannot be read or its type not be read as the one asked for.
Array ReadTensor(const TensorFile& file);

// The parts of "[a,b]", or the text itself without brackets; separators inside
// inner brackets do not count.
std::vector<std::string> SplitList(const std::string& text, char separator);

// The options' texts. Each throws UserError with the right spelling.
InputRequest ParseInput(const std::string& text);
AttributeRequest ParseAttribute(const std::string& text);
// Each adds what it says to the output of that name in `outputs`.
void ParseOutputFile(const std::string& text,
                     std::vector<OutputRequest>& outputs);
void ParseOutputLike(const std::string& text,
                     std::vector<OutputRequest>& outputs);
void ParseOutputShape(const std::string& text,
                      std::vector<OutputRequest>& outputs);
void ParseExpected(const std::string& text,
                   std::vector<OutputRequest>& outputs);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_REQUEST_H_
