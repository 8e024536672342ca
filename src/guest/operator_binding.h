// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_BINDING_H_
#define BELAY_GUEST_OPERATOR_BINDING_H_

// Fits what the caller said to the operator's signature. What does not fit is
// the caller's error: every function throws UserError with the code U105.

#include <string>
#include <vector>

#include "guest/operator_request.h"
#include "runtime/operators/plan.h"

namespace belay::guest {

// A tensor list, or the tensors of one input as they were read.
struct ReadInput {
  InputRequest request;
  std::vector<Array> tensors;  // of files; scalars are made when bound
};

// Reads the files of all inputs.
std::vector<ReadInput> ReadInputs(const std::vector<InputRequest>& requests);

struct BoundCall {
  runtime::OperatorCall call;
  std::vector<size_t> columns;  // that are allowed and fit the inputs, or all
  std::vector<std::vector<Array>> inputs;  // as the signature lists them
};

// Which of the operators registered is meant; `type` may be empty when there
// is one only.
const runtime::OperatorSignature& ChooseOperator(
    const std::vector<runtime::OperatorSignature>& operators,
    const std::string& type);

// Columns that `--dtype` allows: by number from 0, or by the type of the first
// input (or, failing that, of any parameter). All for an empty text.
std::vector<size_t> AllowedColumns(const runtime::OperatorSignature& signature,
                                   const std::string& dtype);

BoundCall BindCall(const runtime::OperatorSignature& signature,
                   std::vector<ReadInput> inputs,
                   const std::vector<AttributeRequest>& attributes,
                   const std::vector<OutputRequest>& outputs,
                   const std::vector<size_t>& columns);

// An attribute's text as a value of its type; see also Attribute::Type.
runtime::AttributeValue ParseAttributeValue(const runtime::Attribute& attribute,
                                            const std::string& text);

// One-dimensional values of a host scalar or scalar list.
Array MakeScalars(const std::vector<std::string>& texts, DType dtype,
                  const std::string& name);

// "; did you mean 'x'?" when a name is close, else the list of `known` ones.
std::string Suggest(const std::string& name,
                    const std::vector<std::string>& known);

// Throws the UserError of a call that does not fit.
[[noreturn]] void RefuseCall(const std::string& message);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_BINDING_H_
