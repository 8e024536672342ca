// SPDX-License-Identifier: Apache-2.0
#include "crux/foreign.h"

#include <algorithm>
#include <iterator>

namespace belay::crux {
namespace {

struct Spelling {
  std::string_view theirs;
  std::string_view ours;
};

constexpr std::string_view kModules[] = {
    "np",   "numpy", "torch", "tl",       "triton",  "tf",      "jnp",  "jax",
    "math", "nn",    "F",     "tilelang", "ascendc", "AscendC", "cupy", "cp",
};

constexpr Spelling kFunctions[] = {
    {"log", "ln(t)"},
    {"log_e", "ln(t)"},
    {"exp2", "exp(t * 0.6931471805599453)"},
    {"mean", "sum(t) / N, with the size of the axis"},
    {"average", "sum(t) / N, with the size of the axis"},
    {"var", "d = t - sum(t) / N, then sum(d * d) / N"},
    {"std", "d = t - sum(t) / N, then sqrt(sum(d * d) / N)"},
    {"softmax", "e = exp(t - max(t)), then e / sum(e)"},
    {"log_softmax", "d = t - max(t), then d - ln(sum(exp(d)))"},
    {"relu", "maximum(t, 0)"},
    {"relu6", "clamp(t, 0, 6)"},
    {"leaky_relu", "where(t > 0, t, t * slope)"},
    {"swish", "silu(t)"},
    {"clip", "clamp(t, low, high)"},
    {"square", "t * t"},
    {"power", "t ** p"},
    {"add", "a + b"},
    {"sub", "a - b"},
    {"subtract", "a - b"},
    {"mul", "a * b"},
    {"multiply", "a * b"},
    {"div", "a / b"},
    {"divide", "a / b"},
    {"true_divide", "a / b"},
    {"floor_divide", "a // b"},
    {"fmod", "a % b (with the sign of b)"},
    {"mod", "a % b"},
    {"remainder", "a % b"},
    {"negative", "-t"},
    {"absolute", "abs(t)"},
    {"fabs", "abs(t)"},
    {"arcsin", "asin(t)"},
    {"arccos", "acos(t)"},
    {"arctan", "atan(t)"},
    {"rint", "round(t)"},
    {"fix", "trunc(t)"},
    {"fmax", "maximum(a, b)"},
    {"fmin", "minimum(a, b)"},
    {"amax", "max(t, axis=…)"},
    {"amin", "min(t, axis=…)"},
    {"reduce_sum", "sum(t, axis=…)"},
    {"reduce_max", "max(t, axis=…)"},
    {"reduce_min", "min(t, axis=…)"},
    {"logical_and", "a & b"},
    {"logical_or", "a | b"},
    {"logical_not", "~t"},
    {"logical_xor", "a ^ b"},
    {"bitwise_and", "a & b"},
    {"bitwise_or", "a | b"},
    {"bitwise_not", "~t"},
    {"bitwise_xor", "a ^ b"},
    {"left_shift", "a << n"},
    {"right_shift", "a >> n"},
    {"equal", "a == b"},
    {"greater", "a > b"},
    {"less", "a < b"},
    {"matmul", "a @ b"},
    {"dot", "a @ b for matrices, sum(a * b) for vectors"},
    {"mm", "a @ b"},
    {"bmm", "a @ b in a loop over the batch"},
    {"gemm", "a @ b"},
    {"einsum", "a @ b, or a product and sum(…, axis=…)"},
    {"concatenate", "concat((a, b), axis=0)"},
    {"cat", "concat((a, b), axis=0)"},
    {"stack", "concat((a[None, :], b[None, :]), axis=0)"},
    {"split", "slices: t[:n], t[n:]"},
    {"squeeze", "t[:, 0] (an index drops the dimension)"},
    {"unsqueeze", "t[:, None]"},
    {"expand_dims", "t[:, None]"},
    {"permute", "transpose(t, (…))"},
    {"swapaxes", "transpose(t, (…))"},
    {"trans", "transpose(t)"},
    {"flatten", "reshape(t, (-1,))"},
    {"ravel", "reshape(t, (-1,))"},
    {"view", "reshape(t, (…))"},
    {"expand", "broadcast(t, (…))"},
    {"broadcast_to", "broadcast(t, (…))"},
    {"repeat", "broadcast(t, (…))"},
    {"tile", "broadcast(t, (…)); the pieces of a loop are tiles(N, tile=…)"},
    {"flip", "a loop with reverse=True"},
    {"gather", "take(t, indices), or load(x[indices]) from global memory"},
    {"index_select", "take(t, indices, axis=…)"},
    {"take_along_axis", "take(t, indices, axis=…)"},
    {"scatter", "store(y[indices], t)"},
    {"nonzero", "compress(arange(n), mask)"},
    {"masked_select", "compress(t, mask)"},
    {"masked_fill", "where(mask, value, t)"},
    {"select", "where(cond, a, b)"},
    {"cumulative_sum", "cumsum(t)"},
    {"ones", "full(f32[N], 1)"},
    {"zeros_like", "zeros(f32[…]) with the shape of the tile"},
    {"ones_like", "full(f32[…], 1) with the shape of the tile"},
    {"full_like", "full(f32[…], value) with the shape of the tile"},
    {"empty", "zeros(f32[N]) for a tile, scratch(f32[N]) for global memory"},
    {"empty_like", "zeros(f32[…]) with the shape of the tile"},
    {"linspace", "start + arange(n).to(f32) * step"},
    {"rand", "philox(seed, offset, f32[…])"},
    {"randn", "philox(seed, offset, f32[…]) and a transformation"},
    {"dropout", "where(philox(seed, offset, f32[…]) < keep, t / keep, 0)"},
    {"tensor", "full(f32[…], value)"},
    {"array", "full(f32[…], value)"},
    {"len", "the size by its name (N), x.size, or x.count for a list"},
    {"print", "nothing: a kernel prints nothing; store the value in an output"},
    {"cdiv", "ceil_div(a, b)"},
    {"int", "t.to(i32); a host quotient is a // b"},
    {"float", "t.to(f32)"},
    {"bool", "t.to(bool), or a comparison"},
    {"cast", "t.to(f32)"},
    {"astype", "t.to(f32)"},
    {"static_cast", "t.to(f32)"},
    {"convert", "t.to(f32)"},
    {"isclose", "abs(a - b) <= tolerance"},
    {"hypot", "sqrt(a * a + b * b)"},
    {"logaddexp", "maximum(a, b) + log1p(exp(-abs(a - b)))"},
    {"mish", "t * tanh(softplus(t))"},
    {"hardtanh", "clamp(t, -1, 1)"},
    {"elu", "where(t > 0, t, alpha * expm1(t))"},
    {"program_id", "the variable of a loop `for r in cores(M):`"},
    {"num_programs", "nothing: `for r in cores(M):` shares the work out"},
    {"get_block_idx", "the variable of a loop `for r in cores(M):`"},
    {"GetBlockIdx", "the variable of a loop `for r in cores(M):`"},
    {"alloc_ub", "nothing: on-chip memory is planned; load gives a tile"},
    {"alloc_l1", "nothing: on-chip memory is planned; load gives a tile"},
    {"alloc_l0c", "nothing: on-chip memory is planned"},
    {"copyin", "load(x[…])"},
    {"copyout", "store(y[…], tile)"},
    {"DataCopy", "load(x[…]) or store(y[…], tile)"},
    {"PipeBarrier", "nothing: synchronisation is derived"},
    {"SyncAll", "nothing: barriers between loops are derived"},
    {"syncthreads", "nothing: synchronisation is derived"},
    {"barrier", "nothing: barriers between loops are derived"},
    {"vadd", "a + b"},
    {"vsub", "a - b"},
    {"vmul", "a * b"},
    {"vdiv", "a / b"},
    {"vmax", "maximum(a, b)"},
    {"vmin", "minimum(a, b)"},
    {"vexp", "exp(t)"},
    {"vln", "ln(t)"},
    {"vsqrt", "sqrt(t)"},
    {"vrsqrt", "rsqrt(t)"},
    {"vabs", "abs(t)"},
    {"vreciprocal", "reciprocal(t)"},
    {"vadd_scalar", "t + s"},
    {"vmul_scalar", "t * s"},
    {"duplicate", "full(f32[N], value)"},
    {"extract_scalar", "t[i], or load(x[i])"},
    {"enumerate", "`for i in each(x):` for a list, `for r in cores(M):` else"},
    {"zip", "`for i in each(x):` and x[i], y[i]"},
    {"prange", "`for r in cores(M):`"},
    {"parallel", "`for r in cores(M):`"},
    {"arrange", "arange(n)"},
    {"type", "nothing: types follow from what is assigned"},
    {"isinstance", "nothing: types follow from the parameters"},
    {"rearrange", "reshape(t, (…)) and transpose(t)"},
    {"pad", "load(view, fill=value)"},
};

constexpr Spelling kForeignDtypes[] = {
    {"float32", "f32"},
    {"float", "f32"},
    {"fp32", "f32"},
    {"float16", "f16"},
    {"half", "f16"},
    {"fp16", "f16"},
    {"bfloat16", "bf16"},
    {"bfloat16_t", "bf16"},
    {"float16_t", "f16"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"int8_t", "i8"},
    {"int16_t", "i16"},
    {"int32_t", "i32"},
    {"int64_t", "i64"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"uint8_t", "u8"},
    {"uint16_t", "u16"},
    {"uint32_t", "u32"},
    {"uint64_t", "u64"},
    {"long", "i64"},
    {"short", "i16"},
    {"int", "i32"},
    {"boolean", "bool"},
    {"bool_", "bool"},
    {"int1", "bool"},
    {"float64", "f32: the vector unit has no f64"},
    {"double", "f32: the vector unit has no f64"},
    {"f64", "f32: the vector unit has no f64"},
};

constexpr Spelling kAttributes[] = {
    {"T", "transpose(t)"},
    {"mT", "transpose(t)"},
    {"t", "transpose(t)"},
    {"float", "t.to(f32)"},
    {"half", "t.to(f16)"},
    {"bfloat16", "t.to(bf16)"},
    {"int", "t.to(i32)"},
    {"long", "t.to(i64)"},
    {"bool", "t.to(bool)"},
    {"astype", "t.to(f32)"},
    {"type", "t.to(f32)"},
    {"cast", "t.to(f32)"},
    {"shape", "the sizes by their names, as in the parameters"},
    {"ndim", "nothing: the rank follows from the subscripts"},
    {"dim", "nothing: the rank follows from the subscripts"},
    {"numel", "x.size"},
    {"nelement", "x.size"},
    {"dtype", "the dtype by its name, as in the parameters"},
    {"item", "the tile itself: a tile without dimensions is a scalar"},
    {"view", "reshape(t, (…))"},
    {"contiguous", "nothing: tiles are values"},
    {"clone", "nothing: tiles are values"},
    {"copy", "nothing: tiles are values"},
    {"detach", "nothing"},
    {"cuda", "nothing"},
    {"npu", "nothing"},
    {"at", "store or atomic_add"},
    {"add_", "t = t + v"},
    {"mul_", "t = t * v"},
    {"fill_", "full(f32[…], value)"},
    {"zero_", "zeros(f32[…])"},
    {"data_ptr", "x[…]: a view by indices"},
    {"ptr", "x[…]: a view by indices"},
};

constexpr Spelling kForeignKeywords[] = {
    {"dim", "axis"},         {"dims", "axis"},          {"axes", "axis"},
    {"keepdim", "keepdims"}, {"keep_dims", "keepdims"}, {"other", "fill"},
    {"fill_value", "value"}, {"block", "tile"},         {"block_size", "tile"},
    {"step", "tile"},        {"chunk", "tile"},         {"reversed", "reverse"},
    {"backward", "reverse"}, {"rounding", "round"},     {"mode", "round"},
    {"min", "low"},          {"max", "high"},           {"p", "ord"},
};

template <size_t kCount>
std::string_view Look(const Spelling (&table)[kCount], std::string_view name) {
  for (const Spelling& spelling : table) {
    if (spelling.theirs == name) return spelling.ours;
  }
  return "";
}

}  // namespace

bool IsForeignModule(std::string_view name) {
  return std::find(std::begin(kModules), std::end(kModules), name) !=
         std::end(kModules);
}

std::string_view ForFunction(std::string_view name) {
  return Look(kFunctions, name);
}

std::string_view ForDtype(std::string_view name) {
  return Look(kForeignDtypes, name);
}

std::string_view ForAttribute(std::string_view name) {
  return Look(kAttributes, name);
}

std::string_view ForKeyword(std::string_view name) {
  return Look(kForeignKeywords, name);
}

}  // namespace belay::crux
